/**
 * Filtered lists of entries, newest or oldest first. A page has a bounded cost whatever the filter is: a bounded number of entries is scanned, in
 * batches, through a covering index. If too few of them match, the page is short and says where to continue. For a few feeds, the
 * entries of each feed are scanned.
 */
import {
  type EntryId,
  type FeedId,
  type Instant,
  isOfLanguage,
  UNCATEGORIZED,
  UNKNOWN_LANGUAGE,
} from '../../model/index.ts'
import type { EntryListQuery, Store } from '../../ports/index.ts'
import { isDuplicateSql, isNotRemovedSql } from '../sql/conditions.ts'
import { rowsAfterSql, rowsBeforeSql } from '../sql/keyset-pagination.ts'
import { listStart, MAX_INSTANT, MIN_INSTANT, type ListCursor as Position } from '../sql/list-start.ts'
import { ENTRY_COLUMNS, type EntryRow, entryOf } from '../sql/rows.ts'
import { ID_LIST, rowsById } from './rows-by-id.ts'
import type { SqliteSession } from './session.ts'

/** Entries that are scanned for one page, and per batch. */
const MAX_SCANNED = 10_000
const BATCH_SIZE = 500

/** Feeds whose entries are scanned feed by feed, and the batch size of each. */
const MAX_FEEDS_BY_INDEX = 30
const FEED_BATCH_SIZE = 100

interface ListRow {
  id: EntryId
  sort_at: Instant
  feed_id: FeedId
  language: string | null
  category: string | null
}

export function entryLists(session: SqliteSession): Pick<Store, 'listEntries'> {
  /** The next rows of all feeds or of one, in the order of the list. */
  function selectNext(
    { since = MIN_INSTANT, until = MAX_INSTANT, oldestFirst }: EntryListQuery,
    from: Position,
    limit: number,
    feedId?: FeedId,
  ): ListRow[] {
    const sql = (oldestFirst ? rowsAfterSql : rowsBeforeSql)({
      columns: 'e.id, e.sort_at, e.feed_id, e.language, e.category',
      from: feedId === undefined ? 'entries e' : 'entries e INDEXED BY entries_by_feed', // otherwise all entries of a date would be scanned
      at: 'e.sort_at',
      id: 'e.id',
      only: `${oldestFirst ? 'e.sort_at <= $bound' : 'e.sort_at >= $bound'} ${feedId === undefined ? '' : 'AND e.feed_id = $feedId'}`,
    })
    const bound = oldestFirst ? until : since
    return session.prepared<ListRow>(sql).all({ ...from, bound, limit, ...(feedId !== undefined && { feedId }) })
  }

  /** The next rows to scan. Fewer than a batch only at the end. */
  function nextRows(query: EntryListQuery, from: Position): ListRow[] & { isLast?: true } {
    const { feedIds, oldestFirst } = query
    if (feedIds === undefined || feedIds.length > MAX_FEEDS_BY_INDEX) {
      const rows = selectNext(query, from, BATCH_SIZE)
      return rows.length < BATCH_SIZE ? Object.assign(rows, { isLast: true as const }) : rows
    }
    const rows = feedIds.flatMap((feedId) => selectNext(query, from, FEED_BATCH_SIZE, feedId))
    const sign = oldestFirst ? 1 : -1
    rows.sort((a, b) => (a.sort_at - b.sort_at || a.id - b.id) * sign)
    const next = rows.slice(0, FEED_BATCH_SIZE)
    return rows.length < FEED_BATCH_SIZE ? Object.assign(next, { isLast: true as const }) : next
  }

  return {
    async listEntries(query) {
      const { unique, limit } = query
      const matches = createFilter(query)
      const fullRows = session.prepared<EntryRow>(
        `SELECT ${ENTRY_COLUMNS} FROM ${ID_LIST} CROSS JOIN entries e ON e.id = w.value
         WHERE ${isNotRemovedSql('e')} ${unique ? `AND NOT ${isDuplicateSql(unique)}` : ''}`,
      )
      const entries: EntryRow[] = []
      let from: Position = listStart(query)
      for (let scanned = 0; scanned < MAX_SCANNED; ) {
        const rows = await session.read(() => {
          const next = nextRows(query, from)
          const matchingIds = next.filter(matches).map(({ id }) => id)
          for (let i = 0; i < matchingIds.length && entries.length < limit; ) {
            const batch = matchingIds.slice(i, i + limit - entries.length)
            const found = rowsById(fullRows, ({ id }) => id, batch)
            entries.push(...batch.flatMap((id) => found.get(id) ?? []))
            i += batch.length
          }
          const last = entries.length < limit ? next.at(-1) : entries.at(-1)
          if (last) from = { at: last.sort_at, id: last.id }
          return next
        })
        if (entries.length === limit) break
        if (rows.isLast) return { entries: entries.map(entryOf) }
        scanned += rows.length
      }
      return { entries: entries.map(entryOf), nextAfter: { at: from.at, id: from.id as EntryId } }
    },
  }
}

function createFilter({ feedIds, language, category }: EntryListQuery): (row: ListRow) => boolean {
  const feeds = feedIds && new Set(feedIds)
  return (row) =>
    (!feeds || feeds.has(row.feed_id)) &&
    (language === undefined || isOfLanguage(row.language ?? UNKNOWN_LANGUAGE, language)) &&
    (category === undefined || (row.category ?? UNCATEGORIZED) === category)
}
