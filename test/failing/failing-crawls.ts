/**
 * Crawls of a few sites for some simulated hours with failing store, queue and network, and what must hold afterwards: nothing lost,
 * doubled, stuck or silent. Each returns its complaints with the call that failed.
 */

import { createSteppedClock, type SteppedClock } from '../../src/clocks/index.ts'
import {
  type CrawlEvent,
  createCrawler,
  createFetcher,
  DEFAULT_GROUPING,
  type RunningCrawler,
} from '../../src/crawl/index.ts'
import { createVillage, type SiteSpec, type Village } from '../../src/lab/index.ts'
import { HOUR, type Instant, MINUTE, type Millis, SECOND, type WebAddress } from '../../src/model/index.ts'
import { rootOf } from '../../src/politeness/index.ts'
import { type ControllerQueue, type Net, rolesOf, type Store } from '../../src/ports/index.ts'
import { createInProcessQueue } from '../../src/queues/index.ts'
import { LIMITS } from '../../src/scheduling/index.ts'
import { createMemorySearch } from '../../src/search/index.ts'
import { createServer } from '../../src/server/index.ts'
import { createMemoryStore } from '../../src/stores/index.ts'
import {
  createFailingNet,
  createFailingQueue,
  createFailingStore,
  type Faults,
  isQueueFault,
} from '../fault-injection.ts'
import { createSharedQueue } from './shared-queue.ts'

const START = Date.UTC(2026, 0, 5, 8)
const GAP_MS = 2 * SECOND
const EVERY_MS = 20 * MINUTE
/** Faults occur for this long. In the quiet time after them everything must recover. */
const FAULTY_MS = 2 * HOUR
const FAULTY_AMONG_SEVERAL_MS = 44 * MINUTE // each renews its claim every three seconds
const QUIET_MS = 50 * MINUTE
const ANSWER_MS = SECOND

export interface CrawlFaults {
  store: Faults
  queue?: Faults
  net?: Faults
}

export interface Verdict {
  complaints: string[]
  calls: number
}

const paper = (n: number): SiteSpec => ({
  name: `paper${n}`,
  rhythm: { kind: 'clockwork', everyMs: 15 * MINUTE },
  feeds: [{ path: '/feed' }, { path: '/other', announced: 'no' }],
})
const PUSHED: SiteSpec = {
  name: 'pushed',
  rhythm: { kind: 'clockwork', everyMs: 40 * MINUTE },
  feeds: [{ path: '/feed', hub: true }],
}

/** Checks what sites see: no two requests at once, no missing gap, and no needless repetition. */
function watchNet(net: Net, clock: SteppedClock) {
  const inside = new Map<string, number>()
  const leftAt = new Map<string, Instant>()
  const lastAt = new Map<string, Instant>()
  const complaints: string[] = []
  const get: Net['get'] = async (request) => {
    const root = rootOf(request.url as WebAddress)
    const at = clock.now()
    if ((inside.get(root) ?? 0) > 0) complaints.push(`two at once at ${root}`)
    if (at < (leftAt.get(root) ?? 0) + GAP_MS) complaints.push(`too soon at ${root}`)
    const before = lastAt.get(request.url)
    if (before !== undefined && at - before < 4 * MINUTE)
      complaints.push(`${request.url} is requested again after ${at - before} ms`)
    lastAt.set(request.url, at)
    inside.set(root, (inside.get(root) ?? 0) + 1)
    await clock.sleepUntil(at + ANSWER_MS, new AbortController().signal)
    const answer = await net.get(request)
    inside.set(root, inside.get(root)! - 1)
    leftAt.set(root, clock.now())
    return answer
  }
  return { net: { ...net, get }, complaints }
}

function parts(clock: SteppedClock, store: Store) {
  return {
    store,
    search: createMemorySearch(),
    clock,
    random: () => 0,
    knownBy: 'key' as const,
    strategy: `fixed:${EVERY_MS / MINUTE}m`,
    limits: LIMITS,
    pollsPerDay: 'auto' as const,
    concurrency: 6,
    gapMs: GAP_MS,
    keepEntriesMs: 0,
    keepPollsMs: 0,
    ...DEFAULT_GROUPING,
    obeyRobots: 'guesses' as const,
  }
}

interface Announced {
  polls: number
  fresh: number
  pages: number
  found: number
  internalErrors: string[]
}

function collectEvents(crawler: RunningCrawler, announced: Announced): void {
  crawler.onEvent((event: CrawlEvent) => {
    if (event.kind === 'polled') {
      announced.polls++
      if (event.result.kind === 'read') announced.fresh += event.result.fresh
    }
    if (event.kind === 'pushed') announced.fresh += event.fresh
    if (event.kind === 'article') announced.pages++
    if (event.kind === 'found' && event.added) {
      announced.found++
      announced.polls++
      announced.fresh += event.entries
    }
    if (event.kind === 'internal-error' && !isQueueFault(event.error))
      announced.internalErrors.push(`${event.doing}: ${event.error}`)
  })
}

const createAnnounced = (): Announced => ({ polls: 0, fresh: 0, pages: 0, found: 0, internalErrors: [] })

/** Checks the state after the quiet time. */
async function complaintsOf(
  store: Store,
  village: Village,
  clock: SteppedClock,
  announced: Announced,
): Promise<string[]> {
  const complaints: string[] = []
  const now = clock.now()
  const feeds = await store.feeds({ order: 'id', limit: 99 })
  const wanted = village.sites
    .flatMap((site) => site.feeds)
    .filter(({ url }) => feeds.some((one) => one.feed.url === url))
  const expected = village.sites.flatMap((site) => site.feeds).length
  if (wanted.length !== expected || feeds.length !== expected) complaints.push(`${feeds.length} of ${expected} feeds`)
  for (const { feed, schedule } of feeds) {
    const ago = now - (schedule.polledAt ?? START)
    const isPushed = feed.url.includes(PUSHED.name) // polled only as a safety net
    if (!isPushed && ago > EVERY_MS + 2 * MINUTE)
      complaints.push(`stuck: ${feed.url} was polled ${Math.round(ago / MINUTE)} minutes ago`)
    const entries = await store.entries({ feedId: feed.id, limit: 999 })
    if (new Set(entries.map(({ key }) => key)).size !== entries.length)
      complaints.push(`duplicate entries in ${feed.url}`)
    const site = village.sites.find((one) => one.feeds.some(({ url }) => url === feed.url))!
    const titles = new Set(entries.map(({ title }) => title))
    const due = site.published(START, schedule.polledAt ?? START).map(({ title }) => title)
    const missing = due.filter((title) => !titles.has(title))
    if (missing.length > 0) complaints.push(`lost: ${missing.length} entries of ${feed.url}`)
  }
  const leases = await store.leases()
  if (leases.some(({ leasedAt }) => leasedAt < now - MINUTE)) complaints.push(`stuck: ${leases.length} leases`)
  const { polls, entries, articles } = await store.counts()
  if (announced.polls !== polls) complaints.push(`${polls} polls, ${announced.polls} announced`)
  if (announced.fresh !== entries) complaints.push(`${entries} entries, ${announced.fresh} announced`)
  const pages = articles.read + articles.failed
  if (announced.pages < pages) complaints.push(`${pages} pages, ${announced.pages} announced`)
  complaints.push(...[...new Set(announced.internalErrors)].map((one) => `internal error: ${one}`))
  return complaints
}

/** One process, with a source to discover, pages to fetch, and a hub that pushes. */
export async function oneProcess({ store: faults, queue: queueFaults, net: netFaults }: CrawlFaults): Promise<Verdict> {
  const clock = createSteppedClock(START)
  const village = createVillage({ clock, sites: [paper(0), paper(1), PUSHED] })
  const store = createMemoryStore()
  const failing = createFailingStore(store, faults)
  const seen = watchNet(village.net(), clock)
  const inner = createInProcessQueue({ concurrency: 6 })
  const queue = queueFaults ? createFailingQueue(inner, queueFaults) : inner
  const net = netFaults ? createFailingNet(seen.net, netFaults) : seen.net
  queue.serve(createFetcher({ net, clock, obeyRobots: 'guesses' }))
  let secrets = 0
  const push = {
    publicUrl: 'https://reader.example/freshet',
    newSecret: () => `secret-${String(++secrets).padStart(12, '0')}`,
  }
  const common = parts(clock, failing)
  const crawler = createCrawler({ ...common, queue, push, articles: { preference: 'always', backlog: 2 } })
  const getPageFolder = async () => '/nowhere'
  const server = createServer({
    ...rolesOf(failing),
    search: common.search,
    clock,
    crawler,
    limits: LIMITS,
    version: '0',
    getPageFolder,
    host: '127.0.0.1',
  })
  village.hub.send = async (url, init) => server.app.request(url.replace('/freshet', ''), init)
  const announced = createAnnounced()
  collectEvents(crawler, announced)
  const end = new AbortController()
  const running = crawler.run(end.signal)
  const [first, ...others] = village.sites.flatMap((site) => site.feeds.map(({ url }) => url))
  await retryUntilSuccess(clock, () =>
    crawler.subscribe([
      { url: village.sites[0]!.home, kind: 'any' },
      ...others.map((url) => ({ url, kind: 'feed' as const })),
    ]),
  )
  const pushedUrl = village.site('pushed').feeds[0]!.url
  for (let minutes = 0; minutes < FAULTY_MS / MINUTE; minutes += 40) {
    await clock.advance(40 * MINUTE)
    await village.hub.distribute(pushedUrl).catch(() => [])
  }
  stopAll([faults, queueFaults, netFaults])
  await clock.advance(QUIET_MS)
  const complaints = [...seen.complaints, ...(await complaintsOf(store, village, clock, announced))]
  if (!first) complaints.push('no feed')
  if (crawler.activity().refusal) complaints.push('it still reports a store error')
  const health = await server.app.request('http://127.0.0.1/healthz')
  if (health.status !== 200) complaints.push(`/healthz says ${health.status}`)
  end.abort()
  await running.catch((error: unknown) => complaints.push(`it ended with ${error}`))
  await crawler.stop(0)
  return { complaints, calls: faults.calls() }
}

/** Several controllers: two join later, one leaves and one dies. They share the faults. */
export async function severalControllers({
  store: faults,
  queue: queueFaults,
  net: netFaults,
}: CrawlFaults): Promise<Verdict> {
  const clock = createSteppedClock(START)
  const village = createVillage({ clock, sites: Array.from({ length: 8 }, (_, n) => paper(n)) })
  const store = createMemoryStore()
  const failing = createFailingStore(store, faults)
  const seen = watchNet(village.net(), clock)
  const net = netFaults ? createFailingNet(seen.net, netFaults) : seen.net
  const shared = createSharedQueue(clock, createFetcher({ net, clock, obeyRobots: 'guesses' }))
  const announced = createAnnounced()

  function join(ownerName: string) {
    let isDead = false
    const mortal = async (at: Instant, signal?: AbortSignal) => {
      await clock.sleepUntil(at, signal ?? new AbortController().signal)
      if (isDead) await new Promise(() => {})
    }
    const own = { ...clock, sleepUntil: mortal }
    const end: ControllerQueue = shared.join()
    const queue = queueFaults ? createFailingQueue(end, queueFaults) : end
    const crawler = createCrawler({ ...parts(clock, failing), clock: own, queue, ownerName })
    collectEvents(crawler, announced)
    const stop = new AbortController()
    const running = crawler.run(stop.signal)
    return {
      crawler,
      die() {
        isDead = true
      },
      async leave(graceMs: Millis) {
        stop.abort()
        await running.catch((error: unknown) => void announced.internalErrors.push(`it ended with ${error}`))
        await crawler.stop(graceMs)
      },
    }
  }

  const ada = join('ada')
  const bob = join('bob')
  const urls = village.sites.flatMap(({ feeds }) => feeds.map(({ url }) => url))
  await clock.advance(5 * SECOND)
  await retryUntilSuccess(clock, () => ada.crawler.subscribe(urls.map((url) => ({ url, kind: 'feed' as const }))))
  await clock.advance(FAULTY_AMONG_SEVERAL_MS / 4)
  const cem = join('cem')
  await clock.advance(FAULTY_AMONG_SEVERAL_MS / 4)
  const left = ada.leave(MINUTE)
  await clock.advance(FAULTY_AMONG_SEVERAL_MS / 4)
  const dan = join('dan')
  await clock.advance(FAULTY_AMONG_SEVERAL_MS / 8)
  dan.die()
  await clock.advance(FAULTY_AMONG_SEVERAL_MS / 8)
  await left
  stopAll([faults, queueFaults, netFaults])
  await clock.advance(QUIET_MS)
  const complaints = [...seen.complaints, ...(await complaintsOf(store, village, clock, announced))]
  for (const { crawler } of [bob, cem]) {
    const { refusal, buckets } = crawler.activity()
    if (refusal) complaints.push('a controller still reports a store error')
    if (!buckets || buckets.owned === 0 || buckets.notTakenUp > 0) complaints.push(`buckets ${JSON.stringify(buckets)}`)
  }
  const over = Promise.all([bob.leave(MINUTE), cem.leave(MINUTE)])
  await clock.advance(3 * MINUTE)
  await over
  return { complaints, calls: faults.calls() }
}

export const FAILING_CRAWLS = { 'one process': oneProcess, 'several controllers': severalControllers }

function stopAll(all: (Faults | undefined)[]): void {
  for (const one of all) one?.stop()
}

/** Retries a command like a user. */
async function retryUntilSuccess<T>(clock: SteppedClock, work: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await work()
    } catch (error) {
      if (tries === 1000) throw error
      await clock.advance(SECOND)
    }
  }
}

/** The faults, for the message of a failed test. */
export function describeFaults({ store, queue, net }: CrawlFaults): string {
  const all = [...store.failed, ...(queue?.failed ?? []), ...(net?.failed ?? [])]
  return all.map(({ nth, call, when }) => `${call} (${nth}, ${when})`).join(', ')
}
