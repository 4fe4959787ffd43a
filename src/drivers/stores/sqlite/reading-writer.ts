/**
 * What becomes of readings and marks when feeds, sources, entries and people come and go. `unread` of a reading is counted here, and
 * kept in step in the transaction that changes what it counts.
 */
import type Database from 'better-sqlite3'
import type { EntryId, FeedId, Instant, PersonId, SourceId } from '../../../model/index.ts'
import { folderKey } from '../sql/folder-key.ts'

export interface AboutReading {
  title?: string | null
  folder?: string | null
  addedAt: Instant
}

export interface ReadingWriter {
  /** False if it is followed already, or the feed is gone. All up to `upTo` is read. */
  add(personId: PersonId, feedId: FeedId, about: AboutReading, upTo: EntryId): boolean
  /** False if it was not followed. */
  drop(personId: PersonId, feedId: FeedId): boolean
  /** Counts anew what is unread. */
  count(personId: PersonId, feedId: FeedId): number
  /** So many entries are new. */
  arrived(feedId: FeedId, entries: number): void
  /** Before these entries are deleted. */
  forget(ids: EntryId[]): void
  sourceFound(sourceId: SourceId, feedId: FeedId): void
  sourceRemoved(sourceId: SourceId): void
  /** With the feeds that people made of it. */
  feedRemoved(feedId: FeedId): void
  personRemoved(personId: PersonId): void
  /** At most `limit` of what is left of people and readings that were removed; how many that were. */
  sweep(limit: number): number
}

/** Marks that go with a reading; the rest is swept out. */
const FIRST_BITE = 500

/** What else a person has, and goes with him in bites. */
const OWN_TABLES = ['waiting_readings', 'stars', 'saved_searches', 'feeds_out', 'webhooks']
const KEY_OF: Record<string, string> = { waiting_readings: 'source_id', stars: 'entry_id' }

export function createReadingWriter(db: Database.Database): ReadingWriter {
  const feedIsThere = db.prepare<[FeedId], 1>('SELECT 1 FROM feeds WHERE id = ?').pluck()
  const readers = db.prepare<[FeedId], number>('SELECT count(*) FROM readings WHERE feed_id = ?').pluck()
  const insert = db.prepare(
    `INSERT INTO readings (person_id, feed_id, title, folder, folder_key, added_at, up_to, was_up_to, unread, reads, read_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, 0, 0, ?) ON CONFLICT DO NOTHING`,
  )
  const remove = db.prepare('DELETE FROM readings WHERE person_id = ? AND feed_id = ?')
  const subscribed = db.prepare<[number, FeedId]>('UPDATE feeds SET subscribers = max(1, subscribers + ?) WHERE id = ?')
  const revise = db.prepare<[FeedId]>('UPDATE schedules SET revision = revision + 1 WHERE feed_id = ?')
  const left = db.prepare<[FeedId]>('INSERT OR IGNORE INTO left_feeds (feed_id) VALUES (?)')
  const notLeft = db.prepare<[FeedId]>('DELETE FROM left_feeds WHERE feed_id = ?')
  const dropMarks = db.prepare(
    `DELETE FROM marks WHERE person_id = $person AND feed_id = $feed AND entry_id IN
     (SELECT entry_id FROM marks WHERE person_id = $person AND feed_id = $feed LIMIT $limit)`,
  )
  const marksLeft = db.prepare('INSERT OR IGNORE INTO removed_readings (person_id, feed_id) VALUES (?, ?)')
  const comesBack = db.prepare('DELETE FROM removed_readings WHERE person_id = ? AND feed_id = ?')
  const count = db
    .prepare<{ person: PersonId; feed: FeedId }, number>(
      `UPDATE readings AS r SET unread = (SELECT count(*) FROM entries e WHERE e.feed_id = r.feed_id AND e.id > r.up_to)
       - (SELECT count(*) FROM marks m WHERE m.person_id = r.person_id AND m.feed_id = r.feed_id AND m.entry_id > r.up_to AND m.read = 1)
       + (SELECT count(*) FROM marks m WHERE m.person_id = r.person_id AND m.feed_id = r.feed_id AND m.entry_id <= r.up_to AND m.read = 0)
       WHERE person_id = $person AND feed_id = $feed RETURNING unread`,
    )
    .pluck()
  const arrived = db.prepare<[number, FeedId]>('UPDATE readings SET unread = unread + ? WHERE feed_id = ?')
  const feedOf = db.prepare<[EntryId], FeedId>('SELECT feed_id FROM entries WHERE id = ?').pluck()
  const readersOf = db.prepare<[FeedId], PersonId>('SELECT person_id FROM readings WHERE feed_id = ?').pluck()
  const unreadEntry = db.prepare(
    `UPDATE readings AS r SET unread = unread - 1 WHERE person_id = $person AND feed_id = $feed AND NOT coalesce(
     (SELECT read FROM marks WHERE person_id = $person AND feed_id = $feed AND entry_id = $entry), $entry <= r.up_to)`,
  )
  const dropMark = db.prepare('DELETE FROM marks WHERE person_id = ? AND feed_id = ? AND entry_id = ?')
  const waiting = db.prepare<
    [SourceId],
    { person_id: PersonId; title: string | null; folder: string | null; added_at: Instant }
  >('SELECT person_id, title, folder, added_at FROM waiting_readings WHERE source_id = ?')
  const dropWaiting = db.prepare<[SourceId]>('DELETE FROM waiting_readings WHERE source_id = ?')
  const dropFeedsOut = db.prepare<[FeedId]>('DELETE FROM feeds_out WHERE feed_id = ?')

  const personLeft = db.prepare<[PersonId]>('INSERT OR IGNORE INTO removed_people (person_id) VALUES (?)')
  const nextPerson = db.prepare<[], PersonId>('SELECT person_id FROM removed_people LIMIT 1').pluck()
  const personSwept = db.prepare<[PersonId]>('DELETE FROM removed_people WHERE person_id = ?')
  const nextReading = db.prepare<[], { person_id: PersonId; feed_id: FeedId }>(
    'SELECT person_id, feed_id FROM removed_readings LIMIT 1',
  )
  const readingsLeft = db
    .prepare<[PersonId, number], FeedId>('SELECT feed_id FROM readings WHERE person_id = ? LIMIT ?')
    .pluck()
  const ownLeft = OWN_TABLES.map((table) => {
    const key = KEY_OF[table] ?? 'id'
    return db.prepare<{ person: PersonId; limit: number }>(
      `DELETE FROM ${table} WHERE person_id = $person AND ${key} IN (SELECT ${key} FROM ${table} WHERE person_id = $person LIMIT $limit)`,
    )
  })

  function subscribe(more: 1 | -1, feedId: FeedId): void {
    subscribed.run(more, feedId)
    revise.run(feedId)
  }

  function drop(personId: PersonId, feedId: FeedId, marks = FIRST_BITE): boolean {
    if (remove.run(personId, feedId).changes === 0) return false
    if (dropMarks.run({ person: personId, feed: feedId, limit: marks }).changes === marks)
      marksLeft.run(personId, feedId)
    if ((readers.get(feedId) ?? 0) === 0) left.run(feedId)
    else subscribe(-1, feedId)
    return true
  }

  function add(personId: PersonId, feedId: FeedId, about: AboutReading, upTo: EntryId): boolean {
    if (!feedIsThere.get(feedId)) return false
    const { title, folder, addedAt } = about
    const isFirst = (readers.get(feedId) ?? 0) === 0
    const values = [title || null, folder || null, folderKey(folder), addedAt, upTo, upTo, addedAt]
    if (insert.run(personId, feedId, ...values).changes === 0) return false
    comesBack.run(personId, feedId)
    notLeft.run(feedId)
    count.get({ person: personId, feed: feedId })
    if (!isFirst) subscribe(1, feedId)
    return true
  }

  function sweepPerson(personId: PersonId, limit: number): number {
    let room = limit
    for (const feedId of readingsLeft.all(personId, room)) {
      drop(personId, feedId, 0)
      room--
    }
    for (const statement of ownLeft) if (room > 0) room -= statement.run({ person: personId, limit: room }).changes
    if (room > 0) personSwept.run(personId)
    return limit - room
  }

  return {
    add,
    drop,
    count: (personId, feedId) => count.get({ person: personId, feed: feedId }) ?? 0,

    arrived(feedId, entries) {
      arrived.run(entries, feedId)
    },

    forget(ids) {
      for (const id of ids) {
        const feedId = feedOf.get(id)
        if (feedId === undefined) continue
        for (const personId of readersOf.all(feedId)) {
          unreadEntry.run({ person: personId, feed: feedId, entry: id })
          dropMark.run(personId, feedId, id)
        }
      }
    },

    sourceFound(sourceId, feedId) {
      for (const { person_id, title, folder, added_at } of waiting.all(sourceId))
        add(person_id, feedId, { title, folder, addedAt: added_at }, 0 as EntryId)
      dropWaiting.run(sourceId)
    },

    sourceRemoved(sourceId) {
      dropWaiting.run(sourceId)
    },

    feedRemoved(feedId) {
      for (const personId of readersOf.all(feedId)) drop(personId, feedId, 0)
      notLeft.run(feedId)
      dropFeedsOut.run(feedId)
    },

    personRemoved(personId) {
      personLeft.run(personId)
      sweepPerson(personId, FIRST_BITE)
    },

    sweep(limit) {
      const person = nextPerson.get()
      if (person !== undefined) return Math.max(1, sweepPerson(person, limit))
      const reading = nextReading.get()
      if (!reading) return 0
      const { person_id: personId, feed_id: feedId } = reading
      const dropped = dropMarks.run({ person: personId, feed: feedId, limit }).changes
      if (dropped < limit) comesBack.run(personId, feedId)
      return Math.max(1, dropped)
    },
  }
}
