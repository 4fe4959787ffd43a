/**
 * Entries, newest first, narrowed down. A page of a list costs the same
 * whatever it is narrowed down by: so many entries are looked at, in bites that grow, and where that was in vain the page is short and
 * says where to go on. Of a few feeds, each has its own entries looked through.
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
import { isKept, isRepeated } from '../sql/conditions.ts'
import { ENTRY_COLUMNS, type EntryRow, entryOf } from '../sql/rows.ts'
import type { PostgresSession } from './session.ts'

/** Entries that are looked at for one page, bite by bite. */
const BITES = [500, 2000, 7500]

/** Feeds that are looked through one by one. */
const FEW_FEEDS = 30

interface ListRow {
  id: EntryId
  sort_at: Instant
  feed_id: FeedId
  language: string | null
  category: string | null
}

const EVER: Instant = -Number.MAX_SAFE_INTEGER
const EVER_AFTER: Instant = Number.MAX_SAFE_INTEGER

export function entryListMethods(session: PostgresSession): Pick<Store, 'listEntries'> {
  function bite({ feedIds, since = EVER }: EntryListQuery, from: { at: Instant; id: number }, size: number) {
    const some = (condition: string) =>
      `SELECT e.id, e.sort_at, e.feed_id, e.language, e.category FROM entries e
       WHERE (e.sort_at, e.id) < ($1, $2) AND e.sort_at >= $3 ${condition} ORDER BY e.sort_at DESC, e.id DESC LIMIT $4`
    const values = [from.at, from.id, since, size]
    if (feedIds === undefined || feedIds.length > FEW_FEEDS) return session.rows<ListRow>(some(''), values)
    return session.rows<ListRow>(
      `SELECT e.* FROM unnest($5::bigint[]) AS f (id) CROSS JOIN LATERAL (${some('AND e.feed_id = f.id')}) AS e
       ORDER BY e.sort_at DESC, e.id DESC LIMIT $4`,
      [...values, [...new Set(feedIds)]],
    )
  }

  async function whole(ids: EntryId[], unique: EntryListQuery['unique']): Promise<EntryRow[]> {
    if (ids.length === 0) return []
    return session.rows<EntryRow>(
      `SELECT ${ENTRY_COLUMNS} FROM entries e WHERE e.id = ANY ($1::bigint[]) AND ${isKept('e')}
       ${unique ? `AND NOT ${isRepeated(unique)}` : ''} ORDER BY e.sort_at DESC, e.id DESC`,
      [ids],
    )
  }

  return {
    async listEntries(query) {
      const { unique, limit, until = EVER_AFTER, after } = query
      const isLike = createFilter(query)
      const entries: EntryRow[] = []
      let from: { at: Instant; id: number } =
        after && after.at <= until ? after : { at: until, id: Number.MAX_SAFE_INTEGER }
      for (const size of BITES) {
        const rows = await bite(query, from, size)
        const wanted = rows.filter(isLike)
        for (let i = 0; i < wanted.length && entries.length < limit; ) {
          const some = wanted.slice(i, i + limit - entries.length)
          entries.push(...(await whole(idsOf(some), unique)))
          i += some.length
          const last = some.at(-1)!
          from = { at: last.sort_at, id: last.id }
        }
        if (entries.length >= limit) return { entries: entries.map(entryOf), goesOnAfter: goingOn(from) }
        if (rows.length < size) return { entries: entries.map(entryOf) }
        const last = rows.at(-1)!
        from = { at: last.sort_at, id: last.id }
      }
      return { entries: entries.map(entryOf), goesOnAfter: goingOn(from) }
    },
  }
}

function goingOn({ at, id }: { at: Instant; id: number }): { at: Instant; id: EntryId } {
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
