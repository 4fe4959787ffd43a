/** Several controllers on one store that join, leave or die under load, and what sites see of it. */
import { expect, it } from 'vitest'
import { restWhen, START } from '../../../test/crawl-harness.ts'
import { createPostgresCrawlStore, storeIsPostgres } from '../../../test/postgres-crawl-stores.ts'
import { createSteppedClock, type SteppedClock } from '../../clocks/index.ts'
import { createVillage, type SiteSpec } from '../../lab/index.ts'
import { address } from '../../model/address.fixture.ts'
import { BUCKETS, type Bucket, HOUR, type Instant, MINUTE, NEVER, type Outcome, SECOND } from '../../model/index.ts'
import { rootOf } from '../../politeness/index.ts'
import type { Net, Queue, Store } from '../../ports/index.ts'
import { createInProcessQueue } from '../../queues/index.ts'
import { LIMITS } from '../../scheduling/index.ts'
import { createMemorySearch } from '../../search/index.ts'
import { createMemoryStore } from '../../stores/index.ts'
import { type CrawlEvent, createCrawler, createFetcher } from '../index.ts'

const GAP_MS = 2 * SECOND
const QUICK_MS = 3 * SECOND
const SLOW_MS = 100 * SECOND // much longer than the answers before
const SITES = 40

/** Two feeds each, so that tasks wait for host slots. */
const site = (n: number): SiteSpec => ({
  name: `paper${n}`,
  rhythm: { kind: 'clockwork', everyMs: 10 * MINUTE },
  feeds: [{ path: '/feed' }, { path: '/other' }],
})

/** Records what sites see: concurrent requests, and gaps. Answers take long enough for requests to overlap. */
function watchNet(net: Net, clock: SteppedClock) {
  const timing = { answerMs: QUICK_MS }
  const inside = new Map<string, number>()
  const leftAt = new Map<string, Instant>()
  const faults: string[] = []
  const seen: { url: string; at: Instant }[] = []
  const slow: Net = {
    ...net,
    async get(request) {
      const root = rootOf(address(request.url))
      const at = clock.now()
      seen.push({ url: request.url, at })
      if ((inside.get(root) ?? 0) > 0) faults.push(`two at once at ${root}`)
      if (at < (leftAt.get(root) ?? 0) + GAP_MS) faults.push(`too soon at ${root}`)
      inside.set(root, (inside.get(root) ?? 0) + 1)
      await clock.sleepUntil(at + timing.answerMs, new AbortController().signal)
      const answer = await net.get(request)
      inside.set(root, inside.get(root)! - 1)
      leftAt.set(root, clock.now())
      return answer
    },
  }
  return { net: slow, faults, seen, timing }
}

/** The leases of all tasks that the shared queue has received. */
type ReceivedLeases = Set<string | undefined>

/** Recalls tasks like a network queue: a task that it never received comes back unsent, and is not accepted afterwards. */
function withRecall(queue: Queue, received: ReceivedLeases): Queue {
  let apply: (outcomes: Outcome[]) => Promise<void>
  return {
    ...queue,
    collect(applier) {
      apply = applier
      queue.collect(applier)
    },
    async send(tasks) {
      const first = tasks.filter(({ lease }) => !received.has(lease))
      for (const { lease } of first) received.add(lease)
      await queue.send(first)
    },
    async recall(tasks) {
      const result = { kind: 'unsent' } as const
      const unsent = tasks.filter(({ lease }) => !received.has(lease))
      for (const { lease } of unsent) received.add(lease)
      if (unsent.length > 0) await apply(unsent.map((task) => ({ task, at: 0, tookMs: 0, bytes: 0, result })))
    },
  }
}

function setup() {
  const { store, isBusy } = storeIsPostgres
    ? createPostgresCrawlStore()
    : { store: createMemoryStore(), isBusy: () => false }
  const clock = storeIsPostgres ? createSteppedClock(START, restWhen(isBusy)) : createSteppedClock(START)
  const village = createVillage({ clock, sites: Array.from({ length: SITES }, (_, n) => site(n)) })
  const received: ReceivedLeases = new Set()
  return { clock, village, store, received, ...watchNet(village.net(), clock) }
}

type Shared = 'store' | 'clock' | 'net' | 'received'

/** A controller with slots of its own. After it dies, nothing it waits for resolves. */
function join(name: string, { store, clock, net, received }: Pick<ReturnType<typeof setup>, Shared>, slots = 8) {
  let isDead = false
  const untilDeath = <Args extends unknown[], Answer>(work: (...args: Args) => Promise<Answer>) => {
    return async (...args: Args): Promise<Answer> => {
      const answer = await work(...args)
      return isDead ? new Promise<Answer>(() => {}) : answer
    }
  }
  const ownClock = { ...clock, sleepUntil: untilDeath(clock.sleepUntil) }
  const queue = withRecall(createInProcessQueue({ concurrency: slots }), received)
  queue.serve(createFetcher({ net: { ...net, get: untilDeath(net.get) }, clock: ownClock, obeyRobots: 'guesses' }))
  const crawler = createCrawler({
    store,
    search: createMemorySearch(),
    queue,
    clock: ownClock,
    ownerName: name,
    random: () => 0,
    knownBy: 'key',
    strategy: 'fixed:15m',
    limits: LIMITS,
    pollsPerDay: 'auto',
    concurrency: slots,
    gapMs: GAP_MS,
    keepEntriesMs: 0,
    keepPollsMs: 0,
    copies: 'off',
    stories: 'off',
    groupWindowMs: HOUR,
    groupMemoryBytes: 1_000_000,
  })
  const events: CrawlEvent[] = []
  crawler.onEvent((event) => events.push(event))
  const end = new AbortController()
  const running = crawler.run(end.signal)
  return {
    crawler,
    events,
    die: () => {
      isDead = true
    },
    async leave() {
      end.abort()
      await running
      await crawler.stop(2 * MINUTE)
    },
  }
}

async function subscribeAll({ village }: ReturnType<typeof setup>, { crawler }: ReturnType<typeof join>) {
  const urls = village.sites.flatMap(({ feeds }) => feeds.map(({ url }) => url))
  await crawler.subscribe(urls.map((url) => ({ url, kind: 'feed' })))
}

/** The longest time between two polls of any feed, up to now. */
function longestWait(seen: { url: string; at: Instant }[], now: Instant): number {
  const last = new Map<string, Instant>()
  let longest = 0
  for (const { url, at } of seen) {
    longest = Math.max(longest, at - (last.get(url) ?? START))
    last.set(url, at)
  }
  for (const at of last.values()) longest = Math.max(longest, now - at)
  return longest
}

async function expectNoDuplicates(store: Store): Promise<void> {
  for (const { feed } of await store.feeds({ order: 'id', limit: 999 })) {
    const entries = await store.entries({ feedId: feed.id, limit: 9999 })
    expect(new Set(entries.map(({ key }) => key)).size).toBe(entries.length)
  }
}

/** Skipped with PostgreSQL, where they take minutes; the fleet tests cover it. */
const slowTest = it.skipIf(storeIsPostgres)

slowTest('share the work, and hand over buckets under load', { timeout: 60_000 }, async () => {
  const shared = setup()
  const { clock, store, seen, faults, timing } = shared
  const ada = join('ada', shared)
  await subscribeAll(shared, ada)
  await clock.advance(HOUR - MINUTE)
  timing.answerMs = SLOW_MS
  while ((await store.leases()).length < 8) await clock.advance(SECOND) // all slots are leasedUrls
  const bob = join('bob', shared)
  await clock.advance(2 * MINUTE)
  timing.answerMs = QUICK_MS
  await clock.advance(HOUR)
  const cleo = join('cleo', shared)
  await clock.advance(HOUR)
  const sharesOf = async () => {
    const claims = await Promise.all(
      ['ada', 'bob', 'cleo'].map((name) => store.claim(name, clock.now(), clock.now() + 30 * SECOND)),
    )
    return claims.map(({ owned }) => new Set<Bucket>(owned.keys()))
  }
  const shares = await sharesOf()
  expect(shares.reduce((sum, { size }) => sum + size, 0)).toBe(BUCKETS)
  for (const { size } of shares) expect(size).toBeGreaterThan(BUCKETS / 6)
  const polledBy = ({ events }: { events: CrawlEvent[] }) =>
    events.filter((event) => event.kind === 'polled' && event.at > clock.now() - HOUR).length
  for (const one of [ada, bob, cleo]) expect(polledBy(one)).toBeGreaterThan((2 * SITES * 4) / 10)

  const leaving = ada.leave()
  await clock.advance(HOUR)
  await leaving
  await clock.advance(HOUR)
  expect(polledBy(ada)).toBe(0)
  expect(faults).toEqual([])
  expect(longestWait(seen, clock.now())).toBeLessThan(21 * MINUTE)
  await expectNoDuplicates(store)
  const over = Promise.all([bob.leave(), cleo.leave()])
  await clock.advance(4 * MINUTE)
  await over
  expect((await store.counts()).polls).toBe(seen.length)
})

slowTest(
  'continue when one dies, and keep the host slots of its tasks until their leases end',
  {
    timeout: 60_000,
  },
  async () => {
    const shared = setup()
    const { clock, store, seen, faults, timing } = shared
    const ada = join('ada', shared, 40)
    const bob = join('bob', shared, 40)
    await subscribeAll(shared, bob)
    await clock.advance(HOUR - MINUTE)
    timing.answerMs = SLOW_MS
    while ((await store.leases()).length < SITES) await clock.advance(SECOND) // each site has a request in flight
    ada.die()
    await clock.advance(2 * MINUTE)
    timing.answerMs = QUICK_MS
    await clock.advance(2 * HOUR)
    expect(faults).toEqual([])
    expect((await store.claim('bob', clock.now(), clock.now() + 30 * SECOND)).owned.size).toBe(BUCKETS)
    expect(longestWait(seen, clock.now())).toBeLessThan(45 * MINUTE)
    const polls = await store.polls({ limit: 9999 })
    expect(new Set(polls.filter(({ at }) => at > clock.now() - 20 * MINUTE).map(({ feedId }) => feedId)).size).toBe(
      2 * SITES,
    )
    await expectNoDuplicates(store)
    const over = bob.leave()
    await clock.advance(4 * MINUTE)
    await over
  },
)

slowTest('send tasks at once that a controller had leased but not sent when it died', { timeout: 60_000 }, async () => {
  const shared = setup()
  const { clock, store, seen, faults } = shared
  const dyingStore = { ...store }
  const ada = join('ada', { ...shared, store: dyingStore }, 40)
  const bob = join('bob', shared, 40)
  await subscribeAll(shared, bob)
  await clock.advance(HOUR)
  let leasedUrls: string[] = []
  dyingStore.leaseDue = async (...args) => {
    const { feeds } = await store.leaseDue(...args)
    leasedUrls = feeds.map(({ feed }) => feed.url)
    if (leasedUrls.length > 0) ada.die()
    return leasedUrls.length > 0 ? new Promise(() => {}) : { feeds: [], sources: [] }
  }
  while (leasedUrls.length === 0) await clock.advance(SECOND)
  const diedAt = clock.now()
  await clock.advance(MINUTE)
  const waited = leasedUrls.map((url) => (seen.find((one) => one.url === url && one.at > diedAt)?.at ?? NEVER) - diedAt)
  expect(Math.max(...waited)).toBeLessThan(25 * SECOND) // some wait for the host slot behind another feed of their site
  expect(faults).toEqual([])
  await expectNoDuplicates(store)
  const over = bob.leave()
  await clock.advance(4 * MINUTE)
  await over
})

it('hand over no bucket while an outcome of it is being recorded', {
  timeout: 60_000,
}, async () => {
  const shared = setup()
  const { clock, store, seen, faults } = shared
  const { recordPolls } = store
  let recording = 0
  store.recordPolls = async (records) => {
    recording++
    await clock.sleepUntil(clock.now() + 20 * SECOND, new AbortController().signal)
    recording--
    return recordPolls(records)
  }
  const ada = join('ada', shared, 2 * SITES)
  await subscribeAll(shared, ada)
  while (recording === 0) await clock.advance(SECOND)
  const bob = join('bob', shared, 2 * SITES)
  await clock.advance(4 * MINUTE)
  expect(seen).toHaveLength(2 * SITES) // every feed was polled, and none is due yet
  expect([ada, bob].map(({ crawler }) => crawler.activity().inFlight)).toEqual([[], []])
  expect(faults).toEqual([])
  const over = Promise.all([ada.leave(), bob.leave()])
  await clock.advance(4 * MINUTE)
  await over
})
