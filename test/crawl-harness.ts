/**
 * A whole crawl for tests: real controller, fetcher, queue and server, the village as the web, and a clock that tests advance. In memory,
 * months pass within a second; `createNetworkHarness` serves the village on loopback and uses the real HTTP client.
 */
import { afterEach, expect } from 'vitest'
import { createSteppedClock } from '../src/clocks/index.ts'
import {
  type CrawlEvent,
  type CrawlerParts,
  createCrawler,
  createFetcher,
  DEFAULT_GROUPING,
  type RunningCrawler,
} from '../src/crawl/index.ts'
import { createVillage, type SiteSpec, type Village } from '../src/lab/index.ts'
import { type Instant, MINUTE, type Millis, type ScheduledFeed, SECOND } from '../src/model/index.ts'
import { createHttpNet, type HttpNetOptions } from '../src/net/index.ts'
import { type Clock, type Net, type Queue, rolesOf, type Store } from '../src/ports/index.ts'
import { createInProcessQueue } from '../src/queues/index.ts'
import { hasYielded } from '../src/runtime/index.ts'
import { LIMITS } from '../src/scheduling/index.ts'
import { createMemorySearch } from '../src/search/index.ts'
import { createServer } from '../src/server/index.ts'
import { createMemoryStore } from '../src/stores/index.ts'
import { createFailingStore, REQUESTED_BY_USERS, randomFaults } from './fault-injection.ts'
import { createPostgresCrawlStore, storeIsPostgres } from './postgres-crawl-stores.ts'
import { createUnreliableQueue, type Unreliability } from './unreliable-queue.ts'
import { createYieldingStore, storeYields } from './yielding-store.ts'

export const START = Date.UTC(2026, 0, 5, 8) // a Monday morning

export interface CrawlHarnessOptions extends Partial<Omit<CrawlerParts, 'clock' | 'queue'>> {
  startAt?: Instant
  /** The crawl is not run; the test calls it directly. */
  isIdle?: boolean
  /** Wraps the network between the crawl and the village, for example to slow it down. */
  wrapNet?: (net: Net, clock: ReturnType<typeof createSteppedClock>) => Net
  /** Changes DEFAULT_UNRELIABILITY. */
  queueFaults?: Partial<Unreliability>
  /** Wraps the queue. */
  wrapQueue?: (queue: Queue) => Queue
  /** The clock of the fetcher. Default: the clock of the crawl. */
  fetcherClock?: (clock: Clock) => Clock
  /** Whether other threads work for the store, which the clock has to wait for. */
  isBusy?: () => boolean
}

/** `HARNESS_SEED=7 npx vitest run src/crawl` changes the behavior of queues and stores; a failing test prints its seeds. */
const SEED = Number(process.env.HARNESS_SEED ?? 1)

/** Every harness has a queue that serializes and reorders messages and duplicates every third outcome. No test may depend on it. */
const DEFAULT_UNRELIABILITY = { seed: SEED, outcomeDuplicationRate: 1 / 3 }

/** `STORE_FAILS=1 npx vitest run FILES`: about FAULTS of a thousand store calls fail (fault-injection.ts). No test may depend on it. */
const storeFails = process.env.STORE_FAILS === '1'
const FAULTS = 5

/** Lets hubs reach the server. */
export const PUSH = { publicUrl: 'https://reader.example/freshet', newSecret: createSecrets() }

export const newspaperSite: SiteSpec = {
  name: 'gazette',
  feeds: [{ path: '/feed' }],
  rhythm: { kind: 'clockwork', everyMs: 20 * MINUTE },
}

/** Publishes only what a test publishes. */
export const quietNewspaperSite: SiteSpec = { ...newspaperSite, silentSince: START - 60 * MINUTE }

export type CrawlHarness = ReturnType<typeof createHarness>
let open: { stop(): Promise<void> }[] = []
let seeds = new Set<number>()

afterEach(async ({ task }) => {
  if (task.result?.state === 'fail') console.error(`"${task.name}" failed with these seeds: ${[...seeds].join(', ')}`)
  seeds = new Set()
  for (const harness of open) await harness.stop()
  open = []
})

export function createCrawlHarness(
  sites: SiteSpec[],
  { isBusy = () => false, ...options }: CrawlHarnessOptions = {},
): CrawlHarness {
  const stores = storesOf(options.store)
  const rest = restWhen(() => isBusy() || stores.isBusy())
  const clock = createSteppedClock(options.startAt ?? START, rest)
  const village = createVillage({ clock, sites })
  return createHarness(village, village.net(), clock, stores, options)
}

/** Uses real sockets, so requests are seen as a server sees them. */
export async function createNetworkHarness(
  sites: SiteSpec[],
  {
    allowNetworks = ['127.0.0.0/8'],
    userAgent = 'Freshet/0 (+https://example.org/about)',
    dnsServers = [],
    ...options
  }: CrawlHarnessOptions & Partial<Pick<HttpNetOptions, 'allowNetworks' | 'userAgent' | 'dnsServers'>> = {},
) {
  let requestsInFlight = 0
  const stores = storesOf(options.store)
  const clock = createSteppedClock(
    options.startAt ?? START,
    restWhen(() => requestsInFlight > 0 || stores.isBusy()),
  )
  const village = createVillage({ clock, sites })
  const listening = await village.listen()
  // With a simulated clock, an idle connection would never time out.
  const dns = dnsServers.length > 0 ? { dnsServers } : {}
  const real = createHttpNet({ userAgent, allowNetworks, keepAliveMs: 0, ...dns })
  const counted =
    <Request, Answer>(ask: (request: Request) => Promise<Answer>) =>
    (request: Request) => {
      requestsInFlight++
      return ask(request).finally(() => requestsInFlight--)
    }
  const net: Net = { get: counted(real.get), post: counted(real.post), close: real.close }
  const harness = createHarness(village, net, clock, stores, options)
  open.push({
    async stop() {
      await net.close()
      await listening.close()
    },
  })
  return harness
}

/** For a stepped clock: resolves when no other work is pending. */
export function restWhen(isBusy: () => boolean): () => Promise<void> {
  return async () => {
    for (let idleTurns = 0; idleTurns < 5; idleTurns++) {
      await new Promise((resolve) => setImmediate(resolve))
      if (isBusy() || hasYielded()) idleTurns = 0
    }
  }
}

interface Stores {
  /** The store as tests use it; it answers at once. */
  store: Store
  /** The same store as the crawl uses it. */
  used: Store
  isBusy: () => boolean
}

/** The busy checks of slow stores, because several harnesses may share one. */
const busyChecks = new WeakMap<Store, () => boolean>()

function storesOf(own?: Store): Stores {
  if (storeIsPostgres && !own) {
    const { store, isBusy } = createPostgresCrawlStore()
    busyChecks.set(store, isBusy)
    open.push({ stop: () => store.close() })
    return { store, used: store, isBusy }
  }
  const store = own ?? createMemoryStore()
  if (storeFails)
    return {
      store,
      used: createFailingStore(store, randomFaults(SEED, FAULTS), REQUESTED_BY_USERS),
      isBusy: () => false,
    }
  if (!storeYields) return { store, used: store, isBusy: busyChecks.get(store) ?? (() => false) }
  const { store: used, isBusy } = createYieldingStore(store, SEED)
  return { store, used, isBusy }
}

function createHarness(
  village: Village,
  net: Net,
  clock: ReturnType<typeof createSteppedClock>,
  { store, used }: Stores,
  {
    startAt: _,
    isBusy: _busy,
    store: _store,
    search = createMemorySearch(),
    obeyRobots = 'guesses',
    wrapNet,
    queueFaults,
    wrapQueue = (queue) => queue,
    fetcherClock = (clock) => clock,
    isIdle,
    ...options
  }: CrawlHarnessOptions,
) {
  const inner = createInProcessQueue({ concurrency: options.concurrency ?? 8 })
  const unreliability = { ...DEFAULT_UNRELIABILITY, ...queueFaults }
  seeds.add(unreliability.seed)
  const unreliable = createUnreliableQueue(inner, clock, unreliability)
  const queue = wrapQueue(unreliable)
  queue.serve(createFetcher({ net: wrapNet?.(net, clock) ?? net, clock: fetcherClock(clock), obeyRobots }))
  let jump: (byMs: Millis) => void = () => {}
  const crawler = createCrawler({
    store: used,
    search,
    queue,
    clock: {
      ...clock,
      onJump(listener) {
        jump = listener
        return () => {}
      },
    },
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
    obeyRobots,
    ...options,
  })
  const server = createServer({
    ...rolesOf(used),
    search,
    clock,
    crawler,
    limits: options.limits ?? LIMITS,
    version: '0',
    getPageFolder: async () => '/nowhere',
    host: '127.0.0.1',
  })
  village.hub.send = async (url, init) => server.app.request(url.replace('/freshet', ''), init)
  const events: CrawlEvent[] = []
  crawler.onEvent((event) => events.push(event))
  const end = new AbortController()
  const running = isIdle ? Promise.resolve('stopped' as const) : crawler.run(end.signal)
  let stopped: Promise<void> | undefined
  const stop = async () => {
    end.abort()
    await running.catch((error: unknown) => {
      if (error !== harness.expectedError) throw error
    })
    await crawler.stop(0)
  }
  const harness = {
    /** Resolves when the crawl has ended, by itself or by `stop`. */
    running,
    /** Notifies the crawl that the machine's clock was set. */
    jump: (byMs: Millis) => jump(byMs),
    /** The error with which the crawl may end. */
    expectedError: undefined as unknown,
    /** The queue, with counts of lost and duplicated tasks. */
    queue: unreliable,
    clock,
    village,
    store,
    search,
    crawler,
    server,
    events,
    stop: () => (stopped ??= stop()),
    /** Ends like a killed process: tasks stay in flight. */
    kill() {
      end.abort()
      stopped ??= running.then(() => {})
      return stopped
    },
  }
  open.unshift(harness)
  return harness
}

export function subscribe(crawler: RunningCrawler, village: Village) {
  return crawler.subscribe(village.sites.map(({ home }) => ({ url: home, kind: 'any' as const })))
}

/** Subscribes to the addresses of the feeds instead of the sites. */
export function subscribeFeeds(crawler: RunningCrawler, village: Village) {
  const feeds = village.sites.flatMap((site) => site.feeds)
  return crawler.subscribe(feeds.map(({ url }) => ({ url, kind: 'feed' as const })))
}

export function requestsTo(village: Village, path: string) {
  return village.requests.filter((request) => new URL(request.url).pathname === path)
}

export function internalErrors(events: CrawlEvent[]): CrawlEvent[] {
  return events.filter(({ kind }) => kind === 'internal-error')
}

export async function onlyFeed(store: Store): Promise<ScheduledFeed> {
  const [only, ...rest] = await store.feeds({ order: 'id', limit: 10 })
  expect(rest).toEqual([])
  return only!
}

export function gapsOf(times: Instant[]): number[] {
  return times.slice(1).map((at, i) => at - times[i]!)
}

/** Deterministic secrets: long enough, and all different. */
function createSecrets(): () => string {
  let count = 0
  return () => `secret-${String(++count).padStart(12, '0')}`
}
