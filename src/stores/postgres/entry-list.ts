/**
 * Filtered lists of entries, newest or oldest first. A page has a bounded cost whatever the filter is: a bounded number of entries is scanned, in
 * batches that grow. If too few of them match, the page is short and says where to continue. For a few feeds, the entries of each feed
 * are scanned.
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
import { type ListCursor, listStart, MAX_INSTANT, MIN_INSTANT } from '../sql/list-start.ts'
import { ENTRY_COLUMNS, type EntryRow, entryOf } from '../sql/rows.ts'
import type { PostgresSession } from './session.ts'

/** Entries that are scanned for one page, batch by batch. */
const BATCH_SIZES = [500, 2000, 7500]

/** Feeds whose entries are scanned feed by feed. */
const MAX_FEEDS_BY_INDEX = 30

interface ListRow {
  id: EntryId
  sort_at: Instant
  feed_id: FeedId
  language: string | null
  category: string | null
}

export function entryListMethods(session: PostgresSession): Pick<Store, 'listEntries'> {
  function selectBatch(
    { feedIds, since = MIN_INSTANT, until = MAX_INSTANT, oldestFirst }: EntryListQuery,
    from: ListCursor,
    size: number,
  ) {
    const [beyond, direction, bound] = oldestFirst ? ['>', 'ASC', '<='] : ['<', 'DESC', '>=']
    const batch = (condition: string) =>
      `SELECT e.id, e.sort_at, e.feed_id, e.language, e.category FROM entries e
       WHERE (e.sort_at, e.id) ${beyond} ($1, $2) AND e.sort_at ${bound} $3 ${condition}
       ORDER BY e.sort_at ${direction}, e.id ${direction} LIMIT $4`
    const values = [from.at, from.id, oldestFirst ? until : since, size]
    if (feedIds === undefined || feedIds.length > MAX_FEEDS_BY_INDEX) return session.rows<ListRow>(batch(''), values)
    return session.rows<ListRow>(
      `SELECT e.* FROM unnest($5::bigint[]) AS f (id) CROSS JOIN LATERAL (${batch('AND e.feed_id = f.id')}) AS e
       ORDER BY e.sort_at ${direction}, e.id ${direction} LIMIT $4`,
      [...values, [...new Set(feedIds)]],
    )
  }

  async function fullRows(ids: EntryId[], { unique, oldestFirst }: EntryListQuery): Promise<EntryRow[]> {
    if (ids.length === 0) return []
    const direction = oldestFirst ? 'ASC' : 'DESC'
    return session.rows<EntryRow>(
      `SELECT ${ENTRY_COLUMNS} FROM entries e WHERE e.id = ANY ($1::bigint[]) AND ${isNotRemovedSql('e')}
       ${unique ? `AND NOT ${isDuplicateSql(unique)}` : ''} ORDER BY e.sort_at ${direction}, e.id ${direction}`,
      [ids],
    )
  }

  return {
    async listEntries(query) {
      const { limit } = query
      const matches = createFilter(query)
      const entries: EntryRow[] = []
      let from = listStart(query)
      for (const size of BATCH_SIZES) {
        const rows = await selectBatch(query, from, size)
        const matching = rows.filter(matches)
        for (let i = 0; i < matching.length && entries.length < limit; ) {
          const batch = matching.slice(i, i + limit - entries.length)
          entries.push(...(await fullRows(idsOf(batch), query)))
          i += batch.length
          const last = batch.at(-1)!
          from = { at: last.sort_at, id: last.id }
        }
        if (entries.length >= limit) return { entries: entries.map(entryOf), nextAfter: positionOf(from) }
        if (rows.length < size) return { entries: entries.map(entryOf) }
        const last = rows.at(-1)!
        from = { at: last.sort_at, id: last.id }
      }
      return { entries: entries.map(entryOf), nextAfter: positionOf(from) }
    },
  }
}

function positionOf({ at, id }: ListCursor): { at: Instant; id: EntryId } {
  return { at, id: id as EntryId }
}

function idsOf(rows: readonly ListRow[]): EntryId[] {
  return rows.map(({ id }) => id)
}

function createFilter({ feedIds, language, category }: EntryListQuery): (row: ListRow) => boolean {
  const feeds = feedIds && new Set(feedIds)
  return (row) =>
    (!feeds || feeds.has(row.feed_id)) &&
    (language === undefined || isOfLanguage(row.language ?? UNKNOWN_LANGUAGE, language)) &&
    (category === undefined || (row.category ?? UNCATEGORIZED) === category)
}
