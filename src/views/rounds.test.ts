/** M, T and ToE over time, derived from the log, match the state of the strategy: real crawls through the village. */
import { describe, expect, test } from 'vitest'
import { createCrawlHarness, newspaperSite, onlyFeed, START, subscribe } from '../../test/crawl-harness.ts'
import { DAY, HOUR, type ScheduledFeed } from '../model/index.ts'
import { addFeed } from '../ports/store-samples.contract.ts'
import { LIMITS, strategyNamed } from '../scheduling/index.ts'
import { roundsOfFeed } from './rounds.ts'

const OFFICE = { ...newspaperSite, rhythm: { kind: 'office-hours', perDay: 8 } } as const

async function crawled(strategy: string, forMs = 9 * DAY) {
  const crawl = createCrawlHarness([OFFICE], { strategy })
  await subscribe(crawl.crawler, crawl.village)
  await crawl.clock.advance(forMs)
  return crawl
}

/** M, T and ToE, as in the explanation of the due date. */
function remembered({ schedule: { strategy, memory, succeededAt = 0 } }: ScheduledFeed) {
  const terms = { price: HOUR, limits: LIMITS, subscribers: 1 }
  return strategyNamed(strategy).reason!(memory, succeededAt, terms).figures
}

describe('the history of M, T and ToE', () => {
  test.each(['adva-rss', 'adva-rss:max=5,upto=40', 'adva-rss:step=median', 'posting-history'])(
    'of %s ends with its current state, exactly',
    async (strategy) => {
      const { store } = await crawled(strategy)
      const scheduled = await onlyFeed(store)
      const { points, ...rounds } = await roundsOfFeed(scheduled, store, { limit: 2000 })
      expect(rounds).toMatchObject({ strategy, hasRounds: true, isExact: true, every: 1 })
      expect(points.length).toBeGreaterThan(20)
      expect(new Set(points.map(({ found }) => found)).size).toBe(2)
      expect(points.at(-1)).toMatchObject(remembered(scheduled))
    },
  )

  test('leaves out failed polls, from which the strategy does not learn', async () => {
    const crawl = await crawled('adva-rss', 2 * DAY)
    const untilAt = crawl.clock.now() + DAY
    crawl.village.site('gazette').addFault({ kind: 'status', status: 500 }, { untilAt })
    await crawl.clock.advance(4 * DAY)
    const scheduled = await onlyFeed(crawl.store)
    const log = await crawl.store.polls({ feedId: scheduled.feed.id, limit: 2000 })
    const failed = log.filter(({ result }) => result.kind === 'failed')
    expect(failed.length).toBeGreaterThan(0)
    const { points, isExact } = await roundsOfFeed(scheduled, crawl.store, { limit: 2000 })
    expect(points).toHaveLength(log.length - failed.length)
    expect(isExact).toBe(true)
    expect(points.at(-1)).toMatchObject(remembered(scheduled))
  })

  test.each(['adva-rss', 'posting-history'])('begins when %s was set for the feed', async (strategy) => {
    const crawl = await crawled('fixed:1h', 3 * DAY)
    const { feed, schedule } = await onlyFeed(crawl.store)
    await crawl.crawler.edit(feed.id, { strategy })
    await crawl.clock.advance(3 * DAY)
    const scheduled = await onlyFeed(crawl.store)
    const { points, isExact } = await roundsOfFeed(scheduled, crawl.store, { limit: 2000 })
    expect(isExact).toBe(true)
    expect(Date.parse(points[0]!.at)).toBeGreaterThan(START)
    expect(Date.parse(points[0]!.at)).toBeLessThanOrEqual(schedule.succeededAt!)
    if (strategy === 'posting-history') expect(Date.parse(points[0]!.at)).toBe(schedule.succeededAt)
    const { M, T } = remembered(scheduled)
    expect(points.at(-1)!.M).toBeCloseTo(M!, 2)
    expect(points.at(-1)!.T).toBeCloseTo(T!, 2)
  })

  test('of posting-history ends with its training', async () => {
    const crawl = await crawled('posting-history:training=3d', 5 * DAY)
    const { points, trainsUntil, isExact } = await roundsOfFeed(await onlyFeed(crawl.store), crawl.store, {
      limit: 2000,
    })
    expect(isExact).toBe(true)
    expect(Date.parse(trainsUntil!) - Date.parse(points[0]!.at)).toBe(3 * DAY)
    expect(Date.parse(points.at(-1)!.at)).toBeLessThan(Date.parse(trainsUntil!))
    expect(Date.parse(points.at(-1)!.at)).toBeGreaterThan(START + 2 * DAY)
  })

  test('says that it is estimated if the beginning of the log is missing', async () => {
    const crawl = await crawled('adva-rss:step=median', 3 * DAY)
    await crawl.store.forget('polls', START + 2 * DAY, 1000)
    const rounds = await roundsOfFeed(await onlyFeed(crawl.store), crawl.store)
    expect(rounds).toMatchObject({ hasRounds: true, isExact: false, words: expect.stringMatching(/estimated/) })
    expect(rounds.points.length).toBeGreaterThan(0)
  })

  test('is limited by date and number of points, and keeps the newest point', async () => {
    const crawl = await crawled('adva-rss', 5 * DAY)
    const scheduled = await onlyFeed(crawl.store)
    const all = await roundsOfFeed(scheduled, crawl.store, { limit: 2000 })
    const since = START + 3 * DAY
    const cut = await roundsOfFeed(scheduled, crawl.store, { since, limit: 2000 })
    expect(cut.points).toEqual(all.points.filter(({ at }) => Date.parse(at) >= since))
    const few = await roundsOfFeed(scheduled, crawl.store, { limit: 10 })
    expect(few.every).toBeGreaterThan(1)
    expect(few.points.length).toBeLessThanOrEqual(10)
    expect(few.points.at(-1)).toEqual(all.points.at(-1))
  })

  test.each(['tide', 'fixed:1h', 'posting-history:training=0'])('says that %s has no rounds', async (strategy) => {
    const crawl = await crawled(strategy, HOUR)
    expect(await roundsOfFeed(await onlyFeed(crawl.store), crawl.store)).toEqual({
      strategy,
      hasRounds: false,
      words: `the strategy ${strategy} has no rounds, and so no history of M, T and ToE`,
      every: 1,
      points: [],
    })
  })

  test('is empty for a feed that was never polled, and for an unknown strategy', async () => {
    const crawl = createCrawlHarness([OFFICE], { strategy: 'adva-rss', isIdle: true })
    const id = await addFeed(crawl.store, 'gazette', {}, { strategy: 'adva-rss' })
    const [scheduled] = await crawl.store.feedsById([id])
    expect(await roundsOfFeed(scheduled!, crawl.store)).toMatchObject({ hasRounds: true, isExact: true, points: [] })
    const gone = { ...scheduled!, schedule: { ...scheduled!.schedule, strategy: 'oracle' } }
    expect(await roundsOfFeed(gone, crawl.store)).toMatchObject({
      hasRounds: false,
      words: expect.stringMatching(/unknown strategy "oracle"/),
    })
  })
})
