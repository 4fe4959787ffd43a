/**
 * Queries and transactions of one database. `rows` runs one query, `read` several on one snapshot, and each `write` is one transaction. A write is
 * retried from its start after a conflict or a lost connection, so its work must be repeatable and must not change any state outside the
 * transaction. If the connection is lost during COMMIT, the server is asked later whether the transaction was committed, by a marker row
 * that is its last statement (`endings`): nothing is lost, and nothing done twice.
 *
 * No statement is prepared under a name, and no setting outlives a transaction, so a pgbouncer in transaction mode may stand in between.
 *
 * Each write has a tally of counter changes, which one statement adds to the counters at the end.
 */
import { randomUUID } from 'node:crypto'
import type { Client, PoolClient, QueryResult } from 'pg'
import { COUNTER_NAMES, type CountChanges, noCountChanges } from '../sql/count-changes.ts'
import { encodeValue, manyRows } from './columns.ts'
import { isConflict, isConnectionLost, isLoginRefused, isUniqueViolation, toPostgresStoreError } from './errors.ts'
import { createPool, type PoolOptions } from './pool.ts'

export interface RowReader {
  rows<Row>(sql: string, values?: readonly unknown[]): Promise<Row[]>
}

export interface Transaction extends RowReader {
  /** Returns the number of changed rows. */
  run(sql: string, values?: readonly unknown[]): Promise<number>
  readonly tally: CountChanges
}

export interface PostgresSession extends RowReader {
  /** The address, without the password. */
  readonly name: string
  read<T>(work: (query: RowReader) => Promise<T>): Promise<T>
  write<T>(work: (tx: Transaction) => Promise<T>): Promise<T>
  /** Opens a connection outside the pool. The caller ends it. */
  connect(): Promise<Client>
  close(): Promise<void>
}

/** A process that hangs within a transaction must not block others for long. */
const BEGIN = `BEGIN; SET LOCAL idle_in_transaction_session_timeout = 30000; SET LOCAL lock_timeout = 30000;
  SELECT pg_current_xact_id()::text AS xid`

/** Rows per counter: concurrent writers rarely update the same one. */
const SLOTS = 64

export async function openSession(options: PoolOptions): Promise<PostgresSession> {
  const { name, mayReturn, withClient, connect, close } = await createPool(options)

  function query<Row>(sql: string, values: readonly unknown[] = []): Promise<Row[]> {
    return withClient(async (client) => (await client.query(sql, values.map(encodeValue))).rows as Row[])
  }

  async function snapshot<T>(work: (query: RowReader) => Promise<T>): Promise<T> {
    return withClient(async (client, discard) => {
      await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY')
      try {
        return await work(queryOn(client))
      } finally {
        await client.query('COMMIT').catch(discard)
      }
    })
  }

  async function transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<TransactionResult<T>> {
    return withClient(async (client, discard) => {
      const began = (await client.query(BEGIN)) as unknown as QueryResult<{ xid: string }>[]
      const xid = began.at(-1)!.rows[0]!.xid
      let answer: T
      try {
        const tally = noCountChanges()
        answer = await work(transactionOn(client, tally))
        await addCounts(client, tally)
      } catch (error) {
        await client.query('ROLLBACK').catch(discard)
        throw error
      }
      const marker = nextCommitMarker(client)
      try {
        const results = (await client.query(`${marker.sql}; COMMIT`)) as unknown as QueryResult[]
        if (results.at(-1)?.command !== 'COMMIT')
          throw new Error('a statement failed, and the work continued regardless')
        return { answer }
      } catch (error) {
        discard()
        if (!isConnectionLost(error)) throw error
        return { answer, unsure: { xid, ending: marker } }
      }
    })
  }

  /** Whether the transaction was committed. Waits for a server that is down. */
  async function wasCommitted({ xid, ending: marker }: UncertainCommit): Promise<boolean> {
    const until = performance.now() + MAX_UNCERTAIN_MS
    for (;;) {
      try {
        const [status] = await query<{ isUnderWay: boolean }>(
          `SELECT $1::text::xid8 IN (SELECT pg_snapshot_xip(pg_current_snapshot())) AS "isUnderWay"`,
          [xid],
        )
        if (!status!.isUnderWay) {
          const [row] = await query<{ nth: number }>('SELECT nth FROM endings WHERE connection = $1', [
            marker.connection,
          ])
          return row?.nth === marker.nth
        }
      } catch (error) {
        const isTransient = isConnectionLost(error) || (isLoginRefused(error) && mayReturn())
        if (!isTransient || performance.now() > until) throw error
      }
      await pause(RETRY_DELAY_MS)
    }
  }

  async function write<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    try {
      for (;;) {
        const result = await retryConflicts(() => transaction(work))
        if (result.unsure === undefined || (await wasCommitted(result.unsure))) return result.answer
      }
    } catch (error) {
      throw toPostgresStoreError(error, 'write to', name, { mayReturn: mayReturn() })
    }
  }

  async function reading<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await retryConflicts(work)
    } catch (error) {
      throw toPostgresStoreError(error, 'read', name, { mayReturn: mayReturn() })
    }
  }

  return {
    name,
    rows: (sql, values) => reading(() => query(sql, values)),
    read: (work) => reading(() => snapshot(work)),
    write,
    connect,
    close,
  }
}

/** The result of a transaction. `unsure` is set if it is unknown whether it was committed. */
interface TransactionResult<T> {
  answer: T
  unsure?: UncertainCommit
}

interface UncertainCommit {
  xid: string
  ending: CommitMarker
}

/** The last statement of a transaction records its number within the connection. */
interface CommitMarker {
  connection: string
  nth: number
  sql: string
}

const commitMarkers = new WeakMap<PoolClient, { connection: string; nth: number }>()

function nextCommitMarker(client: PoolClient): CommitMarker {
  const { connection, nth } = commitMarkers.get(client) ?? { connection: randomUUID(), nth: 0 }
  commitMarkers.set(client, { connection, nth: nth + 1 })
  const sql = `INSERT INTO endings (connection, nth) VALUES ('${connection}', ${nth + 1})
    ON CONFLICT (connection) DO UPDATE SET nth = excluded.nth, at = excluded.at`
  return { connection, nth: nth + 1, sql }
}

function queryOn(client: PoolClient): RowReader {
  return { rows: async (sql, values = []) => (await client.query(sql, values.map(encodeValue))).rows }
}

function transactionOn(client: PoolClient, tally: CountChanges): Transaction {
  return {
    ...queryOn(client),
    run: async (sql, values = []) => (await client.query(sql, values.map(encodeValue))).rowCount ?? 0,
    tally,
  }
}

async function addCounts(client: PoolClient, tally: CountChanges): Promise<void> {
  const changed = COUNTER_NAMES.filter((name) => tally[name] !== 0).sort()
  if (changed.length === 0) return
  const slot = ((client as unknown as { processID: number | null }).processID ?? 0) % SLOTS
  const { sql, values } = manyRows(
    'c',
    ['name text', 'value bigint'],
    changed.map((name) => [name, tally[name]]),
    2,
  )
  await client.query(
    `INSERT INTO counters (slot, name, value) SELECT $1, c.name, c.value FROM ${sql} ORDER BY n
     ON CONFLICT (slot, name) DO UPDATE SET value = counters.value + excluded.value`,
    [slot, ...values],
  )
}

const RETRY_DELAY_MS = 50
const MAX_UNCERTAIN_MS = 10 * 60_000
/** Per write: most lost connections, most attempts, and most unique violations before the error is thrown. */
const MAX_LOST = 3
const MAX_ATTEMPTS = 50
const MAX_DUPLICATES = 5

async function retryConflicts<T>(work: () => Promise<T>): Promise<T> {
  let lost = 0
  let duplicates = 0
  for (let tries = 1; ; tries++) {
    try {
      return await work()
    } catch (error) {
      if (isConnectionLost(error)) lost++
      else if (isUniqueViolation(error)) duplicates++
      else if (!isConflict(error)) throw error
      if (lost > MAX_LOST || duplicates > MAX_DUPLICATES || tries > MAX_ATTEMPTS) throw error
    }
    await pause(Math.random() * RETRY_DELAY_MS * Math.min(tries, 10))
  }
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}
