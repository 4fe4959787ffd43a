/** Feeds that people follow, with what is unread of each, which is never counted when it is asked for. */

import type { EntryId, FeedId, FolderCount, Instant, PersonId, SourceId, WaitingReading } from '../../../model/index.ts'
import { letOthers } from '../../../ports/index.ts'
import type { ReadingMethods } from '../methods.ts'
import { folderKey } from '../sql/folder-key.ts'
import { READING_COLUMNS, type ReadingRow, type ReadsRow, readingOfRow, readsOfFeeds } from '../sql/reading-rows.ts'
import type { ReadingWriter } from './reading-writer.ts'
import { rowsById, WANTED } from './rows-by-id.ts'
import { bounded, type SqliteSession } from './session.ts'

const SEPARATOR = ' / '

/** Readings that are added, renamed or told of in one transaction. */
const BITE = 500

/** Who was removed is nobody, though not all that was his is swept out yet. A value, which is found once; EXISTS would be for every row. */
export const IS_THERE = '(SELECT true FROM people p WHERE p.id = $person)'

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
  const inFolder = db.prepare<{ person: PersonId; from: string; below: string }, ReadingRow>(
    `SELECT ${READING_COLUMNS} FROM readings WHERE person_id = $person AND (folder = $from OR substr(folder, 1, length($below)) = $below)`,
  )
  const waiting = db.prepare<
    { person: PersonId; after: number; limit: number },
    { source_id: SourceId; title: string | null; folder: string | null; added_at: Instant }
  >(
    `SELECT source_id, title, folder, added_at FROM waiting_readings
     WHERE person_id = $person AND source_id > $after AND ${IS_THERE} ORDER BY source_id LIMIT $limit`,
  )
  const folders = db.prepare<{ person: PersonId }, { folder: string | null; feeds: number; unread: number }>(
    `SELECT folder, count(*) AS feeds, sum(unread) AS unread FROM readings WHERE person_id = $person AND ${IS_THERE}
     GROUP BY folder_key, folder ORDER BY folder IS NOT NULL, folder`,
  )
  const standing = db.prepare<{ person: PersonId }, { feeds: number; unread: number; starred: number }>(
    `SELECT count(*) AS feeds, coalesce(sum(unread), 0) AS unread, (SELECT count(*) FROM stars s WHERE s.person_id = $person
     AND ${IS_THERE} AND NOT EXISTS (SELECT 1 FROM removals r WHERE r.feed_id = s.feed_id)) AS starred
     FROM readings WHERE person_id = $person AND ${IS_THERE}`,
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

  /** All entries up to this one are read, so that the newest so many are not. */
  const readUpTo = (feedId: FeedId, unread: number) => beforeNewest.get(feedId, bounded(unread)) ?? (0 as EntryId)

  return {
    async follow(personId, wanted, at, unread) {
      const added: boolean[] = []
      for (let i = 0; i < wanted.length; i += BITE) {
        const bite = await session.writeBite(() =>
          wanted.slice(i, i + BITE).map(({ title = null, folder = null, ...what }) => {
            const about = { title, folder, addedAt: at }
            const feedId = 'feedId' in what ? what.feedId : source.get(what.sourceId)?.feed_id
            if (feedId) return writer.add(personId, feedId, about, readUpTo(feedId, unread))
            if (feedId === undefined || !('sourceId' in what)) return false
            return wait.run(personId, what.sourceId, title || null, folder || null, at).changes > 0
          }),
        )
        added.push(...bite)
      }
      return added
    },

    async unfollow(personId, what) {
      const answers: { was: boolean; others: number }[] = []
      for (const one of what) {
        answers.push(
          await session.writeBite(() => {
            if ('feedId' in one) return { was: writer.drop(personId, one.feedId), others: readers.get(one.feedId) ?? 0 }
            const was = waitNoMore.run(personId, one.sourceId).changes > 0
            return { was, others: waiters.get(one.sourceId) ?? 0 }
          }),
        )
      }
      return answers
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
      const rows = await session.read(() => inFolder.all({ person: personId, from, below: from + SEPARATOR }))
      for (let i = 0; i < rows.length; i += BITE)
        await session.writeBite(() => {
          for (const { feed_id, folder, title } of rows.slice(i, i + BITE)) {
            const below = (folder ?? '').slice(from.length + SEPARATOR.length)
            const moved = [to, below].filter(Boolean).join(SEPARATOR) || null
            change.run(title, moved, folderKey(moved), personId, feed_id)
          }
        })
      return rows.length
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

    folderCounts(personId) {
      return session.read(() =>
        folders
          .all({ person: personId })
          .map(({ folder, ...counts }): FolderCount => ({ ...(folder !== null && { folder }), ...counts })),
      )
    },

    standing: (personId) => session.read(() => standing.get({ person: personId })!),

    readersOf(ids) {
      return session.read(() => {
        const rows = rowsById(readersOfThose, ({ feed_id }) => feed_id, ids)
        return ids.map((id) => rows.get(id)?.readers ?? 0)
      })
    },

    unwanted: (limit) => session.read(() => unwanted.all(bounded(limit))),

    async *everyFeedsReads(now) {
      for (let after = 0 as FeedId; ; await letOthers()) {
        const rows = await session.read(() => reads.all(after, BITE))
        yield* readsOfFeeds(rows, now)
        const last = rows.at(-1)
        if (!last) return
        after = last.feed_id
      }
    },
  }
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
