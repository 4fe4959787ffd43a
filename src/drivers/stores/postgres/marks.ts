/**
 * What people have read and starred. To read a feed, or all feeds, moves the end of what is read and touches the few marks that say
 * otherwise.
 */
import type { ChangeId, EntryId, EntryMarks, FeedId, Instant, PersonId } from '../../../model/index.ts'
import { type MarkedUntil, type Readership, type ReadingScope, readingWeight } from '../../../ports/index.ts'
import { endMoved, meantBy, type UnreadRow } from '../sql/reading-ends.ts'
import { manyRows } from './columns.ts'
import { countUnread, lockSchedules } from './reading-writer.ts'
import { inFolderSql, inFolderValues, PERSON_IS_THERE } from './readings.ts'
import type { PostgresSession, RowAsker, Transaction } from './session.ts'

type MarkMethods = 'mark' | 'markAllRead' | 'takeBack' | 'star' | 'marksOf'

/** Readings whose end is moved in one transaction, and entries that are marked in one. */
const BITE = 100
const ENTRIES = 500

/** Marks that have become useless are dropped with the next change of their reading, so many at once. */
const MOST_DROPPED = 200

interface ReadingRow {
  feed_id: FeedId
  up_to: EntryId
  unread: number
  read_at: Instant
}

interface EntryRow {
  id: EntryId
  feed_id: FeedId
  sort_at: Instant
  up_to: EntryId | null
  mark: 0 | 1 | null
  starred: boolean
}

export function markMethods(session: PostgresSession): Pick<Readership, MarkMethods> {
  async function newChange(): Promise<ChangeId> {
    const [row] = await session.rows<{ id: ChangeId }>("SELECT nextval('mark_changes') AS id")
    return row!.id
  }

  return {
    async mark(person, ids, as, at) {
      const change = await newChange()
      const changed: EntryId[] = []
      const distinct = [...new Set(ids)]
      for (let i = 0; i < distinct.length; i += ENTRIES) {
        const bite = distinct.slice(i, i + ENTRIES)
        changed.push(...(await session.write((tx) => markIn(tx, person, bite, as === 'read', at, change))))
      }
      return { change, changed }
    },

    async markAllRead(person, scope, until) {
      const change = await newChange()
      const { last, feeds } = await session.read(async (query) => ({
        last: await lastOf(query, until),
        feeds: await inScopeWithNews(query, person, scope),
      }))
      const isMeant = meantBy(until, last)
      let marked = 0
      for (let i = 0; i < feeds.length; i += BITE) {
        marked += await session.write(async (tx) => {
          const bite = feeds.slice(i, i + BITE)
          const readings = await locked(tx, person, bite)
          if (!isMeant) return readUpTo(tx, person, readings, last, change)
          let sum = 0
          for (const reading of readings) sum += await readMeant(tx, person, reading, isMeant, change)
          return sum
        })
      }
      return { change, marked }
    },

    async takeBack(person, change) {
      let back = 0
      while (change > 0) {
        const rows = await session.rows<{ feed_id: FeedId }>(
          `SELECT feed_id FROM readings WHERE person_id = $1 AND change_id = $2
           UNION SELECT feed_id FROM marks WHERE person_id = $1 AND change_id = $2 LIMIT ${BITE}`,
          [person, change],
        )
        if (rows.length === 0) break
        const feeds = rows.map(({ feed_id }) => feed_id)
        back += await session.write((tx) => takeBackIn(tx, person, feeds, change))
      }
      return back
    },

    star(person, ids, starred, at) {
      return session.write(async (tx) => {
        const rows = (await entriesFor(tx, person, [...new Set(ids)])).filter((row) => row.starred !== starred)
        if (rows.length === 0) return []
        if (starred) {
          const given = rows.map(({ id, feed_id, sort_at }) => [id, feed_id, sort_at])
          const { sql, values } = manyRows('g', ['id bigint', 'feed_id bigint', 'sort_at bigint'], given, 3)
          await tx.run(
            `INSERT INTO stars (person_id, entry_id, feed_id, sort_at, added_at)
             SELECT $1, g.id, g.feed_id, g.sort_at, $2 FROM ${sql} ON CONFLICT DO NOTHING`,
            [person, at, ...values],
          )
        } else {
          await tx.run('DELETE FROM stars WHERE person_id = $1 AND entry_id = ANY ($2::bigint[])', [
            person,
            rows.map(({ id }) => id),
          ])
        }
        return rows.map(({ id }) => id)
      })
    },

    async marksOf(person, ids) {
      const rows = new Map((await entriesFor(session, person, ids)).map((row) => [row.id, row]))
      return ids.map((id): EntryMarks => {
        const row = rows.get(id)
        const read = row && isRead(row)
        return { ...(read !== undefined && { read }), starred: row?.starred ?? false }
      })
    },
  }
}

/** Those that are there, in their order. */
function entriesFor(query: RowAsker, person: PersonId, ids: readonly EntryId[]): Promise<EntryRow[]> {
  return query.rows<EntryRow>(
    `SELECT e.id, e.feed_id, e.sort_at, r.up_to, m.read AS mark, s.entry_id IS NOT NULL AND ${PERSON_IS_THERE} AS starred
     FROM unnest($2::bigint[]) WITH ORDINALITY AS t (id, n) JOIN entries e ON e.id = t.id
     LEFT JOIN stars s ON s.person_id = $1 AND s.entry_id = e.id
     LEFT JOIN readings r ON r.person_id = $1 AND r.feed_id = e.feed_id AND ${PERSON_IS_THERE}
     LEFT JOIN marks m ON m.person_id = $1 AND m.feed_id = e.feed_id AND m.entry_id = e.id
     WHERE NOT EXISTS (SELECT 1 FROM removals x WHERE x.feed_id = e.feed_id) ORDER BY t.n`,
    [person, ids],
  )
}

/** Undefined where its feed is not followed. */
function isRead({ id, up_to: upTo, mark }: EntryRow): boolean | undefined {
  if (upTo === null) return undefined
  return mark === null ? id <= upTo : mark === 1
}

async function markIn(
  tx: Transaction,
  person: PersonId,
  ids: EntryId[],
  read: boolean,
  at: Instant,
  change: ChangeId,
): Promise<EntryId[]> {
  const feeds = await tx.rows<{ feed_id: FeedId; read_at: Instant }>(
    `SELECT feed_id, read_at FROM readings WHERE person_id = $1
     AND feed_id IN (SELECT e.feed_id FROM entries e WHERE e.id = ANY ($2::bigint[])) ORDER BY feed_id FOR UPDATE`,
    [person, ids],
  )
  const rows = (await entriesFor(tx, person, ids)).filter((row) => isRead(row) === !read)
  if (rows.length === 0) return []
  await setMarks(
    tx,
    person,
    rows.map(({ id, feed_id }) => [feed_id, id, read ? 1 : 0]),
    change,
  )
  const counted = feeds.flatMap(({ feed_id, read_at }) => {
    const count = rows.filter((row) => row.feed_id === feed_id).length
    if (count === 0) return []
    return [read ? [feed_id, -count, readingWeight(at - read_at), count, at] : [feed_id, count, 1, 0, read_at]]
  })
  const { sql, values } = manyRows(
    'g',
    ['feed_id bigint', 'more bigint', 'weight double precision', 'reads double precision', 'read_at bigint'],
    counted,
    2,
  )
  await tx.run(
    `UPDATE readings r SET unread = r.unread + g.more, reads = r.reads * g.weight + g.reads, read_at = g.read_at
     FROM ${sql} WHERE r.person_id = $1 AND r.feed_id = g.feed_id`,
    [person, ...values],
  )
  return rows.map(({ id }) => id)
}

/** Rows of feed, entry, and whether it is read. */
async function setMarks(tx: Transaction, person: PersonId, marks: number[][], change: ChangeId): Promise<void> {
  if (marks.length === 0) return
  const { sql, values } = manyRows('g', ['feed_id bigint', 'entry_id bigint', 'read smallint'], marks, 3)
  await tx.run(
    `INSERT INTO marks (person_id, feed_id, entry_id, read, was, change_id)
     SELECT $1, g.feed_id, g.entry_id, g.read, NULL, $2 FROM ${sql} ORDER BY g.feed_id, g.entry_id
     ON CONFLICT (person_id, feed_id, entry_id) DO UPDATE SET was = marks.read, read = excluded.read, change_id = excluded.change_id`,
    [person, change, ...values],
  )
}

/** Nobody writes entries of theirs, and nobody else marks any for this person. */
async function locked(tx: Transaction, person: PersonId, feeds: FeedId[]): Promise<ReadingRow[]> {
  await lockSchedules(tx, feeds)
  return tx.rows<ReadingRow>(
    `SELECT feed_id, up_to, unread, read_at FROM readings WHERE person_id = $1 AND feed_id = ANY ($2::bigint[])
     ORDER BY feed_id FOR UPDATE`,
    [person, feeds],
  )
}

async function recounted(tx: Transaction, person: PersonId, readings: ReadingRow[]): Promise<Map<FeedId, number>> {
  const rows = await countUnread(
    tx,
    readings.map(({ feed_id }) => ({ person_id: person, feed_id })),
  )
  return new Map(rows.map(({ feed_id, unread }) => [feed_id, unread]))
}

/** Reads all up to an entry. Answers how many that were. */
async function readUpTo(
  tx: Transaction,
  person: PersonId,
  readings: ReadingRow[],
  upTo: EntryId,
  change: ChangeId,
): Promise<number> {
  const feeds = readings.map(({ feed_id }) => feed_id)
  await tx.run(
    `DELETE FROM marks m USING (SELECT u.entry_id, u.feed_id FROM readings r CROSS JOIN LATERAL (SELECT entry_id, feed_id FROM marks
       WHERE person_id = $1 AND feed_id = r.feed_id AND entry_id <= r.up_to AND coalesce(read, 1) = 1 LIMIT ${MOST_DROPPED}) AS u
       WHERE r.person_id = $1 AND r.feed_id = ANY ($2::bigint[])) AS useless
     WHERE m.person_id = $1 AND m.feed_id = useless.feed_id AND m.entry_id = useless.entry_id`,
    [person, feeds],
  )
  await tx.run(
    `UPDATE marks SET was = read, read = NULL, change_id = $4
     WHERE person_id = $1 AND feed_id = ANY ($2::bigint[]) AND entry_id <= $3 AND read = 0`,
    [person, feeds, upTo, change],
  )
  await tx.run(
    `UPDATE readings SET was_up_to = up_to, up_to = $3, change_id = $4
     WHERE person_id = $1 AND feed_id = ANY ($2::bigint[]) AND up_to < $3`,
    [person, feeds, upTo, change],
  )
  const after = await recounted(tx, person, readings)
  return readings.reduce((sum, { feed_id, unread }) => sum + unread - (after.get(feed_id) ?? 0), 0)
}

async function readMeant(
  tx: Transaction,
  person: PersonId,
  reading: ReadingRow,
  isMeant: (row: UnreadRow) => boolean,
  change: ChangeId,
): Promise<number> {
  const feed = reading.feed_id
  const unread = await tx.rows<UnreadRow>(
    `SELECT e.id, e.sort_at, e.seen_at FROM entries e WHERE e.feed_id = $2 AND e.id > $3 AND NOT EXISTS
     (SELECT 1 FROM marks m WHERE m.person_id = $1 AND m.feed_id = $2 AND m.entry_id = e.id AND m.read = 1)
     UNION ALL SELECT e.id, e.sort_at, e.seen_at FROM marks m JOIN entries e ON e.id = m.entry_id
     WHERE m.person_id = $1 AND m.feed_id = $2 AND m.entry_id <= $3 AND m.read = 0 ORDER BY 1`,
    [person, feed, reading.up_to],
  )
  const moved = endMoved(unread, reading.up_to, isMeant)
  if (!moved) return 0
  await tx.run(
    `UPDATE marks SET was = read, read = NULL, change_id = $4
     WHERE person_id = $1 AND feed_id = $2 AND entry_id = ANY ($3::bigint[]) AND read = 0`,
    [person, feed, moved.cleared, change],
  )
  const others = [...moved.unread.map((id) => [feed, id, 0]), ...moved.read.map((id) => [feed, id, 1])]
  await setMarks(tx, person, others, change)
  if (moved.upTo > reading.up_to)
    await tx.run(
      'UPDATE readings SET was_up_to = up_to, up_to = $3, change_id = $4 WHERE person_id = $1 AND feed_id = $2',
      [person, feed, moved.upTo, change],
    )
  const after = await recounted(tx, person, [reading])
  return reading.unread - (after.get(feed) ?? 0)
}

async function takeBackIn(tx: Transaction, person: PersonId, feeds: FeedId[], change: ChangeId): Promise<number> {
  const readings = await locked(tx, person, feeds)
  const values = [person, feeds, change]
  const OF_CHANGE = 'person_id = $1 AND feed_id = ANY ($2::bigint[]) AND change_id = $3'
  await tx.run(`UPDATE readings SET up_to = was_up_to, change_id = NULL WHERE ${OF_CHANGE}`, values)
  await tx.run(`DELETE FROM marks WHERE ${OF_CHANGE} AND was IS NULL`, values)
  await tx.run(`UPDATE marks SET read = was, was = NULL, change_id = 0 WHERE ${OF_CHANGE}`, values)
  const after = await recounted(tx, person, readings)
  return readings.reduce((sum, { feed_id, unread }) => sum + Math.abs((after.get(feed_id) ?? 0) - unread), 0)
}

async function inScopeWithNews(
  query: RowAsker,
  person: PersonId,
  { feedIds, folder }: ReadingScope,
): Promise<FeedId[]> {
  const rows = await query.rows<{ feed_id: FeedId }>(
    `SELECT feed_id FROM readings WHERE person_id = $1 AND unread > 0 AND ${PERSON_IS_THERE} ${inFolderSql(folder, 2)}
     ORDER BY feed_id`,
    [person, ...inFolderValues(folder)],
  )
  const wanted = feedIds && new Set(feedIds)
  return rows.map(({ feed_id }) => feed_id).filter((id) => wanted?.has(id) ?? true)
}

async function lastOf(query: RowAsker, until: MarkedUntil | undefined): Promise<EntryId> {
  const [row] = await query.rows<{ id: EntryId }>('SELECT coalesce(max(id), 0) AS id FROM entries')
  const last = row!.id
  return until && 'entryId' in until ? (Math.min(last, until.entryId) as EntryId) : last
}
