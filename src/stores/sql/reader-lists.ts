/**
 * Entries for a user. A page costs much the same whatever they follow and however much is stored, by one of four ways:
 *
 * - what is starred is a list of its own
 * - what is unread, where that is not too much, is found from the ends of what is read, and put in order
 * - of some feeds, each has its own entries in order, and they are merged
 * - of more feeds, all entries are looked through in order: many of them are of feeds that the user follows
 *
 * Where so many were looked at in vain, the page is short and says where to go on.
 */
import {
  type EntryId,
  type FeedId,
  isOfLanguage,
  type PersonId,
  UNCATEGORIZED,
  UNKNOWN_LANGUAGE,
} from '../../model/index.ts'
import type { Readership } from '../../ports/index.ts'
import { beforeSql } from './by-date.ts'
import { isKept, isRepeated, isRepeatedWithin, isWithin } from './conditions.ts'
import type { Dialect } from './dialect.ts'
import {
  createMine,
  EVER,
  EVER_AFTER,
  type ListCursor,
  type ListedRow,
  type ListQuery,
  SOME_FEEDS,
  SOME_UNREAD,
} from './listed-rows.ts'
import { createMerge, type Merge, type Place } from './merge-feeds.ts'
import { inScopeSql, PERSON_IS_THERE } from './readings.ts'
import { ENTRY_COLUMNS, type EntryRow, entryOf } from './rows.ts'
import type { SqlSession } from './session.ts'

type ListMethods = 'entriesFor' | 'arrivalsFor'

/** Entries that are looked at for one page. */
const MOST_LOOKED_AT = 3000
/** And at once: a little more than a page has, mostly. */
const LEAST_AT_ONCE = 50
const MOST_AT_ONCE = 500

/** User $1. */
const PERSON = 'CAST($1 AS bigint)'

/** The next places of a list; of user $1, after the place $2 and $3, $4 at most. */
interface PlacesSql {
  sql: string
  values: unknown[]
}

export function readerListMethods(session: SqlSession): Pick<Readership, ListMethods> {
  const { dialect } = session
  const merge = createMerge(session)
  const list = dialect.list('$2')

  /** Subscriptions that are meant, `SOME_FEEDS` and one more at most, and how much of them is unread. */
  async function scopeOf(person: PersonId, query: ListQuery): Promise<{ feeds: FeedId[]; unread: number }> {
    const { feedIds, folder, read, reach = 'followed' } = query
    const values: unknown[] = [person]
    const given = (value: unknown) => `$${values.push(value)}`
    const isBeyond = reach !== 'followed' && folder === undefined && read === undefined
    const own = `SELECT feed_id, unread FROM readings WHERE person_id = ${PERSON} ${read === false ? 'AND unread > 0' : ''}
      ${inScopeSql(dialect, folder, given)}`
    const common = `SELECT f.id, 0 FROM feeds f WHERE f.listed = 1 AND NOT ${isWithin('followed', 'f.id', PERSON)}`
    const all = `SELECT f.id AS feed_id, 0 AS unread FROM feeds f WHERE ${PERSON} IS NOT NULL`
    const from = !isBeyond ? own : reach === 'common' ? `${own} UNION ALL ${common}` : all
    const among = feedIds ? `WHERE ${dialect.isOneOf('feed_id', given(feedIds), 'bigint')}` : ''
    const rows = await session.rows<{ feed_id: FeedId; unread: number }>(
      `SELECT feed_id, unread FROM (${from}) AS meant ${among} LIMIT ${SOME_FEEDS + 1}`,
      values,
    )
    return { feeds: rows.map(({ feed_id }) => feed_id), unread: rows.reduce((sum, { unread }) => sum + unread, 0) }
  }

  /** The next places to be looked at, after a cursor that is where it begins or what was given last; fewer than `limit` only at the end. */
  async function placesOf(person: PersonId, query: ListQuery, limit: number): Promise<Merge> {
    const isByDate = !('order' in query)
    const order = isByDate ? 'date' : query.order
    const run =
      ({ sql, values }: PlacesSql): Merge =>
      ({ at, id }) =>
        session.rows<Place>(sql, [person, at, id, limit, ...values])
    if (query.starred)
      return run({
        sql: inOrder('SELECT entry_id AS id, sort_at AS at FROM stars WHERE person_id = $1', order),
        values: [],
      })
    const { feeds, unread: count } = await scopeOf(person, query)
    if (query.read === false && count <= SOME_UNREAD[isByDate ? 'date' : 'arrival'] && feeds.length <= SOME_FEEDS)
      return run({ sql: inOrder(unreadSql(dialect, order), order), values: [feeds] })
    if (feeds.length <= SOME_FEEDS) return merge(feeds, order, limit)
    return run({ sql: ALL_ENTRIES[order], values: [] })
  }

  /** Looks at places until the page is full, or enough were looked at. */
  async function page(
    person: PersonId,
    query: ListQuery,
    begin: ListCursor,
    fits: (rows: ListedRow[]) => ListedRow[] | Promise<ListedRow[]>,
  ): Promise<{ rows: ListedRow[]; goesOn?: ListCursor }> {
    if (!(await session.row(`SELECT 1 WHERE ${PERSON_IS_THERE}`, [person]))) return { rows: [] }
    const atOnce = Math.min(MOST_AT_ONCE, Math.max(LEAST_AT_ONCE, query.limit + 1))
    const next = await placesOf(person, query, atOnce)
    const isMine = createMine(query)
    const look = lookSql(list, isWithin(query.reach ?? 'followed', 'e.feed_id', PERSON))
    const rows: ListedRow[] = []
    let from = begin
    for (let looked = 0; looked < MOST_LOOKED_AT; ) {
      const places = await next(from)
      const ids = places.map(({ id }) => id)
      const mine = (await session.rows<ListedRow>(look, [person, ids])).filter(isMine)
      for (let i = 0; i < mine.length; ) {
        const some = mine.slice(i, i + query.limit + 1 - rows.length)
        rows.push(...(await fits(some)))
        i += some.length
        if (rows.length <= query.limit) continue
        rows.length = query.limit
        const last = rows.at(-1)?.id
        return { rows, goesOn: places.find(({ id }) => id === last) ?? from }
      }
      if (places.length < atOnce) return { rows }
      from = places.at(-1)!
      looked += places.length
    }
    return { rows, goesOn: from }
  }

  return {
    async entriesFor(person, query) {
      const { since = EVER, until = EVER_AFTER, language, category, unique, after, reach } = query
      const repeated = unique && (reach ? isRepeatedWithin(unique, reach, PERSON) : isRepeated(unique))
      const whole = `SELECT ${ENTRY_COLUMNS} FROM ${list} CROSS JOIN entries e WHERE e.id = w.value AND ${PERSON} IS NOT NULL
        ${repeated ? `AND NOT ${repeated}` : ''}`
      const begin = after && after.at <= until ? after : { at: until, id: Number.MAX_SAFE_INTEGER }
      const entries = new Map<EntryId, EntryRow>()
      const isMeant = (row: ListedRow) =>
        row.sort_at >= since &&
        row.sort_at <= until &&
        (language === undefined || isOfLanguage(row.language ?? UNKNOWN_LANGUAGE, language)) &&
        (category === undefined || (row.category ?? UNCATEGORIZED) === category)
      const { rows, goesOn } = await page(person, query, begin, async (looked) => {
        const meant = looked.filter(isMeant)
        if (meant.length === 0) return []
        for (const row of await session.rows<EntryRow>(whole, [person, meant.map(({ id }) => id)]))
          entries.set(row.id, row)
        return meant.filter(({ id }) => entries.has(id))
      })
      const found = rows.map(({ id }) => entryOf(entries.get(id)!))
      if (!goesOn || goesOn.at < since) return { entries: found }
      return { entries: found, goesOnAfter: { at: goesOn.at, id: goesOn.id as EntryId } }
    },

    async arrivalsFor(person, query) {
      const { seenSince = EVER, seenUntil = EVER_AFTER, after, order } = query
      const begin = after ?? (order === 'oldest' ? 0 : Number.MAX_SAFE_INTEGER)
      const isMeant = ({ seen_at }: ListedRow) => seen_at >= seenSince && seen_at <= seenUntil
      const { rows, goesOn } = await page(person, query, { at: 0, id: begin }, (looked) => looked.filter(isMeant))
      const arrivals = rows.map(({ id, feed_id: feedId, seen_at: seenAt }) => ({ id, feedId, seenAt }))
      return { arrivals, ...(goesOn && { goesOnAfter: goesOn.id as EntryId }) }
    },
  }
}

type Order = 'date' | 'newest' | 'oldest'

/** What is known of entries before they are read as a whole. */
function lookSql(list: string, within: string): string {
  return `SELECT e.id, e.feed_id, e.sort_at, e.seen_at, e.language, e.category, r.folder, r.feed_id IS NOT NULL AS followed,
    ${within} AS within, CASE WHEN r.feed_id IS NOT NULL THEN coalesce(m.read = 1, e.id <= r.up_to) END AS read,
    s.entry_id IS NOT NULL AS starred
    FROM ${list} CROSS JOIN entries e
    LEFT JOIN readings r ON r.person_id = ${PERSON} AND r.feed_id = e.feed_id
    LEFT JOIN marks m ON m.person_id = ${PERSON} AND m.feed_id = e.feed_id AND m.entry_id = e.id
    LEFT JOIN stars s ON s.person_id = ${PERSON} AND s.entry_id = e.id
    WHERE e.id = w.value AND ${isKept('e')} ORDER BY w.key`
}

/** All that is unread of the feeds of list $5; by arrival, an index knows it. */
function unreadSql(dialect: Dialect, order: Order): string {
  const list = dialect.list('$5')
  const at = order === 'date' ? 'e.sort_at' : '0'
  return `SELECT e.id, ${at} AS at FROM ${list} CROSS JOIN readings r CROSS JOIN entries e ${dialect.indexedBy('entries_of_feed')}
    WHERE r.person_id = $1 AND r.feed_id = w.value AND e.feed_id = r.feed_id AND e.id > r.up_to AND NOT EXISTS
    (SELECT 1 FROM marks m WHERE m.person_id = $1 AND m.feed_id = r.feed_id AND m.entry_id = e.id AND m.read = 1)
    UNION ALL SELECT e.id, ${at} AS at FROM ${list} CROSS JOIN readings r CROSS JOIN marks m CROSS JOIN entries e
    WHERE r.person_id = $1 AND r.feed_id = w.value AND m.person_id = $1 AND m.feed_id = r.feed_id AND m.entry_id <= r.up_to
    AND m.read = 0 AND e.id = m.entry_id`
}

function inOrder(places: string, order: Order): string {
  if (order === 'date')
    return `SELECT id, at FROM (${places}) AS p WHERE (at, id) < (CAST($2 AS bigint), CAST($3 AS bigint)) ORDER BY at DESC, id DESC LIMIT $4`
  const [beyond, direction] = order === 'oldest' ? ['>', 'ASC'] : ['<', 'DESC']
  return `SELECT id, 0 AS at FROM (${places}) AS p WHERE id ${beyond} CAST($3 AS bigint) AND CAST($2 AS bigint) IS NOT NULL
    ORDER BY id ${direction} LIMIT $4`
}

function arrivalsSql(beyond: '<' | '>', direction: 'ASC' | 'DESC'): string {
  return `SELECT id, 0 AS at FROM entries WHERE ${PERSON} IS NOT NULL AND CAST($2 AS bigint) IS NOT NULL
    AND id ${beyond} $3 ORDER BY id ${direction} LIMIT $4`
}

const ALL_ENTRIES: Record<Order, string> = {
  date: beforeSql({
    columns: 'e.id, e.sort_at AS at',
    from: 'entries e',
    at: 'e.sort_at',
    id: 'e.id',
    only: `${PERSON} IS NOT NULL`,
    parameters: ['$2', '$3', '$4'],
  }),
  newest: arrivalsSql('<', 'DESC'),
  oldest: arrivalsSql('>', 'ASC'),
}
