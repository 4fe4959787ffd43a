import { describe, expect, it } from 'vitest'
import { box, type CrawlHarnessOptions, mistakes, subscribeFeeds } from '../../../test/crawl-harness.ts'
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
import { createCrawler, feedToAdd, GROUPING } from '../index.ts'
import { createBudget } from './budget.ts'

const START = Date.UTC(2026, 0, 5)
const aFeed = { subscribers: 1, folder: 'News' }

describe('the budget', () => {
  const feedsOf = (count: number, strategy = 'round-robin') =>
    Array.from({ length: count }, (_, i) =>
      feedToAdd({ url: address(`https://b${i}.example/`), title: '' }, strategy, START),
    )

  it('goes on after a restart at the price it had, and with what is wanted of folders', async () => {
    const store = memoryStore()
    await store.addFeeds(feedsOf(20))
    const first = createBudget(rolesOf(store), { limits: LIMITS, pollsPerDay: 100 }, START)
    await first.begin()
    for (let at = START; at < START + 3 * DAY; at += HOUR) {
      await first.turn(at)
      await first.count({ following: 5, others: 0 }, at) // a fifth more than the budget
    }
    await first.want('News', { minMs: HOUR })
    const { price } = (await store.market())!
    expect(price).toBeGreaterThan(1.1 * 20 * 14.4 * MINUTE) // at which they would make just as many

    const second = createBudget(rolesOf(store), { limits: LIMITS, pollsPerDay: 100 }, START + 3 * DAY + HOUR)
    await second.begin()
    expect(second.terms(aFeed).price / price).toBeCloseTo(1, 1)
    expect(second.terms(aFeed).limits.minMs).toBe(HOUR)
    expect(second.terms({ ...aFeed, folder: 'Other' }).limits.minMs).toBe(LIMITS.minMs)
  })

  it('follows what a person names while it runs, over a restart, too, and whoever was told', async () => {
    const store = memoryStore()
    const options = { limits: LIMITS, pollsPerDay: 'auto' as const }
    const budget = createBudget(rolesOf(store), options, START)
    await budget.begin()
    const shared = () => budget.toShareOut()?.pollsPerDay
    expect([shared(), budget.toShareOut()?.leastPrice]).toEqual([24, 10 * MINUTE])
    await budget.name(480, START)
    expect([shared(), budget.toShareOut()?.leastPrice]).toEqual([480, 0])
    await store.nameBudget(960) // another process was told
    await budget.turn(START + MINUTE)
    expect(shared()).toBe(960)
    const again = createBudget(rolesOf(store), options, START + HOUR)
    await again.begin()
    expect(again.toShareOut()?.pollsPerDay).toBe(960)
    await again.name(undefined, START + HOUR)
    expect(again.toShareOut()).toMatchObject({ pollsPerDay: 24, leastPrice: 10 * MINUTE })
  })

  it('is the one that is configured, whatever a person names', async () => {
    const store = memoryStore()
    await store.nameBudget(7)
    const budget = createBudget(rolesOf(store), { limits: LIMITS, pollsPerDay: 100 }, START)
    await budget.begin()
    await budget.name(9, START)
    await budget.turn(START + MINUTE)
    expect(budget.toShareOut()?.pollsPerDay).toBe(100)
  })

  it('begins again where the store failed the first time', async () => {
    const store = memoryStore()
    let isBroken = true
    const folders = () => (isBroken ? Promise.reject(new Error('not now')) : store.folders())
    const roles = { ...rolesOf(store), marketBook: { ...rolesOf(store).marketBook, folders } }
    const budget = createBudget(roles, { limits: LIMITS, pollsPerDay: 100 }, START)
    await expect(budget.begin()).rejects.toThrow('not now')
    isBroken = false
    await store.wantOfFolder('News', { minMs: HOUR })
    await budget.begin()
    expect(budget.terms(aFeed).limits.minMs).toBe(HOUR)
  })

  it('without one, spends no poll that would save an entry less than ten minutes', async () => {
    const store = memoryStore()
    await store.addFeeds(feedsOf(3, 'fixed'))
    const budget = createBudget(rolesOf(store), { limits: LIMITS, pollsPerDay: 'auto' }, START)
    await budget.begin()
    for (let at = START; at < START + 30 * DAY; at += 6 * HOUR) await budget.turn(at)
    expect(budget.terms(aFeed).price).toBe(10 * MINUTE)
  })
})

describe('the opening', () => {
  const feedsOf = (from: number, upTo: number, strategy: string) =>
    Array.from({ length: upTo - from }, (_, i) =>
      feedToAdd({ url: address(`https://a${from + i}.example/`), title: '' }, strategy, START),
    )

  it('is at a price that the budget and the number of feeds call for', async () => {
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

  it('is looked at again within an hour after many feeds were added or removed, and after a restart', async () => {
    const store = memoryStore()
    const made = await store.addFeeds(feedsOf(0, 40, 'round-robin'))
    const budget = createBudget(rolesOf(store), { limits: LIMITS, pollsPerDay: 480 }, START)
    await budget.begin()
    await store.addFeeds(feedsOf(40, 80, 'round-robin'))
    await budget.turn(START + 29 * MINUTE)
    expect(budget.terms(aFeed).price / HOUR).toBeCloseTo(2, 1)
    await budget.turn(START + 30 * MINUTE)
    expect(budget.terms(aFeed).price / HOUR).toBeGreaterThan(3) // four, and cheaper while nothing is spent
    expect(budget.terms(aFeed).price / HOUR).toBeLessThan(4.2)
    for (const { id } of made) await store.changeFeed(id, { state: 'paused' }, {})
    const next = createBudget(rolesOf(store), { limits: LIMITS, pollsPerDay: 480 }, START + DAY)
    await next.begin()
    expect(next.terms(aFeed).price / HOUR).toBeCloseTo(2, 0)
  })

  it('is by what feeds say where an earlier version left a price', async () => {
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

  it('spreads the first looks of a long list over days, and lets a hundred go at once', async () => {
    const store = memoryStore()
    const ids = (await store.addFeeds(feedsOf(0, 300, 'tide'))).map(({ id }) => id)
    const held = await store.feedsById(ids)
    const budget = createBudget(rolesOf(store), { limits: LIMITS, pollsPerDay: 48 }, START)
    await budget.begin()
    const goes = (at: number) => held.filter((one) => one && !budget.waits(one, at)).length
    expect(goes(START)).toBe(100)
    expect(goes(START)).toBe(100) // the same, for they may have had to wait for their turn
    expect(budget.waits(held[0]!, START)).toBeUndefined()
    const { until } = budget.waits(held[299]!, START)!
    expect(until).toBeGreaterThan(START)
    expect(budget.waits(held[299]!, START + DAY)).toBeUndefined()
  })
})

describe('a budget that somebody named', () => {
  const busy = (name: string, everyMs: number): SiteSpec => ({
    name,
    feeds: [{ path: '/feed' }],
    rhythm: { kind: 'clockwork', everyMs },
  })

  /** How many polls there were in each of the first days. */
  async function pollsByDay(sites: SiteSpec[], options: CrawlHarnessOptions, days = 3): Promise<number[]> {
    const one = box(sites, options)
    await subscribeFeeds(one.crawler, one.village)
    const polls: number[] = []
    for (let day = 0, before = 0; day < days; day++) {
      await one.clock.advance(DAY)
      const { polls: now } = await one.store.counts()
      polls.push(now - before)
      before = now
    }
    expect(mistakes(one.events)).toEqual([])
    return polls
  }

  it.each([
    ['one feed that always has news', [busy('a', 10 * MINUTE)], 24, { strategy: 'tide' }],
    ['one feed of a strategy that knows no price', [busy('a', HOUR)], 24, { strategy: 'fixed:10m' }],
    [
      'ten feeds, most of them quiet',
      Array.from({ length: 10 }, (_, i) => busy(`a${i}`, i < 2 ? 10 * MINUTE : 12 * HOUR)),
      60,
      { strategy: 'tide' },
    ],
  ])('is met from the first day on: %s', async (_, sites, pollsPerDay, options) => {
    for (const polls of await pollsByDay(sites, { pollsPerDay, ...options })) {
      expect(polls).toBeGreaterThan(0.5 * pollsPerDay)
      expect(polls).toBeLessThanOrEqual(1.5 * pollsPerDay + sites.length + 4) // a day here is parts of two, each with a bound
    }
  })

  it('goes before goals, and is the same over a restart', async () => {
    const first = box([busy('a', HOUR)], { strategy: 'tide', pollsPerDay: 24, limits: { ...LIMITS, minMs: MINUTE } })
    await subscribeFeeds(first.crawler, first.village)
    await first.clock.advance(MINUTE)
    const [held] = await first.store.feeds({ order: 'id', limit: 1 })
    await first.crawler.edit(held!.feed.id, { wants: { goalMs: MINUTE, maxMs: 5 * MINUTE } })
    let one = first
    for (let day = 1; day < 12; day++) {
      await one.clock.advance(2 * HOUR)
      await one.stop()
      const { store, clock } = one
      one = box([busy('a', HOUR)], { strategy: 'tide', pollsPerDay: 24, store, startAt: clock.now() })
    }
    // The limit of the feed calls for 264; these hours are parts of two days, each with a bound.
    expect((await one.store.counts()).polls).toBeLessThanOrEqual(48)
  })

  it('does not bind what a person asks for, nor the first poll of each feed', async () => {
    const sites = Array.from({ length: 8 }, (_, i) => busy(`a${i}`, 12 * HOUR))
    const one = box(sites, { strategy: 'fixed:30m', pollsPerDay: 2 })
    await subscribeFeeds(one.crawler, one.village)
    await one.clock.advance(HOUR)
    expect((await one.store.counts()).unpolled).toBe(0)
    const before = (await one.store.counts()).polls
    for (const { feed } of await one.store.feeds({ order: 'id', limit: 8 })) await one.crawler.pollNow(feed.id)
    await one.clock.advance(5 * MINUTE)
    expect((await one.store.counts()).polls).toBe(before + 8)
  })
})

describe('what a person wants', () => {
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
      ...GROUPING,
    })
    const id = await polledFeed(store, strategy)
    const dueAt = async () => (await store.feedsById([id]))[0]!.schedule.dueAt
    return { store, crawler, id, dueAt }
  }

  /** Polled at START with an entry every two hours before, and due in ten days. */
  async function polledFeed(store: Store, strategy: string): Promise<FeedId> {
    const made = feedToAdd({ url: address('https://a.example/'), title: 'A', folder: 'News' }, strategy, START)
    const [{ id } = { id: 0 as FeedId }] = await store.addFeeds([made])
    const fresh = Array.from({ length: 30 }, (_, i) => ({
      key: `${i}`,
      title: `No. ${i}`,
      publishedAt: START - (30 - i) * 2 * HOUR,
    }))
    const result: Poll['result'] = { kind: 'read', fresh: 30, changed: 0, window: 30, gap: false }
    const schedule = {
      ...made.schedule,
      polledAt: START,
      succeededAt: START,
      dueAt: START + 10 * DAY,
      because: { by: 'strategy' as const, price: HOUR },
    }
    const poll = { feedId: id, at: START, tookMs: 1, bytes: 1, conditional: false, result }
    await store.recordPolls([{ poll, schedule, fresh, changed: [] }])
    return id
  }

  it('is a new strategy, which learns from the entries that we have', async () => {
    const { crawler, id, dueAt, store } = await crawlWith('fixed:10d')
    await crawler.edit(id, { strategy: 'moving-average' })
    expect(await dueAt()).toBe(START + 2 * HOUR)
    expect((await store.feedsById([id]))[0]!.schedule.memory.length).toBe(30 * 8)
  })

  it('makes a feed, or those of a folder, due sooner at once, and never later', async () => {
    const { crawler, id, dueAt } = await crawlWith('fixed:10d')
    await crawler.edit(id, { wants: { maxMs: DAY } })
    expect(await dueAt()).toBe(START + DAY)
    await crawler.want('News', { maxMs: HOUR })
    expect(await dueAt()).toBe(START + DAY) // the feed's own word goes before its folder's
    await crawler.edit(id, { wants: {} })
    expect(await dueAt()).toBe(START + HOUR)
    await crawler.want('News', { minMs: 5 * DAY })
    expect(await dueAt()).toBe(START + HOUR)
  })

  it('does not hurry a feed whose server asked for patience', async () => {
    const { crawler, id, dueAt, store } = await crawlWith('fixed:10d')
    await store.changeFeed(id, {}, { because: { by: 'server', price: HOUR } })
    await crawler.edit(id, { wants: { maxMs: HOUR } })
    expect(await dueAt()).toBe(START + 10 * DAY)
  })

  it('is to know why', async () => {
    const { id, store } = await crawlWith('fixed:10d')
    const [held] = await store.feedsById([id])
    expect(await explainSchedule(held!, { marketBook: store, limits: LIMITS })).toEqual({
      by: 'strategy',
      words: 'it is polled every 10d, whatever it does',
      figures: { everyMs: 10 * DAY },
    })
  })
})
