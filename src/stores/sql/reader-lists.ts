/**
 * Entry lists of a user. A page costs about the same however many feeds the user follows and however much is stored, by one of four ways:
 *
 * - starred, labeled and muted entries have their own tables
 * - unread entries, if they are not too many, are found from the read positions and sorted
 * - for up to `MAX_MERGED_FEEDS` feeds, the entries of each feed are merged
 * - for more feeds, all entries are scanned in order, since many of them match
 *
 * After `MAX_SCANNED` entries the page ends early and says where to continue.
 */
import type { EntryId, FeedId, UserId } from '../../model/index.ts'
import { foldedLabel, type ReaderState } from '../../ports/index.ts'
import {
  isDuplicateInReachSql,
  isDuplicateSql,
  isFeedInReachSql,
  isMutedSql,
  isNotRemovedSql,
  MUTED,
} from './conditions.ts'
import type { Dialect } from './dialect.ts'
import { rowsAfterSql, rowsBeforeSql } from './keyset-pagination.ts'
import { type ListCursor, listStart, MAX_INSTANT, MIN_INSTANT } from './list-start.ts'
import { createMerge, type EntryPosition, type MergeOrder, type NextEntries } from './merge-feeds.ts'
import {
  createQueryFilter,
  hasTopic,
  type ListQuery,
  MAX_MERGED_FEEDS,
  MAX_SORTED_UNREAD,
  type ReaderListRow,
} from './reader-list-rows.ts'
import { ENTRY_COLUMNS, type EntryRow, entryOf } from './rows.ts'
import type { SqlSession } from './session.ts'
import { inFolderSql, USER_EXISTS } from './subscriptions.ts'

type ListMethods = 'entriesFor' | 'arrivalsFor'

/** Entries scanned for one page. */
const MAX_SCANNED = 3000
/** Entries scanned at once: usually slightly more than a page. */
const MIN_BATCH = 50
const MAX_BATCH = 500

const USER = 'CAST($1 AS bigint)'

/** Selects the next positions of a list of user $1, after position ($2, $3), at most $4. */
interface PositionsSql {
  sql: string
  values: unknown[]
}

export function readerListMethods(session: SqlSession): Pick<ReaderState, ListMethods> {
  const { dialect } = session
  const merge = createMerge(session)
  const list = dialect.list('$2')

  /** Feeds that a query covers, at most `MAX_MERGED_FEEDS` + 1, and the number of their unread entries. */
  async function scopeOf(user: UserId, query: ListQuery): Promise<{ feeds: FeedId[]; unread: number }> {
    const { feedIds, folder, read, reach = 'followed' } = query
    const values: unknown[] = [user]
    const parameter = (value: unknown) => `$${values.push(value)}`
    const includesUnfollowed = reach !== 'followed' && folder === undefined && read === undefined
    const followed = `SELECT feed_id, unread FROM subscriptions WHERE user_id = ${USER} ${read === false ? 'AND unread > 0' : ''}
      ${inFolderSql(dialect, folder, parameter)}`
    const listed = `SELECT f.id, 0 FROM feeds f WHERE f.listed = 1 AND NOT ${isFeedInReachSql('followed', 'f.id', USER)}`
    const all = `SELECT f.id AS feed_id, 0 AS unread FROM feeds f WHERE ${USER} IS NOT NULL`
    const from = !includesUnfollowed ? followed : reach === 'common' ? `${followed} UNION ALL ${listed}` : all
    const among = feedIds ? `WHERE ${dialect.isOneOf('feed_id', parameter(feedIds), 'bigint')}` : ''
    const rows = await session.rows<{ feed_id: FeedId; unread: number }>(
      `SELECT feed_id, unread FROM (${from}) AS meant ${among} LIMIT ${MAX_MERGED_FEEDS + 1}`,
      values,
    )
    return { feeds: rows.map(({ feed_id }) => feed_id), unread: rows.reduce((sum, { unread }) => sum + unread, 0) }
  }

  /** Returns a function for the next positions after a cursor, which is the start or the last one returned. Fewer than `limit` only at the end. */
  async function placesOf(user: UserId, query: ListQuery, limit: number): Promise<NextEntries> {
    const isByDate = !('order' in query)
    const order = !isByDate ? query.order : query.oldestFirst ? 'date-oldest' : 'date'
    const run =
      ({ sql, values }: PositionsSql): NextEntries =>
      ({ at, id }) =>
        session.rows<EntryPosition>(sql, [user, at, id, limit, ...values])
    if (query.starred && query.label === undefined && !query.muted)
      return run({
        sql: orderedPageSql('SELECT entry_id AS id, sort_at AS at FROM stars WHERE user_id = $1', order),
        values: [],
      })
    if (query.label !== undefined || query.muted)
      return run({
        sql: orderedPageSql(
          `SELECT entry_id AS id, sort_at AS at FROM entry_labels WHERE user_id = $1 AND label_id = ${labelIdSql(query)}`,
          order,
        ),
        values: query.label === undefined ? [] : [foldedLabel(query.label)],
      })
    const { feeds, unread: count } = await scopeOf(user, query)
    if (
      query.read === false &&
      count <= MAX_SORTED_UNREAD[isByDate ? 'date' : 'arrival'] &&
      feeds.length <= MAX_MERGED_FEEDS
    )
      return run({ sql: orderedPageSql(unreadSql(dialect, order), order), values: [feeds] })
    if (feeds.length <= MAX_MERGED_FEEDS) return merge(feeds, order, limit)
    return run({ sql: ALL_ENTRIES[order], values: [] })
  }

  /** Scans positions until the page is full or `MAX_SCANNED` is reached. */
  async function page(
    user: UserId,
    query: ListQuery,
    start: ListCursor,
    fits: (rows: ReaderListRow[]) => ReaderListRow[] | Promise<ReaderListRow[]>,
  ): Promise<{ rows: ReaderListRow[]; continueAfter?: ListCursor }> {
    if (!(await session.row(`SELECT 1 WHERE ${USER_EXISTS}`, [user]))) return { rows: [] }
    const batchSize = Math.min(MAX_BATCH, Math.max(MIN_BATCH, query.limit + 1))
    const next = await placesOf(user, query, batchSize)
    const matches = createQueryFilter(query)
    const candidates = candidatesSql(list, isFeedInReachSql(query.reach ?? 'followed', 'e.feed_id', USER))
    const rows: ReaderListRow[] = []
    let from = start
    for (let scanned = 0; scanned < MAX_SCANNED; ) {
      const positions = await next(from)
      const ids = positions.map(({ id }) => id)
      const matching = (await session.rows<ReaderListRow>(candidates, [user, ids])).filter(matches)
      for (let i = 0; i < matching.length; ) {
        const chunk = matching.slice(i, i + query.limit + 1 - rows.length)
        rows.push(...(await fits(chunk)))
        i += chunk.length
        if (rows.length <= query.limit) continue
        rows.length = query.limit
        const last = rows.at(-1)?.id
        return { rows, continueAfter: positions.find(({ id }) => id === last) ?? from }
      }
      if (positions.length < batchSize) return { rows }
      from = positions.at(-1)!
      scanned += positions.length
    }
    return { rows, continueAfter: from }
  }

  return {
    async entriesFor(user, query) {
      const { since = MIN_INSTANT, until = MAX_INSTANT, unique, reach, oldestFirst } = query
      const repeated = unique && (reach ? isDuplicateInReachSql(unique, reach, USER) : isDuplicateSql(unique))
      const selectEntries = `SELECT ${ENTRY_COLUMNS} FROM ${list} CROSS JOIN entries e WHERE e.id = w.value AND ${USER} IS NOT NULL
        ${repeated ? `AND NOT ${repeated}` : ''}`
      const entries = new Map<EntryId, EntryRow>()
      const isCovered = (row: ReaderListRow) => row.sort_at >= since && row.sort_at <= until && hasTopic(row, query)
      const { rows, continueAfter } = await page(user, query, listStart(query), async (scanned) => {
        const covered = scanned.filter(isCovered)
        if (covered.length === 0) return []
        for (const row of await session.rows<EntryRow>(selectEntries, [user, covered.map(({ id }) => id)]))
          entries.set(row.id, row)
        return covered.filter(({ id }) => entries.has(id))
      })
      const found = rows.map(({ id }) => entryOf(entries.get(id)!))
      const isBehind = continueAfter && (oldestFirst ? continueAfter.at > until : continueAfter.at < since)
      if (!continueAfter || isBehind) return { entries: found }
      return { entries: found, nextAfter: { at: continueAfter.at, id: continueAfter.id as EntryId } }
    },

    async arrivalsFor(user, query) {
      const { seenSince = MIN_INSTANT, seenUntil = MAX_INSTANT, since = MIN_INSTANT, until = MAX_INSTANT } = query
      const { after, order } = query
      const start = after ?? (order === 'oldest' ? 0 : Number.MAX_SAFE_INTEGER)
      const isCovered = ({ seen_at, sort_at }: ReaderListRow) =>
        seen_at >= seenSince && seen_at <= seenUntil && sort_at >= since && sort_at <= until
      const { rows, continueAfter } = await page(user, query, { at: 0, id: start }, (scanned) =>
        scanned.filter(isCovered),
      )
      const arrivals = rows.map(({ id, feed_id: feedId, seen_at: seenAt, sort_at: at }) => ({ id, feedId, seenAt, at }))
      return { arrivals, ...(continueAfter && { nextAfter: continueAfter.id as EntryId }) }
    },
  }
}

/** Selects the columns needed for filtering, before whole entries are read. */
function candidatesSql(list: string, within: string): string {
  return `SELECT e.id, e.feed_id, e.sort_at, e.seen_at, e.language, e.category, r.folder, r.feed_id IS NOT NULL AS followed,
    ${within} AS within, CASE WHEN r.feed_id IS NOT NULL THEN coalesce(m.read = 1, e.id <= r.read_up_to) END AS read,
    s.entry_id IS NOT NULL AS starred, ${isMutedSql('e.id', USER)} AS muted
    FROM ${list} CROSS JOIN entries e
    LEFT JOIN subscriptions r ON r.user_id = ${USER} AND r.feed_id = e.feed_id
    LEFT JOIN read_states m ON m.user_id = ${USER} AND m.feed_id = e.feed_id AND m.entry_id = e.id
    LEFT JOIN stars s ON s.user_id = ${USER} AND s.entry_id = e.id
    WHERE e.id = w.value AND ${isNotRemovedSql('e')} ORDER BY w.key`
}

/** The id of the label named by parameter $5, or of muted entries. */
function labelIdSql({ label }: Pick<ListQuery, 'label'>): string {
  return label === undefined ? String(MUTED) : '(SELECT label_id FROM labels WHERE user_id = $1 AND folded_name = $5)'
}

/** All unread entries of the feeds in list $5. By arrival, an index covers it. */
function unreadSql(dialect: Dialect, order: MergeOrder): string {
  const list = dialect.list('$5')
  const at = isByDate(order) ? 'e.sort_at' : '0'
  return `SELECT e.id, ${at} AS at FROM ${list} CROSS JOIN subscriptions r CROSS JOIN entries e ${dialect.indexedBy('entries_of_feed')}
    WHERE r.user_id = $1 AND r.feed_id = w.value AND e.feed_id = r.feed_id AND e.id > r.read_up_to AND NOT EXISTS
    (SELECT 1 FROM read_states m WHERE m.user_id = $1 AND m.feed_id = r.feed_id AND m.entry_id = e.id AND m.read = 1)
    UNION ALL SELECT e.id, ${at} AS at FROM ${list} CROSS JOIN subscriptions r CROSS JOIN read_states m CROSS JOIN entries e
    WHERE r.user_id = $1 AND r.feed_id = w.value AND m.user_id = $1 AND m.feed_id = r.feed_id AND m.entry_id <= r.read_up_to
    AND m.read = 0 AND e.id = m.entry_id`
}

function orderedPageSql(positions: string, order: MergeOrder): string {
  const [beyond, direction] = order === 'oldest' || order === 'date-oldest' ? ['>', 'ASC'] : ['<', 'DESC']
  if (isByDate(order))
    return `SELECT id, at FROM (${positions}) AS p WHERE (at, id) ${beyond} (CAST($2 AS bigint), CAST($3 AS bigint))
      ORDER BY at ${direction}, id ${direction} LIMIT $4`
  return `SELECT id, 0 AS at FROM (${positions}) AS p WHERE id ${beyond} CAST($3 AS bigint) AND CAST($2 AS bigint) IS NOT NULL
    ORDER BY id ${direction} LIMIT $4`
}

function arrivalsSql(beyond: '<' | '>', direction: 'ASC' | 'DESC'): string {
  return `SELECT id, 0 AS at FROM entries WHERE ${USER} IS NOT NULL AND CAST($2 AS bigint) IS NOT NULL
    AND id ${beyond} $3 ORDER BY id ${direction} LIMIT $4`
}

const isByDate = (order: MergeOrder) => order === 'date' || order === 'date-oldest'

const BY_DATE = {
  columns: 'e.id, e.sort_at AS at',
  from: 'entries e',
  at: 'e.sort_at',
  id: 'e.id',
  only: `${USER} IS NOT NULL`,
  parameters: ['$2', '$3', '$4'],
} as const

const ALL_ENTRIES: Record<MergeOrder, string> = {
  date: rowsBeforeSql(BY_DATE),
  'date-oldest': rowsAfterSql(BY_DATE),
  newest: arrivalsSql('<', 'DESC'),
  oldest: arrivalsSql('>', 'ASC'),
}
