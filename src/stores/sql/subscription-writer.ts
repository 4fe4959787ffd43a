/**
 * Updates subscriptions and read state when feeds, sources, entries and users are added or removed. `unread` of a subscription is updated
 * in the transaction that changes what it counts. Recounting requires locking the schedules of the feeds first, so that no other
 * transaction writes their entries and all committed ones are visible.
 */
import type { EntryId, FeedId, Instant, SourceId, UserId } from '../../model/index.ts'
import { isMutedSql } from './conditions.ts'
import type { Dialect, TypedColumn } from './dialect.ts'
import { folderKey } from './folder-key.ts'
import type { SqlTransaction, SqlWork } from './session.ts'

export interface AddedSubscription {
  userId: UserId
  feedId: FeedId
  title?: string | null | undefined
  folder?: string | null | undefined
  addedAt: Instant
  /** All entries up to this one are read. */
  readUpTo: EntryId
}

export type SubscriptionKey = [userId: UserId, feedId: FeedId]

/** The column in which the rows of one call differ: one user with several feeds, or one feed with several users. */
type DiffersBy = 'feed_id' | 'user_id'

export type SubscriptionWriter = ReturnType<typeof createSubscriptionWriter>

/** Read states that are deleted together with a subscription; `sweep` deletes the rest. */
const FIRST_READ_STATES = 500

export const SUBSCRIPTION_KEY: TypedColumn[] = ['user_id bigint', 'feed_id bigint']
const ADDED: TypedColumn[] = [
  ...SUBSCRIPTION_KEY,
  'title text',
  'folder text',
  'folder_key text',
  'added_at bigint',
  'read_up_to bigint',
]
const READ_STATE_KEY: TypedColumn[] = [...SUBSCRIPTION_KEY, 'entry_id bigint']
const HAS_KEY = 'r.user_id = g.user_id AND r.feed_id = g.feed_id'

/** Other tables of user data, with the column that distinguishes a user's rows. */
const OWN_TABLES: [table: string, key: string][] = [
  ['pending_subscriptions', 'source_id'],
  ['stars', 'entry_id'],
  ['entry_labels', 'entry_id'],
  ['labels', 'label_id'],
  ['saved_searches', 'id'],
  ['outgoing_feeds', 'id'],
  ['webhooks', 'id'],
  ['user_values', 'key'],
]

const INSERT = `INSERT INTO subscriptions (user_id, feed_id, title, folder, folder_key, added_at, read_up_to, previous_read_up_to, unread, reads, read_at)
  SELECT g.user_id, g.feed_id, g.title, g.folder, g.folder_key, g.added_at, g.read_up_to, g.read_up_to, 0, 0, g.added_at
  FROM given g, feeds f WHERE f.id = g.feed_id ON CONFLICT (user_id, feed_id) DO NOTHING`
const RECOUNT = `UPDATE subscriptions SET unread = (SELECT count(*) FROM entries e WHERE e.feed_id = subscriptions.feed_id AND e.id > subscriptions.read_up_to)
  - (SELECT count(*) FROM read_states m WHERE m.user_id = subscriptions.user_id AND m.feed_id = subscriptions.feed_id AND m.entry_id > subscriptions.read_up_to AND m.read = 1)
  + (SELECT count(*) FROM read_states m WHERE m.user_id = subscriptions.user_id AND m.feed_id = subscriptions.feed_id AND m.entry_id <= subscriptions.read_up_to AND m.read = 0)
  FROM given g WHERE subscriptions.user_id = g.user_id AND subscriptions.feed_id = g.feed_id`
/** Entries that the user muted without following the feed are read, too. */
const READ_MUTED = `INSERT INTO read_states (user_id, feed_id, entry_id, read, change_id)
  SELECT r.user_id, r.feed_id, e.id, 1, 0 FROM given g, subscriptions r CROSS JOIN entries e
  WHERE r.user_id = g.user_id AND r.feed_id = g.feed_id AND e.feed_id = r.feed_id AND e.id > r.read_up_to
  AND ${isMutedSql('e.id', 'r.user_id')}
  ON CONFLICT (user_id, feed_id, entry_id) DO UPDATE SET read = 1`
const MARK_UNFOLLOWED = `INSERT INTO unfollowed_feeds (feed_id) SELECT DISTINCT g.feed_id FROM given g
  WHERE NOT EXISTS (SELECT 1 FROM subscriptions r WHERE r.feed_id = g.feed_id) ON CONFLICT DO NOTHING`
const NOTE_READ_STATES_TO_SWEEP = `INSERT INTO removed_subscriptions (user_id, feed_id) SELECT g.user_id, g.feed_id FROM given g
  WHERE EXISTS (SELECT 1 FROM read_states m WHERE m.user_id = g.user_id AND m.feed_id = g.feed_id) ON CONFLICT DO NOTHING`
const CHANGE_SUBSCRIBERS = `UPDATE feeds AS f SET subscribers = CASE WHEN f.subscribers + g.more < 1 THEN 1 ELSE f.subscribers + g.more END
  FROM given g WHERE f.id = g.feed_id`
const UNREAD_OF_ENTRIES = `SELECT r.user_id, r.feed_id, count(*) AS unread FROM given g, entries e JOIN subscriptions r ON r.feed_id = e.feed_id
  LEFT JOIN read_states m ON m.user_id = r.user_id AND m.feed_id = e.feed_id AND m.entry_id = e.id
  WHERE e.id = g.id AND NOT coalesce(m.read = 1, e.id <= r.read_up_to) GROUP BY r.user_id, r.feed_id`
const READ_STATES_OF_ENTRIES = `SELECT m.user_id, m.feed_id, m.entry_id FROM given g, entries e JOIN subscriptions r ON r.feed_id = e.feed_id
  JOIN read_states m ON m.user_id = r.user_id AND m.feed_id = e.feed_id AND m.entry_id = e.id WHERE e.id = g.id`
const DELETE_READ_STATES = `DELETE FROM read_states AS m USING given g
  WHERE m.user_id = g.user_id AND m.feed_id = g.feed_id AND m.entry_id = g.entry_id`

export interface KeyRow {
  user_id: UserId
  feed_id: FeedId
}

export function createSubscriptionWriter({ forUpdate, isOneOf }: Dialect) {
  /** Locks in the order of ids, so concurrent transactions cannot deadlock. */
  function* lockSchedules(tx: SqlTransaction, ids: readonly FeedId[]): SqlWork<void> {
    if (forUpdate === '') return
    const isRequested = isOneOf('feed_id', '$1', 'bigint')
    yield* tx.rows(`SELECT 1 FROM schedules WHERE ${isRequested} ORDER BY feed_id ${forUpdate}`, [ids])
  }

  /** Users who waited for the feed of a source now follow it. */
  function* sourceFound(tx: SqlTransaction, sourceId: SourceId, feedId: FeedId): SqlWork<void> {
    const waiting = yield* tx.rows<{
      user_id: UserId
      title: string | null
      folder: string | null
      added_at: Instant
    }>('DELETE FROM pending_subscriptions WHERE source_id = $1 RETURNING user_id, title, folder, added_at', [sourceId])
    if (waiting.length === 0) return
    yield* lockSchedules(tx, [feedId])
    const added = waiting.map(({ user_id: userId, title, folder, added_at: addedAt }) => {
      return { userId, feedId, title, folder, addedAt, readUpTo: 0 as EntryId }
    })
    yield* add(tx, added, 'user_id')
  }

  function* sourcesRemoved(tx: SqlTransaction, ids: readonly SourceId[]): SqlWork<void> {
    yield* tx.run(`DELETE FROM pending_subscriptions WHERE ${isOneOf('source_id', '$1', 'bigint')}`, [ids])
  }

  /** Also deletes outgoing feeds that consist of the feed. */
  function* feedRemoved(tx: SqlTransaction, feedId: FeedId): SqlWork<void> {
    const readers = yield* tx.rows<KeyRow>('SELECT user_id, feed_id FROM subscriptions WHERE feed_id = $1', [feedId])
    yield* remove(tx, keysIn(readers), 'user_id', 0)
    yield* tx.run('DELETE FROM unfollowed_feeds WHERE feed_id = $1', [feedId])
    yield* tx.run('DELETE FROM outgoing_feeds WHERE feed_id = $1', [feedId])
  }

  function* userRemoved(tx: SqlTransaction, userId: UserId): SqlWork<void> {
    yield* tx.run('INSERT INTO removed_users (user_id) VALUES ($1) ON CONFLICT DO NOTHING', [userId])
    yield* sweepUser(tx, userId, FIRST_READ_STATES)
  }

  function* sweepUser(tx: SqlTransaction, userId: UserId, limit: number): SqlWork<number> {
    const rows = yield* tx.rows<KeyRow>(
      'SELECT user_id, feed_id FROM subscriptions WHERE user_id = $1 ORDER BY feed_id LIMIT $2',
      [userId, limit],
    )
    const feeds = rows.map(({ feed_id }) => feed_id)
    yield* lockSchedules(tx, feeds)
    yield* remove(tx, keysIn(rows), 'feed_id', 0)
    let remaining = limit - rows.length
    for (const [table, key] of OWN_TABLES) {
      if (remaining <= 0) break
      remaining -= yield* tx.run(
        `DELETE FROM ${table} WHERE user_id = $1 AND ${key} IN (SELECT ${key} FROM ${table} WHERE user_id = $1 LIMIT $2)`,
        [userId, remaining],
      )
    }
    if (remaining > 0) yield* tx.run('DELETE FROM removed_users WHERE user_id = $1', [userId])
    return limit - remaining
  }

  /** Deletes at most `limit` rows of removed users and subscriptions. Returns how many. */
  function* sweep(tx: SqlTransaction, limit: number): SqlWork<number> {
    const user = yield* tx.row<{ user_id: UserId }>(
      `SELECT user_id FROM removed_users ORDER BY user_id LIMIT 1 ${forUpdate}`,
    )
    if (user) return Math.max(1, yield* sweepUser(tx, user.user_id, limit))
    const subscription = yield* tx.row<KeyRow>(
      `SELECT user_id, feed_id FROM removed_subscriptions ORDER BY user_id, feed_id LIMIT 1 ${forUpdate}`,
    )
    if (!subscription) return 0
    const key: SubscriptionKey = [subscription.user_id, subscription.feed_id]
    const dropped = yield* dropReadStates(tx, key, limit)
    if (dropped < limit) yield* tx.run('DELETE FROM removed_subscriptions WHERE user_id = $1 AND feed_id = $2', key)
    return Math.max(1, dropped)
  }

  return {
    lockSchedules,
    add,
    remove,
    recountUnread,
    deleteReadStates,
    countNewEntries,
    beforeEntriesDeleted,
    sourceFound,
    sourcesRemoved,
    feedRemoved,
    userRemoved,
    sweep,
  }
}

/** The caller has locked the schedules. Returns which were added: those of feeds that exist and were not followed yet. */
function* add(tx: SqlTransaction, subscriptions: AddedSubscription[], by: DiffersBy): SqlWork<boolean[]> {
  if (subscriptions.length === 0) return []
  const rows = subscriptions.map(({ userId, feedId, title, folder, addedAt, readUpTo }) => {
    return [userId, feedId, title || null, folder || null, folderKey(folder), addedAt, readUpTo]
  })
  const isAdded = yield* tx.changeEach(INSERT, `subscriptions.${by}`, ADDED, rows)
  const added = keysOf(subscriptions).filter((_, i) => isAdded[i])
  yield* tx.runEach(`DELETE FROM removed_subscriptions AS r USING given g WHERE ${HAS_KEY}`, SUBSCRIPTION_KEY, added)
  yield* tx.runEach(
    'DELETE FROM unfollowed_feeds AS l USING given g WHERE l.feed_id = g.feed_id',
    SUBSCRIPTION_KEY,
    added,
  )
  yield* tx.runEach(READ_MUTED, SUBSCRIPTION_KEY, added)
  yield* tx.runEach(RECOUNT, SUBSCRIPTION_KEY, added)
  yield* countSubscribers(tx, added, 1)
  return isAdded
}

/** The caller has locked the schedules. Returns which were removed. */
function* remove(
  tx: SqlTransaction,
  subscriptions: SubscriptionKey[],
  by: DiffersBy,
  maxReadStates = FIRST_READ_STATES,
): SqlWork<boolean[]> {
  if (subscriptions.length === 0) return []
  const isDropped = yield* tx.changeEach(
    'DELETE FROM subscriptions USING given g WHERE subscriptions.user_id = g.user_id AND subscriptions.feed_id = g.feed_id',
    `subscriptions.${by}`,
    SUBSCRIPTION_KEY,
    subscriptions,
  )
  const dropped = subscriptions.filter((_, i) => isDropped[i])
  if (maxReadStates > 0) for (const key of dropped) yield* dropReadStates(tx, key, maxReadStates)
  yield* tx.runEach(NOTE_READ_STATES_TO_SWEEP, SUBSCRIPTION_KEY, dropped)
  yield* tx.runEach(MARK_UNFOLLOWED, SUBSCRIPTION_KEY, dropped)
  yield* countSubscribers(tx, dropped, -1)
  return isDropped
}

/** Every user after the first adds one to the number of subscribers. */
function* countSubscribers(tx: SqlTransaction, changed: SubscriptionKey[], sign: 1 | -1): SqlWork<void> {
  if (changed.length === 0) return
  const counts = new Map<FeedId, number>()
  for (const [, feedId] of changed) counts.set(feedId, (counts.get(feedId) ?? 0) + sign)
  const feeds = yield* tx.each<{ feed_id: FeedId; readers: number }>(
    'SELECT g.feed_id AS feed_id, (SELECT count(*) FROM subscriptions r WHERE r.feed_id = g.feed_id) AS readers FROM given g',
    ['feed_id bigint'],
    [...counts.keys()].map((id) => [id]),
  )
  const changes = feeds
    .map(({ feed_id: id, readers }) => [id, Math.max(readers, 1) - Math.max(readers - (counts.get(id) ?? 0), 1)])
    .filter(([, more]) => more !== 0)
  const columns: TypedColumn[] = ['feed_id bigint', 'more bigint']
  yield* tx.runEach(CHANGE_SUBSCRIBERS, columns, changes)
  yield* tx.runEach(
    'UPDATE schedules AS s SET revision = s.revision + 1 FROM given g WHERE s.feed_id = g.feed_id',
    columns,
    changes,
  )
}

function dropReadStates(tx: SqlTransaction, [userId, feedId]: SubscriptionKey, limit: number): SqlWork<number> {
  return tx.run(
    `DELETE FROM read_states WHERE user_id = $1 AND feed_id = $2 AND entry_id IN
     (SELECT entry_id FROM read_states WHERE user_id = $1 AND feed_id = $2 LIMIT $3)`,
    [userId, feedId, limit],
  )
}

/** Recounts unread entries and returns the counts by feed. The caller has locked the schedules. */
function* recountUnread(tx: SqlTransaction, subscriptions: SubscriptionKey[]): SqlWork<Map<FeedId, number>> {
  const rows = yield* tx.each<{ feed_id: FeedId; unread: number }>(
    `${RECOUNT} RETURNING subscriptions.feed_id AS feed_id, subscriptions.unread AS unread`,
    SUBSCRIPTION_KEY,
    subscriptions,
  )
  return new Map(rows.map(({ feed_id, unread }) => [feed_id, unread]))
}

function deleteReadStates(tx: SqlTransaction, rows: (KeyRow & { entry_id: EntryId })[]): SqlWork<void> {
  const maxReadStates = rows.map(({ user_id, feed_id, entry_id }) => [user_id, feed_id, entry_id])
  return tx.runEach(DELETE_READ_STATES, READ_STATE_KEY, maxReadStates)
}

/** Adds the number of new entries of each feed to the unread counts. */
function countNewEntries(tx: SqlTransaction, counts: [feedId: FeedId, count: number][]): SqlWork<void> {
  return tx.runEach(
    'UPDATE subscriptions AS r SET unread = r.unread + g.count FROM given g WHERE r.feed_id = g.feed_id',
    ['feed_id bigint', 'count bigint'],
    counts,
  )
}

/** Updates unread counts and deletes read states. Must run before the entries are deleted. */
function* beforeEntriesDeleted(tx: SqlTransaction, ids: readonly EntryId[]): SqlWork<void> {
  const subscriptions = ids.map((id) => [id])
  const unread = new Map<string, [UserId, FeedId, number]>()
  for (const row of yield* tx.each<KeyRow & { unread: number }>(UNREAD_OF_ENTRIES, ['id bigint'], subscriptions)) {
    const key = `${row.user_id} ${row.feed_id}`
    unread.set(key, [row.user_id, row.feed_id, (unread.get(key)?.[2] ?? 0) + row.unread])
  }
  yield* tx.runEach(
    `UPDATE subscriptions AS r SET unread = r.unread - g.count FROM given g WHERE ${HAS_KEY}`,
    [...SUBSCRIPTION_KEY, 'count bigint'],
    [...unread.values()],
  )
  yield* deleteReadStates(tx, yield* tx.each(READ_STATES_OF_ENTRIES, ['id bigint'], subscriptions))
}

function keysOf(subscriptions: AddedSubscription[]): SubscriptionKey[] {
  return subscriptions.map(({ userId, feedId }) => [userId, feedId])
}

function keysIn(rows: KeyRow[]): SubscriptionKey[] {
  return rows.map(({ user_id, feed_id }) => [user_id, feed_id])
}
