/**
 * Read and starred entries of users. Each subscription has a read position: entries up to it are read, unless they have their own read
 * state. Marking a feed as read moves the position and changes only the few read states that differ.
 */
import type { ChangeId, EntryId, EntryState, FeedId, Instant, UserId } from '../../model/index.ts'
import { type ReaderState, type ReadUntil, readWeight, type SubscriptionScope } from '../../ports/index.ts'
import { isMutedSql, isNotRemovedSql } from './conditions.ts'
import { type Dialect, insertRowsSql, type TypedColumn } from './dialect.ts'
import { labelsOfEntries, muteIn } from './entry-labels.ts'
import { entryFilter, moveReadPosition, type UnreadRow } from './read-positions.ts'
import type { SqlReader, SqlSession, SqlTransaction, SqlWork } from './session.ts'
import { SUBSCRIPTION_KEY, type SubscriptionKey, type SubscriptionWriter } from './subscription-writer.ts'
import { inFolderSql, USER_EXISTS } from './subscriptions.ts'

type ReadStateMethods = 'markEntries' | 'markAllRead' | 'undoChange' | 'starEntries' | 'muteEntries' | 'entryStates'

/** Subscriptions whose read position is moved in one transaction, which locks their feeds. */
const FEEDS_PER_TRANSACTION = 100

/** Redundant read states are deleted with the next change of their subscription, up to this many at once. */
const MAX_DROPPED = 200

interface ReadPositionRow {
  feed_id: FeedId
  read_up_to: EntryId
  unread: number
}

interface EntryStateRow {
  id: EntryId
  feed_id: FeedId
  sort_at: Instant
  read_up_to: EntryId | null
  mark: 0 | 1 | null
  starred: boolean | 0 | 1
  muted: boolean | 0 | 1
}

const OF_SUBSCRIPTION = 'm.user_id = g.user_id AND m.feed_id = g.feed_id'
const READ_STATE_COLUMNS: TypedColumn[] = [...SUBSCRIPTION_KEY, 'entry_id bigint', 'read smallint', 'change_id bigint']
const SET_READ_STATES = `${insertRowsSql('read_states', 'entry_id', READ_STATE_COLUMNS)} ON CONFLICT (user_id, feed_id, entry_id)
  DO UPDATE SET was_read = read_states.read, read = excluded.read, change_id = excluded.change_id`
const CLEAR_UNREAD = `UPDATE read_states AS m SET was_read = m.read, read = NULL, change_id = g.change_id FROM given g
  WHERE ${OF_SUBSCRIPTION} AND m.entry_id = g.entry_id AND m.read = 0`
const COUNT_COLUMNS: TypedColumn[] = [
  ...SUBSCRIPTION_KEY,
  'more bigint',
  'weight double precision',
  'reads double precision',
  'read_at bigint',
]
const CHANGE_COUNTS = `UPDATE subscriptions AS m SET unread = m.unread + g.more, reads = m.reads * g.weight + g.reads, read_at = g.read_at
  FROM given g WHERE ${OF_SUBSCRIPTION}`
/** `read_up_to`: the current read position; `last`: the new one. */
const POSITION_COLUMNS: TypedColumn[] = [...SUBSCRIPTION_KEY, 'read_up_to bigint', 'last bigint', 'change_id bigint']
const REDUNDANT_READ_STATES = `SELECT u.user_id, u.feed_id, u.entry_id FROM given g CROSS JOIN LATERAL (SELECT m.user_id, m.feed_id, m.entry_id
  FROM read_states m WHERE ${OF_SUBSCRIPTION} AND m.entry_id <= g.read_up_to AND coalesce(m.read, 1) = 1 LIMIT ${MAX_DROPPED}) AS u`
const CLEAR_UNREAD_BELOW = `UPDATE read_states AS m SET was_read = m.read, read = NULL, change_id = g.change_id FROM given g
  WHERE ${OF_SUBSCRIPTION} AND m.entry_id <= g.last AND m.read = 0`
const MOVE_POSITIONS = `UPDATE subscriptions AS m SET previous_read_up_to = m.read_up_to, read_up_to = g.last, change_id = g.change_id FROM given g
  WHERE ${OF_SUBSCRIPTION} AND m.read_up_to < g.last`
const UNREAD = `SELECT e.id, e.sort_at, e.seen_at FROM entries e WHERE e.feed_id = $2 AND e.id > $3 AND NOT EXISTS
  (SELECT 1 FROM read_states m WHERE m.user_id = $1 AND m.feed_id = $2 AND m.entry_id = e.id AND m.read = 1)
  UNION ALL SELECT e.id, e.sort_at, e.seen_at FROM read_states m JOIN entries e ON e.id = m.entry_id
  WHERE m.user_id = $1 AND m.feed_id = $2 AND m.entry_id <= $3 AND m.read = 0 ORDER BY 1`

/** Moves read positions. */
function createReadPositions(dialect: Dialect, writer: SubscriptionWriter) {
  /** Locks the user's subscriptions and the schedules of their feeds, so entries and read states cannot change concurrently. */
  function* lockSubscriptions(tx: SqlTransaction, user: UserId, feeds: FeedId[]): SqlWork<ReadPositionRow[]> {
    yield* writer.lockSchedules(tx, feeds)
    return yield* tx.rows<ReadPositionRow>(
      `SELECT feed_id, read_up_to, unread FROM subscriptions WHERE user_id = $1 AND ${dialect.isOneOf('feed_id', '$2', 'bigint')}
       ORDER BY feed_id ${dialect.forUpdate}`,
      [user, feeds],
    )
  }

  /** Recounts unread entries and returns the sum of the differences. */
  function* differences(tx: SqlTransaction, user: UserId, subscriptions: ReadPositionRow[]): SqlWork<number> {
    const keys = subscriptions.map(({ feed_id }): SubscriptionKey => [user, feed_id])
    const after = yield* writer.recountUnread(tx, keys)
    return subscriptions.reduce((sum, { feed_id, unread }) => sum + Math.abs(unread - (after.get(feed_id) ?? 0)), 0)
  }

  /** Marks all entries up to `last` as read. Returns how many changed. */
  function* readUpTo(
    tx: SqlTransaction,
    user: UserId,
    subscriptions: ReadPositionRow[],
    last: EntryId,
    change: ChangeId,
  ): SqlWork<number> {
    const positions = subscriptions.map(({ feed_id, read_up_to }) => [user, feed_id, read_up_to, last, change])
    yield* writer.deleteReadStates(tx, yield* tx.each(REDUNDANT_READ_STATES, POSITION_COLUMNS, positions))
    yield* tx.runEach(CLEAR_UNREAD_BELOW, POSITION_COLUMNS, positions)
    yield* tx.runEach(MOVE_POSITIONS, POSITION_COLUMNS, positions)
    return yield* differences(tx, user, subscriptions)
  }

  function* markCovered(
    tx: SqlTransaction,
    user: UserId,
    subscription: ReadPositionRow,
    isCovered: (row: UnreadRow) => boolean,
    change: ChangeId,
  ): SqlWork<number> {
    const { feed_id: feedId, read_up_to: upTo } = subscription
    const moved = moveReadPosition(yield* tx.rows<UnreadRow>(UNREAD, [user, feedId, upTo]), upTo, isCovered)
    if (!moved) return 0
    const rowsOf = (ids: EntryId[], read: 0 | 1) => ids.map((id) => [user, feedId, id, read, change])
    yield* tx.runEach(CLEAR_UNREAD, READ_STATE_COLUMNS, rowsOf(moved.cleared, 0))
    yield* setReadStates(tx, [...rowsOf(moved.unread, 0), ...rowsOf(moved.read, 1)])
    yield* tx.runEach(MOVE_POSITIONS, POSITION_COLUMNS, [[user, feedId, upTo, moved.readUpTo, change]])
    return yield* differences(tx, user, [subscription])
  }

  function* undoIn(tx: SqlTransaction, user: UserId, feeds: FeedId[], change: ChangeId): SqlWork<number> {
    const subscriptions = yield* lockSubscriptions(tx, user, feeds)
    const ofChange = `user_id = $1 AND change_id = $2 AND ${dialect.isOneOf('feed_id', '$3', 'bigint')}`
    const values = [user, change, feeds]
    yield* tx.run(
      `UPDATE subscriptions SET read_up_to = previous_read_up_to, change_id = NULL WHERE ${ofChange}`,
      values,
    )
    yield* tx.run(`DELETE FROM read_states WHERE ${ofChange} AND was_read IS NULL`, values)
    yield* tx.run(`UPDATE read_states SET read = was_read, was_read = NULL, change_id = 0 WHERE ${ofChange}`, values)
    return yield* differences(tx, user, subscriptions)
  }

  function* unreadInScope(query: SqlReader, user: UserId, { feedIds, folder }: SubscriptionScope): SqlWork<FeedId[]> {
    const values: unknown[] = [user]
    const parameter = (value: unknown) => `$${values.push(value)}`
    const among = feedIds ? `AND ${dialect.isOneOf('feed_id', parameter(feedIds), 'bigint')}` : ''
    const rows = yield* query.rows<{ feed_id: FeedId }>(
      `SELECT feed_id FROM subscriptions WHERE user_id = $1 AND unread > 0 AND ${USER_EXISTS} ${among}
       ${inFolderSql(dialect, folder, parameter)} ORDER BY feed_id`,
      values,
    )
    return rows.map(({ feed_id }) => feed_id)
  }

  return { lockSubscriptions, readUpTo, markCovered, undoIn, unreadInScope }
}

function* lastCoveredEntry(query: SqlReader, until: ReadUntil | undefined): SqlWork<EntryId> {
  const row = yield* query.row<{ id: EntryId }>('SELECT coalesce(max(id), 0) AS id FROM entries')
  return until && 'entryId' in until ? (Math.min(row!.id, until.entryId) as EntryId) : row!.id
}

function setReadStates(tx: SqlTransaction, rows: unknown[][]): SqlWork<void> {
  return tx.runEach(SET_READ_STATES, READ_STATE_COLUMNS, rows)
}

export function readStateMethods(session: SqlSession, writer: SubscriptionWriter): Pick<ReaderState, ReadStateMethods> {
  const { dialect } = session
  const positions = createReadPositions(dialect, writer)
  const STARS: TypedColumn[] = [
    'user_id bigint',
    'entry_id bigint',
    'feed_id bigint',
    'sort_at bigint',
    'added_at bigint',
  ]
  const addStars = `${insertRowsSql('stars', 'entry_id', STARS)} ON CONFLICT DO NOTHING`
  const selectStates = `SELECT e.id, e.feed_id, e.sort_at, r.read_up_to, m.read AS mark, s.entry_id IS NOT NULL AS starred,
    ${isMutedSql('e.id', '$1')} AS muted FROM ${dialect.list('$2')} CROSS JOIN entries e
    LEFT JOIN subscriptions r ON r.user_id = $1 AND r.feed_id = e.feed_id
    LEFT JOIN read_states m ON m.user_id = $1 AND m.feed_id = e.feed_id AND m.entry_id = e.id
    LEFT JOIN stars s ON s.user_id = $1 AND s.entry_id = e.id
    WHERE e.id = w.value AND ${USER_EXISTS} AND ${isNotRemovedSql('e')} ORDER BY w.key`

  function* newChange(tx: SqlTransaction): SqlWork<ChangeId> {
    return (yield* tx.row<{ id: ChangeId }>(dialect.newReadStateChange))!.id
  }

  /** Muted entries stay read. Entries to mute get their own read state even if they are read, so that undoing an earlier change keeps it. */
  function* markIn(
    tx: SqlTransaction,
    user: UserId,
    ids: EntryId[],
    state: 'read' | 'unread' | 'muted',
    at: Instant,
  ): SqlWork<{ change: ChangeId; changed: EntryId[] }> {
    const change = yield* newChange(tx)
    const feeds = yield* tx.rows<{ feed_id: FeedId; read_at: Instant }>(
      `SELECT feed_id, read_at FROM subscriptions WHERE user_id = $1 AND feed_id IN
       (SELECT e.feed_id FROM ${dialect.list('$2')} CROSS JOIN entries e WHERE e.id = w.value) ORDER BY feed_id ${dialect.forUpdate}`,
      [user, ids],
    )
    const isRead = state !== 'unread'
    const found = yield* tx.rows<EntryStateRow>(selectStates, [user, ids])
    const rows = found.filter((row) => isReadIn(row) === !isRead && (isRead || !row.muted))
    const toStore = state === 'muted' ? found.filter((row) => isReadIn(row) !== undefined) : rows
    yield* setReadStates(
      tx,
      toStore.map(({ id, feed_id }) => [user, feed_id, id, isRead ? 1 : 0, change]),
    )
    const counts = new Map<FeedId, number>()
    for (const { feed_id } of rows) counts.set(feed_id, (counts.get(feed_id) ?? 0) + 1)
    const changes = feeds
      .filter(({ feed_id }) => counts.has(feed_id))
      .map(({ feed_id, read_at }) => {
        const count = counts.get(feed_id)!
        const countChange = isRead ? [-count, readWeight(at - read_at), count, at] : [count, 1, 0, read_at]
        return [user, feed_id, ...countChange]
      })
    yield* tx.runEach(CHANGE_COUNTS, COUNT_COLUMNS, changes)
    return { change, changed: rows.map(({ id }) => id) }
  }

  function* starIn(
    tx: SqlTransaction,
    user: UserId,
    ids: EntryId[],
    starred: boolean,
    at: Instant,
  ): SqlWork<EntryId[]> {
    const all = yield* tx.rows<EntryStateRow>(selectStates, [user, [...new Set(ids)]])
    const rows = all.filter((row) => Boolean(row.starred) !== starred)
    const changed = rows.map(({ id }) => id)
    if (starred) {
      const stars = rows.map(({ id, feed_id, sort_at }) => [user, id, feed_id, sort_at, at])
      yield* tx.runEach(addStars, STARS, stars)
    } else
      yield* tx.run(`DELETE FROM stars WHERE user_id = $1 AND ${dialect.isOneOf('entry_id', '$2', 'bigint')}`, [
        user,
        changed,
      ])
    return changed
  }

  return {
    markEntries: (user, ids, state, at) => session.write((tx) => markIn(tx, user, [...new Set(ids)], state, at)),

    async markAllRead(user, scope, until) {
      const change = await session.write(newChange)
      const { last, feeds } = await session.read(function* (query) {
        return {
          last: yield* lastCoveredEntry(query, until),
          feeds: yield* positions.unreadInScope(query, user, scope),
        }
      })
      const isCovered = entryFilter(until, last)
      let marked = 0
      for (let i = 0; i < feeds.length; i += FEEDS_PER_TRANSACTION)
        marked += await session.write(function* (tx) {
          const subscriptions = yield* positions.lockSubscriptions(tx, user, feeds.slice(i, i + FEEDS_PER_TRANSACTION))
          if (!isCovered) return yield* positions.readUpTo(tx, user, subscriptions, last, change)
          let sum = 0
          for (const subscription of subscriptions)
            sum += yield* positions.markCovered(tx, user, subscription, isCovered, change)
          return sum
        })
      return { change, marked }
    },

    async undoChange(user, change) {
      let restored = 0
      while (change > 0) {
        const rows = await session.rows<{ feed_id: FeedId }>(
          `SELECT feed_id FROM subscriptions WHERE user_id = $1 AND change_id = $2
           UNION SELECT feed_id FROM read_states WHERE user_id = $1 AND change_id = $2 LIMIT ${FEEDS_PER_TRANSACTION}`,
          [user, change],
        )
        if (rows.length === 0) break
        const feeds = rows.map(({ feed_id }) => feed_id)
        restored += await session.write((tx) => positions.undoIn(tx, user, feeds, change))
      }
      return restored
    },

    starEntries: (user, ids, starred, at) => session.write((tx) => starIn(tx, user, ids, starred, at)),

    muteEntries: (user, ids, muted, at) =>
      session.write(function* (tx) {
        const distinct = [...new Set(ids)]
        if (muted) yield* markIn(tx, user, distinct, 'muted', at)
        return yield* muteIn(tx, dialect, user, distinct, muted, at)
      }),

    entryStates: (user, ids) =>
      session.read(function* (query) {
        const rows = new Map((yield* query.rows<EntryStateRow>(selectStates, [user, ids])).map((row) => [row.id, row]))
        const labels = yield* labelsOfEntries(query, dialect, user, [...rows.keys()])
        return ids.map((id): EntryState => {
          const row = rows.get(id)
          const read = row && isReadIn(row)
          const own = labels.get(id)
          return {
            ...(read !== undefined && { read }),
            starred: Boolean(row?.starred),
            ...(own && own.labels.length > 0 && { labels: own.labels }),
            ...(own?.muted && { muted: true }),
          }
        })
      }),
  }
}

/** Undefined if the user does not follow the feed. */
function isReadIn({ id, read_up_to: upTo, mark }: EntryStateRow): boolean | undefined {
  if (upTo === null) return undefined
  return mark === null ? id <= upTo : mark === 1
}
