/**
 * Entries for a person. A page costs much the same whatever he follows and however much is stored, by one of four ways:
 *
 * - what is starred is a list of its own
 * - what is unread, where that is not too much, is found from the ends of what is read, and put in order
 * - of some feeds, each has its own entries in order, and they are merged
 * - of more feeds, all entries are looked through in order: many of them are his
 *
 * Where so many were looked at in vain, the page is short and says where to go on.
 */
import {
  type EntryId,
  type FeedId,
  type Instant,
  isOfLanguage,
  type PersonId,
  UNCATEGORIZED,
  UNKNOWN_LANGUAGE,
} from '../../../model/index.ts'
import type { Readership } from '../../../ports/index.ts'
import { isKept, isRepeated, isRepeatedWithin, isWithin } from '../sql/conditions.ts'
import {
  createMine,
  EVER,
  EVER_AFTER,
  type ListCursor,
  type ListedRow,
  type ListQuery,
  SOME_FEEDS,
  SOME_UNREAD,
} from '../sql/listed-rows.ts'
import { ENTRY_COLUMNS, type EntryRow, entryOf } from '../sql/rows.ts'
import { inFolderSql, inFolderValues, PERSON_IS_THERE } from './readings.ts'
import type { PostgresSession } from './session.ts'

type ListMethods = 'entriesFor' | 'arrivalsFor'

/** Entries that are looked at for one page, bite by bite. */
const BITES = [200, 1000, 4000, 5000]
/** Of entries `e`, for person $1. */
const LOOK = `e.id, e.feed_id, e.sort_at, e.seen_at, e.language, e.category, r.folder, r.feed_id IS NOT NULL AS followed,
  CASE WHEN r.feed_id IS NOT NULL THEN coalesce(m.read = 1, e.id <= r.up_to) END AS read,
  EXISTS (SELECT 1 FROM stars s WHERE s.person_id = $1 AND s.entry_id = e.id) AS starred`
const JOINS = `LEFT JOIN readings r ON r.person_id = $1 AND r.feed_id = e.feed_id
  LEFT JOIN marks m ON m.person_id = $1 AND m.feed_id = e.feed_id AND m.entry_id = e.id`

/** $2 and $3 are the cursor, $4 how many. */
interface Places {
  /** FROM what has an `id` of an entry and its `at`, or 0. */
  from: string
  at: string
  id: string
  where: string
  values: unknown[]
}

export function readerListMethods(session: PostgresSession): Pick<Readership, ListMethods> {
  /** Readings that are meant, `SOME_FEEDS` and one more at most, and how much of them is unread. */
  async function scopeOf(person: PersonId, { feedIds, folder, read, reach = 'followed' }: ListQuery) {
    const own = `SELECT feed_id, unread FROM readings WHERE person_id = $1 ${read === false ? 'AND unread > 0' : ''}
      ${inFolderSql(folder, 3)}`
    const common = `SELECT f.id, 0 FROM feeds f WHERE f.listed = 1 AND NOT ${isWithin('followed', 'f.id', '$1')}`
    const isBeyond = reach !== 'followed' && folder === undefined && read === undefined
    const all = 'SELECT f.id AS feed_id, 0 AS unread FROM feeds f WHERE $1::bigint IS NOT NULL'
    const from = !isBeyond ? own : reach === 'common' ? `${own} UNION ALL ${common}` : all
    const rows = await session.rows<{ feed_id: FeedId; unread: number }>(
      `SELECT feed_id, unread FROM (${from}) AS f
       WHERE ($2::bigint[] IS NULL OR feed_id = ANY ($2::bigint[])) LIMIT ${SOME_FEEDS + 1}`,
      [person, feedIds ?? null, ...inFolderValues(folder)],
    )
    return { feeds: rows.map(({ feed_id }) => feed_id), unread: rows.reduce((sum, { unread }) => sum + unread, 0) }
  }

  /** Where entries are looked for, that are put in order and cut off there. */
  async function placesOf(person: PersonId, query: ListQuery): Promise<Places> {
    const isByDate = !('order' in query)
    if (query.starred) {
      return { from: 'stars p', at: 'p.sort_at', id: 'p.entry_id', where: 'p.person_id = $1', values: [] }
    }
    const { feeds, unread } = await scopeOf(person, query)
    const own = { at: 'p.sort_at', id: 'p.id' }
    if (query.read === false && unread <= SOME_UNREAD[isByDate ? 'date' : 'arrival'] && feeds.length <= SOME_FEEDS) {
      const from = `(SELECT u.id, u.sort_at FROM unnest($5::bigint[]) AS f (id) JOIN readings r ON r.person_id = $1 AND r.feed_id = f.id
        CROSS JOIN LATERAL (SELECT e.id, e.sort_at FROM entries e WHERE e.feed_id = f.id AND e.id > r.up_to
        UNION ALL SELECT e.id, e.sort_at FROM marks m JOIN entries e ON e.id = m.entry_id
        WHERE m.person_id = $1 AND m.feed_id = f.id AND m.entry_id <= r.up_to AND m.read = 0) AS u) AS p`
      return { ...own, from, where: 'true', values: [feeds] }
    }
    if (feeds.length > SOME_FEEDS) return { ...own, from: 'entries p', where: 'true', values: [] }
    const order = orderOf(query, 'e.sort_at', 'e.id')
    const from = `(SELECT e.id, e.sort_at FROM unnest($5::bigint[]) AS f (id) CROSS JOIN LATERAL
      (SELECT e.id, e.sort_at FROM entries e WHERE e.feed_id = f.id AND ${order.beyond} ORDER BY ${order.by} LIMIT $4) AS e) AS p`
    return { ...own, from, where: 'true', values: [feeds] }
  }

  /** Looks at places until the page is full, or enough were looked at. */
  async function page(
    person: PersonId,
    query: ListQuery,
    begin: ListCursor,
    fits: (row: ListedRow) => boolean,
    spare: (rows: ListedRow[]) => Promise<ListedRow[]> = async (rows) => rows,
  ): Promise<{ rows: ListedRow[]; goesOn?: ListCursor }> {
    const [there] = await session.rows(`SELECT 1 WHERE ${PERSON_IS_THERE}`, [person])
    if (!there) return { rows: [] }
    const { from, at, id, where, values } = await placesOf(person, query)
    const order = orderOf(query, at, id)
    const isMine = createMine(query)
    const rows: ListedRow[] = []
    let cursor = begin
    for (const size of BITES) {
      const looked = await session.rows<ListedRow & { place: number; place_at: Instant; kept: boolean }>(
        `SELECT ${LOOK}, ${isWithin(query.reach ?? 'followed', 'e.feed_id', '$1::bigint')} AS within, p.place, p.place_at, e.id IS NOT NULL AND ${isKept('e')} AS kept FROM
         (SELECT ${id} AS place, ${at} AS place_at FROM ${from} WHERE ${where} AND ${order.beyond} ORDER BY ${order.by} LIMIT $4) AS p
         LEFT JOIN entries e ON e.id = p.place ${JOINS} ORDER BY ${orderOf(query, 'p.place_at', 'p.place').by}`,
        [person, cursor.at, cursor.id, size, ...values],
      )
      const mine = looked.filter((row) => row.kept && isMine(row) && fits(row))
      const wanted = new Set((await spare(mine)).map((row) => row.id))
      for (const row of looked) {
        if (wanted.has(row.id)) {
          if (rows.length === query.limit) return { rows, goesOn: cursor }
          rows.push(row)
        }
        cursor = { at: row.place_at, id: row.place }
      }
      if (looked.length < size) return { rows }
    }
    return { rows, goesOn: cursor }
  }

  return {
    async entriesFor(person, query) {
      const { since = EVER, until = EVER_AFTER, language, category, unique, after, reach } = query
      const repeated = unique && (reach ? isRepeatedWithin(unique, reach, '$2::bigint') : isRepeated(unique))
      const begin = after && after.at <= until ? after : { at: until, id: Number.MAX_SAFE_INTEGER }
      const { rows, goesOn } = await page(
        person,
        query,
        begin,
        (row) =>
          row.sort_at >= since &&
          row.sort_at <= until &&
          (language === undefined || isOfLanguage(row.language ?? UNKNOWN_LANGUAGE, language)) &&
          (category === undefined || (row.category ?? UNCATEGORIZED) === category),
        async (some) =>
          repeated && some.length > 0
            ? session.rows<ListedRow>(
                `SELECT e.id FROM entries e WHERE e.id = ANY ($1::bigint[]) AND NOT ${repeated}${reach ? '' : ' AND $2::bigint IS NOT NULL'}`,
                [some.map(({ id }) => id), person],
              )
            : some,
      )
      const whole = await session.rows<EntryRow>(
        `SELECT ${ENTRY_COLUMNS} FROM unnest($1::bigint[]) WITH ORDINALITY AS t (id, n) JOIN entries e ON e.id = t.id ORDER BY t.n`,
        [rows.map(({ id }) => id)],
      )
      const entries = whole.map(entryOf)
      if (!goesOn || goesOn.at < since) return { entries }
      return { entries, goesOnAfter: { at: goesOn.at, id: goesOn.id as EntryId } }
    },

    async arrivalsFor(person, query) {
      const { seenSince = EVER, seenUntil = EVER_AFTER, after, order } = query
      const begin = after ?? (order === 'oldest' ? 0 : Number.MAX_SAFE_INTEGER)
      const { rows, goesOn } = await page(
        person,
        query,
        { at: 0, id: begin },
        ({ seen_at }) => seen_at >= seenSince && seen_at <= seenUntil,
      )
      const arrivals = rows.map(({ id, feed_id: feedId, seen_at: seenAt }) => ({ id, feedId, seenAt }))
      return { arrivals, ...(goesOn && { goesOnAfter: goesOn.id as EntryId }) }
    },
  }
}

/** By date, newest first; or by arrival, either way: then $2 is there for nothing. */
function orderOf(query: ListQuery, at: string, id: string): { beyond: string; by: string } {
  if (!('order' in query)) return { beyond: `(${at}, ${id}) < ($2::bigint, $3::bigint)`, by: `${at} DESC, ${id} DESC` }
  const [sign, direction] = query.order === 'oldest' ? ['>', 'ASC'] : ['<', 'DESC']
  return { beyond: `($2::bigint IS NOT NULL AND ${id} ${sign} $3::bigint)`, by: `${id} ${direction}` }
}
