/** Bucket takeovers during which the store or the queue fails: the controller retries, and reports it meanwhile. */
import { describe, expect, it } from 'vitest'
import { createSharedQueue } from '../../../test/failing/shared-queue.ts'
import { createFailingStore, type Faults } from '../../../test/fault-injection.ts'
import { createSteppedClock } from '../../clocks/index.ts'
import { createVillage } from '../../lab/index.ts'
import { type Bucket, HOUR, MINUTE, SECOND } from '../../model/index.ts'
import { type ControllerQueue, rolesOf } from '../../ports/index.ts'
import { LIMITS } from '../../scheduling/index.ts'
import { createMemorySearch } from '../../search/index.ts'
import { createServer } from '../../server/index.ts'
import { createMemoryStore } from '../../stores/index.ts'
import { createBucketOwner } from '../fleet/bucket-owner.ts'
import { createCrawler, createFetcher, DEFAULT_GROUPING } from '../index.ts'

const START = Date.UTC(2026, 0, 5, 8)
const ALL = new Map(Array.from({ length: 256 }, (_, bucket) => [bucket as Bucket, 1]))

describe('a takeover', () => {
  it.each(['takeOver', 'collectFrom'] as const)('counts as done only when %s has succeeded', async (step) => {
    let now = START
    const failures = { takeOver: Number(step === 'takeOver'), collectFrom: Number(step === 'collectFrom') }
    const errors: string[] = []
    const gained: number[] = []
    const collected: number[] = []
    const fail = (step: keyof typeof failures) => {
      if (failures[step]-- > 0) throw new Error('connection lost')
    }
    const owner = createBucketOwner({
      name: 'ada',
      clock: { now: () => now, sleepUntil: async () => {} },
      ownership: {
        claim: async () => ({ owned: ALL, surplus: [] }),
        releaseBuckets: async () => {},
      },
      bucketHandoff: {
        async takeOver(buckets) {
          fail('takeOver')
          gained.push(buckets.size)
        },
        forget: () => {},
        busyBuckets: () => new Set(),
      },
      async collectFrom(buckets) {
        fail('collectFrom')
        collected.push(buckets.size)
      },
      reportError: (error) => errors.push(String(error)),
    })
    await owner.renew()
    expect(owner.owned().size).toBe(0)
    expect(owner.status()).toEqual({ owned: 256, notTakenUp: 256, sinceAt: START })
    now += SECOND
    await owner.renew()
    expect(owner.owned().size).toBe(256)
    expect(owner.status()).toEqual({ owned: 256, notTakenUp: 0 })
    expect([gained.at(-1), collected, errors.length]).toEqual([256, [256], 1])
  })
})

function startCrawl(faults: Faults, wrapQueue: (queue: ControllerQueue) => ControllerQueue = (queue) => queue) {
  const clock = createSteppedClock(START)
  const sites = Array.from({ length: 10 }, (_, n) => ({ name: `paper${n}`, feeds: [{ path: '/feed' }] }))
  const village = createVillage({ clock, sites })
  const store = createMemoryStore()
  const failingStore = createFailingStore(store, faults)
  const shared = createSharedQueue(clock, createFetcher({ net: village.net(), clock, obeyRobots: 'guesses' }))
  const search = createMemorySearch()
  const crawler = createCrawler({
    store: failingStore,
    search,
    queue: wrapQueue(shared.join()),
    clock,
    ownerName: 'ada',
    random: () => 0,
    knownBy: 'key',
    strategy: 'fixed:1h',
    limits: LIMITS,
    pollsPerDay: 'auto',
    concurrency: 8,
    gapMs: 2 * SECOND,
    keepEntriesMs: 0,
    keepPollsMs: 0,
    ...DEFAULT_GROUPING,
  })
  const getPageFolder = async () => '/nowhere'
  const server = createServer({
    ...rolesOf(store),
    search,
    clock,
    crawler,
    limits: LIMITS,
    version: '0',
    getPageFolder,
    host: '127.0.0.1',
  })
  const end = new AbortController()
  const running = crawler.run(end.signal)
  const stop = async () => {
    end.abort()
    await running
    const over = crawler.stop(0)
    await clock.advance(SECOND)
    await over
  }
  const urls = village.sites.flatMap((site) => site.feeds.map(({ url }) => url))
  const subscribeAll = () => crawler.subscribe(urls.map((url) => ({ url, kind: 'feed' })))
  return { clock, store, crawler, server, stop, subscribeAll }
}

/** Faults in which the first call of this name fails. */
function firstCall(name: string, when: 'before' | 'after'): Faults {
  let isOver = false
  return {
    at(call) {
      if (isOver || call !== name) return undefined
      isOver = true
      return when
    },
    calls: () => 0,
    failed: [],
    stop: () => {},
  }
}

it.each(['leases', 'feedsById', 'articlesById', 'claim'])(
  'records every poll when a takeover loses its connection in %s',
  async (call) => {
    const { clock, store, crawler, stop, subscribeAll } = startCrawl(firstCall(call, 'after'))
    await clock.advance(5 * SECOND)
    await subscribeAll()
    await clock.advance(3 * HOUR)
    expect((await store.counts()).polls).toBeGreaterThanOrEqual(30)
    expect(crawler.activity()).toMatchObject({ buckets: { owned: 256, notTakenUp: 0 } })
    await stop()
  },
)

it('reports a pending takeover in /healthz and the metrics until it succeeds', async () => {
  let isDisconnected = true
  const disconnect = (queue: ControllerQueue): ControllerQueue => ({
    ...queue,
    assignBuckets: (buckets) =>
      isDisconnected ? Promise.reject(new Error('no answer from NATS')) : queue.assignBuckets!(buckets),
  })
  const { clock, store, server, stop, subscribeAll } = startCrawl(firstCall('none', 'before'), disconnect)
  const health = () => server.app.request('http://127.0.0.1/healthz')
  const metrics = async () => (await server.app.request('http://127.0.0.1/metrics')).text()
  await subscribeAll()
  await clock.advance(MINUTE)
  expect((await health()).status).toBe(503)
  expect(await (await health()).json()).toMatchObject({ ok: false, error: expect.stringContaining('256 buckets') })
  expect(await metrics()).toMatch(/^freshet_buckets_stalled 256$/m)
  expect((await store.counts()).polls).toBe(0)
  isDisconnected = false
  await clock.advance(10 * MINUTE)
  expect((await health()).status).toBe(200)
  expect(await metrics()).toMatch(/^freshet_buckets_stalled 0$/m)
  expect((await store.counts()).polls).toBe(10)
  await stop()
})
