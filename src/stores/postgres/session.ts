/**
 * A pool of connections to one database, and the ways to use it. `rows` asks one question; `read` asks several of one snapshot;
 * each `write` is one transaction. What is written is written again from its beginning when another was in the way, or when the
 * connection was lost: so work that writes must do the same if it is done again, and may keep nothing outside that it would
 * do differently then. Where the connection was lost with the word that it is over, the server is asked afterwards what became
 * of that transaction, by a row that is its last word (`endings`): nothing is lost, and nothing done twice.
 *
 * No statement is prepared under a name, and nothing is set that outlives a transaction: a pgbouncer that gives each transaction
 * another connection may stand in between.
 *
 * Whoever writes has a tally, in which it notes what there is more or less of: added to the counters in one statement at the end.
 */
import { randomUUID } from 'node:crypto'
import type { Client, ClientConfig, Pool, PoolClient, QueryResult } from 'pg'
import { StoreError } from '../../ports/index.ts'
import { COUNTED_NAMES, type CountTally, emptyTally } from '../sql/tally.ts'
import { manyRows, received, sendable } from './columns.ts'
import { isInTheWay, isLoginRefused, isLost, isThereAlready, troubleInWords } from './trouble.ts'

export interface RowAsker {
  rows<Row>(sql: string, values?: readonly unknown[]): Promise<Row[]>
}

export interface Transaction extends RowAsker {
  /** How many rows it changed. */
  run(sql: string, values?: readonly unknown[]): Promise<number>
  readonly tally: CountTally
}

export interface PostgresSession extends RowAsker {
  /** Its address, without the password. */
  readonly name: string
  read<T>(work: (query: RowAsker) => Promise<T>): Promise<T>
  write<T>(work: (tx: Transaction) => Promise<T>): Promise<T>
  /** A connection of its own, beside the pool; whoever has it ends it. */
  connect(): Promise<Client>
  close(): Promise<void>
}

export interface SessionOptions {
  address: string
  connections?: number
  /** How long a refused login is retried once the server has let us in; after that the store counts as unusable. */
  loginRetryMs?: number
}

const CONNECTIONS = 10
const CONNECT_MS = 10_000
/** Longer than anything takes that we ask for: then nobody answers any more. */
const ANSWER_MS = 120_000
/** A password is changed on the server and in our settings within this time, or a supervisor has to start us again. */
const LOGIN_RETRY_MS = 60_000

/** Who stands still in the middle of a transaction must not keep others waiting for long. */
const BEGIN = `BEGIN; SET LOCAL idle_in_transaction_session_timeout = 30000; SET LOCAL lock_timeout = 30000;
  SELECT pg_current_xact_id()::text AS xid`

/** Counters are kept in so many rows a name: two who write at once seldom want the same. */
const SLOTS = 64

export async function openSession({
  address,
  connections = CONNECTIONS,
  loginRetryMs = LOGIN_RETRY_MS,
}: SessionOptions): Promise<PostgresSession> {
  const name = shownAddress(address)
  const pg = await loadDriver()
  const config: ClientConfig = {
    connectionString: address,
    connectionTimeoutMillis: CONNECT_MS,
    query_timeout: ANSWER_MS,
    keepAlive: true,
    application_name: 'freshet',
    types: { getTypeParser: parsers(pg.types.getTypeParser) as never },
  }
  const pool: Pool = new pg.Pool({ ...config, max: connections, idleTimeoutMillis: 30_000, allowExitOnIdle: true })
  pool.on('error', () => {}) // of connections that nobody uses: the next who wants one gets another

  let hasLoggedIn = false
  let refusedSince: number | undefined

  async function connectFromPool(): Promise<PoolClient> {
    try {
      const client = await pool.connect()
      hasLoggedIn = true
      refusedSince = undefined
      return client
    } catch (error) {
      if (hasLoggedIn && isLoginRefused(error)) refusedSince ??= performance.now()
      throw error
    }
  }

  /** Only a process that was let in before waits: at startup, a wrong password is refused at once. */
  function mayReturn(): boolean {
    return refusedSince !== undefined && performance.now() - refusedSince < loginRetryMs
  }

  /** A connection of which something was lost is given to nobody any more. */
  async function withClient<T>(work: (client: PoolClient, discard: () => void) => Promise<T>): Promise<T> {
    const client = await connectFromPool()
    let isSpoilt = false
    const discard = () => {
      isSpoilt = true
    }
    client.on('error', discard)
    try {
      return await work(client, discard)
    } catch (error) {
      if (isLost(error)) discard()
      throw error
    } finally {
      client.off('error', discard)
      client.release(isSpoilt)
    }
  }

  function ask<Row>(sql: string, values: readonly unknown[] = []): Promise<Row[]> {
    return withClient(async (client) => (await client.query(sql, values.map(sendable))).rows as Row[])
  }

  async function snapshot<T>(work: (query: RowAsker) => Promise<T>): Promise<T> {
    return withClient(async (client, discard) => {
      await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY')
      try {
        return await work(queryOn(client))
      } finally {
        await client.query('COMMIT').catch(discard)
      }
    })
  }

  async function transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<Ended<T>> {
    return withClient(async (client, discard) => {
      const began = (await client.query(BEGIN)) as unknown as QueryResult<{ xid: string }>[]
      const xid = began.at(-1)!.rows[0]!.xid
      let answer: T
      try {
        const tally = emptyTally()
        answer = await work(transactionOn(client, tally))
        await addCounts(client, tally)
      } catch (error) {
        await client.query('ROLLBACK').catch(discard)
        throw error
      }
      const ending = nextEnding(client)
      try {
        const results = (await client.query(`${ending.sql}; COMMIT`)) as unknown as QueryResult[]
        if (results.at(-1)?.command !== 'COMMIT')
          throw new Error('a statement failed, and the work went on all the same')
        return { answer }
      } catch (error) {
        discard()
        if (!isLost(error)) throw error
        return { answer, unsure: { xid, ending } }
      }
    })
  }

  /** Whether that transaction was committed, once somebody can say so: a server that is away is waited for. */
  async function wasCommitted({ xid, ending }: Unsure): Promise<boolean> {
    const until = performance.now() + MOST_UNSURE_MS
    for (;;) {
      try {
        const [said] = await ask<{ isUnderWay: boolean }>(
          `SELECT $1::text::xid8 IN (SELECT pg_snapshot_xip(pg_current_snapshot())) AS "isUnderWay"`,
          [xid],
        )
        if (!said!.isUnderWay) {
          const [row] = await ask<{ nth: number }>('SELECT nth FROM endings WHERE connection = $1', [ending.connection])
          return row?.nth === ending.nth
        }
      } catch (error) {
        const isTransient = isLost(error) || (isLoginRefused(error) && mayReturn())
        if (!isTransient || performance.now() > until) throw error
      }
      await pause(ASKED_AGAIN_AFTER_MS)
    }
  }

  async function write<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    try {
      for (;;) {
        const ended = await patiently(() => transaction(work))
        if (ended.unsure === undefined || (await wasCommitted(ended.unsure))) return ended.answer
      }
    } catch (error) {
      throw troubleInWords(error, 'write to', name, { mayReturn: mayReturn() })
    }
  }

  async function reading<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await patiently(work)
    } catch (error) {
      throw troubleInWords(error, 'read', name, { mayReturn: mayReturn() })
    }
  }

  return {
    name,
    rows: (sql, values) => reading(() => ask(sql, values)),
    read: (work) => reading(() => snapshot(work)),
    write,
    async connect() {
      const client = new pg.Client(config)
      await client.connect()
      return client
    },
    close: () => pool.end(),
  }
}

/** What was worked out; and where nobody knows whether it was committed, how to find out. */
interface Ended<T> {
  answer: T
  unsure?: Unsure
}

interface Unsure {
  xid: string
  ending: Ending
}

/** The nth transaction of a connection says so in its last statement. */
interface Ending {
  connection: string
  nth: number
  sql: string
}

const endings = new WeakMap<PoolClient, { connection: string; nth: number }>()

function nextEnding(client: PoolClient): Ending {
  const { connection, nth } = endings.get(client) ?? { connection: randomUUID(), nth: 0 }
  endings.set(client, { connection, nth: nth + 1 })
  const sql = `INSERT INTO endings (connection, nth) VALUES ('${connection}', ${nth + 1})
    ON CONFLICT (connection) DO UPDATE SET nth = excluded.nth, at = excluded.at`
  return { connection, nth: nth + 1, sql }
}

async function loadDriver(): Promise<typeof import('pg').default> {
  try {
    return (await import('pg')).default
  } catch (cause) {
    throw new StoreError(
      'no-access',
      'could not open a store in PostgreSQL: the package pg is not installed',
      'Install it beside Freshet: npm install pg',
      { cause },
    )
  }
}

/** For people and logs. */
export function shownAddress(address: string): string {
  const url = URL.parse(address)
  if (!url) {
    throw new StoreError(
      'no-access',
      'could not open the store: its address cannot be read',
      'Name it as in postgres://user:password@host:5432/database; what is not a letter or digit in the password as %XX.',
    )
  }
  const user = url.username ? `${url.username}@` : ''
  return `${url.protocol}//${user}${url.host}${url.pathname}`
}

function queryOn(client: PoolClient): RowAsker {
  return { rows: async (sql, values = []) => (await client.query(sql, values.map(sendable))).rows }
}

function transactionOn(client: PoolClient, tally: CountTally): Transaction {
  return {
    ...queryOn(client),
    run: async (sql, values = []) => (await client.query(sql, values.map(sendable))).rowCount ?? 0,
    tally,
  }
}

async function addCounts(client: PoolClient, tally: CountTally): Promise<void> {
  const changed = COUNTED_NAMES.filter((name) => tally[name] !== 0).sort()
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

const ASKED_AGAIN_AFTER_MS = 50
const MOST_UNSURE_MS = 10 * 60_000
/** Times that a connection may be lost in one work before others are told, that others may be in the way, or the first to write something. */
const MOST_LOST = 3
const MOST_IN_THE_WAY = 50
const MOST_THERE_ALREADY = 5

async function patiently<T>(work: () => Promise<T>): Promise<T> {
  let lost = 0
  let there = 0
  for (let tries = 1; ; tries++) {
    try {
      return await work()
    } catch (error) {
      if (isLost(error)) lost++
      else if (isThereAlready(error)) there++
      else if (!isInTheWay(error)) throw error
      if (lost > MOST_LOST || there > MOST_THERE_ALREADY || tries > MOST_IN_THE_WAY) throw error
    }
    await pause(Math.random() * ASKED_AGAIN_AFTER_MS * Math.min(tries, 10))
  }
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}

const INT8 = 20
const TEXT = 25
const INT8_ARRAY = 1016

/** PostgreSQL's bigint is longer than a number of JavaScript; none of ours is. */
function parsers(usual: (oid: number, format?: never) => unknown) {
  return (oid: number, format: never) => {
    if (oid === INT8) return Number
    if (oid === TEXT) return received
    const parse = usual(oid, format)
    if (oid === INT8_ARRAY) return (text: string) => (parse as (text: string) => string[])(text).map(Number)
    return parse
  }
}

const PIECE = 200

/** Goes through a long answer question by question; `place` says after which row the next begins. */
export async function* pieceByPiece<Row>(
  fetch: (after: number, limit: number) => Promise<Row[]>,
  place: (row: Row) => number,
  begin = 0,
): AsyncGenerator<Row> {
  for (let after = begin; ; ) {
    const rows = await fetch(after, PIECE)
    const last = rows.at(-1)
    if (last === undefined) return
    yield* rows
    after = place(last)
  }
}
