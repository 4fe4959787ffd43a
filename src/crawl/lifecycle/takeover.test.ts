/** A store or a queue that fails while a controller takes buckets up: it tries again, and says so meanwhile. */
import { describe, expect, it } from 'vitest'
import { createSharedQueue } from '../../../test/failing/shared-queue.ts'
import { createFailingStore, type Faults } from '../../../test/fault-injection.ts'
import { createSteppedClock } from '../../clocks/index.ts'
import { createVillage } from '../../lab/index.ts'
import { type Bucket, HOUR, MINUTE, SECOND } from '../../model/index.ts'
import { type Dispatch, rolesOf } from '../../ports/index.ts'
import { LIMITS } from '../../scheduling/index.ts'
import { createMemorySearch } from '../../search/index.ts'
import { createServer } from '../../server/index.ts'
import { createMemoryStore } from '../../stores/index.ts'
import { createOwner } from '../fleet/bucket-owner.ts'
import { createCrawler, createTerminal, GROUPING } from '../index.ts'

const START = Date.UTC(2026, 0, 5, 8)
const ALL = new Map(Array.from({ length: 256 }, (_, bucket) => [bucket as Bucket, 1]))

describe('a takeover', () => {
  it.each(['gain', 'collectFrom'] as const)('in which %s fails counts when it has succeeded', async (step) => {
    let now = START
    const failures = { gain: Number(step === 'gain'), collectFrom: Number(step === 'collectFrom') }
    const troubles: string[] = []
    const gained: number[] = []
    const collected: number[] = []
    const fail = (what: keyof typeof failures) => {
      if (failures[what]-- > 0) throw new Error('connection lost')
    }
    const owner = createOwner({
      name: 'ada',
      clock: { now: () => now, sleepUntil: async () => {} },
      ownership: {
        claim: async () => ({ owned: ALL, surplus: [] }),
        letGo: async () => {},
        retire: async () => {},
      },
      handover: {
        async gain(buckets) {
          fail('gain')
          gained.push(buckets.size)
        },
        lose: () => {},
        bucketsUnderWay: () => new Set(),
      },
      async collectFrom(buckets) {
        fail('collectFrom')
        collected.push(buckets.size)
      },
      trouble: (error) => troubles.push(String(error)),
    })
    await owner.renew()
    expect(owner.owned().size).toBe(0)
    expect(owner.buckets()).toEqual({ owned: 256, notTakenUp: 256, sinceAt: START })
    now += SECOND
    await owner.renew()
    expect(owner.owned().size).toBe(256)
    expect(owner.buckets()).toEqual({ owned: 256, notTakenUp: 0 })
    expect([gained.at(-1), collected, troubles.length]).toEqual([256, [256], 1])
  })
})

function crawlWith(faults: Faults, carriedBy: (queue: Dispatch) => Dispatch = (queue) => queue) {
  const clock = createSteppedClock(START)
  const sites = Array.from({ length: 10 }, (_, n) => ({ name: `paper${n}`, feeds: [{ path: '/feed' }] }))
  const village = createVillage({ clock, sites })
  const store = createMemoryStore()
  const used = createFailingStore(store, faults)
  const shared = createSharedQueue(clock, createTerminal({ net: village.net(), clock, obeyRobots: 'guesses' }))
  const search = createMemorySearch()
  const crawler = createCrawler({
    store: used,
    search,
    queue: carriedBy(shared.join()),
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
    ...GROUPING,
  })
  const pageFolder = async () => '/nowhere'
  const server = createServer({
    ...rolesOf(store),
    search,
    clock,
    crawler,
    limits: LIMITS,
    version: '0',
    pageFolder,
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

/** The first call of this name fails. */
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

it.each(['leases', 'pageLeases', 'feedsById', 'claim'])(
  'that loses its connection in %s records every poll',
  async (call) => {
    const { clock, store, crawler, stop, subscribeAll } = crawlWith(firstCall(call, 'after'))
    await clock.advance(5 * SECOND)
    await subscribeAll()
    await clock.advance(3 * HOUR)
    expect((await store.counts()).polls).toBeGreaterThanOrEqual(30)
    expect(crawler.activity()).toMatchObject({ buckets: { owned: 256, notTakenUp: 0 } })
    await stop()
  },
)

it('that does not succeed is told by /healthz and the metrics, until it does', async () => {
  let isCut = true
  const cutOff = (queue: Dispatch): Dispatch => ({
    ...queue,
    own: (buckets) => (isCut ? Promise.reject(new Error('no answer from NATS')) : queue.own!(buckets)),
  })
  const { clock, store, server, stop, subscribeAll } = crawlWith(firstCall('nothing', 'before'), cutOff)
  const health = () => server.app.request('http://127.0.0.1/healthz')
  const metrics = async () => (await server.app.request('http://127.0.0.1/metrics')).text()
  await subscribeAll()
  await clock.advance(MINUTE)
  expect((await health()).status).toBe(503)
  expect(await (await health()).json()).toMatchObject({ ok: false, error: expect.stringContaining('256 buckets') })
  expect(await metrics()).toMatch(/^freshet_buckets_stalled 256$/m)
  expect((await store.counts()).polls).toBe(0)
  isCut = false
  await clock.advance(10 * MINUTE)
  expect((await health()).status).toBe(200)
  expect(await metrics()).toMatch(/^freshet_buckets_stalled 0$/m)
  expect((await store.counts()).polls).toBe(10)
  await stop()
})
