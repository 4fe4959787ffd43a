/**
 * What users have read and starred. To read a feed, or all feeds, moves the end of what is read and touches the few marks that say
 * otherwise.
 */
import type { ChangeId, EntryId, EntryMarks, FeedId, Instant, PersonId } from '../../model/index.ts'
import { type MarkedUntil, type Readership, type ReadingScope, readingWeight } from '../../ports/index.ts'
import { isKept } from './conditions.ts'
import { type Dialect, insertGiven, type TypedColumn } from './dialect.ts'
import { endMoved, meantBy, type UnreadRow } from './reading-ends.ts'
import { READING_KEY, type ReadingKey, type ReadingWriter } from './reading-writer.ts'
import { inScopeSql, PERSON_IS_THERE } from './readings.ts'
import type { SqlReader, SqlSession, SqlTransaction, SqlWork } from './session.ts'

type MarkMethods = 'mark' | 'markAllRead' | 'takeBack' | 'star' | 'marksOf'

/** Subscriptions whose end is moved in one transaction: their feeds are locked meanwhile. */
const FEEDS_TOGETHER = 100

/** Marks that have become useless are deleted with the next change of their subscription, so many at once. */
const MOST_DROPPED = 200

interface ReadingRow {
  feed_id: FeedId
  up_to: EntryId
  unread: number
}

interface MarkedRow {
  id: EntryId
  feed_id: FeedId
  sort_at: Instant
  up_to: EntryId | null
  mark: 0 | 1 | null
  starred: boolean | 0 | 1
}

const OF_READING = 'm.person_id = g.person_id AND m.feed_id = g.feed_id'
const MARKS: TypedColumn[] = [...READING_KEY, 'entry_id bigint', 'read smallint', 'change_id bigint']
const SET_MARKS = `${insertGiven('marks', 'entry_id', MARKS)} ON CONFLICT (person_id, feed_id, entry_id)
  DO UPDATE SET was = marks.read, read = excluded.read, change_id = excluded.change_id`
const CLEAR_MARKS = `UPDATE marks AS m SET was = m.read, read = NULL, change_id = g.change_id FROM given g
  WHERE ${OF_READING} AND m.entry_id = g.entry_id AND m.read = 0`
const COUNTS: TypedColumn[] = [
  ...READING_KEY,
  'more bigint',
  'weight double precision',
  'reads double precision',
  'read_at bigint',
]
const CHANGE_COUNTS = `UPDATE readings AS m SET unread = m.unread + g.more, reads = m.reads * g.weight + g.reads, read_at = g.read_at
  FROM given g WHERE ${OF_READING}`
/** `up_to`: where what is read has ended until now; `last`: where it is to end. */
const ENDS: TypedColumn[] = [...READING_KEY, 'up_to bigint', 'last bigint', 'change_id bigint']
const USELESS_MARKS = `SELECT u.person_id, u.feed_id, u.entry_id FROM given g CROSS JOIN LATERAL (SELECT m.person_id, m.feed_id, m.entry_id
  FROM marks m WHERE ${OF_READING} AND m.entry_id <= g.up_to AND coalesce(m.read, 1) = 1 LIMIT ${MOST_DROPPED}) AS u`
const READ_MARKED = `UPDATE marks AS m SET was = m.read, read = NULL, change_id = g.change_id FROM given g
  WHERE ${OF_READING} AND m.entry_id <= g.last AND m.read = 0`
const MOVE_ENDS = `UPDATE readings AS m SET was_up_to = m.up_to, up_to = g.last, change_id = g.change_id FROM given g
  WHERE ${OF_READING} AND m.up_to < g.last`
const UNREAD = `SELECT e.id, e.sort_at, e.seen_at FROM entries e WHERE e.feed_id = $2 AND e.id > $3 AND NOT EXISTS
  (SELECT 1 FROM marks m WHERE m.person_id = $1 AND m.feed_id = $2 AND m.entry_id = e.id AND m.read = 1)
  UNION ALL SELECT e.id, e.sort_at, e.seen_at FROM marks m JOIN entries e ON e.id = m.entry_id
  WHERE m.person_id = $1 AND m.feed_id = $2 AND m.entry_id <= $3 AND m.read = 0 ORDER BY 1`

/** Moves the ends of what is read. */
function createEnds(dialect: Dialect, writer: ReadingWriter) {
  /** Those of these feeds. Nobody writes entries of theirs, and nobody else marks any for this user. */
  function* locked(tx: SqlTransaction, person: PersonId, feeds: FeedId[]): SqlWork<ReadingRow[]> {
    yield* writer.lockSchedules(tx, feeds)
    return yield* tx.rows<ReadingRow>(
      `SELECT feed_id, up_to, unread FROM readings WHERE person_id = $1 AND ${dialect.isOneOf('feed_id', '$2', 'bigint')}
       ORDER BY feed_id ${dialect.forUpdate}`,
      [person, feeds],
    )
  }

  /** Counts anew, and adds up by how much each has changed. */
  function* differences(tx: SqlTransaction, person: PersonId, readings: ReadingRow[]): SqlWork<number> {
    const keys = readings.map(({ feed_id }): ReadingKey => [person, feed_id])
    const after = yield* writer.recount(tx, keys)
    return readings.reduce((sum, { feed_id, unread }) => sum + Math.abs(unread - (after.get(feed_id) ?? 0)), 0)
  }

  /** Reads all up to an entry. Answers how many that were. */
  function* readUpTo(
    tx: SqlTransaction,
    person: PersonId,
    readings: ReadingRow[],
    last: EntryId,
    change: ChangeId,
  ): SqlWork<number> {
    const ends = readings.map(({ feed_id, up_to }) => [person, feed_id, up_to, last, change])
    yield* writer.deleteMarks(tx, yield* tx.each(USELESS_MARKS, ENDS, ends))
    yield* tx.runEach(READ_MARKED, ENDS, ends)
    yield* tx.runEach(MOVE_ENDS, ENDS, ends)
    return yield* differences(tx, person, readings)
  }

  function* readMeant(
    tx: SqlTransaction,
    person: PersonId,
    reading: ReadingRow,
    isMeant: (row: UnreadRow) => boolean,
    change: ChangeId,
  ): SqlWork<number> {
    const { feed_id: feed, up_to: upTo } = reading
    const moved = endMoved(yield* tx.rows<UnreadRow>(UNREAD, [person, feed, upTo]), upTo, isMeant)
    if (!moved) return 0
    const rowsOf = (ids: EntryId[], read: 0 | 1) => ids.map((id) => [person, feed, id, read, change])
    yield* tx.runEach(CLEAR_MARKS, MARKS, rowsOf(moved.cleared, 0))
    yield* setMarks(tx, [...rowsOf(moved.unread, 0), ...rowsOf(moved.read, 1)])
    yield* tx.runEach(MOVE_ENDS, ENDS, [[person, feed, upTo, moved.upTo, change]])
    return yield* differences(tx, person, [reading])
  }

  function* takeBackIn(tx: SqlTransaction, person: PersonId, feeds: FeedId[], change: ChangeId): SqlWork<number> {
    const readings = yield* locked(tx, person, feeds)
    const ofChange = `person_id = $1 AND change_id = $2 AND ${dialect.isOneOf('feed_id', '$3', 'bigint')}`
    const values = [person, change, feeds]
    yield* tx.run(`UPDATE readings SET up_to = was_up_to, change_id = NULL WHERE ${ofChange}`, values)
    yield* tx.run(`DELETE FROM marks WHERE ${ofChange} AND was IS NULL`, values)
    yield* tx.run(`UPDATE marks SET read = was, was = NULL, change_id = 0 WHERE ${ofChange}`, values)
    return yield* differences(tx, person, readings)
  }

  function* unreadInScope(query: SqlReader, person: PersonId, { feedIds, folder }: ReadingScope): SqlWork<FeedId[]> {
    const values: unknown[] = [person]
    const given = (value: unknown) => `$${values.push(value)}`
    const among = feedIds ? `AND ${dialect.isOneOf('feed_id', given(feedIds), 'bigint')}` : ''
    const rows = yield* query.rows<{ feed_id: FeedId }>(
      `SELECT feed_id FROM readings WHERE person_id = $1 AND unread > 0 AND ${PERSON_IS_THERE} ${among}
       ${inScopeSql(dialect, folder, given)} ORDER BY feed_id`,
      values,
    )
    return rows.map(({ feed_id }) => feed_id)
  }

  return { locked, readUpTo, readMeant, takeBackIn, unreadInScope }
}

function* lastMeant(query: SqlReader, until: MarkedUntil | undefined): SqlWork<EntryId> {
  const row = yield* query.row<{ id: EntryId }>('SELECT coalesce(max(id), 0) AS id FROM entries')
  return until && 'entryId' in until ? (Math.min(row!.id, until.entryId) as EntryId) : row!.id
}

function setMarks(tx: SqlTransaction, rows: unknown[][]): SqlWork<void> {
  return tx.runEach(SET_MARKS, MARKS, rows)
}

export function markMethods(session: SqlSession, writer: ReadingWriter): Pick<Readership, MarkMethods> {
  const { dialect } = session
  const ends = createEnds(dialect, writer)
  const STARS: TypedColumn[] = [
    'person_id bigint',
    'entry_id bigint',
    'feed_id bigint',
    'sort_at bigint',
    'added_at bigint',
  ]
  const addStars = `${insertGiven('stars', 'entry_id', STARS)} ON CONFLICT DO NOTHING`
  const marked = `SELECT e.id, e.feed_id, e.sort_at, r.up_to, m.read AS mark, s.entry_id IS NOT NULL AS starred
    FROM ${dialect.list('$2')} CROSS JOIN entries e
    LEFT JOIN readings r ON r.person_id = $1 AND r.feed_id = e.feed_id
    LEFT JOIN marks m ON m.person_id = $1 AND m.feed_id = e.feed_id AND m.entry_id = e.id
    LEFT JOIN stars s ON s.person_id = $1 AND s.entry_id = e.id
    WHERE e.id = w.value AND ${PERSON_IS_THERE} AND ${isKept('e')} ORDER BY w.key`

  function* newChange(tx: SqlTransaction): SqlWork<ChangeId> {
    return (yield* tx.row<{ id: ChangeId }>(dialect.newMarkChange))!.id
  }

  function* markIn(
    tx: SqlTransaction,
    person: PersonId,
    ids: EntryId[],
    as: 'read' | 'unread',
    at: Instant,
  ): SqlWork<{ change: ChangeId; changed: EntryId[] }> {
    const change = yield* newChange(tx)
    const feeds = yield* tx.rows<{ feed_id: FeedId; read_at: Instant }>(
      `SELECT feed_id, read_at FROM readings WHERE person_id = $1 AND feed_id IN
       (SELECT e.feed_id FROM ${dialect.list('$2')} CROSS JOIN entries e WHERE e.id = w.value) ORDER BY feed_id ${dialect.forUpdate}`,
      [person, ids],
    )
    const isRead = as === 'read'
    const rows = (yield* tx.rows<MarkedRow>(marked, [person, ids])).filter((row) => isReadIn(row) === !isRead)
    yield* setMarks(
      tx,
      rows.map(({ id, feed_id }) => [person, feed_id, id, isRead ? 1 : 0, change]),
    )
    const counts = new Map<FeedId, number>()
    for (const { feed_id } of rows) counts.set(feed_id, (counts.get(feed_id) ?? 0) + 1)
    const changes = feeds
      .filter(({ feed_id }) => counts.has(feed_id))
      .map(({ feed_id, read_at }) => {
        const count = counts.get(feed_id)!
        const how = isRead ? [-count, readingWeight(at - read_at), count, at] : [count, 1, 0, read_at]
        return [person, feed_id, ...how]
      })
    yield* tx.runEach(CHANGE_COUNTS, COUNTS, changes)
    return { change, changed: rows.map(({ id }) => id) }
  }

  function* starIn(
    tx: SqlTransaction,
    person: PersonId,
    ids: EntryId[],
    starred: boolean,
    at: Instant,
  ): SqlWork<EntryId[]> {
    const all = yield* tx.rows<MarkedRow>(marked, [person, [...new Set(ids)]])
    const rows = all.filter((row) => Boolean(row.starred) !== starred)
    const changed = rows.map(({ id }) => id)
    if (starred) {
      const stars = rows.map(({ id, feed_id, sort_at }) => [person, id, feed_id, sort_at, at])
      yield* tx.runEach(addStars, STARS, stars)
    } else
      yield* tx.run(`DELETE FROM stars WHERE person_id = $1 AND ${dialect.isOneOf('entry_id', '$2', 'bigint')}`, [
        person,
        changed,
      ])
    return changed
  }

  return {
    mark: (person, ids, as, at) => session.write((tx) => markIn(tx, person, [...new Set(ids)], as, at)),

    async markAllRead(person, scope, until) {
      const change = await session.write(newChange)
      const { last, feeds } = await session.read(function* (query) {
        return { last: yield* lastMeant(query, until), feeds: yield* ends.unreadInScope(query, person, scope) }
      })
      const isMeant = meantBy(until, last)
      let marked = 0
      for (let i = 0; i < feeds.length; i += FEEDS_TOGETHER)
        marked += await session.write(function* (tx) {
          const readings = yield* ends.locked(tx, person, feeds.slice(i, i + FEEDS_TOGETHER))
          if (!isMeant) return yield* ends.readUpTo(tx, person, readings, last, change)
          let sum = 0
          for (const reading of readings) sum += yield* ends.readMeant(tx, person, reading, isMeant, change)
          return sum
        })
      return { change, marked }
    },

    async takeBack(person, change) {
      let restored = 0
      while (change > 0) {
        const rows = await session.rows<{ feed_id: FeedId }>(
          `SELECT feed_id FROM readings WHERE person_id = $1 AND change_id = $2
           UNION SELECT feed_id FROM marks WHERE person_id = $1 AND change_id = $2 LIMIT ${FEEDS_TOGETHER}`,
          [person, change],
        )
        if (rows.length === 0) break
        const feeds = rows.map(({ feed_id }) => feed_id)
        restored += await session.write((tx) => ends.takeBackIn(tx, person, feeds, change))
      }
      return restored
    },

    star: (person, ids, starred, at) => session.write((tx) => starIn(tx, person, ids, starred, at)),

    async marksOf(person, ids) {
      const rows = new Map((await session.rows<MarkedRow>(marked, [person, ids])).map((row) => [row.id, row]))
      return ids.map((id): EntryMarks => {
        const row = rows.get(id)
        const read = row && isReadIn(row)
        return { ...(read !== undefined && { read }), starred: Boolean(row?.starred) }
      })
    },
  }
}

/** Undefined where its feed is not followed. */
function isReadIn({ id, up_to: upTo, mark }: MarkedRow): boolean | undefined {
  if (upTo === null) return undefined
  return mark === null ? id <= upTo : mark === 1
}
