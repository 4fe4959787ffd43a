import { describe, expect, it } from 'vitest'
import {
  type CrawlHarnessOptions,
  createCrawlHarness,
  internalErrors,
  subscribeFeeds,
} from '../../../test/crawl-harness.ts'
import type { SiteSpec } from '../../lab/index.ts'
import { DAY, HOUR, type Instant, MINUTE } from '../../model/index.ts'

const site = (name: string, everyMs: number): SiteSpec => ({
  name,
  feeds: [{ path: '/feed' }],
  rhythm: { kind: 'clockwork', everyMs },
})
const RANKED = 'posting-history:training=0'

describe('ranked feeds', () => {
  async function crawled(sites: SiteSpec[], options: CrawlHarnessOptions, days: number) {
    const one = createCrawlHarness(sites, options)
    await subscribeFeeds(one.crawler, one.village)
    await one.clock.advance(days * DAY)
    expect(internalErrors(one.events)).toEqual([])
    const polls = await one.store.polls({ limit: 10_000 })
    const instants = (id: number) => polls.filter(({ feedId }) => feedId === id).map(({ at }) => at)
    return { one, polls, instants }
  }

  it('are polled in rounds within the budget, and more often if they publish more', async () => {
    const sites = [HOUR, 6 * HOUR, 2 * DAY].map((everyMs, i) => site(`a${i}`, everyMs))
    const { polls, instants } = await crawled(sites, { strategy: RANKED, pollsPerDay: 36 }, 5)
    const later = polls.filter(({ at }) => at > Math.min(...polls.map((poll) => poll.at)) + 2 * DAY)
    expect(later.length / 3).toBeGreaterThan(34)
    expect(later.length / 3).toBeLessThan(38)
    const [often, sometimes, rarely] = [1, 2, 3].map((id) => instants(id).length)
    expect(often).toBeGreaterThan(sometimes!)
    expect(sometimes).toBeGreaterThan(rarely!)
  })

  it('are polled as often at night as by day', async () => {
    const { polls } = await crawled([site('a', HOUR), site('b', 3 * HOUR)], { strategy: RANKED, pollsPerDay: 24 }, 6)
    const quarters = [0, 0, 0, 0]
    const last = Math.max(...polls.map(({ at }) => at))
    for (const { at } of polls) if (at > last - 4 * DAY) quarters[Math.floor((at % DAY) / (6 * HOUR))]!++
    for (const quarter of quarters) expect(quarter / 24).toBeCloseTo(1, 0)
  })

  it('are not polled for ten minutes after a poll, nor while their server asks to wait', async () => {
    const fault = { kind: 'rush-hour', status: 503, everyMs: DAY, forMs: 12 * HOUR, retryAfter: 'seconds' } as const
    const sites = [site('a', 10 * MINUTE), { ...site('b', 10 * MINUTE), fault }]
    const { instants, polls } = await crawled(sites, { strategy: RANKED, pollsPerDay: 500 }, 2)
    const gaps = (at: Instant[]) => at.slice(1).map((one, i) => Math.abs(one - at[i]!))
    expect(Math.min(...gaps(instants(1)))).toBeGreaterThanOrEqual(10 * MINUTE)
    expect(polls.filter(({ result }) => result.kind === 'failed').length).toBeLessThan(10)
    expect(instants(2).length).toBeGreaterThan(20)
  })

  it('share the budget with feeds that follow the price', async () => {
    const sites = Array.from({ length: 8 }, (_, i) => site(`a${i}`, (i + 1) * HOUR))
    const one = createCrawlHarness(sites, { strategy: 'sqrt-rate', pollsPerDay: 96 })
    await subscribeFeeds(one.crawler, one.village)
    await one.clock.advance(MINUTE)
    for (const { feed } of await one.store.feeds({ order: 'id', limit: 4 }))
      await one.crawler.edit(feed.id, { strategy: RANKED })
    await one.clock.advance(9 * DAY)
    const polls = await one.store.polls({ since: one.clock.now() - 4 * DAY, limit: 10_000 })
    const ranked = polls.filter(({ feedId }) => feedId <= 4).length / 4
    expect(ranked).toBeGreaterThan(44)
    expect(ranked).toBeLessThan(60)
    expect(polls.length / 4 / 96).toBeCloseTo(1, 0)
  })

  it('are selected in a single run, as many as the time since their last poll has earned', async () => {
    const sites = Array.from({ length: 6 }, (_, i) => site(`a${i}`, HOUR))
    const options: CrawlHarnessOptions = { strategy: RANKED, pollsPerDay: 48, isIdle: true }
    const one = createCrawlHarness(sites, options)
    await subscribeFeeds(one.crawler, one.village)
    await one.crawler.runOnce(new AbortController().signal)
    expect((await one.store.counts()).polls).toBe(6)
    await one.clock.advance(2 * HOUR)
    await one.crawler.runOnce(new AbortController().signal)
    expect((await one.store.counts()).polls).toBe(9) // one fewer than the budget earns: the six first polls count
  })
})
