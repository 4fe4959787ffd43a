/**
 * Fills a content store in bulk. The product's own code creates the rows, with its own statements and dates; only sending differs. Many
 * partitions go in one unlogged batch, which on a single node saves nearly all round trips, and nothing is looked up before it is written,
 * because nothing is there. Runs in several threads that share the numbers.
 */
import { randomFillSync } from 'node:crypto'
import { parentPort, workerData } from 'node:worker_threads'
import { Client, types } from 'cassandra-driver'
import type { Entry, EntryId } from '../../src/model/index.ts'
import { createCassandraContentStore } from '../../src/stores/cassandra/index.ts'
import type { Session } from '../../src/stores/cassandra/session.ts'
import {
  contentAddressOf,
  contentReference,
  packExternalContent,
} from '../../src/stores/external-content/content-addresses.ts'
import { type MadeUp, madeUp, signedOf } from './generated-entries.ts'

export interface BulkShare {
  contact: string
  keyspace: string
  entries: number
  chars: number
  upTo: number
  /** The index of this thread. */
  share: number
  shares: number
}

/** A block of records, and of signatures, is filled by one thread. */
const TOGETHER = 1024
const BATCH_ROWS = 128
const BATCHES_UNDER_WAY = 12
const TRIES = 10

/** What the database stores instead of the text. */
export function markOf(made: MadeUp, number: number): string {
  const { key, content } = made.draftOf(number)
  return contentReference(contentAddressOf({ kind: 'entry', feedId: made.feedOf(number), key }, content))
}

function textOf(made: MadeUp, number: number) {
  const { key, content } = made.draftOf(number)
  return packExternalContent({ kind: 'entry', feedId: made.feedOf(number), key }, made.atOf(number), content)
}

function recordOf(made: MadeUp, number: number, content: string): Entry {
  const draft = made.draftOf(number)
  return { id: number as EntryId, feedId: made.feedOf(number), seenAt: made.atOf(number), ...draft, content } as Entry
}

/** A server that is busy compacting may refuse; writing a row twice changes nothing. */
async function patiently(work: () => Promise<unknown>): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      await work()
      return
    } catch (error) {
      if (tries === TRIES) throw error
      await new Promise((resolve) => setTimeout(resolve, 1000 * tries))
    }
  }
}

async function bulkSession(contact: string, keyspace: string): Promise<Session> {
  const client = new Client({
    contactPoints: [contact],
    localDataCenter: 'datacenter1',
    keyspace,
    encoding: { useBigIntAsLong: true },
    queryOptions: { consistency: types.consistencies.localQuorum, isIdempotent: true, prepare: true },
    socketOptions: { readTimeout: 120_000 },
  })
  await client.connect()
  const nothing = () => {
    throw new Error('nothing reads while a content store is filled')
  }
  return {
    ttl: 0,
    async write({ query }, rows) {
      const batches: (readonly unknown[])[][] = []
      for (let i = 0; i < rows.length; i += BATCH_ROWS) batches.push(rows.slice(i, i + BATCH_ROWS) as unknown[][])
      const queue = batches.values()
      const send = async () => {
        for (const batch of queue)
          await patiently(() =>
            client.batch(
              batch.map((params) => ({ query, params: params as unknown[] })),
              { prepare: true, logged: false },
            ),
          )
      }
      await Promise.all(Array.from({ length: BATCHES_UNDER_WAY }, send))
    },
    select: async (_, questions) => questions.map(() => []),
    walk: nothing,
    checkHosts: nothing,
    close: () => client.shutdown(),
  }
}

async function fillShare({ contact, keyspace, entries, chars, upTo, share, shares }: BulkShare): Promise<void> {
  const made = madeUp(entries, chars)
  const noise = randomFillSync(new Uint8Array(1 << 20))
  const contentStore = createCassandraContentStore(await bulkSession(contact, keyspace))
  for (let from = share * TOGETHER; from <= upTo; from += shares * TOGETHER) {
    const numbers: number[] = []
    for (let i = Math.max(1, from); i < from + TOGETHER && i <= upTo; i++) numbers.push(i)
    if (numbers.length === 0) continue
    const at = made.atOf(numbers[0]!)
    const texts = numbers.map((number) => textOf(made, number))
    await contentStore.putTexts(texts)
    await contentStore.putEntries(
      numbers.map((number, i) => recordOf(made, number, contentReference(texts[i]!.address))),
      at,
    )
    await contentStore.putSignatures(
      numbers.map((number) => signedOf(made, number, noise)),
      at,
    )
    parentPort?.postMessage(numbers.length)
  }
  await contentStore.close()
}

if (parentPort && (workerData as BulkShare | undefined)?.contact) await fillShare(workerData as BulkShare)
