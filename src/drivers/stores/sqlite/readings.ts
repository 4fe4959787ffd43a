/** Feeds that people follow, with what is unread of each, which is never counted when it is asked for. */

import type { EntryId, FeedId, FolderCount, Instant, PersonId, SourceId, WaitingReading } from '../../../model/index.ts'
import type { NewReading } from '../../../ports/index.ts'
import type { ReadingMethods } from '../methods.ts'
import { feedsWithinSql, isWithin } from '../sql/conditions.ts'
import { folderKey } from '../sql/folder-key.ts'
import { READING_COLUMNS, type ReadingRow, type ReadsRow, readingOfRow, readsOfFeeds } from '../sql/reading-rows.ts'
import type { ReadingWriter } from './reading-writer.ts'
import { rowsById, WANTED } from './rows-by-id.ts'
import { bounded, type SqliteSession } from './session.ts'

const SEPARATOR = ' / '

/** Feeds that are told of in one transaction. */
const CHUNK = 500
/** And readings that are counted in one. */
const COUNTED = 2000

/** Who was removed is nobody, though not all that was his is swept out yet. A value, which is found once; EXISTS would be for every row. */
export const IS_THERE = '(SELECT true FROM people p WHERE p.id = $person)'

const NAMED = { person: '$person', after: '$after', limit: '$limit' }

export function readingQueries(session: SqliteSession, writer: ReadingWriter): ReadingMethods {
  const { db } = session
  const source = db.prepare<[SourceId], { feed_id: FeedId | null }>('SELECT feed_id FROM sources WHERE id = ?')
  const wait = db.prepare(
    'INSERT INTO waiting_readings (person_id, source_id, title, folder, added_at) VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING',
  )
  const waitNoMore = db.prepare('DELETE FROM waiting_readings WHERE person_id = ? AND source_id = ?')
  const waiters = db.prepare<[SourceId], number>('SELECT count(*) FROM waiting_readings WHERE source_id = ?').pluck()
  const readers = db.prepare<[FeedId], number>('SELECT count(*) FROM readings WHERE feed_id = ?').pluck()
  const readersOfThose = db.prepare<unknown[], { feed_id: FeedId; readers: number }>(
    `SELECT w.value AS feed_id, (SELECT count(*) FROM readings r WHERE r.feed_id = w.value) AS readers FROM ${WANTED}`,
  )
  const beforeNewest = db
    .prepare<[FeedId, number], EntryId>('SELECT id FROM entries WHERE feed_id = ? ORDER BY id DESC LIMIT 1 OFFSET ?')
    .pluck()
  const one = db.prepare<{ person: PersonId; feed: FeedId }, ReadingRow>(
    `SELECT ${READING_COLUMNS} FROM readings WHERE person_id = $person AND feed_id = $feed AND ${IS_THERE}`,
  )
  const those = db.prepare<unknown[], ReadingRow>(
    `SELECT ${READING_COLUMNS} FROM ${WANTED} CROSS JOIN readings ON person_id = $person AND feed_id = w.value WHERE ${IS_THERE}`,
  )
  const change = db.prepare(
    'UPDATE readings SET title = ?, folder = ?, folder_key = ? WHERE person_id = ? AND feed_id = ?',
  )
  const someAfter = db.prepare<{ person: PersonId; after: FeedId; limit: number }, ReadingRow>(
    `SELECT ${READING_COLUMNS} FROM readings WHERE person_id = $person AND feed_id > $after ORDER BY feed_id LIMIT $limit`,
  )
  const waiting = db.prepare<
    { person: PersonId; after: number; limit: number },
    { source_id: SourceId; title: string | null; folder: string | null; added_at: Instant }
  >(
    `SELECT source_id, title, folder, added_at FROM waiting_readings
     WHERE person_id = $person AND source_id > $after AND ${IS_THERE} ORDER BY source_id LIMIT $limit`,
  )
  const SOME = `SELECT feed_id, folder, unread FROM readings WHERE person_id = $person AND feed_id > $after AND ${IS_THERE}
    ORDER BY feed_id LIMIT $limit`
  const folders = db.prepare<Piece, { folder: string | null; feeds: number; unread: number; last: FeedId }>(
    `SELECT folder, count(*) AS feeds, sum(unread) AS unread, max(feed_id) AS last FROM (${SOME}) GROUP BY folder`,
  )
  const followed = db.prepare<Piece, { count: number; unread: number | null; last: FeedId }>(
    `SELECT count(*) AS count, sum(unread) AS unread, max(feed_id) AS last FROM (${SOME})`,
  )
  const starred = db.prepare<Piece, { count: number; kept: number | null; last: EntryId }>(
    `SELECT count(*) AS count, sum(NOT EXISTS (SELECT 1 FROM removals r WHERE r.feed_id = s.feed_id)) AS kept, max(entry_id) AS last
     FROM (SELECT entry_id, feed_id FROM stars WHERE person_id = $person AND entry_id > $after AND ${IS_THERE}
     ORDER BY entry_id LIMIT $limit) s`,
  )
  const unwanted = db
    .prepare<[number], FeedId>(
      `SELECT l.feed_id FROM left_feeds l JOIN feeds f ON f.id = l.feed_id WHERE f.listed IS NULL
       AND NOT EXISTS (SELECT 1 FROM readings r WHERE r.feed_id = l.feed_id) LIMIT ?`,
    )
    .pluck()
  const reads = db.prepare<[FeedId, number], ReadsRow>(
    `SELECT feed_id, reads, read_at FROM readings WHERE feed_id IN
     (SELECT DISTINCT feed_id FROM readings WHERE feed_id > ? ORDER BY feed_id LIMIT ?) ORDER BY feed_id`,
  )

  /** Adds up pieces of what a person has; `count` answers of one how much it was, and where it ended. */
  async function inCountedPieces(
    person: PersonId,
    count: (piece: Piece) => { count: number; last: number },
  ): Promise<void> {
    for (let after = 0; ; ) {
      const piece = await session.read(() => count({ person, after, limit: COUNTED }))
      if (piece.count < COUNTED) return
      after = piece.last
    }
  }

  /** All entries up to this one are read, so that the newest so many are not. */
  const readUpTo = (feedId: FeedId, unread: number) => beforeNewest.get(feedId, bounded(unread)) ?? (0 as EntryId)

  return {
    async follow(personId, wanted, at, unread) {
      const add = ({ title: named, folder: put, ...what }: NewReading): boolean => {
        const [title, folder] = [named || null, put || null]
        const about = { title, folder, addedAt: at }
        const feedId = 'feedId' in what ? what.feedId : source.get(what.sourceId)?.feed_id
        if (feedId) return writer.add(personId, feedId, about, readUpTo(feedId, unread))
        if (feedId === undefined || !('sourceId' in what)) return false
        return wait.run(personId, what.sourceId, title, folder, at).changes > 0
      }
      return session.write(() => wanted.map(add))
    },

    async unfollow(personId, what) {
      return session.write(() =>
        what.map((one) => {
          if ('feedId' in one) return { was: writer.drop(personId, one.feedId), others: readers.get(one.feedId) ?? 0 }
          const was = waitNoMore.run(personId, one.sourceId).changes > 0
          return { was, others: waiters.get(one.sourceId) ?? 0 }
        }),
      )
    },

    changeReading(personId, feedId, { title, folder }) {
      return session.write(() => {
        const row = one.get({ person: personId, feed: feedId })
        if (!row) return false
        const named = title === undefined ? row.title : title
        const put = folder === undefined ? row.folder : folder
        change.run(named, put, folderKey(put), personId, feedId)
        return true
      })
    },

    async renameFolder(personId, from, to) {
      let renamed = 0
      const rename = ({ feed_id, folder, title }: ReadingRow) => {
        if (folder === null || !`${folder}${SEPARATOR}`.startsWith(from + SEPARATOR)) return
        const below = folder.slice(from.length + SEPARATOR.length)
        const moved = [to, below].filter(Boolean).join(SEPARATOR) || null
        change.run(title, moved, folderKey(moved), personId, feed_id)
        renamed++
      }
      await session.write(() => {
        for (const row of someAfter.all({ person: personId, after: 0 as FeedId, limit: Number.MAX_SAFE_INTEGER }))
          rename(row)
      })
      return renamed
    },

    readings(personId, { folder, after = 0 as FeedId, limit }) {
      const sql = `SELECT ${READING_COLUMNS} FROM readings WHERE person_id = $person AND feed_id > $after AND ${IS_THERE}
        ${inScope(folder)} ORDER BY feed_id LIMIT $limit`
      const values = { person: personId, after, limit: bounded(limit), ...scopeValues(folder) }
      return session.read(() => session.prepared<ReadingRow>(sql).all(values).map(readingOfRow))
    },

    readingsOf(personId, ids) {
      return session.read(() => {
        const rows = rowsById(those, (row) => row.feed_id, ids, { person: personId })
        return ids.map((feed) => {
          const row = rows.get(feed)
          return row && readingOfRow(row)
        })
      })
    },

    waitingReadings(personId, { after = 0, limit }) {
      const query = { person: personId, after, limit: bounded(limit) }
      return session.read(() =>
        waiting.all(query).map(
          ({ source_id: sourceId, title, folder, added_at: addedAt }): WaitingReading => ({
            sourceId,
            ...(title !== null && { title }),
            ...(folder !== null && { folder }),
            addedAt,
          }),
        ),
      )
    },

    async folderCounts(personId) {
      const counts = new Map<string | null, FolderCount>()
      await inCountedPieces(personId, (piece) => {
        const rows = folders.all(piece)
        for (const { folder, feeds, unread } of rows) {
          const before = counts.get(folder) ?? { feeds: 0, unread: 0, ...(folder !== null && { folder }) }
          counts.set(folder, { ...before, feeds: before.feeds + feeds, unread: before.unread + unread })
        }
        const last = rows.reduce((last, row) => Math.max(last, row.last), 0)
        return { count: rows.reduce((sum, { feeds }) => sum + feeds, 0), last }
      })
      return [...counts.values()].sort(byFolder)
    },

    async standing(personId) {
      const standing = { feeds: 0, unread: 0, starred: 0 }
      await inCountedPieces(personId, (piece) => {
        const { count, unread, last } = followed.get(piece)!
        standing.feeds += count
        standing.unread += unread ?? 0
        return { count, last }
      })
      await inCountedPieces(personId, (piece) => {
        const { count, kept, last } = starred.get(piece)!
        standing.starred += kept ?? 0
        return { count, last }
      })
      return standing
    },

    readersOf(ids) {
      return session.read(() => {
        const rows = rowsById(readersOfThose, ({ feed_id }) => feed_id, ids)
        return ids.map((id) => rows.get(id)?.readers ?? 0)
      })
    },

    waitersOf: (ids) => session.read(() => ids.map((id) => waiters.get(id) ?? 0)),

    areWithin({ personId: person, reach }, ids) {
      const within = session.prepared<{ id: FeedId }>(
        `SELECT w.value AS id FROM ${WANTED} WHERE ${isWithin(reach, 'w.value', '$person')}`,
      )
      return session.read(() => {
        const found = rowsById(within, ({ id }) => id, ids, { person })
        return ids.map((id) => found.has(id))
      })
    },

    feedsWithin({ personId: person, reach }, { hidden = false, after = 0 as FeedId, limit }) {
      const rows = session.prepared<{ id: FeedId }>(feedsWithinSql(reach, hidden, NAMED))
      return session.read(() => rows.all({ person, after, limit: bounded(limit) }).map(({ id }) => id))
    },

    unwanted: (limit) => session.read(() => unwanted.all(bounded(limit))),

    async *everyFeedsReads(now) {
      for (let after = 0 as FeedId; ; ) {
        const rows = await session.read(() => reads.all(after, CHUNK))
        yield* readsOfFeeds(rows, now)
        const last = rows.at(-1)
        if (!last) return
        after = last.feed_id
      }
    },
  }
}

/** A part of what a person has, in the order of its ids. */
interface Piece {
  person: PersonId
  after: number
  limit: number
}

/** What is in none first, then as SQLite orders texts. */
function byFolder(a: FolderCount, b: FolderCount): number {
  if (a.folder === undefined || b.folder === undefined)
    return Number(a.folder !== undefined) - Number(b.folder !== undefined)
  return Buffer.compare(Buffer.from(a.folder), Buffer.from(b.folder))
}

/** A condition on readings: in a folder or one below it; '': in none. */
export function inScope(folder: string | undefined): string {
  if (folder === undefined) return ''
  return folder === '' ? 'AND folder_key IS NULL' : 'AND folder_key >= $key AND folder_key < $keyEnd'
}

/** Beyond the last that begins with the key, whose last character is a space. */
export function scopeValues(folder: string | undefined): { key?: string; keyEnd?: string } {
  const key = folderKey(folder)
  return key === null ? {} : { key, keyEnd: `${key.slice(0, -1)}!` }
}
