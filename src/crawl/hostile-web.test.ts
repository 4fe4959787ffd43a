/**
 * Several days with sites that send invalid data wherever possible: no internal errors, and no effect on other sites.
 * `SEEDS=1000 FIRST_SEED=1 npx vitest run src/crawl/hostile-web.test.ts` tests many seeds; a failure names its seed.
 */
import { createHmac } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { restWhen } from '../../test/crawl-harness.ts'
import { createHostileWeb } from '../../test/hostile-web.ts'
import { badAddress } from '../../test/invalid-values.ts'
import { createUnreliableQueue } from '../../test/unreliable-queue.ts'
import { createSteppedClock } from '../clocks/index.ts'
import { parseOpml } from '../feeds/index.ts'
import { DAY, HOUR, MINUTE, SECOND } from '../model/index.ts'
import type { Search, Store } from '../ports/index.ts'
import { createInProcessQueue } from '../queues/index.ts'
import { LIMITS } from '../scheduling/index.ts'
import { createMemorySearch } from '../search/index.ts'
import { createMemoryStore, openSqliteStore } from '../stores/index.ts'
import { type CrawlEvent, createCrawler, createFetcher, DEFAULT_GROUPING } from './index.ts'

const START = Date.UTC(2026, 0, 5, 8)
const DAYS = Number(process.env.DAYS ?? 4)
const SEEDS = Number(process.env.SEEDS ?? 1)
const FIRST_SEED = Number(process.env.FIRST_SEED ?? 1)

async function liveThrough(seed: number, { store, search }: { store: Store; search: Search }): Promise<void> {
  let packing = 0
  const { recordArticles } = store
  store.recordArticles = (records) => {
    packing++
    return recordArticles(records).finally(() => packing--)
  }
  const clock = createSteppedClock(
    START,
    restWhen(() => packing > 0),
  )
  const web = createHostileWeb(seed, clock.now)
  const { chance } = web
  const queue = createUnreliableQueue(createInProcessQueue({ concurrency: 8 }), clock, {
    seed,
    outcomeDuplicationRate: 1 / 3,
  })
  queue.serve(createFetcher({ net: web.net, clock, obeyRobots: 'all' }))
  let secrets = 0
  const crawler = createCrawler({
    store,
    search,
    queue,
    clock,
    random: chance.next,
    knownBy: 'key',
    strategy: chance.one(['tide', 'moving-average', 'fixed:1h', 'adva-rss', 'post-rate']),
    limits: { ...LIMITS, minMs: HOUR, maxMs: HOUR },
    pollsPerDay: 'auto',
    concurrency: 8,
    gapMs: chance.one([0, 2 * SECOND]),
    keepEntriesMs: 3 * DAY,
    keepPollsMs: 0,
    ...DEFAULT_GROUPING,
    obeyRobots: 'all',
    articles: { preference: 'always', backlog: 5 },
    push: { publicUrl: 'https://reader.example', newSecret: () => `secret-${++secrets}` },
  })
  const wrong: CrawlEvent[] = []
  crawler.onEvent((event) => isMistake(event) && wrong.push(event))
  const end = new AbortController()
  let isOver = false
  const running = crawler.run(end.signal).finally(() => {
    isOver = true
  })
  running.catch(() => {})

  const addresses = [...web.hostile, ...Array.from({ length: 20 }, () => badAddress(chance))]
  await crawler.subscribe(
    addresses.map((url, n) => ({ url, kind: n % 2 === 0 ? 'any' : 'feed', siteUrl: badAddress(chance) })),
  )
  const list = parseOpml(web.opml())
  if (list.kind === 'opml') await crawler.subscribe(list.outlines.map((one) => ({ ...one, kind: 'feed' })))
  await crawler.subscribe(web.healthy.map((url) => ({ url, kind: 'feed' })))
  for (let hour = 0; hour < DAYS * 24; hour++) {
    await clock.advance(HOUR)
    for (const { callback, topic, secret } of web.callbacks.splice(0)) {
      const token = callback.split('/').at(-1)!
      const query = {
        'hub.mode': 'subscribe',
        'hub.topic': topic,
        'hub.challenge': 'c',
        'hub.lease_seconds': chance.one(['60', '-1', '1e9', '']),
      }
      await crawler.pushReceiver?.confirm(token, query)
      const body = Buffer.from(web.document())
      await crawler.pushReceiver?.receive(token, {
        headers: { 'x-hub-signature': chance.is(0.2) ? badAddress(chance) : signatureOf(body, secret) },
        async *chunks() {
          yield body
        },
      })
    }
  }
  await clock.advance(30 * MINUTE)
  expect((await store.unindexed(999)).changes.length, `seed ${seed}`).toBeLessThan(100)

  const feeds = await store.feeds({ order: 'id', limit: 99 })
  const healthy = feeds.filter(({ feed }) => feed.root.startsWith('well-'))
  const about = `seed ${seed}`
  expect(wrong.slice(0, 3).map(inShort), about).toEqual([])
  expect(isOver, about).toBe(false)
  expect(healthy.length, about).toBe(web.healthy.length)
  for (const { feed, schedule } of healthy) {
    const polls = await store.polls({ feedId: feed.id, limit: 9999 })
    expect(polls.length, `${about}: polls of ${feed.url}`).toBeGreaterThan(DAYS * 23)
    expect(schedule, about).toMatchObject({ failures: 0 })
  }
  expect(feeds.length, about).toBeGreaterThan(8)
  end.abort()
  await running
  await crawler.stop(0)
}

function signatureOf(body: Buffer, secret: string): string {
  return `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`
}

function isMistake(event: CrawlEvent): boolean {
  if (event.kind === 'internal-error') return true
  if (event.kind === 'polled' || event.kind === 'article')
    return event.result.kind === 'failed' && event.result.failure.kind === 'internal'
  return event.kind === 'not-found' && event.failure.kind === 'internal'
}

function inShort(event: CrawlEvent): unknown {
  if (event.kind !== 'internal-error') return event
  return { doing: event.doing, error: event.error instanceof Error ? event.error.stack : event.error }
}

it.each(Array.from({ length: SEEDS }, (_, n) => FIRST_SEED + n))(
  'survives a hostile web without internal errors: seed %d',
  async (seed) => {
    await liveThrough(seed, { store: createMemoryStore(), search: createMemorySearch() })
  },
  300_000,
)

it('survives it with a store on disk', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'freshet-'))
  const { store, search } = openSqliteStore({ file: join(folder, 'store.db'), mode: 'write', now: () => START })
  try {
    await liveThrough(FIRST_SEED + SEEDS, { store, search })
  } finally {
    await store.close()
    rmSync(folder, { recursive: true })
  }
}, 300_000)
