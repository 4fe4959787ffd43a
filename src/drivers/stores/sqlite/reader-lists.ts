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
  type Reach,
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
import { createMerge, type Merge, type Place } from './merge-feeds.ts'
import { IS_THERE, inScope, scopeValues } from './readings.ts'
import { rowsById, WANTED } from './rows-by-id.ts'
import type { SqliteSession } from './session.ts'

type ListMethods = 'entriesFor' | 'arrivalsFor'

/** Entries that are looked at for one page. */
const MOST_LOOKED_AT = 3000
/** And at once: a little more than a page has, mostly. */
const LEAST_AT_ONCE = 50
const MOST_AT_ONCE = 500
export function readerLists(session: SqliteSession): Pick<Readership, ListMethods> {
  const { db } = session
  const lookWithin = (
    reach: Reach,
  ) => `SELECT e.id, e.feed_id, e.sort_at, e.seen_at, e.language, e.category, r.folder, r.feed_id IS NOT NULL AS followed,
     ${isWithin(reach, 'e.feed_id', '$person')} AS within,
     CASE WHEN r.feed_id IS NOT NULL THEN coalesce(m.read, e.id <= r.up_to) END AS read, s.entry_id IS NOT NULL AS starred
     FROM ${WANTED} CROSS JOIN entries e ON e.id = w.value
     LEFT JOIN readings r ON r.person_id = $person AND r.feed_id = e.feed_id
     LEFT JOIN marks m ON m.person_id = $person AND m.feed_id = e.feed_id AND m.entry_id = e.id
     LEFT JOIN stars s ON s.person_id = $person AND s.entry_id = e.id WHERE ${isKept('e')}`
  const isThere = db.prepare<{ person: PersonId }, 1>(`SELECT 1 WHERE ${IS_THERE}`).pluck()
  const unreadOf = db
    .prepare<{ person: PersonId; feed: FeedId }, EntryId>(
      `SELECT e.id FROM readings r JOIN entries e ON e.feed_id = r.feed_id AND e.id > r.up_to
       WHERE r.person_id = $person AND r.feed_id = $feed AND NOT EXISTS (SELECT 1 FROM marks m
       WHERE m.person_id = $person AND m.feed_id = $feed AND m.entry_id = e.id AND m.read = 1)
       UNION ALL SELECT m.entry_id FROM readings r JOIN marks m ON m.person_id = $person AND m.feed_id = $feed
       AND m.entry_id <= r.up_to AND m.read = 0 WHERE r.person_id = $person AND r.feed_id = $feed`,
    )
    .pluck()
  const sortAt = db.prepare<[EntryId], Instant>('SELECT sort_at FROM entries WHERE id = ?').pluck()
  const starsByDate = db.prepare<{ person: PersonId; at: Instant; id: number; limit: number }, Place>(
    `SELECT entry_id AS id, sort_at AS at FROM stars WHERE person_id = $person AND (sort_at, entry_id) < ($at, $id)
     ORDER BY sort_at DESC, entry_id DESC LIMIT $limit`,
  )
  const stars = (beyond: '<' | '>', direction: 'ASC' | 'DESC') =>
    db.prepare<{ person: PersonId; id: number; limit: number }, Place>(
      `SELECT entry_id AS id, 0 AS at FROM stars WHERE person_id = $person AND entry_id ${beyond} $id
       ORDER BY entry_id ${direction} LIMIT $limit`,
    )
  const starsBefore = stars('<', 'DESC')
  const starsAfter = stars('>', 'ASC')
  const byDate = db.prepare<{ at: Instant; id: number; limit: number }, Place>(
    `SELECT * FROM (SELECT e.id, e.sort_at AS at FROM entries e WHERE e.sort_at = $at AND e.id < $id ORDER BY e.id DESC LIMIT $limit)
     UNION ALL SELECT * FROM (SELECT e.id, e.sort_at AS at FROM entries e WHERE e.sort_at < $at
     ORDER BY e.sort_at DESC, e.id DESC LIMIT $limit) ORDER BY 2 DESC, 1 DESC LIMIT $limit`,
  )
  const all = (beyond: '<' | '>', direction: 'ASC' | 'DESC') =>
    db.prepare<{ id: number; limit: number }, Place>(
      `SELECT id, 0 AS at FROM entries WHERE id ${beyond} $id ORDER BY id ${direction} LIMIT $limit`,
    )
  const allBefore = all('<', 'DESC')
  const allAfter = all('>', 'ASC')
  const merge = createMerge(db)

  /** Readings that are meant, `SOME_FEEDS` and one more at most, and how much of them is unread. */
  function scopeOf(person: PersonId, query: ListQuery): { feeds: FeedId[]; unread: number } {
    const { feedIds, folder, read, reach = 'followed' } = query
    const onlyNews = read === false ? 'AND unread > 0' : ''
    const isBeyond = reach !== 'followed' && folder === undefined && read === undefined
    const own = `SELECT feed_id, unread FROM readings WHERE person_id = $person ${onlyNews} ${inScope(folder)}`
    const common = `SELECT f.id, 0 FROM feeds f WHERE f.listed = 1 AND NOT ${isWithin('followed', 'f.id', '$person')}`
    const all = 'SELECT f.id AS feed_id, 0 AS unread FROM feeds f WHERE $person = $person'
    const from = `SELECT * FROM (${!isBeyond ? own : reach === 'common' ? `${own} UNION ALL ${common}` : all}) WHERE true`
    const values = { person, ...scopeValues(folder) }
    const rows: { feed_id: FeedId; unread: number }[] = []
    if (feedIds && feedIds.length <= SOME_FEEDS) {
      const one = session.prepared<(typeof rows)[number]>(`${from} AND feed_id = $feed`)
      for (const feed of new Set(feedIds)) rows.push(...one.all({ ...values, feed }))
    } else {
      const some = session.prepared<(typeof rows)[number]>(`${from} LIMIT ${SOME_FEEDS + 1}`)
      rows.push(...some.all(values))
    }
    return { feeds: rows.map(({ feed_id }) => feed_id), unread: rows.reduce((sum, { unread }) => sum + unread, 0) }
  }

  /** The next places to be looked at, after a cursor that is where it begins or what was given last; fewer than a bite only at the end. */
  function placesOf(person: PersonId, query: ListQuery, limit: number): Merge {
    const isByDate = !('order' in query)
    const sign = !isByDate && query.order === 'oldest' ? 1 : -1
    if (query.starred) {
      if (isByDate) return ({ at, id }) => starsByDate.all({ person, at, id, limit })
      return ({ id }) => (sign > 0 ? starsAfter : starsBefore).all({ person, id, limit })
    }
    const { feeds, unread } = scopeOf(person, query)
    if (query.read === false && unread <= SOME_UNREAD[isByDate ? 'date' : 'arrival'] && feeds.length <= SOME_FEEDS) {
      const places = feeds
        .flatMap((feed) => unreadOf.all({ person, feed }))
        .map((id) => ({ id, at: isByDate ? (sortAt.get(id) ?? 0) : 0 }))
        .sort((a, b) => (a.at - b.at || a.id - b.id) * sign)
      return (from) => {
        const begin = places.findIndex(({ at, id }) => ((isByDate ? at - from.at : 0) || id - from.id) * sign > 0)
        return begin < 0 ? [] : places.slice(begin, begin + limit)
      }
    }
    if (feeds.length <= SOME_FEEDS) return merge(feeds, isByDate ? 'date' : sign > 0 ? 'oldest' : 'newest', limit)
    if (isByDate) return ({ at, id }) => byDate.all({ at, id, limit })
    return ({ id }) => (sign > 0 ? allAfter : allBefore).all({ id, limit })
  }

  /** Looks at places until the page is full, or enough were looked at. */
  async function page(
    person: PersonId,
    query: ListQuery,
    begin: ListCursor,
    fits: (rows: ListedRow[]) => ListedRow[],
  ): Promise<{ rows: ListedRow[]; goesOn?: ListCursor }> {
    if (!(await session.read(() => isThere.get({ person })))) return { rows: [] }
    const atOnce = Math.min(MOST_AT_ONCE, Math.max(LEAST_AT_ONCE, query.limit + 1))
    const next = await session.read(() => placesOf(person, query, atOnce))
    const isMine = createMine(query)
    const look = session.prepared<ListedRow>(lookWithin(query.reach ?? 'followed'))
    const rows: ListedRow[] = []
    let from = begin
    for (let looked = 0; looked < MOST_LOOKED_AT; ) {
      const places = await session.read(() => {
        const places = next(from)
        const ids = places.map(({ id }) => id)
        const looked = rowsById(look, ({ id }) => id, ids, { person })
        const mine = ids.flatMap((id) => looked.get(id) ?? []).filter(isMine)
        for (let i = 0; i < mine.length; ) {
          const some = mine.slice(i, i + query.limit + 1 - rows.length)
          rows.push(...fits(some))
          i += some.length
          if (rows.length <= query.limit) continue
          rows.length = query.limit
          const last = rows.at(-1)?.id
          from = places.find(({ id }) => id === last) ?? from
          return 'more'
        }
        from = places.at(-1) ?? from
        return places
      })
      if (places === 'more') return { rows, goesOn: from }
      if (places.length < atOnce) return { rows }
      looked += places.length
    }
    return { rows, goesOn: from }
  }

  return {
    async entriesFor(person, query) {
      const { since = EVER, until = EVER_AFTER, language, category, unique, after, reach } = query
      const repeated = unique && (reach ? isRepeatedWithin(unique, reach, '$person') : isRepeated(unique))
      const whole = session.prepared<EntryRow>(
        `SELECT ${ENTRY_COLUMNS} FROM ${WANTED} CROSS JOIN entries e ON e.id = w.value ${repeated ? `WHERE NOT ${repeated}` : ''}`,
      )
      const begin = after && after.at <= until ? after : { at: until, id: Number.MAX_SAFE_INTEGER }
      const entries = new Map<EntryId, EntryRow>()
      const isMeant = (row: ListedRow) =>
        row.sort_at >= since &&
        row.sort_at <= until &&
        (language === undefined || isOfLanguage(row.language ?? UNKNOWN_LANGUAGE, language)) &&
        (category === undefined || (row.category ?? UNCATEGORIZED) === category)
      const { rows, goesOn } = await page(person, query, begin, (looked) => {
        const meant = looked.filter(isMeant)
        const found = rowsById(
          whole,
          ({ id }) => id,
          meant.map(({ id }) => id),
          { person },
        )
        for (const [id, entry] of found) entries.set(id, entry)
        return meant.filter(({ id }) => found.has(id))
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
