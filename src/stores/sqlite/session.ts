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
import { createCounters } from './tally.ts'

export interface SqliteSession {
  readonly db: Database.Database
  readonly file: string
  read<T>(work: () => T): Promise<T>
  write<T>(work: (tally: CountChanges) => T): Promise<T>
  /** A prepared statement, cached by its text. */
  prepared<Row>(sql: string): Database.Statement<unknown[], Row>
}

export function createSession(db: Database.Database, file: string): SqliteSession {
  const statements = new Map<string, Database.Statement<unknown[], unknown>>()
  const transaction = db.transaction((work: () => unknown) => work())
  const countChanges = createCounters(db)

  /** Resolves when all writes that wait for a lock have ended. Undefined if none waits. */
  let waiting: Promise<unknown> | undefined

  /** Without a lock by another process, the work is done before the promise is returned. */
  async function write<T>(work: (tally: CountChanges) => T): Promise<T> {
    const attempt = () => transaction.immediate(() => countChanges(work)) as T
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
