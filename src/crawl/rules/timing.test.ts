import { expect, it } from 'vitest'
import {
  createCrawlHarness,
  gapsOf,
  newspaperSite,
  onlyFeed,
  quietNewspaperSite,
  requestsTo,
  START,
  subscribe,
  subscribeFeeds,
} from '../../../test/crawl-harness.ts'
import type { SiteSpec } from '../../lab/index.ts'
import { DAY, HOUR, MINUTE, SECOND } from '../../model/index.ts'

/** Request times of a feed whose responses have these headers, and whose document these elements. */
async function requestTimesWith(
  headers: Record<string, string | null>,
  { extra = '', forMs = DAY, site = quietNewspaperSite } = {},
) {
  const { crawler, village, clock } = createCrawlHarness([{ ...site, feeds: [{ path: '/feed', extra }] }])
  if (Object.keys(headers).length > 0) village.site('gazette').addFault({ kind: 'headers', headers })
  await subscribeFeeds(crawler, village)
  await clock.advance(forMs)
  return requestsTo(village, '/feed').map(({ at }) => at)
}

it('rule 8: polls by hand are conditional, and not repeated at once', async () => {
  const { crawler, village, clock, store } = createCrawlHarness([quietNewspaperSite])
  await subscribeFeeds(crawler, village)
  await clock.advance(10 * MINUTE)
  const { feed } = await onlyFeed(store)
  const answers = []
  for (let press = 0; press < 3; press++) {
    answers.push(await crawler.pollNow(feed.id))
    await clock.advance(10 * SECOND)
  }
  const [first, ...manual] = requestsTo(village, '/feed')
  expect(first?.status).toBe(200)
  expect(manual.map(({ headers }) => headers['if-none-match'] !== undefined)).toEqual([true])
  expect(answers.map((answer) => answer?.why)).toEqual([
    undefined,
    'it was polled a moment ago',
    'it was polled a moment ago',
  ])
  expect((await store.polls({ limit: 1 }))[0]?.occasion).toBe('manual')
})

it('rule 9: adding a feed takes one GET request to it', async () => {
  const direct = createCrawlHarness([newspaperSite])
  await direct.crawler.subscribe([{ url: direct.village.site('gazette').feeds[0]!.url, kind: 'any' }])
  await direct.clock.advance(10 * MINUTE)
  expect(direct.village.requests).toHaveLength(1)

  const found = createCrawlHarness([newspaperSite])
  await subscribe(found.crawler, found.village)
  await found.clock.advance(10 * MINUTE)
  expect(found.village.requests.map(({ url }) => new URL(url).pathname)).toEqual(['/', '/feed'])
  expect((await found.store.counts()).entries).toBe(20)
})

it('rule 10: a restart polls nothing early', async () => {
  const first = createCrawlHarness([quietNewspaperSite])
  await subscribeFeeds(first.crawler, first.village)
  await first.clock.advance(90 * MINUTE)
  const lastAt = requestsTo(first.village, '/feed').at(-1)!.at
  await first.stop()
  const second = createCrawlHarness([quietNewspaperSite], { store: first.store, startAt: first.clock.now() })
  await second.clock.advance(HOUR)
  expect(requestsTo(second.village, '/feed').map(({ at }) => at)).toEqual([lastAt + HOUR])
})

it('rule 11: polls wait for max-age minus Age, or else for Expires', async () => {
  const cached = await requestTimesWith({ 'cache-control': 'public, max-age=7200', age: '600' }, { forMs: 5 * HOUR })
  expect(gapsOf(cached)).toEqual([110 * MINUTE, 110 * MINUTE])
  const expires = new Date(START + 3 * HOUR).toUTCString()
  expect(gapsOf(await requestTimesWith({ expires }, { forMs: 4 * HOUR }))).toEqual([3 * HOUR, HOUR])
  const both = { 'cache-control': 'max-age=7200', expires }
  expect(gapsOf(await requestTimesWith(both, { forMs: 3 * HOUR }))).toEqual([2 * HOUR])
})

it('rule 12: no-cache and max-age=0 do not shorten the minimum interval', async () => {
  const busy: SiteSpec = { ...newspaperSite, rhythm: { kind: 'clockwork', everyMs: MINUTE } }
  for (const control of ['no-cache', 'max-age=0', 'no-store, max-age=86400']) {
    const { crawler, village, clock } = createCrawlHarness([busy], { strategy: 'moving-average' })
    village.site('gazette').addFault({ kind: 'headers', headers: { 'cache-control': control } })
    await subscribeFeeds(crawler, village)
    await clock.advance(40 * MINUTE)
    const gaps = gapsOf(requestsTo(village, '/feed').map(({ at }) => at))
    expect(gaps.length).toBeGreaterThan(10)
    expect(Math.min(...gaps)).toBeGreaterThanOrEqual(2 * MINUTE)
  }
})

it('rule 13: a 304 is fresh for as long as it states, like any response', async () => {
  const { crawler, village, clock } = createCrawlHarness([
    { ...quietNewspaperSite, feeds: [{ path: '/feed', maxAgeS: 3 * 3600 }] },
  ])
  await subscribeFeeds(crawler, village)
  await clock.advance(9 * HOUR)
  const requests = requestsTo(village, '/feed')
  expect(requests.map(({ status }) => status)).toEqual([200, 304, 304, 304])
  expect(gapsOf(requests.map(({ at }) => at))).toEqual(Array(3).fill(3 * HOUR))
})

it('rule 14: failures lose no stored data, and polls back off', async () => {
  const { crawler, village, clock, store } = createCrawlHarness([quietNewspaperSite])
  await subscribeFeeds(crawler, village)
  await clock.advance(MINUTE)
  const { entries } = await store.counts()
  village.site('gazette').addFault({ kind: 'status', status: 500 })
  await clock.advance(2 * DAY)
  const gaps = gapsOf(requestsTo(village, '/feed').map(({ at }) => at)).slice(1)
  expect(gaps.length).toBeGreaterThan(5)
  expect(gaps).toEqual(gaps.toSorted((a, b) => a - b))
  expect(gaps.at(-1)).toBeGreaterThan(10 * HOUR)
  expect((await store.counts()).entries).toBe(entries)
  expect((await onlyFeed(store)).feed.validators.etag).toBeDefined()
})

it('rule 36: ttl, sy:updatePeriod, skipHours and skipDays delay polls, and never advance them', async () => {
  const sy = 'xmlns:sy="http://purl.org/rss/1.0/modules/syndication/"'
  const times = (extra: string, forMs = DAY) => requestTimesWith({}, { extra, forMs })
  const usual = gapsOf(await times(''))
  expect(usual).toEqual(Array(24).fill(HOUR))
  expect(gapsOf(await times('<ttl>1</ttl>'))).toEqual(usual)
  expect(gapsOf(await times('<ttl>180</ttl>'))).toEqual(Array(8).fill(3 * HOUR))
  expect(gapsOf(await times(`<sy:updatePeriod ${sy}>daily</sy:updatePeriod>`, 2 * DAY))).toEqual([DAY, DAY])
  const hourly = `<sy:updatePeriod ${sy}>hourly</sy:updatePeriod><sy:updateFrequency ${sy}>9</sy:updateFrequency>`
  expect(gapsOf(await times(hourly))).toEqual(usual)

  const skipHours = await times('<skipHours><hour>9</hour><hour>10</hour><hour>23</hour></skipHours>')
  expect(skipHours.filter((at) => [9, 10, 23].includes(new Date(at).getUTCHours()))).toEqual([])
  expect(skipHours).toHaveLength(25 - 3)
  const skipDays = await times('<skipDays><day>Tuesday</day></skipDays>', 2 * DAY)
  expect(skipDays.filter((at) => new Date(at).getUTCDay() === 2)).toEqual([])
  expect(Math.max(...gapsOf(skipDays))).toBeGreaterThanOrEqual(DAY)
})
