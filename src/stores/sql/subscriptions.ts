/** Subscriptions of users, with stored unread counts, which are never computed on read. */
import type { EntryId, FeedId, FolderCount, Instant, PendingSubscription, SourceId, UserId } from '../../model/index.ts'
import type { FollowTarget, NewSubscription, SubscriptionQuery } from '../../ports/index.ts'
import type { SubscriptionMethods } from '../methods.ts'
import { feedsInReachSql, isFeedInReachSql, isNotRemovedSql } from './conditions.ts'
import { type Dialect, insertRowsSql, type TypedColumn } from './dialect.ts'
import { folderKey } from './folder-key.ts'
import type { SqlSession, SqlTransaction, SqlWork } from './session.ts'
import {
  FOLLOWED_FEED_COLUMNS,
  type FollowedFeedRow,
  followedFeedOfRow,
  type ReadRateRow,
  readsOfFeeds,
  SUBSCRIPTION_COLUMNS,
  type SubscriptionRow,
  subscriptionOf,
} from './subscription-rows.ts'
import { SUBSCRIPTION_KEY, type SubscriptionKey, type SubscriptionWriter } from './subscription-writer.ts'
import { atMost, firstOfEach, inOrder } from './values.ts'

const SEPARATOR = ' / '

const FEEDS_PER_QUERY = 500

/**
 * Whether user $1 exists: a removed user has no data, though their rows are deleted later. A scalar subquery is evaluated once, while
 * EXISTS would be evaluated for every row.
 */
export const USER_EXISTS = '(SELECT true FROM users p WHERE p.id = $1)'

const PENDING_COLUMNS: TypedColumn[] = [
  'user_id bigint',
  'source_id bigint',
  'title text',
  'folder text',
  'added_at bigint',
]
const NUMBERED = { user: 'CAST($1 AS bigint)', after: 'CAST($2 AS bigint)', limit: 'CAST($3 AS bigint)' }
const ID: TypedColumn[] = ['id bigint']
const FOLLOWERS =
  'SELECT (SELECT count(*) FROM subscriptions r WHERE r.feed_id = g.id) AS count, g.id AS id FROM given g'
const PENDING_FOLLOWERS =
  'SELECT (SELECT count(*) FROM pending_subscriptions r WHERE r.source_id = g.id) AS count, g.id AS id FROM given g'

/** Condition on subscriptions: in this folder or a subfolder; '' means in no folder. `parameter` adds a value and returns its placeholder. */
export function inFolderSql(
  dialect: Dialect,
  folder: string | undefined,
  parameter: (value: unknown) => string,
): string {
  if (folder === undefined) return ''
  return folder === ''
    ? 'AND folder_key IS NULL'
    : `AND ${dialect.startsWith('folder_key', parameter(folderKey(folder)))}`
}

function createSubscriptionWork(dialect: Dialect, writer: SubscriptionWriter) {
  /** The newest entry to count as read, so that the newest `unread` entries are not. */
  function* readUpTo(tx: SqlTransaction, feeds: FeedId[], unread: number): SqlWork<Map<FeedId, EntryId>> {
    const rows = yield* tx.each<{ id: FeedId; read_up_to: EntryId }>(
      `SELECT g.id AS id, coalesce((SELECT e.id FROM entries e WHERE e.feed_id = g.id ORDER BY e.id DESC LIMIT 1 OFFSET g.unread), 0) AS read_up_to
       FROM given g`,
      ['id bigint', 'unread bigint'],
      feeds.map((id) => [id, atMost(unread)]),
    )
    return new Map(rows.map(({ id, read_up_to }) => [id, read_up_to]))
  }

  function* followIn(
    tx: SqlTransaction,
    userId: UserId,
    requested: NewSubscription[],
    addedAt: Instant,
    unread: number,
  ): SqlWork<boolean[]> {
    const sources = yield* sourcesOf(tx, requested)
    const feedOf = (target: NewSubscription) => ('feedId' in target ? target.feedId : sources.get(target.sourceId))
    const feeds = firstOfEach(requested.filter(feedOf), feedOf)
    const pendingRequests = requested.filter((target) => 'sourceId' in target && feedOf(target) === null)
    const ids = feeds.map((target) => feedOf(target)!)
    yield* writer.lockSchedules(tx, ids)
    const readUpToByFeed = yield* readUpTo(tx, ids, unread)
    const subscriptions = feeds.map(({ title, folder }, i) => {
      return { userId, feedId: ids[i]!, title, folder, addedAt, readUpTo: readUpToByFeed.get(ids[i]!)! }
    })
    const isAdded = yield* writer.add(tx, subscriptions, 'feed_id')
    const distinctPending = firstOfEach(pendingRequests, sourceOf)
    const isWaiting = yield* tx.changeEach(
      `${insertRowsSql('pending_subscriptions', 'source_id', PENDING_COLUMNS)} ON CONFLICT DO NOTHING`,
      'pending_subscriptions.source_id',
      PENDING_COLUMNS,
      distinctPending.map((target) => [userId, sourceOf(target), target.title || null, target.folder || null, addedAt]),
    )
    const added = new Set([...feeds.filter((_, i) => isAdded[i]), ...distinctPending.filter((_, i) => isWaiting[i])])
    return requested.map((target) => added.has(target))
  }

  /** Returns the feeds of the requested sources, null where no feed has been found yet. */
  function* sourcesOf(tx: SqlTransaction, requested: NewSubscription[]): SqlWork<Map<SourceId, FeedId | null>> {
    const ids = requested.flatMap((target) => sourceOf(target) ?? [])
    if (ids.length === 0) return new Map()
    const rows = yield* tx.rows<{ id: SourceId; feed_id: FeedId | null }>(
      `SELECT id, feed_id FROM sources WHERE ${dialect.isOneOf('id', '$1', 'bigint')} ORDER BY id ${dialect.forUpdate}`,
      [ids],
    )
    return new Map(rows.map(({ id, feed_id }) => [id, feed_id]))
  }

  function* unfollowIn(
    tx: SqlTransaction,
    userId: UserId,
    targets: FollowTarget[],
  ): SqlWork<{ wasFollowed: boolean; otherFollowers: number }[]> {
    const distinct = firstOfEach(targets, (target) => JSON.stringify(target))
    const feeds = distinct.filter((target) => 'feedId' in target)
    const sources = distinct.filter((target) => 'sourceId' in target)
    const ids = feeds.map(({ feedId }) => feedId)
    yield* writer.lockSchedules(tx, ids)
    const isDropped = yield* writer.remove(
      tx,
      ids.map((id): SubscriptionKey => [userId, id]),
      'feed_id',
    )
    const isPendingRemoved = yield* tx.changeEach(
      `DELETE FROM pending_subscriptions USING given g
       WHERE pending_subscriptions.user_id = g.user_id AND pending_subscriptions.source_id = g.source_id`,
      'pending_subscriptions.source_id',
      ['user_id bigint', 'source_id bigint'],
      sources.map(({ sourceId }) => [userId, sourceId]),
    )
    const removed = new Set<FollowTarget>([
      ...feeds.filter((_, i) => isDropped[i]),
      ...sources.filter((_, i) => isPendingRemoved[i]),
    ])
    const readers = yield* tx.each<Count<FeedId>>(FOLLOWERS, ID, rowsOf(ids))
    const waiters = yield* tx.each<Count<SourceId>>(
      PENDING_FOLLOWERS,
      ID,
      rowsOf(sources.map(({ sourceId }) => sourceId)),
    )
    const remainingReaders = countIn(readers, waiters)
    return targets.map((target) => ({ wasFollowed: removed.has(target), otherFollowers: remainingReaders(target) }))
  }

  function* renameIn(tx: SqlTransaction, userId: UserId, from: string, to: string | null): SqlWork<number> {
    const rows = yield* tx.rows<Pick<SubscriptionRow, 'feed_id' | 'folder'>>(
      `SELECT feed_id, folder FROM subscriptions
       WHERE user_id = $1 AND (folder = $2 OR (${dialect.startsWith('folder', '$3')})) ${dialect.forUpdate}`,
      [userId, from, from + SEPARATOR],
    )
    const moved = rows.map(({ feed_id, folder }) => {
      const below = (folder ?? '').slice(from.length + SEPARATOR.length)
      const name = [to, below].filter(Boolean).join(SEPARATOR) || null
      return [userId, feed_id, name, folderKey(name)]
    })
    yield* tx.runEach(
      `UPDATE subscriptions AS r SET folder = g.folder, folder_key = g.folder_key
       FROM given g WHERE r.user_id = g.user_id AND r.feed_id = g.feed_id`,
      [...SUBSCRIPTION_KEY, 'folder text', 'folder_key text'],
      moved,
    )
    return moved.length
  }

  return { followIn, unfollowIn, renameIn }
}

/** CROSS JOIN: SQLite reads them in the order of subscriptions, which is that of ids. */
const FOLLOWED_FEEDS =
  'subscriptions v CROSS JOIN feeds f JOIN schedules s ON s.feed_id = v.feed_id AND f.id = v.feed_id'

function pageSql(
  dialect: Dialect,
  userId: UserId,
  { folder, after = 0 as FeedId, limit }: SubscriptionQuery,
  columns: string,
  tables: string,
) {
  const values: unknown[] = [userId, after, atMost(limit)]
  const inScope = inFolderSql(dialect, folder, (value) => `$${values.push(value)}`)
  const sql = `SELECT ${columns} FROM ${tables} WHERE v.user_id = $1 AND v.feed_id > $2 AND ${USER_EXISTS} ${inScope}
    ORDER BY v.feed_id LIMIT $3`
  return { sql, values }
}

export function subscriptionMethods(session: SqlSession, writer: SubscriptionWriter): SubscriptionMethods {
  const { dialect } = session
  const list = dialect.list('$2')
  const { followIn, unfollowIn, renameIn } = createSubscriptionWork(dialect, writer)

  return {
    follow: (userId, requested, at, unread) => session.write((tx) => followIn(tx, userId, requested, at, unread)),

    unfollow: (userId, targets) => session.write((tx) => unfollowIn(tx, userId, targets)),

    async changeSubscription(userId, feedId, { title, folder }) {
      const values: unknown[] = [userId, feedId]
      const parameter = (value: unknown) => `$${values.push(value)}`
      const changes = [
        ...(title === undefined ? [] : [`title = ${parameter(title)}`]),
        ...(folder === undefined
          ? []
          : [`folder = ${parameter(folder)}`, `folder_key = ${parameter(folderKey(folder))}`]),
      ]
      const changed = await session.run(
        `UPDATE subscriptions SET ${changes.join(', ') || 'feed_id = feed_id'}
         WHERE user_id = $1 AND feed_id = $2 AND ${USER_EXISTS}`,
        values,
      )
      return changed > 0
    },

    renameFolder: (userId, from, to) => session.write((tx) => renameIn(tx, userId, from, to)),

    async subscriptionsOf(userId, query) {
      const { sql, values } = pageSql(dialect, userId, query, SUBSCRIPTION_COLUMNS, 'subscriptions v')
      return (await session.rows<SubscriptionRow>(sql, values)).map(subscriptionOf)
    },

    async followedFeeds(userId, query) {
      const { sql, values } = pageSql(dialect, userId, query, FOLLOWED_FEED_COLUMNS, FOLLOWED_FEEDS)
      return (await session.rows<FollowedFeedRow>(sql, values)).map(followedFeedOfRow)
    },

    async subscriptionsTo(userId, ids) {
      const rows = await session.rows<SubscriptionRow>(
        `SELECT ${SUBSCRIPTION_COLUMNS} FROM ${list} CROSS JOIN subscriptions
         WHERE user_id = $1 AND feed_id = w.value AND ${USER_EXISTS}`,
        [userId, ids],
      )
      return inOrder(ids, rows, (row) => row.feed_id, subscriptionOf)
    },

    async pendingSubscriptions(userId, { after = 0, limit }) {
      const rows = await session.rows<Omit<SubscriptionRow, 'feed_id'> & { source_id: SourceId }>(
        `SELECT source_id, title, folder, added_at FROM pending_subscriptions
         WHERE user_id = $1 AND source_id > $2 AND ${USER_EXISTS} ORDER BY source_id LIMIT $3`,
        [userId, after, atMost(limit)],
      )
      return rows.map(
        ({ source_id: sourceId, title, folder, added_at: addedAt }): PendingSubscription => ({
          sourceId,
          ...(title !== null && { title }),
          ...(folder !== null && { folder }),
          addedAt,
        }),
      )
    },

    readerCounts(userId) {
      return session.read(function* (query) {
        const rows = yield* query.rows<{ folder: string | null; feeds: number; unread: number }>(
          `SELECT folder, count(*) AS feeds, CAST(sum(unread) AS bigint) AS unread FROM subscriptions
           WHERE user_id = $1 AND ${USER_EXISTS} GROUP BY folder_key, folder
           ORDER BY CASE WHEN folder IS NULL THEN 0 ELSE 1 END, folder ${dialect.bytewise}`,
          [userId],
        )
        const stars = yield* query.row<{ count: number }>(
          `SELECT count(*) AS count FROM stars s WHERE user_id = $1 AND ${USER_EXISTS} AND ${isNotRemovedSql('s')}`,
          [userId],
        )
        return {
          feeds: rows.reduce((sum, { feeds }) => sum + feeds, 0),
          unread: rows.reduce((sum, { unread }) => sum + unread, 0),
          starred: stars?.count ?? 0,
          folders: rows.map(
            ({ folder, ...counts }): FolderCount => ({ ...(folder !== null && { folder }), ...counts }),
          ),
        }
      })
    },

    async followerCounts(targets) {
      const readers = await session.each<Count<FeedId>>(
        FOLLOWERS,
        ID,
        rowsOf(targets.flatMap((target) => feedOf(target) ?? [])),
      )
      const waiters = await session.each<Count<SourceId>>(
        PENDING_FOLLOWERS,
        ID,
        rowsOf(targets.flatMap((target) => sourceOf(target) ?? [])),
      )
      return targets.map(countIn(readers, waiters))
    },

    async feedsWithin({ userId, reach }, query) {
      const rows =
        'among' in query
          ? await session.rows<{ id: FeedId }>(
              `SELECT w.value AS id FROM ${list} WHERE ${isFeedInReachSql(reach, 'w.value', NUMBERED.user)} ORDER BY w.key`,
              [userId, query.among],
            )
          : await session.rows<{ id: FeedId }>(feedsInReachSql(reach, query.hidden ?? false, NUMBERED), [
              userId,
              query.after ?? 0,
              atMost(query.limit),
            ])
      return rows.map(({ id }) => id)
    },

    async unfollowedFeeds(limit) {
      const rows = await session.rows<{ feed_id: FeedId }>(
        `SELECT l.feed_id FROM unfollowed_feeds l JOIN feeds f ON f.id = l.feed_id WHERE f.listed IS NULL
         AND NOT EXISTS (SELECT 1 FROM subscriptions r WHERE r.feed_id = l.feed_id) LIMIT $1`,
        [atMost(limit)],
      )
      return rows.map(({ feed_id }) => feed_id)
    },

    async *everyFeedReads(now) {
      for (let after = 0 as FeedId; ; ) {
        const rows = await session.rows<ReadRateRow>(
          `SELECT feed_id, reads, read_at FROM subscriptions WHERE feed_id IN
           (SELECT DISTINCT feed_id FROM subscriptions WHERE feed_id > $1 ORDER BY feed_id LIMIT $2) ORDER BY feed_id`,
          [after, FEEDS_PER_QUERY],
        )
        yield* readsOfFeeds(rows, now)
        const last = rows.at(-1)
        if (!last) return
        after = last.feed_id
      }
    },
  }
}

interface Count<Id> {
  id: Id
  count: number
}

function feedOf(target: FollowTarget): FeedId | undefined {
  return 'feedId' in target ? target.feedId : undefined
}

function sourceOf(target: FollowTarget): SourceId | undefined {
  return 'sourceId' in target ? target.sourceId : undefined
}

function rowsOf(ids: readonly number[]): number[][] {
  return ids.map((id) => [id])
}

function countIn(readers: Count<FeedId>[], waiters: Count<SourceId>[]): (target: FollowTarget) => number {
  const ofFeed = new Map(readers.map(({ id, count }) => [id, count]))
  const ofSource = new Map(waiters.map(({ id, count }) => [id, count]))
  return (target) => ('feedId' in target ? ofFeed.get(target.feedId) : ofSource.get(target.sourceId)) ?? 0
}
