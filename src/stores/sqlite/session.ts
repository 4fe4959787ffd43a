/**
 * Session: one open database. Each `read` and each `write` is one transaction: work that throws leaves nothing behind. SQLite answers
 * synchronously, so the promises are settled when they are returned. Problems with the file or the disk are thrown as StoreErrors,
 * internal errors unchanged.
 *
 * If another process holds a lock, callers wait in order of arrival, without blocking the event loop.
 *
 * Each write gets a tally, in which it records how counters change (sql/count-changes.ts).
 */
import type Database from 'better-sqlite3'
import type { CountChanges } from '../sql/count-changes.ts'
import { isLocked, toSqliteStoreError } from './errors.ts'
import { type Counters, createCounters } from './tally.ts'

export interface SqliteSession {
  readonly db: Database.Database
  readonly file: string
  readonly counters: Counters
  read<T>(work: () => T): Promise<T>
  write<T>(work: (tally: CountChanges) => T): Promise<T>
  /** A prepared statement, cached by its text. */
  prepared<Row>(sql: string): Database.Statement<unknown[], Row>
}

export function createSession(db: Database.Database, file: string): SqliteSession {
  const statements = new Map<string, Database.Statement<unknown[], unknown>>()
  const transaction = db.transaction((work: () => unknown) => work())
  const counters = createCounters(db)

  /** Resolves when all writes that wait for a lock have ended. Undefined if none waits. */
  let waiting: Promise<unknown> | undefined

  /** Without a lock by another process, the work is done before the promise is returned. */
  async function write<T>(work: (tally: CountChanges) => T): Promise<T> {
    const attempt = () => transaction.immediate(() => counters.countChanges(work)) as T
    try {
      if (waiting === undefined) return attempt()
    } catch (error) {
      if (!isLocked(error)) throw toSqliteStoreError(error, 'write to', file)
    }
    const result = (waiting ?? Promise.resolve()).then(() => retryWhileLocked(attempt))
    const settled = result.catch(() => {})
    waiting = settled
    try {
      return await result
    } catch (error) {
      throw toSqliteStoreError(error, 'write to', file)
    } finally {
      if (waiting === settled) waiting = undefined
    }
  }

  async function read<T>(work: () => T): Promise<T> {
    const attempt = () => transaction.deferred(work) as T
    try {
      return attempt()
    } catch (error) {
      if (!isLocked(error)) throw toSqliteStoreError(error, 'read', file)
    }
    return retryWhileLocked(attempt).catch((error) => {
      throw toSqliteStoreError(error, 'read', file)
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

const RETRY_DELAY_MS = 50
const MAX_RETRIES = 100 // times: five seconds

async function retryWhileLocked<T>(work: () => T): Promise<T> {
  for (let attemptsLeft = MAX_RETRIES; ; attemptsLeft--) {
    try {
      return work()
    } catch (error) {
      if (!isLocked(error) || attemptsLeft === 0) throw error
    }
    await new Promise((resolve) => setTimeout(resolve, RETRY_DELAY_MS))
  }
}

/** SQLite needs an integer where callers pass Infinity. */
export function clampLimit(limit: number): number {
  return Math.min(limit, Number.MAX_SAFE_INTEGER)
}

/** Bytes of text that are unpacked at once. */
const MAX_TEXT_BYTES = 1_000_000

/** The first rows, until their text exceeds the limit; at least one. */
export function withinText<Row extends { content?: string | Buffer | null; packed?: Buffer | null }>(
  rows: Iterable<Row>,
): Row[] {
  const selected: Row[] = []
  let bytes = 0
  for (const row of rows) {
    selected.push(row)
    bytes += lengthOf(row.content) + lengthOf(row.packed)
    if (bytes > MAX_TEXT_BYTES) break
  }
  return selected
}

const UNPACK_RATIO = 4 // assumed compression ratio

function lengthOf(column: string | Buffer | null | undefined): number {
  return typeof column === 'string' ? column.length : (column?.length ?? 0) * UNPACK_RATIO
}

const CHUNK_SIZE = 200

/** Reads the rows of known ids in short transactions. Rows that were deleted meanwhile are left out. */
export async function* byIds<Id, Row>(
  session: SqliteSession,
  ids: Id[],
  get: (id: Id) => Row | undefined,
): AsyncGenerator<Row> {
  for (let i = 0; i < ids.length; i += CHUNK_SIZE) {
    const rows = await session.read(() => ids.slice(i, i + CHUNK_SIZE).map(get))
    for (const row of rows) if (row !== undefined) yield row
  }
}
