/** Several controllers on one store: who comes, goes or dies under load, and what the sites see of it. */
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
import { type CrawlEvent, createCrawler, createTerminal } from '../index.ts'

const GAP_MS = 2 * SECOND
const QUICK_MS = 3 * SECOND
const SLOW_MS = 100 * SECOND // longer than anybody expects who was answered quickly before
const SITES = 40

/** Two feeds each, so that there are turns to be waited for. */
const site = (n: number): SiteSpec => ({
  name: `paper${n}`,
  rhythm: { kind: 'clockwork', everyMs: 10 * MINUTE },
  feeds: [{ path: '/feed' }, { path: '/other' }],
})

/** What sites see: who is inside, and when the last one left. Answers take long enough for somebody to come between. */
function watched(net: Net, clock: SteppedClock) {
  const pace = { answerMs: QUICK_MS }
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
      await clock.sleepUntil(at + pace.answerMs, new AbortController().signal)
      const answer = await net.get(request)
      inside.set(root, inside.get(root)! - 1)
      leftAt.set(root, clock.now())
      return answer
    },
  }
  return { net: slow, faults, seen, pace }
}

/** What the queue between all of them has had, by its lease. */
type Carried = Set<string | undefined>

/** As one between machines does it: what it never had comes back, and is not taken afterwards. */
function recalling(queue: Queue, carried: Carried): Queue {
  let apply: (outcomes: Outcome[]) => Promise<void>
  return {
    ...queue,
    collect(applier) {
      apply = applier
      queue.collect(applier)
    },
    async send(tasks) {
      const first = tasks.filter(({ lease }) => !carried.has(lease))
      for (const { lease } of first) carried.add(lease)
      await queue.send(first)
    },
    async recall(tasks) {
      const result = { kind: 'unsent' } as const
      const unsent = tasks.filter(({ lease }) => !carried.has(lease))
      for (const { lease } of unsent) carried.add(lease)
      if (unsent.length > 0) await apply(unsent.map((task) => ({ task, at: 0, tookMs: 0, bytes: 0, result })))
    },
  }
}

function town() {
  const { store, isBusy } = storeIsPostgres
    ? createPostgresCrawlStore()
    : { store: createMemoryStore(), isBusy: () => false }
  const clock = storeIsPostgres ? createSteppedClock(START, restWhen(isBusy)) : createSteppedClock(START)
  const village = createVillage({ clock, sites: Array.from({ length: SITES }, (_, n) => site(n)) })
  const carried: Carried = new Set()
  return { clock, village, store, carried, ...watched(village.net(), clock) }
}

type Shared = 'store' | 'clock' | 'net' | 'carried'

/** A controller with its own hands. One that dies never comes back to anything it waits for. */
function join(name: string, { store, clock, net, carried }: Pick<ReturnType<typeof town>, Shared>, hands = 8) {
  let isDead = false
  const mortal = <Args extends unknown[], Answer>(work: (...args: Args) => Promise<Answer>) => {
    return async (...args: Args): Promise<Answer> => {
      const answer = await work(...args)
      return isDead ? new Promise<Answer>(() => {}) : answer
    }
  }
  const own = { ...clock, sleepUntil: mortal(clock.sleepUntil) }
  const queue = recalling(createInProcessQueue({ concurrency: hands }), carried)
  queue.serve(createTerminal({ net: { ...net, get: mortal(net.get) }, clock: own, obeyRobots: 'guesses' }))
  const crawler = createCrawler({
    store,
    search: createMemorySearch(),
    queue,
    clock: own,
    ownerName: name,
    random: () => 0,
    knownBy: 'key',
    strategy: 'fixed:15m',
    limits: LIMITS,
    pollsPerDay: 'auto',
    concurrency: hands,
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

async function subscribeAll({ village }: ReturnType<typeof town>, { crawler }: ReturnType<typeof join>) {
  const urls = village.sites.flatMap(({ feeds }) => feeds.map(({ url }) => url))
  await crawler.subscribe(urls.map((url) => ({ url, kind: 'feed' })))
}

/** The longest that any feed had to wait between two polls, or has now. */
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

async function noneTwice(store: Store): Promise<void> {
  for (const { feed } of await store.feeds({ order: 'id', limit: 999 })) {
    const entries = await store.entries({ feedId: feed.id, limit: 9999 })
    expect(new Set(entries.map(({ key }) => key)).size).toBe(entries.length)
  }
}

/** In PostgreSQL those that take minutes of it are left to the fleet's own tests. */
const long = it.skipIf(storeIsPostgres)

long('share the work, and hand it over while it goes on', { timeout: 60_000 }, async () => {
  const here = town()
  const { clock, store, seen, faults, pace } = here
  const ada = join('ada', here)
  await subscribeAll(here, ada)
  await clock.advance(HOUR - MINUTE)
  pace.answerMs = SLOW_MS
  while ((await store.leases()).length < 8) await clock.advance(SECOND) // all hands are out
  const bob = join('bob', here)
  await clock.advance(2 * MINUTE)
  pace.answerMs = QUICK_MS
  await clock.advance(HOUR)
  const cleo = join('cleo', here)
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
  await noneTwice(store)
  const over = Promise.all([bob.leave(), cleo.leave()])
  await clock.advance(4 * MINUTE)
  await over
  expect((await store.counts()).polls).toBe(seen.length)
})

long(
  'go on when one dies, and what it had under way keeps its doors until its lease ends',
  {
    timeout: 60_000,
  },
  async () => {
    const here = town()
    const { clock, store, seen, faults, pace } = here
    const ada = join('ada', here, 40)
    const bob = join('bob', here, 40)
    await subscribeAll(here, bob)
    await clock.advance(HOUR - MINUTE)
    pace.answerMs = SLOW_MS
    while ((await store.leases()).length < SITES) await clock.advance(SECOND) // somebody is at each site
    ada.die()
    await clock.advance(2 * MINUTE)
    pace.answerMs = QUICK_MS
    await clock.advance(2 * HOUR)
    expect(faults).toEqual([])
    expect((await store.claim('bob', clock.now(), clock.now() + 30 * SECOND)).owned.size).toBe(BUCKETS)
    expect(longestWait(seen, clock.now())).toBeLessThan(45 * MINUTE)
    const polls = await store.polls({ limit: 9999 })
    expect(new Set(polls.filter(({ at }) => at > clock.now() - 20 * MINUTE).map(({ feedId }) => feedId)).size).toBe(
      2 * SITES,
    )
    await noneTwice(store)
    const over = bob.leave()
    await clock.advance(4 * MINUTE)
    await over
  },
)

long('go on at once with what one had taken when it died, and had sent nobody for', { timeout: 60_000 }, async () => {
  const here = town()
  const { clock, store, seen, faults } = here
  const unlucky = { ...store }
  const ada = join('ada', { ...here, store: unlucky }, 40)
  const bob = join('bob', here, 40)
  await subscribeAll(here, bob)
  await clock.advance(HOUR)
  let taken: string[] = []
  unlucky.takeDue = async (...args) => {
    const { feeds } = await store.takeDue(...args)
    taken = feeds.map(({ feed }) => feed.url)
    if (taken.length > 0) ada.die()
    return taken.length > 0 ? new Promise(() => {}) : { feeds: [], sources: [] }
  }
  while (taken.length === 0) await clock.advance(SECOND)
  const diedAt = clock.now()
  await clock.advance(MINUTE)
  const waited = taken.map((url) => (seen.find((one) => one.url === url && one.at > diedAt)?.at ?? NEVER) - diedAt)
  expect(Math.max(...waited)).toBeLessThan(25 * SECOND) // some wait for a turn behind another feed of their site
  expect(faults).toEqual([])
  await noneTwice(store)
  const over = bob.leave()
  await clock.advance(4 * MINUTE)
  await over
})

it('hand over nothing that is still being recorded: nobody would ever hear that it has landed', {
  timeout: 60_000,
}, async () => {
  const here = town()
  const { clock, store, seen, faults } = here
  const { recordPolls } = store
  let recording = 0
  store.recordPolls = async (records) => {
    recording++
    await clock.sleepUntil(clock.now() + 20 * SECOND, new AbortController().signal)
    recording--
    return recordPolls(records)
  }
  const ada = join('ada', here, 2 * SITES)
  await subscribeAll(here, ada)
  while (recording === 0) await clock.advance(SECOND)
  const bob = join('bob', here, 2 * SITES)
  await clock.advance(4 * MINUTE)
  expect(seen).toHaveLength(2 * SITES) // everybody was visited, and nobody is due yet
  expect([ada, bob].map(({ crawler }) => crawler.activity().underWay)).toEqual([[], []])
  expect(faults).toEqual([])
  const over = Promise.all([ada.leave(), bob.leave()])
  await clock.advance(4 * MINUTE)
  await over
})
