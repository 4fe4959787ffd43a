/**
 * PostgreSQL stores for the crawl tests, created on demand: `STORE_IS=postgres npx vitest run src/crawl/crawl.test.ts`. The tests listed
 * in vitest.config.ts run on both stores. While such a store is busy, the test clock waits.
 */
import { afterAll, beforeEach } from 'vitest'
import type { Store } from '../src/ports/index.ts'
import { createMemoryStore } from '../src/stores/index.ts'
import { openPostgresStore } from '../src/stores/postgres/index.ts'
import { postgresForTests } from './postgres-server.ts'

export interface BusyStore {
  store: Store
  isBusy: () => boolean
}

const STREAMS = new Set<string>([
  'everyFeed',
  'everyEntry',
  'everyFeedReads',
  'everyPoll',
  'pollsToForget',
  'everyArticle',
  'everyHubSubscription',
  'signatures',
])

export const storeIsPostgres = process.env.STORE_IS === 'postgres'

const { server, reason = '' } = storeIsPostgres ? await postgresForTests() : {}

if (storeIsPostgres) {
  beforeEach(({ skip }) => skip(server === undefined, reason))
  afterAll(() => server?.close())
}

/** Opened on first use. */
export function createPostgresCrawlStore(): BusyStore {
  let opened: Promise<Store> | undefined
  let underWay = 0

  async function open(): Promise<Store> {
    const address = await server!.freshStore()
    return (await openPostgresStore({ address, mode: 'write', connections: 4 })).store
  }

  const answering =
    (name: keyof Store) =>
    async (...given: unknown[]) => {
      underWay++
      try {
        opened ??= open()
        const store = await opened
        return await Reflect.apply(store[name], store, given)
      } finally {
        underWay--
      }
    }

  const streaming = (name: keyof Store) =>
    async function* (...given: unknown[]) {
      underWay++
      try {
        opened ??= open()
        const store = await opened
        yield* Reflect.apply(store[name], store, given) as AsyncIterable<unknown>
      } finally {
        underWay--
      }
    }

  const names = Object.keys(createMemoryStore()) as (keyof Store)[]
  const methods = names.map((name) => [name, STREAMS.has(name) ? streaming(name) : answering(name)])
  const close = async () => {
    await (await opened)?.close()
  }
  return { store: { ...Object.fromEntries(methods), close }, isBusy: () => underWay > 0 }
}
