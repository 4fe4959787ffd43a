/** Conditions that hold in every store with tables, as SQL. */
import type { GroupLevel, Reach } from '../../model/index.ts'
import { levelColumn } from './group-rows.ts'

/** An entry or a poll whose feed is there: what is left of removed ones nobody sees. */
export function isKept(alias: string): string {
  return `NOT EXISTS (SELECT 1 FROM removals r WHERE r.feed_id = ${alias}.feed_id)`
}

/** A feed within a user's reach. `feedId` and `person` are SQL. */
export function isWithin(reach: Reach, feedId: string, person: string): string {
  const followed = `EXISTS (SELECT 1 FROM readings vr WHERE vr.person_id = ${person} AND vr.feed_id = ${feedId})`
  const feed = (is: string) => `EXISTS (SELECT 1 FROM feeds vf WHERE vf.id = ${feedId} AND (${is}))`
  switch (reach) {
    case 'followed':
      return followed
    case 'common':
      return `(${followed} OR ${feed('vf.listed IS NOT NULL')})`
    case 'shared':
      return `(${followed} OR ${feed('vf.listed IS NOT NULL OR vf.private IS NULL')})`
    case 'public':
      return `(${feed('vf.private IS NULL')} AND ${person} = ${person})` // a parameter has to stand somewhere
  }
}

/** The ids of feeds within reach, or of those that are not, oldest first. By indexes: what is followed, listed or private is found without a look at all. */
export function feedsWithinSql(
  reach: Reach,
  isHidden: boolean,
  { person, after, limit }: { person: string; after: string; limit: string },
): string {
  const some = (from: string, id: string, where: string) =>
    `SELECT * FROM (SELECT ${id} AS id FROM ${from} WHERE ${where} AND ${id} > ${after} ORDER BY ${id} LIMIT ${limit}) AS ${from}_within`
  const followed = some('readings', 'feed_id', `person_id = ${person}`)
  if (!isHidden && reach === 'followed') return followed
  if (!isHidden && reach === 'common')
    return `${followed} UNION ${some('feeds', 'id', 'listed = 1')} ORDER BY 1 LIMIT ${limit}`
  const isSeen = isWithin(reach, 'feeds.id', person)
  if (!isHidden) return some('feeds', 'feeds.id', isSeen)
  const isLikely = reach === 'shared' || reach === 'public' ? 'private = 1 AND ' : ''
  return some('feeds', 'feeds.id', `${isLikely}NOT ${isSeen}`)
}

/** An entry `e` that repeats another within the user's reach: their primary, or the earliest of them where that is out of reach. */
export function isRepeatedWithin(level: GroupLevel, reach: Reach, person: string): string {
  return `EXISTS (SELECT 1 FROM members m JOIN groups g ON g.id = m.group_id
    WHERE m.entry_id = e.id AND m.level = ${levelColumn(level)} AND g.primary_id <> e.id
    AND EXISTS (SELECT 1 FROM members o JOIN entries oe ON oe.id = o.entry_id WHERE o.group_id = g.id
    AND (o.entry_id = g.primary_id OR (o.at, o.entry_id) < (m.at, m.entry_id)) AND ${isWithin(reach, 'oe.feed_id', person)}))`
}

/** An entry `e` that is no primary at this level. */
export function isRepeated(level: GroupLevel): string {
  return `EXISTS (SELECT 1 FROM members m JOIN groups g ON g.id = m.group_id
    WHERE m.entry_id = e.id AND m.level = ${levelColumn(level)} AND g.primary_id <> e.id)`
}

/** A source `s` that a user may see: of a feed within reach, listed, or one that they wait for. */
export function isSourceWithin(reach: Reach, person: string): string {
  return `(s.listed IS NOT NULL OR (s.feed_id IS NOT NULL AND ${isWithin(reach, 's.feed_id', person)})
    OR EXISTS (SELECT 1 FROM waiting_readings w WHERE w.person_id = ${person} AND w.source_id = s.id))`
}

/** A group `g` with two members within reach, at least: with one it says nothing. */
export function hasTwoWithin(reach: Reach, person: string): string {
  return `(SELECT count(*) FROM (SELECT 1 FROM members o JOIN entries oe ON oe.id = o.entry_id
    WHERE o.group_id = g.id AND ${isWithin(reach, 'oe.feed_id', person)} LIMIT 2) AS two) = 2`
}
