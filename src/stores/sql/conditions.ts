/** SQL conditions shared by the SQL stores. */
import type { GroupLevel, Reach } from '../../model/index.ts'
import { levelColumn } from './group-rows.ts'

/** Whether the feed of an entry or poll still exists. Leftovers of removed feeds are invisible until they are swept. */
export function isNotRemovedSql(alias: string): string {
  return `NOT EXISTS (SELECT 1 FROM removals r WHERE r.feed_id = ${alias}.feed_id)`
}

/** `label_id` of muted entries in `entry_labels`. Labels have ids from 1. */
export const MUTED = 0

/** Whether a user has muted an entry. `entry` and `user` are SQL expressions. */
export function isMutedSql(entry: string, user: string): string {
  return `EXISTS (SELECT 1 FROM entry_labels x WHERE x.user_id = ${user} AND x.entry_id = ${entry} AND x.label_id = ${MUTED})`
}

/** Whether a feed is within a user's reach. `feedId` and `user` are SQL expressions. */
export function isFeedInReachSql(reach: Reach, feedId: string, user: string): string {
  const isFollowed = `EXISTS (SELECT 1 FROM subscriptions vr WHERE vr.user_id = ${user} AND vr.feed_id = ${feedId})`
  const feedIs = (is: string) => `EXISTS (SELECT 1 FROM feeds vf WHERE vf.id = ${feedId} AND (${is}))`
  switch (reach) {
    case 'followed':
      return isFollowed
    case 'common':
      return `(${isFollowed} OR ${feedIs('vf.listed IS NOT NULL')})`
    case 'shared':
      return `(${isFollowed} OR ${feedIs('vf.listed IS NOT NULL OR vf.private IS NULL')})`
    case 'public':
      return `(${feedIs('vf.private IS NULL')} AND ${user} = ${user})` // uses the parameter, which must appear in the statement
  }
}

/** Selects ids of feeds within reach, or of those that are not, oldest first. Uses indexes on followed, listed and private feeds where possible. */
export function feedsInReachSql(
  reach: Reach,
  isHidden: boolean,
  { user, after, limit }: { user: string; after: string; limit: string },
): string {
  const branch = (from: string, id: string, where: string) =>
    `SELECT * FROM (SELECT ${id} AS id FROM ${from} WHERE ${where} AND ${id} > ${after} ORDER BY ${id} LIMIT ${limit}) AS ${from}_within`
  const isFollowed = branch('subscriptions', 'feed_id', `user_id = ${user}`)
  if (!isHidden && reach === 'followed') return isFollowed
  if (!isHidden && reach === 'common')
    return `${isFollowed} UNION ${branch('feeds', 'id', 'listed = 1')} ORDER BY 1 LIMIT ${limit}`
  const isSeen = isFeedInReachSql(reach, 'feeds.id', user)
  if (!isHidden) return branch('feeds', 'feeds.id', isSeen)
  const isLikely = reach === 'shared' || reach === 'public' ? 'private = 1 AND ' : ''
  return branch('feeds', 'feeds.id', `${isLikely}NOT ${isSeen}`)
}

/** Whether entry `e` duplicates another within the user's reach: the group's primary, or an earlier member if that is out of reach. */
export function isDuplicateInReachSql(level: GroupLevel, reach: Reach, user: string): string {
  return `EXISTS (SELECT 1 FROM members m JOIN groups g ON g.id = m.group_id
    WHERE m.entry_id = e.id AND m.level = ${levelColumn(level)} AND g.primary_id <> e.id
    AND EXISTS (SELECT 1 FROM members o JOIN entries oe ON oe.id = o.entry_id WHERE o.group_id = g.id
    AND (o.entry_id = g.primary_id OR (o.at, o.entry_id) < (m.at, m.entry_id)) AND ${isFeedInReachSql(reach, 'oe.feed_id', user)}))`
}

/** Whether entry `e` is in a group of this level whose primary is another entry. */
export function isDuplicateSql(level: GroupLevel): string {
  return `EXISTS (SELECT 1 FROM members m JOIN groups g ON g.id = m.group_id
    WHERE m.entry_id = e.id AND m.level = ${levelColumn(level)} AND g.primary_id <> e.id)`
}

/** Whether a user may see source `s`: its feed is within reach, it is listed, or the user waits for it. */
export function isSourceInReach(reach: Reach, user: string): string {
  return `(s.listed IS NOT NULL OR (s.feed_id IS NOT NULL AND ${isFeedInReachSql(reach, 's.feed_id', user)})
    OR EXISTS (SELECT 1 FROM pending_subscriptions w WHERE w.user_id = ${user} AND w.source_id = s.id))`
}

/** Whether group `g` has at least two members within reach. */
export function hasTwoMembersInReachSql(reach: Reach, user: string): string {
  return `(SELECT count(*) FROM (SELECT 1 FROM members o JOIN entries oe ON oe.id = o.entry_id
    WHERE o.group_id = g.id AND ${isFeedInReachSql(reach, 'oe.feed_id', user)} LIMIT 2) AS two) = 2`
}
