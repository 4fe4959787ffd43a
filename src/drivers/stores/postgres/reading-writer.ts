/**
 * What becomes of readings and marks when feeds, sources, entries and people come and go. `unread` of a reading is kept in step in the
 * transaction that changes what it counts. Whoever counts anew locks the schedules of those feeds first: then nobody
 * is writing entries of theirs, and all that were written are seen.
 */
import type { EntryId, FeedId, Instant, PersonId, SourceId } from '../../../model/index.ts'
import { folderKey } from '../sql/folder-key.ts'
import { manyRows } from './columns.ts'
import type { Transaction } from './session.ts'

export interface AddedReading {
  personId: PersonId
  feedId: FeedId
  title?: string | null
  folder?: string | null
  addedAt: Instant
  /** All up to this one is read. */
  upTo: EntryId
}

export interface ReadingKey {
  person_id: PersonId
  feed_id: FeedId
}

/** Marks that go with a reading; the rest is swept out. */
const FIRST_BITE = 500

/** What else a person has, and goes with him in bites. */
const OWN_TABLES: [table: string, key: string][] = [
  ['waiting_readings', 'source_id'],
  ['stars', 'entry_id'],
  ['saved_searches', 'id'],
  ['feeds_out', 'id'],
  ['webhooks', 'id'],
]

/** Those of feeds that are there, and not followed already; their schedules are locked. Answers which. */
export async function addReadings(tx: Transaction, given: AddedReading[]): Promise<ReadingKey[]> {
  if (given.length === 0) return []
  const { sql, values } = manyRows(
    'g',
    [
      'person_id bigint',
      'feed_id bigint',
      'title text',
      'folder text',
      'folder_key text',
      'added_at bigint',
      'up_to bigint',
    ],
    given.map(({ personId, feedId, title, folder, addedAt, upTo }) => [
      personId,
      feedId,
      title || null,
      folder || null,
      folderKey(folder),
      addedAt,
      upTo,
    ]),
  )
  const added = await tx.rows<ReadingKey>(
    `INSERT INTO readings (person_id, feed_id, title, folder, folder_key, added_at, up_to, was_up_to, unread, reads, read_at)
     SELECT g.person_id, g.feed_id, g.title, g.folder, g.folder_key, g.added_at, g.up_to, g.up_to, 0, 0, g.added_at
     FROM ${sql} JOIN feeds f ON f.id = g.feed_id ORDER BY g.n
     ON CONFLICT (person_id, feed_id) DO NOTHING RETURNING person_id, feed_id`,
    values,
  )
  if (added.length === 0) return added
  const pairs = pairsSql(added)
  await tx.run(
    `DELETE FROM removed_readings r USING ${pairs.sql} WHERE r.person_id = g.person_id AND r.feed_id = g.feed_id`,
    pairs.values,
  )
  await tx.run('DELETE FROM left_feeds WHERE feed_id = ANY ($1::bigint[])', [feedsOf(added)])
  await countUnread(tx, added)
  await resubscribe(tx, added, 1)
  return added
}

/** Answers which were followed. */
export async function dropReadings(tx: Transaction, given: ReadingKey[], marks = FIRST_BITE): Promise<ReadingKey[]> {
  if (given.length === 0) return []
  const { sql, values } = pairsSql(given)
  const dropped = await tx.rows<ReadingKey>(
    `DELETE FROM readings r USING ${sql} WHERE r.person_id = g.person_id AND r.feed_id = g.feed_id
     RETURNING r.person_id, r.feed_id`,
    values,
  )
  if (dropped.length === 0) return dropped
  for (const one of marks > 0 ? dropped : []) await dropMarks(tx, one, marks)
  const pairs = pairsSql(dropped)
  await tx.run(
    `INSERT INTO removed_readings (person_id, feed_id) SELECT g.person_id, g.feed_id FROM ${pairs.sql}
     WHERE EXISTS (SELECT 1 FROM marks m WHERE m.person_id = g.person_id AND m.feed_id = g.feed_id) ON CONFLICT DO NOTHING`,
    pairs.values,
  )
  await tx.run(
    `INSERT INTO left_feeds (feed_id) SELECT DISTINCT t.id FROM unnest($1::bigint[]) AS t (id)
     WHERE NOT EXISTS (SELECT 1 FROM readings r WHERE r.feed_id = t.id) ON CONFLICT DO NOTHING`,
    [feedsOf(dropped)],
  )
  await resubscribe(tx, dropped, -1)
  return dropped
}

/** The second and every further reader counts among the subscribers. */
async function resubscribe(tx: Transaction, changed: ReadingKey[], sign: 1 | -1): Promise<void> {
  await tx.run(
    `WITH changed AS (SELECT t.id, count(*) AS many FROM unnest($1::bigint[]) AS t (id) GROUP BY t.id),
     counted AS (SELECT c.id, c.many, (SELECT count(*) FROM readings r WHERE r.feed_id = c.id) AS readers FROM changed c),
     more AS (SELECT id, CASE WHEN $2 > 0 THEN greatest(readers, 1) - greatest(readers - many, 1)
       ELSE greatest(readers, 1) - greatest(readers + many, 1) END AS by FROM counted),
     told AS (UPDATE feeds f SET subscribers = greatest(1, f.subscribers + more.by) FROM more WHERE f.id = more.id AND more.by <> 0)
     UPDATE schedules s SET revision = s.revision + 1 FROM more WHERE s.feed_id = more.id AND more.by <> 0`,
    [feedsOf(changed), sign],
  )
}

/** Counts anew; answers what is unread of each now. Their schedules are locked. */
export async function countUnread(tx: Transaction, given: ReadingKey[]): Promise<(ReadingKey & { unread: number })[]> {
  const { sql, values } = pairsSql(given)
  return tx.rows(
    `UPDATE readings AS r SET unread = (SELECT count(*) FROM entries e WHERE e.feed_id = r.feed_id AND e.id > r.up_to)
     - (SELECT count(*) FROM marks m WHERE m.person_id = r.person_id AND m.feed_id = r.feed_id AND m.entry_id > r.up_to AND m.read = 1)
     + (SELECT count(*) FROM marks m WHERE m.person_id = r.person_id AND m.feed_id = r.feed_id AND m.entry_id <= r.up_to AND m.read = 0)
     FROM ${sql} WHERE r.person_id = g.person_id AND r.feed_id = g.feed_id RETURNING r.person_id, r.feed_id, r.unread`,
    values,
  )
}

/** So many entries of each feed are new. */
export async function entriesArrived(tx: Transaction, counts: { feed_id: FeedId; count: number }[]): Promise<void> {
  if (counts.length === 0) return
  const { sql, values } = manyRows(
    'g',
    ['feed_id bigint', 'count bigint'],
    counts.map(({ feed_id, count }) => [feed_id, count]),
  )
  await tx.run(`UPDATE readings r SET unread = r.unread + g.count FROM ${sql} WHERE r.feed_id = g.feed_id`, values)
}

/** Before these entries are deleted. */
export async function forgetReadings(tx: Transaction, ids: readonly EntryId[]): Promise<void> {
  await tx.run(
    `WITH gone AS (SELECT e.id, e.feed_id FROM entries e WHERE e.id = ANY ($1::bigint[])),
     unread AS (SELECT r.person_id, r.feed_id, count(*) AS many FROM gone g JOIN readings r ON r.feed_id = g.feed_id
       LEFT JOIN marks m ON m.person_id = r.person_id AND m.feed_id = g.feed_id AND m.entry_id = g.id
       WHERE NOT coalesce(m.read = 1, g.id <= r.up_to) GROUP BY 1, 2)
     UPDATE readings r SET unread = r.unread - u.many FROM unread u WHERE r.person_id = u.person_id AND r.feed_id = u.feed_id`,
    [ids],
  )
  await tx.run(
    `DELETE FROM marks m USING entries e, readings r WHERE e.id = ANY ($1::bigint[]) AND r.feed_id = e.feed_id
     AND m.person_id = r.person_id AND m.feed_id = e.feed_id AND m.entry_id = e.id`,
    [ids],
  )
}

/** Who waited for the source's feed follows it. */
export async function readersOfSource(tx: Transaction, sourceId: SourceId, feedId: FeedId): Promise<void> {
  const waiting = await tx.rows<{
    person_id: PersonId
    title: string | null
    folder: string | null
    added_at: Instant
  }>('DELETE FROM waiting_readings WHERE source_id = $1 RETURNING person_id, title, folder, added_at', [sourceId])
  if (waiting.length === 0) return
  await lockSchedules(tx, [feedId])
  await addReadings(
    tx,
    waiting.map(({ person_id, title, folder, added_at }) => ({
      personId: person_id,
      feedId,
      title,
      folder,
      addedAt: added_at,
      upTo: 0 as EntryId,
    })),
  )
}

export async function sourcesRemoved(tx: Transaction, ids: SourceId[]): Promise<void> {
  await tx.run('DELETE FROM waiting_readings WHERE source_id = ANY ($1::bigint[])', [ids])
}

/** With the feeds that people made of it. */
export async function feedRemoved(tx: Transaction, feedId: FeedId): Promise<void> {
  const readers = await tx.rows<ReadingKey>('SELECT person_id, feed_id FROM readings WHERE feed_id = $1', [feedId])
  await dropReadings(tx, readers, 0)
  await tx.run('DELETE FROM left_feeds WHERE feed_id = $1', [feedId])
  await tx.run('DELETE FROM feeds_out WHERE feed_id = $1', [feedId])
}

export async function personRemoved(tx: Transaction, personId: PersonId): Promise<void> {
  await tx.run('INSERT INTO removed_people (person_id) VALUES ($1) ON CONFLICT DO NOTHING', [personId])
  await sweepPerson(tx, personId, FIRST_BITE)
}

/** At most `limit` of what is left of people and readings that were removed; how many that were. */
export async function sweepReaders(tx: Transaction, limit: number): Promise<number> {
  const [person] = await tx.rows<{ person_id: PersonId }>(
    'SELECT person_id FROM removed_people ORDER BY person_id LIMIT 1 FOR UPDATE',
  )
  if (person) return Math.max(1, await sweepPerson(tx, person.person_id, limit))
  const [reading] = await tx.rows<ReadingKey>(
    'SELECT person_id, feed_id FROM removed_readings ORDER BY person_id, feed_id LIMIT 1 FOR UPDATE',
  )
  if (!reading) return 0
  const dropped = await dropMarks(tx, reading, limit)
  if (dropped < limit)
    await tx.run('DELETE FROM removed_readings WHERE person_id = $1 AND feed_id = $2', [
      reading.person_id,
      reading.feed_id,
    ])
  return Math.max(1, dropped)
}

async function sweepPerson(tx: Transaction, personId: PersonId, limit: number): Promise<number> {
  const readings = await tx.rows<ReadingKey>(
    'SELECT person_id, feed_id FROM readings WHERE person_id = $1 ORDER BY feed_id LIMIT $2',
    [personId, limit],
  )
  await lockSchedules(tx, feedsOf(readings))
  await dropReadings(tx, readings, 0)
  let room = limit - readings.length
  for (const [table, key] of OWN_TABLES) {
    if (room <= 0) break
    room -= await tx.run(
      `DELETE FROM ${table} WHERE person_id = $1 AND ${key} IN (SELECT ${key} FROM ${table} WHERE person_id = $1 LIMIT $2)`,
      [personId, room],
    )
  }
  if (room > 0) await tx.run('DELETE FROM removed_people WHERE person_id = $1', [personId])
  return limit - room
}

function dropMarks(tx: Transaction, { person_id, feed_id }: ReadingKey, limit: number): Promise<number> {
  return tx.run(
    `DELETE FROM marks WHERE person_id = $1 AND feed_id = $2 AND entry_id IN
     (SELECT entry_id FROM marks WHERE person_id = $1 AND feed_id = $2 LIMIT $3)`,
    [person_id, feed_id, limit],
  )
}

function pairsSql(pairs: readonly ReadingKey[]) {
  return manyRows(
    'g',
    ['person_id bigint', 'feed_id bigint'],
    pairs.map(({ person_id, feed_id }) => [person_id, feed_id]),
  )
}

function feedsOf(pairs: readonly ReadingKey[]): FeedId[] {
  return pairs.map(({ feed_id }) => feed_id)
}

/** Locks the schedules of feeds, in an order in which nobody waits for who waits for them. */
export async function lockSchedules(tx: Transaction, ids: FeedId[]): Promise<void> {
  await tx.rows('SELECT 1 FROM schedules WHERE feed_id = ANY ($1::bigint[]) ORDER BY feed_id FOR UPDATE', [ids])
}
