/**
 * Filtered lists of entries, newest or oldest first. A page has a bounded cost whatever the filter is: a bounded number of entries is scanned, in
 * batches that grow. If too few of them match, the page is short and says where to continue. For a few feeds, the entries of each feed
 * are scanned.
 */
import type { EntryId, FeedId, Instant } from '../../model/index.ts'
import type { EntryListQuery, Store } from '../../ports/index.ts'
import { isDuplicateSql, isNotRemovedSql } from './conditions.ts'
import type { TypedColumn } from './dialect.ts'
import { rowsAfterSql, rowsBeforeSql } from './keyset-pagination.ts'
import { type ListCursor, listStart, MAX_INSTANT, MIN_INSTANT } from './list-start.ts'
import { hasTopic } from './reader-list-rows.ts'
import { ENTRY_COLUMNS, type EntryRow, entryOf } from './rows.ts'
import type { SqlSession } from './session.ts'

/** Entries that are scanned for one page, batch by batch. */
const BATCH_SIZES = [100, 400, 1000, 2500, 6000]

/** Feeds whose entries are scanned feed by feed. */
const MAX_FEEDS_BY_INDEX = 30

const COLUMNS = 'e.id, e.sort_at, e.feed_id, e.language, e.category'
const FEED_CURSOR: TypedColumn[] = ['feed_id bigint', 'at bigint', 'id bigint', 'bound bigint']

interface ListRow {
  id: EntryId
  sort_at: Instant
  feed_id: FeedId
  language: string | null
  category: string | null
}

export function entryListMethods({ dialect, ...session }: SqlSession): Pick<Store, 'listEntries'> {
  const order = { columns: COLUMNS, at: 'e.sort_at', id: 'e.id' }
  /** Up to the end of the requested time, in the direction of the list. */
  const isWithin = (oldestFirst: boolean, bound: string) => `e.sort_at ${oldestFirst ? '<=' : '>='} ${bound}`
  const rowsSql = (oldestFirst: boolean) => (oldestFirst ? rowsAfterSql : rowsBeforeSql)
  const batchSql = (limit: number, oldestFirst: boolean) =>
    rowsSql(oldestFirst)({
      ...order,
      from: 'entries e',
      only: isWithin(oldestFirst, '$3'),
      parameters: ['$1', '$2', String(limit)],
    })
  const feedBatchSql = (limit: number, oldestFirst: boolean) =>
    `SELECT b.* FROM given g CROSS JOIN LATERAL (${rowsSql(oldestFirst)({
      ...order,
      from: `entries e ${dialect.indexedBy('entries_by_feed')}`, // otherwise SQLite would scan all entries of a date
      only: `${isWithin(oldestFirst, 'g.bound')} AND e.feed_id = g.feed_id`,
      parameters: ['g.at', 'g.id', String(limit)],
    })}) AS b`

  async function nextRows(
    { feedIds, since = MIN_INSTANT, until = MAX_INSTANT, oldestFirst = false }: EntryListQuery,
    { at, id }: ListCursor,
    limit: number,
  ) {
    const bound = oldestFirst ? until : since
    if (feedIds === undefined || feedIds.length > MAX_FEEDS_BY_INDEX)
      return session.rows<ListRow>(batchSql(limit, oldestFirst), [at, id, bound])
    const cursors = [...new Set(feedIds)].map((feedId) => [feedId, at, id, bound])
    const rows = await session.each<ListRow>(feedBatchSql(limit, oldestFirst), FEED_CURSOR, cursors)
    const sign = oldestFirst ? 1 : -1
    return rows.sort((a, b) => (a.sort_at - b.sort_at || a.id - b.id) * sign).slice(0, limit)
  }

  return {
    async listEntries(query) {
      const { feedIds, unique, limit } = query
      const feeds = feedIds && new Set(feedIds)
      const whole = `SELECT ${ENTRY_COLUMNS} FROM ${dialect.list('$1')} CROSS JOIN entries e
        WHERE e.id = w.value AND ${isNotRemovedSql('e')} ${unique ? `AND NOT ${isDuplicateSql(unique)}` : ''} ORDER BY w.key`
      const entries: EntryRow[] = []
      let from = listStart(query)
      for (const size of BATCH_SIZES) {
        const rows = await nextRows(query, from, size)
        const matching = rows.filter((row) => (!feeds || feeds.has(row.feed_id)) && hasTopic(row, query))
        for (let i = 0; i < matching.length && entries.length < limit; ) {
          const chunk = matching.slice(i, i + limit - entries.length).map(({ id }) => id)
          entries.push(...(await session.rows<EntryRow>(whole, [chunk])))
          i += chunk.length
        }
        const isFull = entries.length >= limit
        if (!isFull && rows.length < size) return { entries: entries.map(entryOf) }
        const last = isFull ? entries.at(-1)! : rows.at(-1)!
        from = { at: last.sort_at, id: last.id }
        if (isFull) break
      }
      return { entries: entries.map(entryOf), nextAfter: { at: from.at, id: from.id as EntryId } }
    },
  }
}
