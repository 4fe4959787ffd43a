/** Bytes have a price: a feed of several megabytes without validators is polled less often than a small one with the same entries. */
import { expect, it } from 'vitest'
import { createCrawlHarness, internalErrors, START, subscribeFeeds } from '../../test/crawl-harness.ts'
import type { SiteSpec } from '../lab/index.ts'
import { DAY, HOUR } from '../model/index.ts'
import { DEFAULT_STRATEGY, explainDueDate, LIMITS, strategyNamed, termsOf } from '../scheduling/index.ts'

const DAYS = 9
const LARGE = 3_800_000

/** Every two or three days, at no particular hour, for two months before and nine days after the start. */
const EPISODES = Array.from({ length: 31 }, (_, n) => START + (n - 26) * 2.25 * DAY + ((n * 37) % 24) * HOUR)

/** About four episodes in nine days. */
function podcast(name: string, bytes?: number): SiteSpec {
  const fault = bytes === undefined ? {} : { fault: { kind: 'huge', bytes } as const }
  return {
    name,
    voice: 'podcast',
    feeds: [{ path: '/feed', content: 'none', validators: 'none', window: 20, ...fault }],
    rhythm: { kind: 'at', instants: EPISODES },
  }
}

it('costs a third of the bytes compared to the interval of a small feed, and its entries arrive within a day', async () => {
  const { crawler, village, clock, store, events } = createCrawlHarness([podcast('large', LARGE), podcast('small')], {
    strategy: DEFAULT_STRATEGY,
    pollsPerDay: 'auto',
  })
  await subscribeFeeds(crawler, village)
  await clock.advance(DAYS * DAY)
  const feeds = await store.feeds({ order: 'id', limit: 9 })
  const measured = await Promise.all(
    feeds.map(async ({ feed }) => {
      const polls = await store.polls({ feedId: feed.id, limit: 9999 })
      const late = (await store.entries({ feedId: feed.id, limit: 99 }))
        .filter(({ publishedAt = 0 }) => publishedAt > START)
        .map(({ publishedAt = 0, seenAt }) => (seenAt - publishedAt) / HOUR)
      return { polls: polls.length, megabytes: polls.reduce((sum, { bytes }) => sum + bytes, 0) / 1e6, late }
    }),
  )
  const [large, small] = measured as [(typeof measured)[0], (typeof measured)[0]]
  expect(large.polls).toBeLessThan(small.polls / 3)
  expect(large.megabytes).toBeLessThan(60)
  expect(Math.max(...large.late)).toBeLessThan(24)
  expect(large.late).toHaveLength(small.late.length)
  const [scheduled] = feeds
  const why = explainDueDate(
    scheduled!,
    strategyNamed(scheduled!.schedule.strategy),
    termsOf(scheduled!.feed, undefined, LIMITS, scheduled!.schedule.because!.price),
  )
  expect(why?.words).toMatch(
    /its responses average [\d.]+ MB, so it is polled [\d.]+ times less often than a small feed/,
  )
  expect(feeds[1]!.feed.quirks?.pollBytes).toBeUndefined()
  expect(internalErrors(events)).toEqual([])
})
