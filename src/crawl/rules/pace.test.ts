import { expect, it } from 'vitest'
import {
  createCrawlHarness,
  gapsOf,
  newspaperSite,
  PUSH,
  quietNewspaperSite,
  START,
  subscribe,
  subscribeFeeds,
} from '../../../test/crawl-harness.ts'
import type { SiteSpec } from '../../lab/index.ts'
import { HOUR, type Instant, MINUTE, SECOND } from '../../model/index.ts'

const manyFeeds = (count: number) => Array.from({ length: count }, (_, i) => ({ path: `/feed/${i}` }))
const timesOf = (requests: { at: Instant }[]) => requests.map(({ at }) => at)

it('rule 20: all hosts of a registrable domain share one pause; exempt domains have none', async () => {
  const sites = ['a.paper', 'b.paper', 'c.paper'].map((name): SiteSpec => ({ ...quietNewspaperSite, name }))
  const shared = createCrawlHarness(sites, { gapMs: 10 * SECOND })
  await subscribeFeeds(shared.crawler, shared.village)
  await shared.clock.advance(10 * MINUTE)
  expect(shared.village.requests.map(({ url }) => new URL(url).hostname)).toEqual([
    'a.paper.localhost',
    'b.paper.localhost',
    'c.paper.localhost',
  ])
  expect(Math.min(...gapsOf(timesOf(shared.village.requests)))).toBeGreaterThanOrEqual(10 * SECOND)

  const own = createCrawlHarness(sites, { gapMs: 10 * SECOND, isExempt: (root) => root === 'paper.localhost' })
  await subscribeFeeds(own.crawler, own.village)
  await own.clock.advance(SECOND)
  expect(timesOf(own.village.requests)).toEqual([START, START, START])
})

it('applies the pause to the targets of redirects, too', async () => {
  const blogs = Array.from({ length: 20 }, (_, i): SiteSpec => ({ ...quietNewspaperSite, name: `blog${i}` }))
  const { crawler, village, clock } = createCrawlHarness([{ ...quietNewspaperSite, name: 'mill' }, ...blogs])
  for (const { name } of blogs) {
    const mill = village.site('mill').home
    village.site(name).addFault({ kind: 'moved', status: 302, to: `${mill}feed` }, { path: '/feed' })
  }
  await crawler.subscribe(blogs.map(({ name }) => ({ url: `${village.site(name).home}feed`, kind: 'feed' })))
  await clock.advance(13 * HOUR)
  const atMill = village.requests.filter(({ url }) => url.startsWith(village.site('mill').home))
  expect(atMill.length).toBeGreaterThan(40)
  expect(Math.min(...gapsOf(timesOf(atMill)))).toBeGreaterThanOrEqual(2 * SECOND)
})

it('rule 21: a hundred feeds of one domain are polled one after the other, not in bursts', async () => {
  const { crawler, village, clock } = createCrawlHarness([{ ...quietNewspaperSite, feeds: manyFeeds(100) }], {
    random: Math.random,
  })
  await subscribeFeeds(crawler, village)
  await clock.advance(3 * HOUR)
  const times = timesOf(village.requests)
  expect(times.length).toBeGreaterThan(250)
  const burst = (at: Instant) => times.filter((other) => other >= at && other < at + 10 * SECOND).length
  expect(Math.max(...times.map(burst))).toBeLessThanOrEqual(5)
  expect(Math.min(...gapsOf(times))).toBeGreaterThanOrEqual(2 * SECOND)
})

it('rule 35: pages, robots.txt, archive documents and feeds share the pause of their domain, and so do requests to hubs', async () => {
  const feeds = manyFeeds(6).map((feed) => ({ ...feed, announced: 'no' as const, hub: true as const, paged: true }))
  const busy: SiteSpec = { ...newspaperSite, feeds, rhythm: { kind: 'clockwork', everyMs: 2 * MINUTE } }
  const { crawler, village, clock, store, server } = createCrawlHarness([busy], { push: PUSH })
  // The server loads its routes with the first request. That takes real time, and the stepped clock would not wait for it when the hub confirms.
  await server.app.request('http://localhost/')
  await subscribe(crawler, village)
  await subscribeFeeds(crawler, village)
  await clock.advance(2 * HOUR)
  const at = (host: string) => village.requests.filter(({ url }) => new URL(url).hostname === host)
  const paths = new Set(at('gazette.localhost').map(({ url }) => new URL(url).pathname + new URL(url).search))
  for (const path of ['/', '/robots.txt', '/feed/0', '/feed/0?page=2']) expect(paths).toContain(path)
  expect(Math.min(...gapsOf(timesOf(at('gazette.localhost'))))).toBeGreaterThanOrEqual(2 * SECOND)
  expect(at('hub.localhost')).toHaveLength(6)
  expect(Math.min(...gapsOf(timesOf(at('hub.localhost'))))).toBeGreaterThanOrEqual(2 * SECOND)
  expect((await store.counts()).unpolled).toBe(0)
})

it('rule 43: Crawl-delay lengthens the pause of its domain, up to a minute, over a restart and for a week', async () => {
  const sites = (delay: string): SiteSpec[] => [
    { ...quietNewspaperSite, robots: `User-agent: *\nCrawl-delay: ${delay}\n`, feeds: [] },
    { ...quietNewspaperSite, name: 'b.gazette', feeds: manyFeeds(4) },
  ]
  for (const [delay, ms] of [
    ['5', 5 * SECOND],
    ['86400', MINUTE],
  ] as const) {
    const first = createCrawlHarness(sites(delay))
    await first.crawler.subscribe([{ url: first.village.site('gazette').home, kind: 'any' }])
    await first.clock.advance(10 * MINUTE)
    const discoveryTimes = timesOf(first.village.requests)
    const knownFrom = first.village.requests.findIndex(({ url }) => url.endsWith('/robots.txt'))
    expect(discoveryTimes.length).toBeGreaterThan(3)
    expect(Math.min(...gapsOf(discoveryTimes.slice(knownFrom)))).toBe(ms)
    await first.stop()

    const second = createCrawlHarness(sites(delay), { store: first.store, startAt: first.clock.now() })
    await subscribeFeeds(second.crawler, second.village)
    await second.clock.advance(20 * MINUTE)
    const polled = second.village.requests.filter(({ url }) => url.includes('/feed/'))
    expect(polled).toHaveLength(4)
    expect(Math.min(...gapsOf(timesOf(polled)))).toBe(ms)
    for (const { id } of await second.store.sources({ limit: 9 })) await second.crawler.removeSource(id)
    await second.stop()

    const later = createCrawlHarness(sites(delay), { store: first.store, startAt: START + 8 * 24 * HOUR })
    await later.clock.advance(10 * MINUTE)
    const again = later.village.requests.filter(({ url }) => url.includes('/feed/'))
    expect(Math.min(...gapsOf(timesOf(again)))).toBe(2 * SECOND)
    await later.stop()
  }
})
