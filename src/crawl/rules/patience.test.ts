import { describe, expect, it } from 'vitest'
import {
  type CrawlHarnessOptions,
  createCrawlHarness,
  createNetworkHarness,
  gapsOf,
  newspaperSite,
  onlyFeed,
  quietNewspaperSite,
  requestsTo,
  START,
  subscribeFeeds,
} from '../../../test/crawl-harness.ts'
import type { SiteSpec } from '../../lab/index.ts'
import { address } from '../../model/address.fixture.ts'
import { DAY, HOUR, MINUTE, SECOND } from '../../model/index.ts'
import type { Net } from '../../ports/index.ts'
import { createMemoryStore } from '../../stores/index.ts'

const twoFeeds: SiteSpec = { ...quietNewspaperSite, feeds: [{ path: '/a' }, { path: '/b' }] }

it('rule 15: 429 pauses the whole domain for the stated time, in seconds or as a date', async () => {
  const overAt = START + 5 * HOUR
  const [weekday, day, month, year, time] = new Date(overAt).toUTCString().split(/,? /)
  const forms = [
    { seconds: 4 * 3600 },
    { at: overAt },
    { words: `Monday, ${day}-${month}-${year!.slice(2)} ${time} GMT` },
    { words: `${weekday} ${month} ${Number(day).toString().padStart(2)} ${time} ${year}` },
  ]
  for (const retryAfter of forms) {
    const { crawler, village, clock } = createCrawlHarness([twoFeeds])
    await subscribeFeeds(crawler, village)
    await clock.advance(MINUTE)
    village.site('gazette').addFault({ kind: 'status', status: 429, retryAfter })
    await clock.advance(8 * HOUR)
    const refused = village.requests.find(({ status }) => status === 429)!.at
    const later = village.requests.filter(({ at }) => at > refused)
    const until = 'seconds' in retryAfter ? refused + 4 * HOUR : overAt
    expect(later.length).toBeGreaterThan(0)
    expect(Math.min(...later.map(({ at }) => at))).toBeGreaterThanOrEqual(until)
  }
})

it('rule 16: Retry-After also counts on 503 and on redirects', async () => {
  const busy = createCrawlHarness([twoFeeds])
  await subscribeFeeds(busy.crawler, busy.village)
  await busy.clock.advance(MINUTE)
  busy.village.site('gazette').addFault({ kind: 'status', status: 503, retryAfter: { seconds: 4 * 3600 } })
  await busy.clock.advance(4 * HOUR)
  expect(busy.village.requests.filter(({ status }) => status === 503)).toHaveLength(1)

  const { crawler, village, clock } = createCrawlHarness([
    { ...quietNewspaperSite, feeds: [{ path: '/feed' }, { path: '/elsewhere', announced: 'no' }] },
  ])
  const retryAfter = { seconds: 3 * 3600 }
  village.site('gazette').addFault({ kind: 'moved', status: 302, to: '/elsewhere', retryAfter }, { path: '/feed' })
  await crawler.subscribe([{ url: village.site('gazette').feeds[0]!.url, kind: 'feed' }])
  await clock.advance(9 * HOUR)
  expect(gapsOf(requestsTo(village, '/feed').map(({ at }) => at))).toEqual(Array(3).fill(3 * HOUR))
})

it('rule 17: a long Retry-After is honored, up to a week', async () => {
  for (const [seconds, days] of [
    [6 * 86_400, 6],
    [365 * 86_400, 7],
  ] as const) {
    const { crawler, village, clock } = createCrawlHarness([quietNewspaperSite])
    village.site('gazette').addFault({ kind: 'status', status: 429, retryAfter: { seconds } })
    await subscribeFeeds(crawler, village)
    await clock.advance(30 * DAY)
    const gaps = gapsOf(requestsTo(village, '/feed').map(({ at }) => at))
    expect(gaps.length).toBeGreaterThan(2)
    expect(new Set(gaps)).toEqual(new Set([days * DAY]))
  }
})

it('limits a stored rest of a year to a week', async () => {
  const store = createMemoryStore()
  await store.recordSites({ hosts: [{ root: 'gazette.localhost', notBeforeAt: START + 365 * DAY, strikes: 1 }] })
  const { crawler, village, clock } = createCrawlHarness([quietNewspaperSite], { store })
  await subscribeFeeds(crawler, village)
  await clock.advance(8 * DAY)
  expect(village.requests[0]?.at).toBe(START + 7 * DAY)
})

describe('on a hosting platform', () => {
  const names = ['anna', 'bob', 'carla'].map((name) => `http://${name}.github.io/feed`)
  const feed = '<rss version="2.0"><channel><title>a</title></channel></rss>'

  /** A platform whose tenants respond differently. Records the requests. */
  function platform(answerOf: (url: string) => { status: number; headers: Record<string, string> }) {
    const requests: { url: string; at: number }[] = []
    const wrapNet: CrawlHarnessOptions['wrapNet'] = (_, clock) => {
      const get: Net['get'] = async ({ url }) => {
        requests.push({ url, at: clock.now() })
        const body = new TextEncoder().encode(feed)
        return { ok: true, ...answerOf(url), url: address(url), redirects: [], body, wireBytes: 0 }
      }
      return { get, post: get, close: async () => {} }
    }
    return { requests, wrapNet }
  }
  const annaIsRateLimited = (url: string) =>
    url === names[0] ? { status: 429, headers: { 'retry-after': '31536000' } } : { status: 200, headers: {} }

  it('applies the rest of one tenant only to it, and the pause to all', async () => {
    const { requests, wrapNet } = platform(annaIsRateLimited)
    const first = createCrawlHarness([], { wrapNet })
    await first.crawler.subscribe(names.map((url) => ({ url, kind: 'feed' })))
    await first.clock.advance(HOUR + MINUTE)
    expect(requests.map(({ url }) => url)).toEqual([...names, ...names.slice(1)])
    expect(Math.min(...gapsOf(requests.map(({ at }) => at)))).toBeGreaterThanOrEqual(2 * SECOND)
    expect(await first.store.hosts()).toMatchObject([{ root: 'anna.github.io', notBeforeAt: START + 7 * DAY }])
    await first.stop()
    const second = createCrawlHarness([], { wrapNet, store: first.store, startAt: first.clock.now() })
    const [anna] = await second.store.feeds({ order: 'id', limit: 1 })
    expect((await second.crawler.pollNow(anna!.feed.id))?.dueAt).toBe(START + 7 * DAY)
    await second.clock.advance(7 * DAY)
    const ofAnna = requests.filter(({ url }) => url === names[0])
    expect(ofAnna.map(({ at }) => at)).toEqual([START, START + 7 * DAY])
    expect(requests.length).toBeGreaterThan(300)
  })

  it('an incident of one tenant does not delay the others', async () => {
    const annas = Array.from({ length: 8 }, (_, i) => `${names[0]}/${i}`)
    const { requests, wrapNet } = platform((url) => ({ status: url.startsWith(names[0]!) ? 500 : 200, headers: {} }))
    const { crawler, clock, events } = createCrawlHarness([], { wrapNet })
    await crawler.subscribe([...annas, names[1]!].map((url) => ({ url, kind: 'feed' })))
    await clock.advance(6 * HOUR)
    expect(events).toContainEqual(expect.objectContaining({ kind: 'incident', root: 'anna.github.io' }))
    expect(requests.filter(({ url }) => url === names[1]).length).toBeGreaterThanOrEqual(6)
  })
})

it('rule 18: after 429 without Retry-After, polls back off with jitter', async () => {
  const retries = async (chance: number) => {
    const { crawler, village, clock } = createCrawlHarness([quietNewspaperSite], { random: () => chance })
    village.site('gazette').addFault({ kind: 'status', status: 429 })
    await subscribeFeeds(crawler, village)
    await clock.advance(2 * DAY)
    return gapsOf(requestsTo(village, '/feed').map(({ at }) => at))
  }
  const [early, late] = [await retries(0), await retries(0.9)]
  expect(early.length).toBeGreaterThan(5)
  expect(early[0]).toBeGreaterThanOrEqual(5 * MINUTE)
  expect(early).toEqual(early.toSorted((a, b) => a - b))
  expect(early.at(-1)).toBeGreaterThan(10 * early[0]!)
  expect(late.length).toBeGreaterThanOrEqual(5)
  for (const [i, gap] of late.slice(0, 5).entries()) expect(gap).toBeGreaterThan(early[i]! * 1.1)
})

it('rule 19: after a refusal, polls resume with the same user agent, and not at once', async () => {
  const { crawler, village, clock, store } = await createNetworkHarness([quietNewspaperSite])
  village.site('gazette').addFault({ kind: 'status', status: 429 })
  await subscribeFeeds(crawler, village)
  await clock.advance(MINUTE)
  const { feed } = await onlyFeed(store)
  expect((await crawler.pollNow(feed.id))?.why).toBe('its server is backing off')
  await clock.advance(4 * MINUTE - SECOND)
  expect(village.requests).toHaveLength(1)
  await clock.advance(DAY)
  const names = village.requests.map(({ headers }) => headers['user-agent'])
  expect(names.length).toBeGreaterThan(3)
  expect(new Set(names).size).toBe(1)
})

it('keeps a requested rest over a restart, also for polls by users', async () => {
  const first = createCrawlHarness([newspaperSite])
  first.village.site('gazette').addFault({ kind: 'status', status: 404, retryAfter: { seconds: 7200 } })
  await subscribeFeeds(first.crawler, first.village)
  await first.clock.advance(MINUTE)
  await first.stop()
  const second = createCrawlHarness([newspaperSite], { store: first.store, startAt: first.clock.now() })
  const { feed } = await onlyFeed(second.store)
  expect((await second.crawler.pollNow(feed.id))?.dueAt).toBe(START + 2 * HOUR)
  await second.clock.advance(2 * HOUR - 2 * MINUTE)
  expect(second.village.requests).toHaveLength(0)
})

it('keeps an incident of a host over a restart, and polls one feed to test it', async () => {
  const sites: SiteSpec[] = [
    { ...quietNewspaperSite, feeds: Array.from({ length: 12 }, (_, i) => ({ path: `/feed/${i}` })) },
  ]
  const first = createCrawlHarness(sites)
  await subscribeFeeds(first.crawler, first.village)
  await first.clock.advance(30 * MINUTE)
  first.village.site('gazette').addFault({ kind: 'reset' })
  await first.clock.advance(2 * HOUR)
  expect(first.events.filter(({ kind }) => kind === 'incident')).toHaveLength(1)
  await first.stop()

  const second = createCrawlHarness(sites, { store: first.store, startAt: first.clock.now() })
  second.village.site('gazette').addFault({ kind: 'reset' })
  await second.clock.advance(3 * HOUR)
  expect(second.village.requests.length).toBeGreaterThan(0)
  expect(second.village.requests.length).toBeLessThanOrEqual(6)
  expect(second.events.filter(({ kind }) => kind === 'incident')).toEqual([])
  second.village.site('gazette').heal()
  await second.clock.advance(5 * HOUR)
  expect(second.events.filter(({ kind }) => kind === 'incident-over')).toHaveLength(1)
  expect(await second.store.hosts()).toEqual([])
})
