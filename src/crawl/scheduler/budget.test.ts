import { describe, expect, it } from 'vitest'
import {
  type CrawlHarnessOptions,
  createCrawlHarness,
  internalErrors,
  subscribeFeeds,
} from '../../../test/crawl-harness.ts'
import { memoryStore } from '../../../test/yielding-store.ts'
import { createSteppedClock } from '../../clocks/index.ts'
import type { SiteSpec } from '../../lab/index.ts'
import { address } from '../../model/address.fixture.ts'
import { DAY, type FeedId, HOUR, type Market, MINUTE, type Poll } from '../../model/index.ts'
import { rolesOf, type Store } from '../../ports/index.ts'
import { createInProcessQueue } from '../../queues/index.ts'
import { LIMITS } from '../../scheduling/index.ts'
import { createMemorySearch } from '../../search/index.ts'
import { explainSchedule } from '../../views/explain-schedule.ts'
import { createCrawler, DEFAULT_GROUPING, feedToAdd } from '../index.ts'
import { createBudget } from './budget.ts'

const START = Date.UTC(2026, 0, 5)
const aFeed = { subscribers: 1, folder: 'News' }

describe('a budget', () => {
  const feedsOf = (count: number, strategy = 'round-robin') =>
    Array.from({ length: count }, (_, i) =>
      feedToAdd({ url: address(`https://b${i}.example/`), title: '' }, strategy, START),
    )

  it('keeps its price and the goals of folders after a restart', async () => {
    const store = memoryStore()
    await store.addFeeds(feedsOf(20))
    const first = createBudget(rolesOf(store), { limits: LIMITS, pollsPerDay: 100 }, START)
    await first.begin()
    for (let at = START; at < START + 3 * DAY; at += HOUR) {
      await first.updatePrice(at)
      await first.countPolls({ following: 5, others: 0 }, at) // a fifth more than the budget
    }
    await first.setFolderPreferences('News', { minMs: HOUR })
    const { price } = (await store.market())!
    expect(price).toBeGreaterThan(1.1 * 20 * 14.4 * MINUTE) // the price at which they would use exactly the budget

    const second = createBudget(rolesOf(store), { limits: LIMITS, pollsPerDay: 100 }, START + 3 * DAY + HOUR)
    await second.begin()
    expect(second.terms(aFeed).price / price).toBeCloseTo(1, 1)
    expect(second.terms(aFeed).limits.minMs).toBe(HOUR)
    expect(second.terms({ ...aFeed, folder: 'Other' }).limits.minMs).toBe(LIMITS.minMs)
  })

  it('adopts a budget that a user sets at runtime, after a restart and in another process', async () => {
    const store = memoryStore()
    const options = { limits: LIMITS, pollsPerDay: 'auto' as const }
    const budget = createBudget(rolesOf(store), options, START)
    await budget.begin()
    const shared = () => budget.remainingBudget()?.pollsPerDay
    expect([shared(), budget.remainingBudget()?.minPrice]).toEqual([24, 10 * MINUTE])
    await budget.setPollsPerDay(480, START)
    expect([shared(), budget.remainingBudget()?.minPrice]).toEqual([480, 0])
    await store.changePollSettings({ pollsPerDay: 960 }) // set by another process
    await budget.updatePrice(START + MINUTE)
    expect(shared()).toBe(960)
    const again = createBudget(rolesOf(store), options, START + HOUR)
    await again.begin()
    expect(again.remainingBudget()?.pollsPerDay).toBe(960)
    await again.setPollsPerDay(undefined, START + HOUR)
    expect(again.remainingBudget()).toMatchObject({ pollsPerDay: 24, minPrice: 10 * MINUTE })
  })

  it('ignores the budget of a user if one is configured', async () => {
    const store = memoryStore()
    await store.changePollSettings({ pollsPerDay: 7 })
    const budget = createBudget(rolesOf(store), { limits: LIMITS, pollsPerDay: 100 }, START)
    await budget.begin()
    await budget.setPollsPerDay(9, START)
    await budget.updatePrice(START + MINUTE)
    expect(budget.remainingBudget()?.pollsPerDay).toBe(100)
  })

  it('can begin again after the store failed', async () => {
    const store = memoryStore()
    let isBroken = true
    const pollSettings = () => (isBroken ? Promise.reject(new Error('not now')) : store.pollSettings())
    const roles = { ...rolesOf(store), pollMarket: { ...rolesOf(store).pollMarket, pollSettings } }
    const budget = createBudget(roles, { limits: LIMITS, pollsPerDay: 100 }, START)
    await expect(budget.begin()).rejects.toThrow('not now')
    isBroken = false
    await store.changePollSettings({ folder: 'News', goals: { minMs: HOUR } })
    await budget.begin()
    expect(budget.terms(aFeed).limits.minMs).toBe(HOUR)
  })

  it('without a budget, makes no poll that would save an entry less than ten minutes', async () => {
    const store = memoryStore()
    await store.addFeeds(feedsOf(3, 'fixed'))
    const budget = createBudget(rolesOf(store), { limits: LIMITS, pollsPerDay: 'auto' }, START)
    await budget.begin()
    for (let at = START; at < START + 30 * DAY; at += 6 * HOUR) await budget.updatePrice(at)
    expect(budget.terms(aFeed).price).toBe(10 * MINUTE)
  })
})

describe('the initial price', () => {
  const feedsOf = (from: number, upTo: number, strategy: string) =>
    Array.from({ length: upTo - from }, (_, i) =>
      feedToAdd({ url: address(`https://a${from + i}.example/`), title: '' }, strategy, START),
    )

  it('follows from the budget and the number of feeds', async () => {
    const prices: number[] = []
    for (const feeds of [40, 400]) {
      const store = memoryStore()
      await store.addFeeds(feedsOf(0, feeds, 'round-robin'))
      const budget = createBudget(rolesOf(store), { limits: LIMITS, pollsPerDay: 480 }, START)
      await budget.begin()
      prices.push(budget.terms(aFeed).price)
    }
    expect(prices[0]! / HOUR).toBeCloseTo(2, 1)
    expect(prices[1]! / HOUR).toBeCloseTo(20, 0)
  })

  it('is computed again within an hour after many feeds were added or removed, and after a restart', async () => {
    const store = memoryStore()
    const added = await store.addFeeds(feedsOf(0, 40, 'round-robin'))
    const budget = createBudget(rolesOf(store), { limits: LIMITS, pollsPerDay: 480 }, START)
    await budget.begin()
    await store.addFeeds(feedsOf(40, 80, 'round-robin'))
    await budget.updatePrice(START + 29 * MINUTE)
    expect(budget.terms(aFeed).price / HOUR).toBeCloseTo(2, 1)
    await budget.updatePrice(START + 30 * MINUTE)
    expect(budget.terms(aFeed).price / HOUR).toBeGreaterThan(3) // four, and cheaper while nothing is spent
    expect(budget.terms(aFeed).price / HOUR).toBeLessThan(4.2)
    for (const { id } of added) await store.changeFeed(id, { state: 'paused' }, {})
    const next = createBudget(rolesOf(store), { limits: LIMITS, pollsPerDay: 480 }, START + DAY)
    await next.begin()
    expect(next.terms(aFeed).price / HOUR).toBeCloseTo(2, 0)
  })

  it('is computed from the feeds where an earlier version saved a price', async () => {
    const store = memoryStore()
    await store.addFeeds(feedsOf(0, 40, 'round-robin'))
    const before = { price: 7 * HOUR, turns: [5, 6], polls: 3, turnAt: START + HOUR, purse: { polls: 3, at: START } }
    await store.recordMarket(before as unknown as Market)
    const budget = createBudget(rolesOf(store), { limits: LIMITS, pollsPerDay: 480 }, START)
    await budget.begin()
    expect(budget.terms(aFeed).price / HOUR).toBeCloseTo(2, 1) // forty feeds, twelve polls a day each
    await budget.publish()
    expect(await store.market()).not.toHaveProperty('purse')
  })

  it('spreads the first polls of a long list over days, and allows a hundred at once', async () => {
    const store = memoryStore()
    const ids = (await store.addFeeds(feedsOf(0, 300, 'tide'))).map(({ id }) => id)
    const scheduled = await store.feedsById(ids)
    const budget = createBudget(rolesOf(store), { limits: LIMITS, pollsPerDay: 48 }, START)
    await budget.begin()
    const goes = (at: number) => scheduled.filter((one) => one && !budget.waitOf(one, at)).length
    expect(goes(START)).toBe(100)
    expect(goes(START)).toBe(100) // again, because they may have waited for their host slots
    expect(budget.waitOf(scheduled[0]!, START)).toBeUndefined()
    const { until } = budget.waitOf(scheduled[299]!, START)!
    expect(until).toBeGreaterThan(START)
    expect(budget.waitOf(scheduled[299]!, START + DAY)).toBeUndefined()
  })
})

describe('a budget that a user set', () => {
  const busy = (name: string, everyMs: number): SiteSpec => ({
    name,
    feeds: [{ path: '/feed' }],
    rhythm: { kind: 'clockwork', everyMs },
  })

  /** The number of polls on each of the first days. */
  async function pollsByDay(sites: SiteSpec[], options: CrawlHarnessOptions, days = 3): Promise<number[]> {
    const one = createCrawlHarness(sites, options)
    await subscribeFeeds(one.crawler, one.village)
    const polls: number[] = []
    for (let day = 0, before = 0; day < days; day++) {
      await one.clock.advance(DAY)
      const { polls: now } = await one.store.counts()
      polls.push(now - before)
      before = now
    }
    expect(internalErrors(one.events)).toEqual([])
    return polls
  }

  it.each([
    ['one feed that always has news', [busy('a', 10 * MINUTE)], 24, { strategy: 'tide' }],
    ['one feed with a strategy without a price', [busy('a', HOUR)], 24, { strategy: 'fixed:10m' }],
    [
      'ten feeds, most of them quiet',
      Array.from({ length: 10 }, (_, i) => busy(`a${i}`, i < 2 ? 10 * MINUTE : 12 * HOUR)),
      60,
      { strategy: 'tide' },
    ],
  ])('is kept from the first day on: %s', async (_, sites, pollsPerDay, options) => {
    for (const polls of await pollsByDay(sites, { pollsPerDay, ...options })) {
      expect(polls).toBeGreaterThan(0.5 * pollsPerDay)
      expect(polls).toBeLessThanOrEqual(1.5 * pollsPerDay + sites.length + 4) // a day here is parts of two, each with a bound
    }
  })

  it('takes precedence over goals, and stays the same after a restart', async () => {
    const first = createCrawlHarness([busy('a', HOUR)], {
      strategy: 'tide',
      pollsPerDay: 24,
      limits: { ...LIMITS, minMs: MINUTE },
    })
    await subscribeFeeds(first.crawler, first.village)
    await first.clock.advance(MINUTE)
    const [scheduled] = await first.store.feeds({ order: 'id', limit: 1 })
    await first.crawler.edit(scheduled!.feed.id, { wants: { goalMs: MINUTE, maxMs: 5 * MINUTE } })
    let one = first
    for (let day = 1; day < 12; day++) {
      await one.clock.advance(2 * HOUR)
      await one.stop()
      const { store, clock } = one
      one = createCrawlHarness([busy('a', HOUR)], { strategy: 'tide', pollsPerDay: 24, store, startAt: clock.now() })
    }
    // The limit of the feed calls for 264; these hours are parts of two days, each with a bound.
    expect((await one.store.counts()).polls).toBeLessThanOrEqual(48)
  })

  it('does not limit polls that users request, nor the first poll of each feed', async () => {
    const sites = Array.from({ length: 8 }, (_, i) => busy(`a${i}`, 12 * HOUR))
    const one = createCrawlHarness(sites, { strategy: 'fixed:30m', pollsPerDay: 2 })
    await subscribeFeeds(one.crawler, one.village)
    await one.clock.advance(HOUR)
    expect((await one.store.counts()).unpolled).toBe(0)
    const before = (await one.store.counts()).polls
    for (const { feed } of await one.store.feeds({ order: 'id', limit: 8 })) await one.crawler.pollNow(feed.id)
    await one.clock.advance(5 * MINUTE)
    expect((await one.store.counts()).polls).toBe(before + 8)
  })
})

describe('changing a strategy or goal', () => {
  async function crawlWith(strategy: string) {
    const store = memoryStore()
    const clock = createSteppedClock(START)
    const crawler = createCrawler({
      store,
      search: createMemorySearch(),
      queue: createInProcessQueue({ concurrency: 1 }),
      clock,
      random: () => 0,
      knownBy: 'key',
      strategy,
      limits: LIMITS,
      pollsPerDay: 'auto',
      concurrency: 1,
      gapMs: 0,
      keepEntriesMs: 0,
      keepPollsMs: 0,
      ...DEFAULT_GROUPING,
    })
    const id = await polledFeed(store, strategy)
    const dueAt = async () => (await store.feedsById([id]))[0]!.schedule.dueAt
    return { store, crawler, id, dueAt }
  }

  /** Polled at START with an entry every two hours before, and due in ten days. */
  async function polledFeed(store: Store, strategy: string): Promise<FeedId> {
    const added = feedToAdd({ url: address('https://a.example/'), title: 'A', folder: 'News' }, strategy, START)
    const [{ id } = { id: 0 as FeedId }] = await store.addFeeds([added])
    const fresh = Array.from({ length: 30 }, (_, i) => ({
      key: `${i}`,
      title: `No. ${i}`,
      publishedAt: START - (30 - i) * 2 * HOUR,
    }))
    const result: Poll['result'] = { kind: 'read', fresh: 30, changed: 0, window: 30, gap: false }
    const schedule = {
      ...added.schedule,
      polledAt: START,
      succeededAt: START,
      dueAt: START + 10 * DAY,
      because: { by: 'strategy' as const, price: HOUR },
    }
    const poll = { feedId: id, at: START, tookMs: 1, bytes: 1, conditional: false, result }
    await store.recordPolls([{ poll, schedule, fresh, changed: [] }])
    return id
  }

  it('lets a new strategy learn from the stored entries', async () => {
    const { crawler, id, dueAt, store } = await crawlWith('fixed:10d')
    await crawler.edit(id, { strategy: 'moving-average' })
    expect(await dueAt()).toBe(START + 2 * HOUR)
    expect((await store.feedsById([id]))[0]!.schedule.memory.length).toBe(30 * 8)
  })

  it('reschedules a feed, or those of a folder, to an earlier time only', async () => {
    const { crawler, id, dueAt } = await crawlWith('fixed:10d')
    await crawler.edit(id, { wants: { maxMs: DAY } })
    expect(await dueAt()).toBe(START + DAY)
    await crawler.setFolderPreferences('News', { maxMs: HOUR })
    expect(await dueAt()).toBe(START + DAY) // the feed's goal takes precedence over that of its folder
    await crawler.edit(id, { wants: {} })
    expect(await dueAt()).toBe(START + HOUR)
    await crawler.setFolderPreferences('News', { minMs: 5 * DAY })
    expect(await dueAt()).toBe(START + HOUR)
  })

  it('does not reschedule a feed whose server sent Retry-After', async () => {
    const { crawler, id, dueAt, store } = await crawlWith('fixed:10d')
    await store.changeFeed(id, {}, { because: { by: 'server', price: HOUR } })
    await crawler.edit(id, { wants: { maxMs: HOUR } })
    expect(await dueAt()).toBe(START + 10 * DAY)
  })

  it('stores the reason of the due time', async () => {
    const { id, store } = await crawlWith('fixed:10d')
    const [scheduled] = await store.feedsById([id])
    expect(await explainSchedule(scheduled!, { pollMarket: store, limits: LIMITS })).toEqual({
      by: 'strategy',
      words: 'it is polled every 10d',
      figures: { everyMs: 10 * DAY },
    })
  })
})
