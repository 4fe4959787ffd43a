/**
 * Entries, newest first, narrowed down. A page costs the same whatever it is narrowed down by: so many entries are looked at, in bites,
 * by what an index knows of them, and where that was in vain the page is short and says where to go on. Of a few feeds, each has
 * its own entries looked through.
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
import { beforeSql } from '../sql/by-date.ts'
import { isKept, isRepeated } from '../sql/conditions.ts'
import { ENTRY_COLUMNS, type EntryRow, entryOf } from '../sql/rows.ts'
import { rowsById, WANTED } from './rows-by-id.ts'
import type { SqliteSession } from './session.ts'

/** Entries that are looked at for one page, and at once. */
const MOST_LOOKED_AT = 10_000
const LOOKED_AT = 500

/** Feeds that are looked through one by one, and how much of each at once. */
const FEW_FEEDS = 30
const LOOKED_AT_OF_FEED = 100

interface ListRow {
  id: EntryId
  sort_at: Instant
  feed_id: FeedId
  language: string | null
  category: string | null
}

export function entryLists(session: SqliteSession): Pick<Store, 'listEntries'> {
  function before(from: { at: Instant; id: number }, since: Instant, limit: number, feedId?: FeedId): ListRow[] {
    const sql = beforeSql({
      columns: 'e.id, e.sort_at, e.feed_id, e.language, e.category',
      from: feedId === undefined ? 'entries e' : 'entries e INDEXED BY entries_by_feed', // or all of a date would be walked past
      at: 'e.sort_at',
      id: 'e.id',
      only: `e.sort_at >= $since ${feedId === undefined ? '' : 'AND e.feed_id = $feedId'}`,
    })
    return session.prepared<ListRow>(sql).all({ ...from, since, limit, ...(feedId !== undefined && { feedId }) })
  }

  /** The next to be looked at; fewer than asked for only at the end. */
  function nextRows(
    { feedIds, since = EVER }: EntryListQuery,
    from: { at: Instant; id: number },
  ): ListRow[] & { isLast?: true } {
    if (feedIds === undefined || feedIds.length > FEW_FEEDS) {
      const rows = before(from, since, LOOKED_AT)
      return rows.length < LOOKED_AT ? Object.assign(rows, { isLast: true as const }) : rows
    }
    const rows = feedIds.flatMap((feedId) => before(from, since, LOOKED_AT_OF_FEED, feedId))
    rows.sort((a, b) => b.sort_at - a.sort_at || b.id - a.id)
    const next = rows.slice(0, LOOKED_AT_OF_FEED)
    return rows.length < LOOKED_AT_OF_FEED ? Object.assign(next, { isLast: true as const }) : next
  }

  return {
    async listEntries(query) {
      const { unique, limit, until = EVER_AFTER, after } = query
      const isLike = createFilter(query)
      const whole = session.prepared<EntryRow>(
        `SELECT ${ENTRY_COLUMNS} FROM ${WANTED} CROSS JOIN entries e ON e.id = w.value
         WHERE ${isKept('e')} ${unique ? `AND NOT ${isRepeated(unique)}` : ''}`,
      )
      const entries: EntryRow[] = []
      let from: { at: Instant; id: number } =
        after && after.at <= until ? after : { at: until, id: Number.MAX_SAFE_INTEGER }
      for (let looked = 0; looked < MOST_LOOKED_AT; ) {
        const rows = await session.read(() => {
          const next = nextRows(query, from)
          const like = next.filter(isLike).map(({ id }) => id)
          for (let i = 0; i < like.length && entries.length < limit; ) {
            const some = like.slice(i, i + limit - entries.length)
            const found = rowsById(whole, ({ id }) => id, some)
            entries.push(...some.flatMap((id) => found.get(id) ?? []))
            i += some.length
          }
          const last = entries.length < limit ? next.at(-1) : entries.at(-1)
          if (last) from = { at: last.sort_at, id: last.id }
          return next
        })
        if (entries.length === limit) break
        if (rows.isLast) return { entries: entries.map(entryOf) }
        looked += rows.length
      }
      return { entries: entries.map(entryOf), goesOnAfter: { at: from.at, id: from.id as EntryId } }
    },
  }
}

const EVER: Instant = -Number.MAX_SAFE_INTEGER
const EVER_AFTER: Instant = Number.MAX_SAFE_INTEGER

function createFilter({ feedIds, language, category }: EntryListQuery): (row: ListRow) => boolean {
  const feeds = feedIds && new Set(feedIds)
  return (row) =>
    (!feeds || feeds.has(row.feed_id)) &&
    (language === undefined || isOfLanguage(row.language ?? UNKNOWN_LANGUAGE, language)) &&
    (category === undefined || (row.category ?? UNCATEGORIZED) === category)
}
