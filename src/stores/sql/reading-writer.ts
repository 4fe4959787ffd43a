/**
 * What becomes of subscriptions and marks when feeds, sources, entries and users come and go. `unread` of a subscription is kept in step in
 * the transaction that changes what it counts. Whoever counts anew locks the schedules of those feeds first: then nobody else is writing
 * entries of theirs, and all that were written are seen.
 */
import type { EntryId, FeedId, Instant, PersonId, SourceId } from '../../model/index.ts'
import type { Dialect, TypedColumn } from './dialect.ts'
import { folderKey } from './folder-key.ts'
import type { SqlTransaction, SqlWork } from './session.ts'

export interface AddedReading {
  personId: PersonId
  feedId: FeedId
  title?: string | null | undefined
  folder?: string | null | undefined
  addedAt: Instant
  /** All up to this one is read. */
  upTo: EntryId
}

export type ReadingKey = [personId: PersonId, feedId: FeedId]

/** By which column rows of one call differ: one user and several feeds, or one feed and several users. */
type DiffersBy = 'feed_id' | 'person_id'

export type ReadingWriter = ReturnType<typeof createReadingWriter>

/** Marks that are deleted together with a subscription; `sweep` deletes the rest. */
const FIRST_MARKS = 500

export const READING_KEY: TypedColumn[] = ['person_id bigint', 'feed_id bigint']
const ADDED: TypedColumn[] = [
  ...READING_KEY,
  'title text',
  'folder text',
  'folder_key text',
  'added_at bigint',
  'up_to bigint',
]
const MARK_KEY: TypedColumn[] = [...READING_KEY, 'entry_id bigint']
const HAS_KEY = 'r.person_id = g.person_id AND r.feed_id = g.feed_id'

/** What else belongs to a user, and the column by which its rows are told apart. */
const OWN_TABLES: [table: string, key: string][] = [
  ['waiting_readings', 'source_id'],
  ['stars', 'entry_id'],
  ['saved_searches', 'id'],
  ['feeds_out', 'id'],
  ['webhooks', 'id'],
]

const INSERT = `INSERT INTO readings (person_id, feed_id, title, folder, folder_key, added_at, up_to, was_up_to, unread, reads, read_at)
  SELECT g.person_id, g.feed_id, g.title, g.folder, g.folder_key, g.added_at, g.up_to, g.up_to, 0, 0, g.added_at
  FROM given g, feeds f WHERE f.id = g.feed_id ON CONFLICT (person_id, feed_id) DO NOTHING`
const RECOUNT = `UPDATE readings SET unread = (SELECT count(*) FROM entries e WHERE e.feed_id = readings.feed_id AND e.id > readings.up_to)
  - (SELECT count(*) FROM marks m WHERE m.person_id = readings.person_id AND m.feed_id = readings.feed_id AND m.entry_id > readings.up_to AND m.read = 1)
  + (SELECT count(*) FROM marks m WHERE m.person_id = readings.person_id AND m.feed_id = readings.feed_id AND m.entry_id <= readings.up_to AND m.read = 0)
  FROM given g WHERE readings.person_id = g.person_id AND readings.feed_id = g.feed_id`
const LEAVE = `INSERT INTO left_feeds (feed_id) SELECT DISTINCT g.feed_id FROM given g
  WHERE NOT EXISTS (SELECT 1 FROM readings r WHERE r.feed_id = g.feed_id) ON CONFLICT DO NOTHING`
const MARKS_LEFT = `INSERT INTO removed_readings (person_id, feed_id) SELECT g.person_id, g.feed_id FROM given g
  WHERE EXISTS (SELECT 1 FROM marks m WHERE m.person_id = g.person_id AND m.feed_id = g.feed_id) ON CONFLICT DO NOTHING`
const SUBSCRIBE = `UPDATE feeds AS f SET subscribers = CASE WHEN f.subscribers + g.more < 1 THEN 1 ELSE f.subscribers + g.more END
  FROM given g WHERE f.id = g.feed_id`
const UNREAD_OF_ENTRIES = `SELECT r.person_id, r.feed_id, count(*) AS unread FROM given g, entries e JOIN readings r ON r.feed_id = e.feed_id
  LEFT JOIN marks m ON m.person_id = r.person_id AND m.feed_id = e.feed_id AND m.entry_id = e.id
  WHERE e.id = g.id AND NOT coalesce(m.read = 1, e.id <= r.up_to) GROUP BY r.person_id, r.feed_id`
const MARKS_OF_ENTRIES = `SELECT m.person_id, m.feed_id, m.entry_id FROM given g, entries e JOIN readings r ON r.feed_id = e.feed_id
  JOIN marks m ON m.person_id = r.person_id AND m.feed_id = e.feed_id AND m.entry_id = e.id WHERE e.id = g.id`
const DELETE_MARKS = `DELETE FROM marks AS m USING given g
  WHERE m.person_id = g.person_id AND m.feed_id = g.feed_id AND m.entry_id = g.entry_id`

export interface KeyRow {
  person_id: PersonId
  feed_id: FeedId
}

export function createReadingWriter({ forUpdate, isOneOf }: Dialect) {
  /** In an order in which no two transactions can wait for each other. */
  function* lockSchedules(tx: SqlTransaction, ids: readonly FeedId[]): SqlWork<void> {
    if (forUpdate === '') return
    const wanted = isOneOf('feed_id', '$1', 'bigint')
    yield* tx.rows(`SELECT 1 FROM schedules WHERE ${wanted} ORDER BY feed_id ${forUpdate}`, [ids])
  }

  /** Users who waited for the feed of a source follow it. */
  function* sourceFound(tx: SqlTransaction, sourceId: SourceId, feedId: FeedId): SqlWork<void> {
    const waiting = yield* tx.rows<{
      person_id: PersonId
      title: string | null
      folder: string | null
      added_at: Instant
    }>('DELETE FROM waiting_readings WHERE source_id = $1 RETURNING person_id, title, folder, added_at', [sourceId])
    if (waiting.length === 0) return
    yield* lockSchedules(tx, [feedId])
    const added = waiting.map(({ person_id: personId, title, folder, added_at: addedAt }) => {
      return { personId, feedId, title, folder, addedAt, upTo: 0 as EntryId }
    })
    yield* add(tx, added, 'person_id')
  }

  function* sourcesRemoved(tx: SqlTransaction, ids: readonly SourceId[]): SqlWork<void> {
    yield* tx.run(`DELETE FROM waiting_readings WHERE ${isOneOf('source_id', '$1', 'bigint')}`, [ids])
  }

  /** With the feeds that users made of it. */
  function* feedRemoved(tx: SqlTransaction, feedId: FeedId): SqlWork<void> {
    const readers = yield* tx.rows<KeyRow>('SELECT person_id, feed_id FROM readings WHERE feed_id = $1', [feedId])
    yield* drop(tx, keysIn(readers), 'person_id', 0)
    yield* tx.run('DELETE FROM left_feeds WHERE feed_id = $1', [feedId])
    yield* tx.run('DELETE FROM feeds_out WHERE feed_id = $1', [feedId])
  }

  function* personRemoved(tx: SqlTransaction, personId: PersonId): SqlWork<void> {
    yield* tx.run('INSERT INTO removed_people (person_id) VALUES ($1) ON CONFLICT DO NOTHING', [personId])
    yield* sweepPerson(tx, personId, FIRST_MARKS)
  }

  function* sweepPerson(tx: SqlTransaction, personId: PersonId, limit: number): SqlWork<number> {
    const rows = yield* tx.rows<KeyRow>(
      'SELECT person_id, feed_id FROM readings WHERE person_id = $1 ORDER BY feed_id LIMIT $2',
      [personId, limit],
    )
    const feeds = rows.map(({ feed_id }) => feed_id)
    yield* lockSchedules(tx, feeds)
    yield* drop(tx, keysIn(rows), 'feed_id', 0)
    let left = limit - rows.length
    for (const [table, key] of OWN_TABLES) {
      if (left <= 0) break
      left -= yield* tx.run(
        `DELETE FROM ${table} WHERE person_id = $1 AND ${key} IN (SELECT ${key} FROM ${table} WHERE person_id = $1 LIMIT $2)`,
        [personId, left],
      )
    }
    if (left > 0) yield* tx.run('DELETE FROM removed_people WHERE person_id = $1', [personId])
    return limit - left
  }

  /** Deletes at most `limit` rows of users and subscriptions that were removed; answers how many. */
  function* sweep(tx: SqlTransaction, limit: number): SqlWork<number> {
    const person = yield* tx.row<{ person_id: PersonId }>(
      `SELECT person_id FROM removed_people ORDER BY person_id LIMIT 1 ${forUpdate}`,
    )
    if (person) return Math.max(1, yield* sweepPerson(tx, person.person_id, limit))
    const reading = yield* tx.row<KeyRow>(
      `SELECT person_id, feed_id FROM removed_readings ORDER BY person_id, feed_id LIMIT 1 ${forUpdate}`,
    )
    if (!reading) return 0
    const key: ReadingKey = [reading.person_id, reading.feed_id]
    const dropped = yield* dropMarks(tx, key, limit)
    if (dropped < limit) yield* tx.run('DELETE FROM removed_readings WHERE person_id = $1 AND feed_id = $2', key)
    return Math.max(1, dropped)
  }

  return {
    lockSchedules,
    add,
    drop,
    recount,
    deleteMarks,
    arrived,
    forget,
    sourceFound,
    sourcesRemoved,
    feedRemoved,
    personRemoved,
    sweep,
  }
}

/** The schedules of the feeds are locked. Answers which were added: those of feeds that exist, and not followed already. */
function* add(tx: SqlTransaction, given: AddedReading[], by: DiffersBy): SqlWork<boolean[]> {
  if (given.length === 0) return []
  const rows = given.map(({ personId, feedId, title, folder, addedAt, upTo }) => {
    return [personId, feedId, title || null, folder || null, folderKey(folder), addedAt, upTo]
  })
  const isAdded = yield* tx.changeEach(INSERT, `readings.${by}`, ADDED, rows)
  const added = keysOf(given).filter((_, i) => isAdded[i])
  yield* tx.runEach(`DELETE FROM removed_readings AS r USING given g WHERE ${HAS_KEY}`, READING_KEY, added)
  yield* tx.runEach('DELETE FROM left_feeds AS l USING given g WHERE l.feed_id = g.feed_id', READING_KEY, added)
  yield* tx.runEach(RECOUNT, READING_KEY, added)
  yield* countSubscribers(tx, added, 1)
  return isAdded
}

/** The same for those that are followed no more. */
function* drop(tx: SqlTransaction, given: ReadingKey[], by: DiffersBy, marks = FIRST_MARKS): SqlWork<boolean[]> {
  if (given.length === 0) return []
  const isDropped = yield* tx.changeEach(
    'DELETE FROM readings USING given g WHERE readings.person_id = g.person_id AND readings.feed_id = g.feed_id',
    `readings.${by}`,
    READING_KEY,
    given,
  )
  const dropped = given.filter((_, i) => isDropped[i])
  if (marks > 0) for (const key of dropped) yield* dropMarks(tx, key, marks)
  yield* tx.runEach(MARKS_LEFT, READING_KEY, dropped)
  yield* tx.runEach(LEAVE, READING_KEY, dropped)
  yield* countSubscribers(tx, dropped, -1)
  return isDropped
}

/** The second and every further reader counts among the subscribers. */
function* countSubscribers(tx: SqlTransaction, changed: ReadingKey[], sign: 1 | -1): SqlWork<void> {
  if (changed.length === 0) return
  const counts = new Map<FeedId, number>()
  for (const [, feedId] of changed) counts.set(feedId, (counts.get(feedId) ?? 0) + sign)
  const feeds = yield* tx.each<{ feed_id: FeedId; readers: number }>(
    'SELECT g.feed_id AS feed_id, (SELECT count(*) FROM readings r WHERE r.feed_id = g.feed_id) AS readers FROM given g',
    ['feed_id bigint'],
    [...counts.keys()].map((id) => [id]),
  )
  const changes = feeds
    .map(({ feed_id: id, readers }) => [id, Math.max(readers, 1) - Math.max(readers - (counts.get(id) ?? 0), 1)])
    .filter(([, more]) => more !== 0)
  const columns: TypedColumn[] = ['feed_id bigint', 'more bigint']
  yield* tx.runEach(SUBSCRIBE, columns, changes)
  yield* tx.runEach(
    'UPDATE schedules AS s SET revision = s.revision + 1 FROM given g WHERE s.feed_id = g.feed_id',
    columns,
    changes,
  )
}

function dropMarks(tx: SqlTransaction, [personId, feedId]: ReadingKey, limit: number): SqlWork<number> {
  return tx.run(
    `DELETE FROM marks WHERE person_id = $1 AND feed_id = $2 AND entry_id IN
     (SELECT entry_id FROM marks WHERE person_id = $1 AND feed_id = $2 LIMIT $3)`,
    [personId, feedId, limit],
  )
}

/** Counts anew; answers what is unread of each now. The schedules are locked. */
function* recount(tx: SqlTransaction, given: ReadingKey[]): SqlWork<Map<FeedId, number>> {
  const rows = yield* tx.each<{ feed_id: FeedId; unread: number }>(
    `${RECOUNT} RETURNING readings.feed_id AS feed_id, readings.unread AS unread`,
    READING_KEY,
    given,
  )
  return new Map(rows.map(({ feed_id, unread }) => [feed_id, unread]))
}

function deleteMarks(tx: SqlTransaction, rows: (KeyRow & { entry_id: EntryId })[]): SqlWork<void> {
  const marks = rows.map(({ person_id, feed_id, entry_id }) => [person_id, feed_id, entry_id])
  return tx.runEach(DELETE_MARKS, MARK_KEY, marks)
}

/** So many entries of each feed are new. */
function arrived(tx: SqlTransaction, counts: [feedId: FeedId, count: number][]): SqlWork<void> {
  return tx.runEach(
    'UPDATE readings AS r SET unread = r.unread + g.count FROM given g WHERE r.feed_id = g.feed_id',
    ['feed_id bigint', 'count bigint'],
    counts,
  )
}

/** Before these entries are deleted. */
function* forget(tx: SqlTransaction, ids: readonly EntryId[]): SqlWork<void> {
  const given = ids.map((id) => [id])
  const unread = new Map<string, [PersonId, FeedId, number]>()
  for (const row of yield* tx.each<KeyRow & { unread: number }>(UNREAD_OF_ENTRIES, ['id bigint'], given)) {
    const key = `${row.person_id} ${row.feed_id}`
    unread.set(key, [row.person_id, row.feed_id, (unread.get(key)?.[2] ?? 0) + row.unread])
  }
  yield* tx.runEach(
    `UPDATE readings AS r SET unread = r.unread - g.count FROM given g WHERE ${HAS_KEY}`,
    [...READING_KEY, 'count bigint'],
    [...unread.values()],
  )
  yield* deleteMarks(tx, yield* tx.each(MARKS_OF_ENTRIES, ['id bigint'], given))
}

function keysOf(given: AddedReading[]): ReadingKey[] {
  return given.map(({ personId, feedId }) => [personId, feedId])
}

function keysIn(rows: KeyRow[]): ReadingKey[] {
  return rows.map(({ person_id, feed_id }) => [person_id, feed_id])
}
