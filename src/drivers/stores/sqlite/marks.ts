/**
 * What people have read and starred. To read a feed, or all feeds, moves the end of what is read and touches the few marks that say
 * otherwise.
 */
import type { ChangeId, EntryId, EntryMarks, FeedId, Instant, PersonId } from '../../../model/index.ts'
import { type MarkedUntil, type Readership, type ReadingScope, readingWeight } from '../../../ports/index.ts'
import { isKept } from '../sql/conditions.ts'
import { endMoved, meantBy, type UnreadRow } from '../sql/reading-ends.ts'
import type { ReadingWriter } from './reading-writer.ts'
import { IS_THERE, inScope, scopeValues } from './readings.ts'
import { rowsById, WANTED } from './rows-by-id.ts'
import type { SqliteSession } from './session.ts'

type MarkMethods = 'mark' | 'markAllRead' | 'takeBack' | 'star' | 'marksOf'

/** Readings whose end is moved in one transaction, and entries that are marked in one. */
const CHUNK = 100
const ENTRIES = 500
/** Readings that are found at once. */
const FOUND = 2000

/** Marks that have become useless are dropped with the next change of their reading, so many at once. */
const MOST_DROPPED = 200

interface ReadingRow {
  feed_id: FeedId
  up_to: EntryId
  unread: number
}

interface EntryRow {
  id: EntryId
  feed_id: FeedId
  sort_at: Instant
  up_to: EntryId | null
  mark: 0 | 1 | null
  starred: 0 | 1
}

export function markQueries(session: SqliteSession, writer: ReadingWriter): Pick<Readership, MarkMethods> {
  const { db } = session
  const newChange = db.prepare<[], ChangeId>('UPDATE mark_changes SET last = last + 1 RETURNING last').pluck()
  const isThere = db.prepare<{ person: PersonId }, 1>(`SELECT 1 WHERE ${IS_THERE}`).pluck()
  const marked = db.prepare<unknown[], EntryRow>(
    `SELECT e.id, e.feed_id, e.sort_at, r.up_to, m.read AS mark, s.entry_id IS NOT NULL AS starred
     FROM ${WANTED} CROSS JOIN entries e ON e.id = w.value
     LEFT JOIN readings r ON r.person_id = $person AND r.feed_id = e.feed_id
     LEFT JOIN marks m ON m.person_id = $person AND m.feed_id = e.feed_id AND m.entry_id = e.id
     LEFT JOIN stars s ON s.person_id = $person AND s.entry_id = e.id WHERE ${isKept('e')}`,
  )
  const setMark = db.prepare(
    `INSERT INTO marks (person_id, feed_id, entry_id, read, was, change_id) VALUES ($person, $feed, $id, $read, NULL, $change)
     ON CONFLICT DO UPDATE SET was = read, read = $read, change_id = $change`,
  )
  const clearMark = db.prepare(
    `UPDATE marks SET was = read, read = NULL, change_id = $change
     WHERE person_id = $person AND feed_id = $feed AND entry_id = $id AND read = 0`,
  )
  const changeUnread = db.prepare(
    'UPDATE readings SET unread = unread + ?, reads = reads * ? + ?, read_at = ? WHERE person_id = ? AND feed_id = ?',
  )
  const readAt = db
    .prepare<[PersonId, FeedId], Instant>('SELECT read_at FROM readings WHERE person_id = ? AND feed_id = ?')
    .pluck()
  const newest = db.prepare<[], EntryId>('SELECT coalesce(max(id), 0) FROM entries').pluck()
  const one = db.prepare<[PersonId, FeedId], ReadingRow>(
    'SELECT feed_id, up_to, unread FROM readings WHERE person_id = ? AND feed_id = ?',
  )
  const moveEnd = db.prepare(
    'UPDATE readings SET was_up_to = up_to, up_to = ?, change_id = ? WHERE person_id = ? AND feed_id = ?',
  )
  const readMarked = db.prepare(
    `UPDATE marks SET was = read, read = NULL, change_id = $change
     WHERE person_id = $person AND feed_id = $feed AND entry_id <= $upTo AND read = 0`,
  )
  const dropUseless = db.prepare(
    `DELETE FROM marks WHERE person_id = $person AND feed_id = $feed AND entry_id IN (SELECT entry_id FROM marks
     WHERE person_id = $person AND feed_id = $feed AND entry_id <= $upTo AND coalesce(read, 1) = 1 LIMIT ${MOST_DROPPED})`,
  )
  const unreadOf = db.prepare<{ person: PersonId; feed: FeedId; upTo: EntryId }, UnreadRow>(
    `SELECT e.id, e.sort_at, e.seen_at FROM entries e WHERE e.feed_id = $feed AND e.id > $upTo AND NOT EXISTS
     (SELECT 1 FROM marks m WHERE m.person_id = $person AND m.feed_id = $feed AND m.entry_id = e.id AND m.read = 1)
     UNION ALL SELECT e.id, e.sort_at, e.seen_at FROM marks m JOIN entries e ON e.id = m.entry_id
     WHERE m.person_id = $person AND m.feed_id = $feed AND m.entry_id <= $upTo AND m.read = 0 ORDER BY 1`,
  )
  const feedsChanged = db
    .prepare<{ person: PersonId; change: ChangeId }, FeedId>(
      `SELECT feed_id FROM readings WHERE person_id = $person AND change_id = $change
       UNION SELECT feed_id FROM marks WHERE person_id = $person AND change_id = $change LIMIT ${CHUNK}`,
    )
    .pluck()
  const endBack = db.prepare(
    'UPDATE readings SET up_to = was_up_to, change_id = NULL WHERE person_id = $person AND feed_id = $feed AND change_id = $change',
  )
  const marksBack = [
    'DELETE FROM marks WHERE person_id = $person AND feed_id = $feed AND change_id = $change AND was IS NULL',
    `UPDATE marks SET read = was, was = NULL, change_id = 0
     WHERE person_id = $person AND feed_id = $feed AND change_id = $change`,
  ].map((sql) => db.prepare<{ person: PersonId; feed: FeedId; change: ChangeId }>(sql))
  const addStar = db.prepare(
    'INSERT INTO stars (person_id, entry_id, feed_id, sort_at, added_at) VALUES (?, ?, ?, ?, ?)',
  )
  const dropStar = db.prepare('DELETE FROM stars WHERE person_id = ? AND entry_id = ?')

  /** Nothing for who is nobody. */
  const entriesOf = (person: PersonId, ids: readonly EntryId[]): Map<EntryId, EntryRow> =>
    isThere.get({ person }) ? rowsById(marked, ({ id }) => id, ids, { person }) : new Map()

  /** Reads all up to an entry. Answers how many that were. */
  function readUpTo(person: PersonId, reading: ReadingRow, upTo: EntryId, change: ChangeId): number {
    const feed = reading.feed_id
    dropUseless.run({ person, feed, upTo: reading.up_to })
    readMarked.run({ person, feed, upTo, change })
    if (upTo > reading.up_to) moveEnd.run(upTo, change, person, feed)
    return reading.unread - writer.count(person, feed)
  }

  function readMeant(
    person: PersonId,
    reading: ReadingRow,
    isMeant: (row: UnreadRow) => boolean,
    change: ChangeId,
  ): number {
    const feed = reading.feed_id
    const moved = endMoved(unreadOf.all({ person, feed, upTo: reading.up_to }), reading.up_to, isMeant)
    if (!moved) return 0
    for (const id of moved.cleared) clearMark.run({ person, feed, id, change })
    for (const id of moved.unread) setMark.run({ person, feed, id, read: 0, change })
    for (const id of moved.read) setMark.run({ person, feed, id, read: 1, change })
    if (moved.upTo > reading.up_to) moveEnd.run(moved.upTo, change, person, feed)
    return reading.unread - writer.count(person, feed)
  }

  /** In pieces: it may be every feed that there is. */
  async function inScopeWithNews(person: PersonId, { feedIds, folder }: ReadingScope): Promise<FeedId[]> {
    const sql = `SELECT feed_id FROM readings WHERE person_id = $person AND unread > 0 AND ${IS_THERE} ${inScope(folder)}`
    const values = { person, ...scopeValues(folder) }
    const found: FeedId[] = []
    const find = async (condition: string, more: Record<string, number>) => {
      const rows = await session.read(() =>
        session.prepared<{ feed_id: FeedId }>(`${sql} AND ${condition}`).all({ ...values, ...more }),
      )
      for (const { feed_id } of rows) found.push(feed_id)
      return rows.length
    }
    for (const feed of new Set(feedIds)) await find('feed_id = $feed', { feed })
    if (feedIds) return found
    for (;;) {
      if (
        (await find('feed_id > $after ORDER BY feed_id LIMIT $limit', { after: found.at(-1) ?? 0, limit: FOUND })) <
        FOUND
      )
        return found
    }
  }

  function lastOf(until: MarkedUntil | undefined): EntryId {
    const last = newest.get() ?? (0 as EntryId)
    return until && 'entryId' in until ? (Math.min(last, until.entryId) as EntryId) : last
  }

  return {
    async mark(person, ids, as, at) {
      const read = as === 'read' ? 1 : 0
      const changed: EntryId[] = []
      const change = await session.write(() => newChange.get()!)
      const distinct = [...new Set(ids)]
      for (let i = 0; i < distinct.length; i += ENTRIES) {
        await session.write(() => {
          const counts = new Map<FeedId, number>()
          const some = distinct.slice(i, i + ENTRIES)
          const rows = entriesOf(person, some)
          for (const id of some) {
            const row = rows.get(id)
            if (!row || row.up_to === null || isRead(row) === (read === 1)) continue
            setMark.run({ person, feed: row.feed_id, id, read, change })
            counts.set(row.feed_id, (counts.get(row.feed_id) ?? 0) + 1)
            changed.push(id)
          }
          for (const [feed, count] of counts) {
            const since = readAt.get(person, feed) ?? at
            if (read) changeUnread.run(-count, readingWeight(at - since), count, at, person, feed)
            else changeUnread.run(count, 1, 0, since, person, feed)
          }
        })
      }
      return { change, changed }
    },

    async markAllRead(person, scope, until) {
      const { change, last } = await session.write(() => ({ change: newChange.get()!, last: lastOf(until) }))
      const feeds = await inScopeWithNews(person, scope)
      const isMeant = meantBy(until, last)
      const read = (feed: FeedId): number => {
        const reading = one.get(person, feed)
        if (!reading) return 0
        return isMeant ? readMeant(person, reading, isMeant, change) : readUpTo(person, reading, last, change)
      }
      let marked = 0
      for (let i = 0; i < feeds.length; i += CHUNK)
        await session.write(() => {
          for (const feed of feeds.slice(i, i + CHUNK)) marked += read(feed)
        })
      return { change, marked }
    },

    async takeBack(person, change) {
      let back = 0
      for (let isOver = change <= 0; !isOver; ) {
        isOver = await session.write(() => {
          const feeds = feedsChanged.all({ person, change })
          for (const feed of feeds) {
            const before = one.get(person, feed)?.unread ?? 0
            endBack.run({ person, feed, change })
            for (const statement of marksBack) statement.run({ person, feed, change })
            back += Math.abs(writer.count(person, feed) - before)
          }
          return feeds.length === 0
        })
      }
      return back
    },

    star(person, ids, starred, at) {
      return session.write(() => {
        const changed: EntryId[] = []
        const rows = entriesOf(person, ids)
        for (const id of new Set(ids)) {
          const row = rows.get(id)
          if (!row || (row.starred === 1) === starred) continue
          if (starred) addStar.run(person, id, row.feed_id, row.sort_at, at)
          else dropStar.run(person, id)
          changed.push(id)
        }
        return changed
      })
    },

    marksOf(person, ids) {
      return session.read(() => {
        const rows = entriesOf(person, ids)
        return ids.map((id): EntryMarks => {
          const row = rows.get(id)
          const read = row && isRead(row)
          return { ...(read !== undefined && { read }), starred: row?.starred === 1 }
        })
      })
    },
  }
}

/** Undefined where its feed is not followed. */
function isRead({ id, up_to: upTo, mark }: EntryRow): boolean | undefined {
  if (upTo === null) return undefined
  return mark === null ? id <= upTo : mark === 1
}
