/**
 * A whole crawl for tests: real controller, fetcher, queue and server, the village as the web, and a clock that tests advance. In memory,
 * months pass within a second; `networkCrawl` serves the village on loopback and uses the real HTTP client.
 */
import { afterEach, expect } from 'vitest'
import { createSteppedClock } from '../src/clocks/index.ts'
import {
  type CrawlEvent,
  type CrawlerParts,
  createCrawler,
  createTerminal,
  GROUPING,
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
  /** It is not run: a test says what is done. */
  isIdle?: boolean
  /** What stands between the crawl and the village, such as a long way. */
  through?: (net: Net, clock: ReturnType<typeof createSteppedClock>) => Net
  /** What the queue does beside what it always does: see OVER_WIRES. */
  queueIs?: Partial<Unreliability>
  /** What stands between the crawl and its queue. */
  carriedBy?: (queue: Queue) => Queue
  /** The clock of whoever performs tasks, if it is another one. */
  terminalClock?: (clock: Clock) => Clock
  /** Work that other threads do for the store, for which the clock has to wait. */
  isBusy?: () => boolean
}

/** `BOX_SEED=7 npx vitest run src/crawl` has queues and stores behave in another way; a failing test tells its seeds. */
const SEED = Number(process.env.BOX_SEED ?? 1)

/** Every box has a queue that serialises and shuffles what it carries and brings every third outcome twice: no test must notice. */
const OVER_WIRES = { seed: SEED, doublesOutcomes: 1 / 3 }

/** `STORE_FAILS=1 npx vitest run FILES`: about so many of a thousand calls to the store fail (failing-parts.ts); no test must notice. */
const storeFails = process.env.STORE_FAILS === '1'
const FAULTS = 5

/** With it, hubs reach us. */
export const PUSH = { publicUrl: 'https://reader.example/freshet', newSecret: createSecrets() }

export const newspaperSite: SiteSpec = {
  name: 'gazette',
  feeds: [{ path: '/feed' }],
  rhythm: { kind: 'clockwork', everyMs: 20 * MINUTE },
}

/** Nothing but what a test publishes is new in it. */
export const quietNewspaperSite: SiteSpec = { ...newspaperSite, silentSince: START - 60 * MINUTE }

export type CrawlHarness = ReturnType<typeof boxOn>
let open: { stop(): Promise<void> }[] = []
let seeds = new Set<number>()

afterEach(async ({ task }) => {
  if (task.result?.state === 'fail') console.error(`"${task.name}" failed with these seeds: ${[...seeds].join(', ')}`)
  seeds = new Set()
  for (const one of open) await one.stop()
  open = []
})

export function box(sites: SiteSpec[], { isBusy = () => false, ...options }: CrawlHarnessOptions = {}): CrawlHarness {
  const stores = storesOf(options.store)
  const rest = restWhen(() => isBusy() || stores.isBusy())
  const clock = createSteppedClock(options.startAt ?? START, rest)
  const village = createVillage({ clock, sites })
  return boxOn(village, village.net(), clock, stores, options)
}

/** On real sockets; what is asked is seen as a server sees it. */
export async function networkCrawl(
  sites: SiteSpec[],
  {
    allowNetworks = ['127.0.0.0/8'],
    userAgent = 'Freshet/0 (+https://example.org/about)',
    dnsServers = [],
    ...options
  }: CrawlHarnessOptions & Partial<Pick<HttpNetOptions, 'allowNetworks' | 'userAgent' | 'dnsServers'>> = {},
) {
  let underWay = 0
  const stores = storesOf(options.store)
  const clock = createSteppedClock(
    options.startAt ?? START,
    restWhen(() => underWay > 0 || stores.isBusy()),
  )
  const village = createVillage({ clock, sites })
  const listening = await village.listen()
  // In simulated hours a kept connection would never grow old.
  const own = dnsServers.length > 0 ? { dnsServers } : {}
  const real = createHttpNet({ userAgent, allowNetworks, keepAliveMs: 0, ...own })
  const counted =
    <Request, Answer>(ask: (request: Request) => Promise<Answer>) =>
    (request: Request) => {
      underWay++
      return ask(request).finally(() => underWay--)
    }
  const net: Net = { get: counted(real.get), post: counted(real.post), close: real.close }
  const one = boxOn(village, net, clock, stores, options)
  open.push({
    async stop() {
      await net.close()
      await listening.close()
    },
  })
  return one
}

/** For a clock that has to wait for what others do. */
export function restWhen(isBusy: () => boolean): () => Promise<void> {
  return async () => {
    for (let quietTurns = 0; quietTurns < 5; quietTurns++) {
      await new Promise((resolve) => setImmediate(resolve))
      if (isBusy() || hasYielded()) quietTurns = 0
    }
  }
}

interface Stores {
  /** What a test looks into; it answers at once. */
  store: Store
  /** The same, as the crawl sees it. */
  used: Store
  isBusy: () => boolean
}

/** Of stores that take their time: another box may have the same. */
const waitedFor = new WeakMap<Store, () => boolean>()

function storesOf(given?: Store): Stores {
  if (storeIsPostgres && !given) {
    const { store, isBusy } = createPostgresCrawlStore()
    waitedFor.set(store, isBusy)
    open.push({ stop: () => store.close() })
    return { store, used: store, isBusy }
  }
  const store = given ?? createMemoryStore()
  if (storeFails)
    return {
      store,
      used: createFailingStore(store, randomFaults(SEED, FAULTS), REQUESTED_BY_USERS),
      isBusy: () => false,
    }
  if (!storeYields) return { store, used: store, isBusy: waitedFor.get(store) ?? (() => false) }
  const { store: used, isBusy } = createYieldingStore(store, SEED)
  return { store, used, isBusy }
}

function boxOn(
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
    through,
    queueIs,
    carriedBy = (queue) => queue,
    terminalClock = (own) => own,
    isIdle,
    ...options
  }: CrawlHarnessOptions,
) {
  const inner = createInProcessQueue({ concurrency: options.concurrency ?? 8 })
  const ways = { ...OVER_WIRES, ...queueIs }
  seeds.add(ways.seed)
  const unreliable = createUnreliableQueue(inner, clock, ways)
  const queue = carriedBy(unreliable)
  queue.serve(createTerminal({ net: through?.(net, clock) ?? net, clock: terminalClock(clock), obeyRobots }))
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
    ...GROUPING,
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
    pageFolder: async () => '/nowhere',
    host: '127.0.0.1',
  })
  village.hub.reach = async (url, init) => server.app.request(url.replace('/freshet', ''), init)
  const events: CrawlEvent[] = []
  crawler.onEvent((event) => events.push(event))
  const end = new AbortController()
  const running = isIdle ? Promise.resolve('stopped' as const) : crawler.run(end.signal)
  let stopped: Promise<void> | undefined
  const stop = async () => {
    end.abort()
    await running.catch((error: unknown) => {
      if (error !== one.mayEndWith) throw error
    })
    await crawler.stop(0)
  }
  const one = {
    /** Resolves when the crawl has ended, by itself or by `stop`. */
    running,
    /** Tells the crawl that the machine's clock was set. */
    jump: (byMs: Millis) => jump(byMs),
    /** What the crawl may throw without making the test fail. */
    mayEndWith: undefined as unknown,
    /** What it did to tasks and outcomes. */
    queue: unreliable,
    clock,
    village,
    store,
    search,
    crawler,
    server,
    events,
    stop: () => (stopped ??= stop()),
    /** Ends as a process does that is killed: what is out stays out. */
    die() {
      end.abort()
      stopped ??= running.then(() => {})
      return stopped
    },
  }
  open.unshift(one)
  return one
}

export function subscribe(crawler: RunningCrawler, village: Village) {
  return crawler.subscribe(village.sites.map(({ home }) => ({ url: home, kind: 'any' as const })))
}

/** By the addresses of the feeds themselves. */
export function subscribeFeeds(crawler: RunningCrawler, village: Village) {
  const feeds = village.sites.flatMap((site) => site.feeds)
  return crawler.subscribe(feeds.map(({ url }) => ({ url, kind: 'feed' as const })))
}

export function askedOf(village: Village, path: string) {
  return village.requests.filter((request) => new URL(request.url).pathname === path)
}

export function mistakes(events: CrawlEvent[]): CrawlEvent[] {
  return events.filter(({ kind }) => kind === 'mistake')
}

export async function onlyFeed(store: Store): Promise<ScheduledFeed> {
  const [only, ...others] = await store.feeds({ order: 'id', limit: 10 })
  expect(others).toEqual([])
  return only!
}

export function gapsOf(times: Instant[]): number[] {
  return times.slice(1).map((at, i) => at - times[i]!)
}

/** In the place of chance: long enough, and each another. */
function createSecrets(): () => string {
  let count = 0
  return () => `secret-${String(++count).padStart(12, '0')}`
}
