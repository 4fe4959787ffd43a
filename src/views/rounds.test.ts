/** M, T and ToE over time, derived from the log, are what the strategy remembers: real crawls through the village. */
import { describe, expect, test } from 'vitest'
import { box, newspaperSite, onlyFeed, START, subscribe } from '../../test/crawl-harness.ts'
import { DAY, HOUR, type ScheduledFeed } from '../model/index.ts'
import { addFeed } from '../ports/store-samples.contract.ts'
import { LIMITS, strategyNamed } from '../scheduling/index.ts'
import { roundsOfFeed } from './rounds.ts'

const OFFICE = { ...newspaperSite, rhythm: { kind: 'office-hours', perDay: 8 } } as const

async function crawled(strategy: string, forMs = 9 * DAY) {
  const one = box([OFFICE], { strategy })
  await subscribe(one.crawler, one.village)
  await one.clock.advance(forMs)
  return one
}

/** M, T and ToE, as "why then" has them. */
function remembered({ schedule: { strategy, memory, succeededAt = 0 } }: ScheduledFeed) {
  const terms = { price: HOUR, limits: LIMITS, subscribers: 1 }
  return strategyNamed(strategy).reason!(memory, succeededAt, terms).figures
}

describe('the history of M, T and ToE', () => {
  test.each(['adva-rss', 'adva-rss:max=5,upto=40', 'adva-rss:step=median', 'posting-history'])(
    'of %s ends with what it remembers, to the last bit',
    async (strategy) => {
      const { store } = await crawled(strategy)
      const held = await onlyFeed(store)
      const { points, ...rounds } = await roundsOfFeed(held, store, { limit: 2000 })
      expect(rounds).toMatchObject({ strategy, hasRounds: true, isExact: true, every: 1 })
      expect(points.length).toBeGreaterThan(20)
      expect(new Set(points.map(({ found }) => found)).size).toBe(2)
      expect(points.at(-1)).toMatchObject(remembered(held))
    },
  )

  test('leaves out polls that failed, which teach nothing', async () => {
    const one = await crawled('adva-rss', 2 * DAY)
    const untilAt = one.clock.now() + DAY
    one.village.site('gazette').trouble({ kind: 'status', status: 500 }, { untilAt })
    await one.clock.advance(4 * DAY)
    const held = await onlyFeed(one.store)
    const log = await one.store.polls({ feedId: held.feed.id, limit: 2000 })
    const failed = log.filter(({ result }) => result.kind === 'failed')
    expect(failed.length).toBeGreaterThan(0)
    const { points, isExact } = await roundsOfFeed(held, one.store, { limit: 2000 })
    expect(points).toHaveLength(log.length - failed.length)
    expect(isExact).toBe(true)
    expect(points.at(-1)).toMatchObject(remembered(held))
  })

  test.each(['adva-rss', 'posting-history'])('begins where %s was given to the feed', async (strategy) => {
    const one = await crawled('fixed:1h', 3 * DAY)
    const { feed, schedule } = await onlyFeed(one.store)
    await one.crawler.edit(feed.id, { strategy })
    await one.clock.advance(3 * DAY)
    const held = await onlyFeed(one.store)
    const { points, isExact } = await roundsOfFeed(held, one.store, { limit: 2000 })
    expect(isExact).toBe(true)
    expect(Date.parse(points[0]!.at)).toBeGreaterThan(START)
    expect(Date.parse(points[0]!.at)).toBeLessThanOrEqual(schedule.succeededAt!)
    if (strategy === 'posting-history') expect(Date.parse(points[0]!.at)).toBe(schedule.succeededAt)
    const { M, T } = remembered(held)
    expect(points.at(-1)!.M).toBeCloseTo(M!, 2)
    expect(points.at(-1)!.T).toBeCloseTo(T!, 2)
  })

  test('of posting-history ends with its training, and stays there afterwards', async () => {
    const one = await crawled('posting-history:training=3d', 5 * DAY)
    const { points, trainsUntil, isExact } = await roundsOfFeed(await onlyFeed(one.store), one.store, { limit: 2000 })
    expect(isExact).toBe(true)
    expect(Date.parse(trainsUntil!) - Date.parse(points[0]!.at)).toBe(3 * DAY)
    expect(Date.parse(points.at(-1)!.at)).toBeLessThan(Date.parse(trainsUntil!))
    expect(Date.parse(points.at(-1)!.at)).toBeGreaterThan(START + 2 * DAY)
  })

  test('says that it may be wrong where the log has lost its beginning', async () => {
    const one = await crawled('adva-rss:step=median', 3 * DAY)
    await one.store.forgetPolls(START + 2 * DAY, 1000)
    const rounds = await roundsOfFeed(await onlyFeed(one.store), one.store)
    expect(rounds).toMatchObject({ hasRounds: true, isExact: false, words: expect.stringMatching(/estimated/) })
    expect(rounds.points.length).toBeGreaterThan(0)
  })

  test('is cut at a date, and thinned to so many points, of which the newest stays', async () => {
    const one = await crawled('adva-rss', 5 * DAY)
    const held = await onlyFeed(one.store)
    const all = await roundsOfFeed(held, one.store, { limit: 2000 })
    const since = START + 3 * DAY
    const cut = await roundsOfFeed(held, one.store, { since, limit: 2000 })
    expect(cut.points).toEqual(all.points.filter(({ at }) => Date.parse(at) >= since))
    const few = await roundsOfFeed(held, one.store, { limit: 10 })
    expect(few.every).toBeGreaterThan(1)
    expect(few.points.length).toBeLessThanOrEqual(10)
    expect(few.points.at(-1)).toEqual(all.points.at(-1))
  })

  test.each(['tide', 'fixed:1h', 'posting-history:training=0'])(
    'is not there for %s, which says so',
    async (strategy) => {
      const one = await crawled(strategy, HOUR)
      expect(await roundsOfFeed(await onlyFeed(one.store), one.store)).toEqual({
        strategy,
        hasRounds: false,
        words: `the strategy ${strategy} does not go in rounds: it has no history of M, T and ToE`,
        every: 1,
        points: [],
      })
    },
  )

  test('is empty for a feed that was never polled, and for a strategy that is no more', async () => {
    const one = box([OFFICE], { strategy: 'adva-rss', isIdle: true })
    const id = await addFeed(one.store, 'gazette', {}, { strategy: 'adva-rss' })
    const [held] = await one.store.feedsById([id])
    expect(await roundsOfFeed(held!, one.store)).toMatchObject({ hasRounds: true, isExact: true, points: [] })
    const gone = { ...held!, schedule: { ...held!.schedule, strategy: 'oracle' } }
    expect(await roundsOfFeed(gone, one.store)).toMatchObject({
      hasRounds: false,
      words: expect.stringMatching(/no strategy is called "oracle"/),
    })
  })
})
