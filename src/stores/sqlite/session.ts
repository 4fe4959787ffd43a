/**
 * One open database and the two ways to use it. Each `read` and each `write` is one transaction: work that throws leaves
 * nothing behind. SQLite answers at once, so the promises are settled when they are handed out; what goes wrong with the
 * file or the disk comes out as a StoreError, mistakes of ours as they are.
 *
 * A lock that somebody else holds is waited for without keeping the rest of the process waiting, in the order of arrival.
 *
 * Whoever writes is given a tally, in which it notes what there is more or less of (sql/tally.ts).
 */
import type Database from 'better-sqlite3'
import type { CountTally } from '../sql/tally.ts'
import { type Counters, createCounters } from './tally.ts'
import { inWords, isLocked } from './trouble.ts'

export interface SqliteSession {
  readonly db: Database.Database
  readonly file: string
  readonly counters: Counters
  read<T>(work: () => T): Promise<T>
  write<T>(work: (tally: CountTally) => T): Promise<T>
  /** A statement for queries that are put together as they come; the same text is prepared once. */
  prepared<Row>(sql: string): Database.Statement<unknown[], Row>
}

export function createSession(db: Database.Database, file: string): SqliteSession {
  const statements = new Map<string, Database.Statement<unknown[], unknown>>()
  const transaction = db.transaction((work: () => unknown) => work())
  const counters = createCounters(db)

  /** Resolves when all who wait for a lock have written or given up; undefined while nobody does. */
  let waiting: Promise<unknown> | undefined

  /** Where nothing is in the way, work is done before the promise is handed out. */
  async function write<T>(work: (tally: CountTally) => T): Promise<T> {
    const attempt = () => transaction.immediate(() => counters.counted(work)) as T
    try {
      if (waiting === undefined) return attempt()
    } catch (error) {
      if (!isLocked(error)) throw inWords(error, 'write to', file)
    }
    const mine = (waiting ?? Promise.resolve()).then(() => patiently(attempt))
    const over = mine.catch(() => {})
    waiting = over
    try {
      return await mine
    } catch (error) {
      throw inWords(error, 'write to', file)
    } finally {
      if (waiting === over) waiting = undefined
    }
  }

  async function read<T>(work: () => T): Promise<T> {
    const attempt = () => transaction.deferred(work) as T
    try {
      return attempt()
    } catch (error) {
      if (!isLocked(error)) throw inWords(error, 'read', file)
    }
    return patiently(attempt).catch((error) => {
      throw inWords(error, 'read', file)
    })
  }

  return {
    db,
    file,
    counters,
    read,
    write,
    prepared<Row>(sql: string) {
      const statement = statements.get(sql) ?? db.prepare<unknown[], unknown>(sql)
      statements.set(sql, statement)
      return statement as Database.Statement<unknown[], Row>
    },
  }
}

const ASKED_AGAIN_AFTER_MS = 50
const ASKED_AGAIN = 100 // times: five seconds

async function patiently<T>(work: () => T): Promise<T> {
  for (let left = ASKED_AGAIN; ; left--) {
    try {
      return work()
    } catch (error) {
      if (!isLocked(error) || left === 0) throw error
    }
    await new Promise((resolve) => setTimeout(resolve, ASKED_AGAIN_AFTER_MS))
  }
}

/** SQLite wants a whole number where people say "no limit". */
export function bounded(limit: number): number {
  return Math.min(limit, Number.MAX_SAFE_INTEGER)
}

/** Bytes of texts that are unpacked at once. */
const MOST_TEXT_BYTES = 1_000_000

/** As many rows as have no more text than that; one at least. */
export function withinText<Row extends { content?: string | Buffer | null; packed?: Buffer | null }>(
  rows: Iterable<Row>,
): Row[] {
  const taken: Row[] = []
  let bytes = 0
  for (const row of rows) {
    taken.push(row)
    bytes += lengthOf(row.content) + lengthOf(row.packed)
    if (bytes > MOST_TEXT_BYTES) break
  }
  return taken
}

const UNPACKED = 4 // times as much as packed

function lengthOf(column: string | Buffer | null | undefined): number {
  return typeof column === 'string' ? column.length : (column?.length ?? 0) * UNPACKED
}

const CHUNK = 200

/** Goes through a long answer in short transactions; `place` says after which row the next begins. */
export async function* inChunks<Row>(
  session: SqliteSession,
  fetch: (after: number, limit: number) => Row[],
  place: (row: Row) => number,
  begin = 0,
): AsyncGenerator<Row> {
  for (let after = begin; ; ) {
    const rows = await session.read(() => fetch(after, CHUNK))
    const last = rows.at(-1)
    if (last === undefined) return
    yield* rows
    after = place(last)
  }
}

/** The same for rows whose ids are known beforehand; those that went meanwhile are left out. */
export async function* byIds<Id, Row>(
  session: SqliteSession,
  ids: Id[],
  get: (id: Id) => Row | undefined,
): AsyncGenerator<Row> {
  for (let i = 0; i < ids.length; i += CHUNK) {
    const rows = await session.read(() => ids.slice(i, i + CHUNK).map(get))
    for (const row of rows) if (row !== undefined) yield row
  }
}
