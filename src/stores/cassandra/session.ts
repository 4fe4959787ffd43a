/**
 * Session with a cluster. Every statement is prepared, idempotent, and sent to a host that has the row. A quorum of the copies acknowledges
 * each write and answers each read, so one of three hosts may fail at any moment, freeze, or be cut off from the others: the next host is
 * tried then. The number of concurrent requests is limited (limit-concurrency.ts).
 *
 * If the cluster cannot be reached, a transient `StoreError` is thrown: the crawler keeps its results and retries.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Client, QueryOptions } from 'cassandra-driver'
import type { Instant } from '../../model/index.ts'
import { StoreError } from '../../ports/index.ts'
import type { ClusterAddress } from './address.ts'
import { batchByPartition } from './batches.ts'
import { clusterError, retryUnconnected } from './errors.ts'
import { limitConcurrency } from './limit-concurrency.ts'
import { retryOnNextHost } from './retry-next-host.ts'
import { keyspaceStatement, type RowChange, SELECT_TEXT_PARTS, TABLES } from './schema.ts'

/** Rows of a scan that are in memory at once. */
const PAGE = 500
/** Longer than a host itself waits for the other replicas. */
const TIMEOUT_MS = 8000
/** Until all hosts agree on a new table. */
const TABLES_MS = 30_000
/** If a host has not answered after this time, the request goes to another host as well, and then to one more. */
const SPECULATIVE_EXECUTION = { afterMs: 400, max: 2 }
/** How long a health check waits for an answer. */
const HEALTH_MS = 1500
/** A host that comes back is used again within this time, however long it was down. The driver's default may wait ten minutes. */
const RECONNECT = { firstMs: 1000, maxMs: 10_000 }
const DAY_SECONDS = 86_400
/** Processes that create the same tables at once may have to retry. */
const MAX_ATTEMPTS = 5

export interface Session {
  /** Seconds after which rows expire; 0: never. */
  readonly ttl: number
  /** Writes all rows. When it resolves, a quorum has each of them. */
  write(change: RowChange, rows: readonly (readonly unknown[])[]): Promise<void>
  /** Runs a query for each list of values. Answers are in the same order. */
  select<Row>(query: string, parameters: readonly (readonly unknown[])[]): Promise<Row[][]>
  /** Reads row by row, with one page of rows in memory at a time. */
  walk<Row>(query: string, values: readonly unknown[]): AsyncIterable<Row>
  /** How many hosts of all seem to be up, and whether enough of them answer to read a text. */
  checkHosts(): Promise<{ up: number; all: number; answers: boolean }>
  close(): Promise<void>
}

export async function openCluster(address: ClusterAddress): Promise<Session> {
  const cluster = `Cassandra at ${address.contactPoints.join(', ')}`
  const client = await connect(address, cluster)
  const withClusterError = <T>(action: string, request: Promise<T>) =>
    request.catch((error) => Promise.reject(clusterError(error, action, cluster)))
  const execute = (query: string, values: readonly unknown[], more: QueryOptions = {}) =>
    retryUnconnected(() => client.execute(query, [...values], { ...more, prepare: true }))
  /** Several rows of one partition are sent as an unlogged batch, which is atomic for one partition. */
  const send = (query: string, rows: readonly (readonly unknown[])[]) =>
    rows.length === 1
      ? execute(query, rows[0]!)
      : retryUnconnected(() =>
          client.batch(
            rows.map((values) => ({ query, params: [...values] })),
            { prepare: true, logged: false },
          ),
        )

  return {
    ttl: address.keepDays * DAY_SECONDS,

    async write(change, rows) {
      const batches = batchByPartition(change, rows)
      await withClusterError('write to', limitConcurrency(batches.map((batch) => () => send(change.query, batch))))
    },

    async select<Row>(query: string, parameters: readonly (readonly unknown[])[]) {
      const answers: Row[][] = []
      const requests = parameters.map((values, i) => async () => {
        answers[i] = (await execute(query, values)).rows as unknown as Row[]
      })
      await withClusterError('read from', limitConcurrency(requests))
      return answers
    },

    async *walk<Row>(query: string, values: readonly unknown[]) {
      let pageState: string | undefined
      do {
        const options = { fetchSize: PAGE, ...(pageState && { pageState }) }
        const answer = await withClusterError('walk through', execute(query, values, options))
        for (const row of answer.rows) yield row as unknown as Row
        pageState = answer.pageState ?? undefined
      } while (pageState)
    },

    async checkHosts() {
      const up = client.hosts.values().filter((host) => host.isUp()).length
      const all = client.hosts.length
      const answered = execute(SELECT_TEXT_PARTS, ['nobody']).then(
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

/** A timestamp for Cassandra. */
export function microsOf(at: Instant): bigint {
  return BigInt(at) * 1000n
}

async function connect(address: ClusterAddress, cluster: string): Promise<Client> {
  const driver = await import('cassandra-driver').catch((cause) => {
    throw new StoreError('no-access', 'the Cassandra driver is not installed', 'Run: npm install cassandra-driver', {
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
        RECONNECT.firstMs,
        RECONNECT.maxMs,
        false,
      ),
      retry: retryOnNextHost(new driver.policies.retry.RetryPolicy()),
      speculativeExecution: new driver.policies.speculativeExecution.ConstantSpeculativeExecutionPolicy(
        SPECULATIVE_EXECUTION.afterMs,
        SPECULATIVE_EXECUTION.max,
      ),
    },
    ...(credentials && { credentials }),
  })
  try {
    await client.connect()
    // Not idempotent: a table that is created through two hosts at once may exist twice.
    const options = { readTimeout: TABLES_MS, isIdempotent: false }
    const createTable = (statement: string) => retryTableCreation(() => client.execute(statement, [], options))
    await createTable(keyspaceStatement(address))
    await client.execute(`USE ${keyspace}`)
    for (const table of TABLES) await createTable(table)
    return client
  } catch (error) {
    await client.shutdown()
    throw clusterError(error, 'open', cluster)
  }
}

async function retryTableCreation(request: () => Promise<unknown>): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      await request()
      return
    } catch (error) {
      if (attempt === MAX_ATTEMPTS || (error as Error).name !== 'ResponseError') throw error
    }
  }
}
