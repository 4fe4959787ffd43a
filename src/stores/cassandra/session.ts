/**
 * A cluster that answers. Every statement is prepared, goes straight to a machine that has the row, and may be sent twice. A quorum of
 * the copies acknowledges each write and answers each read, so one of three machines may fail at any moment, freeze, or be cut off from
 * the others: another is asked then. Some hundred requests are under way at most: who has more waits.
 *
 * What cannot be reached is told as a `StoreError` that may pass: the crawl keeps what it has in hand and tries again.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Client, QueryOptions } from 'cassandra-driver'
import type { Instant } from '../../model/index.ts'
import { StoreError } from '../../ports/index.ts'
import type { ClusterAddress } from './address.ts'
import { askingAnother } from './another.ts'
import { inBatches } from './batches.ts'
import { fewAtOnce } from './few-at-once.ts'
import { keyspaceStatement, PARTS_OF, type RowChange, TABLES } from './schema.ts'
import { clusterTrouble, whereConnected } from './trouble.ts'

/** Rows of a walk that are in memory. */
const PAGE = 500
/** Longer than a machine itself waits for the others. */
const TIMEOUT_MS = 8000
/** Until all machines agree upon a new table. */
const TABLES_MS = 30_000
/** Another machine is asked as well, when one has not answered for so long; and one more. */
const ASK_ANOTHER = { afterMs: 400, most: 2 }
/** So long somebody waits who only wants to know how it is. */
const HEALTH_MS = 1500
/** A machine that is back is asked again within so long, however long it was away; left to itself the driver may wait ten minutes. */
const LOOK_AGAIN = { firstMs: 1000, mostMs: 10_000 }
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
  /** Machines that seem to run, of how many; and whether enough of them answer for a text to be read. */
  machines(): Promise<{ up: number; all: number; answers: boolean }>
  close(): Promise<void>
}

export async function openCluster(address: ClusterAddress): Promise<Session> {
  const where = `Cassandra at ${address.contactPoints.join(', ')}`
  const client = await connected(address, where)
  const said = <T>(doing: string, work: Promise<T>) =>
    work.catch((error) => Promise.reject(clusterTrouble(error, doing, where)))
  const execute = (query: string, values: readonly unknown[], more: QueryOptions = {}) =>
    whereConnected(() => client.execute(query, [...values], { ...more, prepare: true }))
  /** One row as it is; several of one partition as one change of it, which needs no log of batches to be whole. */
  const send = (query: string, rows: readonly (readonly unknown[])[]) =>
    rows.length === 1
      ? execute(query, rows[0]!)
      : whereConnected(() =>
          client.batch(
            rows.map((values) => ({ query, params: [...values] })),
            { prepare: true, logged: false },
          ),
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
        const options = { fetchSize: PAGE, ...(pageState && { pageState }) }
        const answer = await said('walk through', execute(query, values, options))
        for (const row of answer.rows) yield row as unknown as Row
        pageState = answer.pageState ?? undefined
      } while (pageState)
    },

    async machines() {
      const up = client.hosts.values().filter((host) => host.isUp()).length
      const all = client.hosts.length
      const answered = execute(PARTS_OF, ['nobody']).then(
        () => true,
        () => false,
      )
      const answers = await Promise.race([answered, sleep(HEALTH_MS, false, { ref: false })])
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
      reconnection: new driver.policies.reconnection.ExponentialReconnectionPolicy(
        LOOK_AGAIN.firstMs,
        LOOK_AGAIN.mostMs,
        false,
      ),
      retry: askingAnother(new driver.policies.retry.RetryPolicy()),
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
    throw clusterTrouble(error, 'open', where)
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
