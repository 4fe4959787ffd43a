/**
 * A cluster that answers. Every statement is prepared, goes straight to a machine that has the row, and may be sent twice. A quorum of
 * the copies acknowledges each write and answers each read, so one of three machines may fail at any moment, or freeze: another is asked then. At most some dozens of
 * requests are under way: who has more waits.
 *
 * What cannot be reached is told as a `StoreError` that may pass: the crawl keeps what it has in hand and tries again.
 */
import type { Client } from 'cassandra-driver'
import type { Instant } from '../../../model/index.ts'
import { StoreError } from '../../../ports/index.ts'
import type { ClusterAddress } from './address.ts'
import { inBatches } from './batches.ts'
import { keyspaceStatement, type RowChange, TABLES } from './schema.ts'

const UNDER_WAY = 128
/** Rows of a walk that are in memory. */
const PAGE = 500
/** Longer than a machine itself waits for the others. */
const TIMEOUT_MS = 8000
/** Until all machines agree upon a new table. */
const TABLES_MS = 30_000
/** Another machine is asked as well, when one has not answered for so long; and one more. */
const ASK_ANOTHER = { afterMs: 400, most: 2 }
const DAY_SECONDS = 86_400
/** Several who make the same tables at once may have to look again. */
const TRIES = 5

export interface Session {
  /** Seconds after which what is written goes by itself; 0: never. */
  readonly ttl: number
  /** Writes all of them; when it is acknowledged, a quorum has each. */
  write(change: RowChange, rows: readonly (readonly unknown[])[]): Promise<void>
  /** The answers, in the order of the questions. */
  ask<Row>(query: string, questions: readonly (readonly unknown[])[]): Promise<Row[][]>
  /** Row by row, a page of them at a time in memory. */
  walk<Row>(query: string, values: readonly unknown[]): AsyncIterable<Row>
  /** Machines that seem to run, of how many; and whether one of them answers. */
  machines(): Promise<{ up: number; all: number; answers: boolean }>
  close(): Promise<void>
}

export async function openCluster(address: ClusterAddress): Promise<Session> {
  const where = `Cassandra at ${address.contactPoints.join(', ')}`
  const client = await connected(address, where)
  const said = <T>(doing: string, work: Promise<T>) =>
    work.catch((error) => Promise.reject(inWords(error, doing, where)))
  const execute = (query: string, values: readonly unknown[]) => client.execute(query, [...values], { prepare: true })
  /** One row as it is; several of one partition as one change of it, which needs no log of batches to be whole. */
  const send = (query: string, rows: readonly (readonly unknown[])[]) =>
    rows.length === 1
      ? execute(query, rows[0]!)
      : client.batch(
          rows.map((values) => ({ query, params: [...values] })),
          { prepare: true, logged: false },
        )

  return {
    ttl: address.keepDays * DAY_SECONDS,

    async write(change, rows) {
      const batches = inBatches(change, rows)
      await said('write to', fewAtOnce(batches.map((batch) => () => send(change.query, batch))))
    },

    async ask<Row>(query: string, questions: readonly (readonly unknown[])[]) {
      const answers: Row[][] = []
      const work = questions.map((values, i) => async () => {
        answers[i] = (await execute(query, values)).rows as unknown as Row[]
      })
      await said('read from', fewAtOnce(work))
      return answers
    },

    async *walk<Row>(query: string, values: readonly unknown[]) {
      let pageState: string | undefined
      do {
        const options = { prepare: true, fetchSize: PAGE, ...(pageState && { pageState }) }
        const answer = await said('walk through', client.execute(query, [...values], options))
        for (const row of answer.rows) yield row as unknown as Row
        pageState = answer.pageState ?? undefined
      } while (pageState)
    },

    async machines() {
      const up = client.hosts.values().filter((host) => host.isUp()).length
      const all = client.hosts.length
      const answers = await execute('SELECT release_version FROM system.local', []).then(
        () => true,
        () => false,
      )
      return { up, all, answers }
    },

    async close() {
      await client.shutdown()
    },
  }
}

/** As Cassandra counts time. */
export function microsOf(at: Instant): bigint {
  return BigInt(at) * 1000n
}

async function connected(address: ClusterAddress, where: string): Promise<Client> {
  const driver = await import('cassandra-driver').catch((cause) => {
    throw new StoreError('no-access', 'the driver of Cassandra is not installed', 'Run: npm install cassandra-driver', {
      cause,
    })
  })
  const { contactPoints, dataCentre, keyspace, credentials } = address
  const client = new driver.Client({
    contactPoints,
    localDataCenter: dataCentre,
    encoding: { useBigIntAsLong: true },
    queryOptions: { consistency: driver.types.consistencies.localQuorum, isIdempotent: true },
    socketOptions: { connectTimeout: TIMEOUT_MS, readTimeout: TIMEOUT_MS },
    policies: {
      speculativeExecution: new driver.policies.speculativeExecution.ConstantSpeculativeExecutionPolicy(
        ASK_ANOTHER.afterMs,
        ASK_ANOTHER.most,
      ),
    },
    ...(credentials && { credentials }),
  })
  try {
    await client.connect()
    // Tables that two machines are asked for at once may come out as two.
    const alone = { readTimeout: TABLES_MS, isIdempotent: false }
    const make = (statement: string) => patiently(() => client.execute(statement, [], alone))
    await make(keyspaceStatement(address))
    await client.execute(`USE ${keyspace}`)
    for (const table of TABLES) await make(table)
    return client
  } catch (error) {
    await client.shutdown()
    throw inWords(error, 'open', where)
  }
}

async function patiently(work: () => Promise<unknown>): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      await work()
      return
    } catch (error) {
      if (tries === TRIES || (error as Error).name !== 'ResponseError') throw error
    }
  }
}

/** So many at once and no more; the first that fails ends it. */
async function fewAtOnce(work: readonly (() => Promise<unknown>)[]): Promise<void> {
  const queue = work.values()
  const hand = async () => {
    for (const one of queue) await one()
  }
  await Promise.all(Array.from({ length: Math.min(UNDER_WAY, work.length) }, hand))
}

const NETWORK = ['NoHostAvailableError', 'OperationTimedOutError', 'ResponseError', 'BusyConnectionError']

/** A StoreError if the world is to blame; else the error as it was. */
function inWords(error: unknown, doing: string, where: string): unknown {
  if (!(error instanceof Error) || error instanceof StoreError) return error
  const isWorld = NETWORK.includes(error.name) || error.name === 'AuthenticationError'
  if (!isWorld) return error
  const isPassing = error.name !== 'AuthenticationError'
  const hint = isPassing
    ? 'See that enough of its machines run and can be reached; nothing is lost by waiting.'
    : 'See that user and password are right.'
  const [what] = error.message.split('\n') // the driver adds where in the code it was
  return new StoreError('no-access', `could not ${doing} ${where}: ${what}`, hint, { cause: error, isPassing })
}
