/**
 * The library on Apache Cassandra. Every statement is prepared, goes straight to a machine that has the row, and may be sent twice:
 * writes carry the time at which the text was said, so that what comes again, or late, changes nothing, and what was dropped
 * stays dropped unless it was kept again since. A quorum of the copies acknowledges each write and answers each read, so one of
 * three machines may fail at any moment. At most some dozens of requests are under way: who keeps more waits.
 *
 * What cannot be reached is told as a `StoreError` that may pass: the crawl keeps what it has in hand and tries again.
 */
import type { Client } from 'cassandra-driver'
import { HOUR, type Instant } from '../../../model/index.ts'
import {
  type Library,
  type LibraryText,
  type ShelvedText,
  StoreError,
  type TextName,
  type TextOwner,
} from '../../../ports/index.ts'
import { type ClusterAddress, clusterAddress } from './address.ts'
import {
  DROP_HOUR,
  DROP_TEXT,
  KEEP_HOUR,
  KEEP_PART,
  keyspaceStatement,
  OF_HOUR,
  PARTS_OF,
  SHARDS,
  TABLES,
} from './schema.ts'

const PART_BYTES = 64 * 1024
const UNDER_WAY = 32
/** Rows of a walk that are in memory. */
const PAGE = 500
const TIMEOUT_MS = 20_000
const DAY_SECONDS = 86_400

export async function openCassandraLibrary(url: string): Promise<Library> {
  const address = clusterAddress(url)
  const where = `Cassandra at ${address.contactPoints.join(', ')}`
  const client = await connected(address, where)
  const ttl = address.keepDays * DAY_SECONDS
  const said = <T>(doing: string, work: Promise<T>) =>
    work.catch((error) => Promise.reject(inWords(error, doing, where)))
  const ask = (query: string, values: unknown[]) => client.execute(query, values, { prepare: true })

  return {
    async keep(texts) {
      // The hour first: a text that no hour names would never be found by the walk.
      await said('keep texts in', all(texts.map((text) => () => ask(KEEP_HOUR, hourOf(text, ttl)))))
      await said('keep texts in', all(texts.flatMap(partsOf(ttl)).map((values) => () => ask(KEEP_PART, values))))
    },

    async textsOf(names) {
      const found: (Uint8Array | undefined)[] = []
      const read = names.map((name, i) => async () => {
        found[i] = joined((await ask(PARTS_OF, [name])).rows as unknown as Part[])
      })
      await said('read texts from', all(read))
      return names.map((_, i) => found[i])
    },

    async *keptIn(hour) {
      for (let shard = 0; shard < SHARDS; shard++) {
        let pageState: string | undefined
        do {
          const options = { prepare: true, fetchSize: PAGE, ...(pageState && { pageState }) }
          const answer = await said('walk through', client.execute(OF_HOUR, [BigInt(hour), shard], options))
          for (const row of answer.rows) yield shelvedIn(row as unknown as HourRow)
          pageState = answer.pageState ?? undefined
        } while (pageState)
      }
    },

    async drop(texts) {
      const work = texts.flatMap(({ name, at }) => [
        () => ask(DROP_TEXT, [microsOf(at), name]),
        () => ask(DROP_HOUR, [microsOf(at), BigInt(startOfHour(at)), shardOf(digestOf(name)), name]),
      ])
      await said('drop texts from', all(work))
    },

    async health() {
      const up = client.hosts.values().filter((host) => host.isUp()).length
      const many = client.hosts.length
      try {
        await ask('SELECT release_version FROM system.local', [])
        return { summary: `Cassandra, ${up} of ${many} machines answer`, isWell: up === many }
      } catch {
        return { summary: `Cassandra cannot be reached, ${up} of ${many} machines seem to run`, isWell: false }
      }
    },

    async close() {
      await client.shutdown()
    },
  }
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
    ...(credentials && { credentials }),
  })
  try {
    await client.connect()
    await client.execute(keyspaceStatement(address))
    await client.execute(`USE ${keyspace}`)
    for (const table of TABLES) await client.execute(table)
    return client
  } catch (error) {
    await client.shutdown()
    throw inWords(error, 'open', where)
  }
}

/** So many at once and no more; the first that fails ends it. */
async function all(work: readonly (() => Promise<unknown>)[]): Promise<void> {
  const queue = work.values()
  const hand = async () => {
    for (const one of queue) await one()
  }
  await Promise.all(Array.from({ length: Math.min(UNDER_WAY, work.length) }, hand))
}

function hourOf({ name, owner, at }: LibraryText, ttl: number): unknown[] {
  const shard = shardOf(digestOf(name))
  return [BigInt(startOfHour(at)), shard, name, JSON.stringify(owner), BigInt(at), microsOf(at), ttl]
}

function partsOf(ttl: number): (text: LibraryText) => unknown[][] {
  return ({ name, at, bytes }) => {
    const parts = Math.max(1, Math.ceil(bytes.length / PART_BYTES))
    return Array.from({ length: parts }, (_, part) => {
      const piece = Buffer.from(bytes.subarray(part * PART_BYTES, (part + 1) * PART_BYTES))
      return [name, part, parts, piece, microsOf(at), ttl]
    })
  }
}

interface Part {
  part: number
  parts: number
  bytes: Buffer
}

/** Nothing unless all parts are there: one may have expired before the others, or come later. */
function joined(rows: readonly Part[]): Uint8Array | undefined {
  if (rows.length === 0 || rows.length !== rows[0]!.parts) return undefined
  return Buffer.concat(rows.map(({ bytes }) => bytes))
}

interface HourRow {
  name: TextName
  owner: string
  at: bigint
}

function shelvedIn({ name, owner, at }: HourRow): ShelvedText {
  return { name, owner: JSON.parse(owner) as TextOwner, at: Number(at) as Instant }
}

function digestOf(name: TextName): string {
  return name.slice(name.lastIndexOf('/') + 1)
}

function shardOf(digest: string): number {
  return digest.charCodeAt(0) % SHARDS
}

function startOfHour(at: Instant): Instant {
  return (at - (at % HOUR)) as Instant
}

/** As Cassandra counts time. */
function microsOf(at: Instant): bigint {
  return BigInt(at) * 1000n
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
  return new StoreError('no-access', `could not ${doing} ${where}: ${error.message}`, hint, { cause: error, isPassing })
}
