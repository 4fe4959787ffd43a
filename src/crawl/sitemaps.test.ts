/** Sites without a feed, but with a sitemap, are followed like sites with a feed. */
import { expect, it } from 'vitest'
import {
  createCrawlHarness,
  createNetworkHarness,
  internalErrors,
  onlyFeed,
  requestsTo,
  START,
} from '../../test/crawl-harness.ts'
import type { SiteSpec } from '../lab/index.ts'
import { address } from '../model/address.fixture.ts'
import { DAY, HOUR, MINUTE, type Millis } from '../model/index.ts'

type FeedSpec = NonNullable<SiteSpec['feeds']>[number]
type Clock = { advance(byMs: Millis): Promise<void> }

const HOME = 'http://gazette.localhost/'
const ARTICLES = { preference: 'auto', backlog: 20 } as const

function sitemap(path: string, more: Partial<FeedSpec> = {}): FeedSpec {
  return { path, format: 'sitemap', announced: 'no', window: 30, ...more }
}

function list(path: string, ...children: string[]): FeedSpec {
  const sitemaps = children.map((child) => `<sitemap><loc>${new URL(child, HOME).href}</loc></sitemap>`)
  const text = `<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${sitemaps.join('')}</sitemapindex>`
  return sitemap(path, { fault: { kind: 'document', type: 'application/xml', text } })
}

function site(feeds: FeedSpec[], robots = ''): SiteSpec {
  const rhythm = { kind: 'clockwork', everyMs: 4 * HOUR } as const
  return { name: 'gazette', title: 'The Gazette', rhythm, feeds, robots: `User-agent: *\nDisallow: /attic/\n${robots}` }
}

async function advanceBySteps(clock: Clock, byMs: Millis): Promise<void> {
  for (let passed = 0; passed < byMs; passed += HOUR) await clock.advance(HOUR)
}

it.each<[string, SiteSpec, string]>([
  ['named by robots.txt', site([sitemap('/maps/news.xml')], `Sitemap: ${HOME}maps/news.xml`), '/maps/news.xml'],
  [
    'of news, though robots.txt names others first',
    site(
      [sitemap('/pages.xml', { content: 'none' }), sitemap('/news.xml')],
      `Sitemap: ${HOME}pages.xml\nSitemap: ${HOME}news.xml`,
    ),
    '/news.xml',
  ],
  ['at a usual address', site([sitemap('/news-sitemap.xml'), sitemap('/sitemap.xml')]), '/news-sitemap.xml'],
  ['without titles', site([sitemap('/sitemap.xml', { content: 'none' })]), '/sitemap.xml'],
  [
    'in a list',
    site([list('/sitemap.xml', '/page-sitemap.xml', '/post-sitemap.xml'), sitemap('/post-sitemap.xml')]),
    '/post-sitemap.xml',
  ],
  [
    'in a list of lists that names itself, and other sites',
    site(
      [
        list('/a.xml', 'http://elsewhere.localhost/news.xml', '/a.xml', '/b.xml'),
        list('/b.xml', '/a.xml', '/c.xml'),
        sitemap('/c.xml'),
      ],
      `Sitemap: ${HOME}a.xml`,
    ),
    '/c.xml',
  ],
])('a sitemap %s is followed: every entry once, with a title and an article', async (_, spec, path) => {
  const { crawler, village, clock, store, events } = createCrawlHarness([spec], {
    strategy: 'fixed:1h',
    articles: ARTICLES,
  })
  await crawler.subscribe([{ url: address(HOME), kind: 'any' }])
  await clock.advance(HOUR)
  const { feed } = await onlyFeed(store)
  expect(feed).toMatchObject({ url: new URL(path, HOME).href, format: 'sitemap', foundBy: 'sitemap' })
  expect(feed.title).toContain('Gazette')
  const before = await store.entries({ limit: 999 })
  expect(before).toHaveLength(30)
  await advanceBySteps(clock, 2 * DAY)
  const entries = await store.entries({ limit: 999 })
  expect(new Set(entries.map(({ url }) => url)).size).toBe(entries.length)
  expect(entries).toHaveLength(30 + 12)
  const fetched = await store.articlesOfEntries(entries.slice(0, 12).map(({ id }) => id))
  expect(fetched.map((article) => article?.state)).toEqual(Array(12).fill('read'))
  expect(entries.slice(0, 12).filter(({ title }) => title === '')).toEqual([])
  const polls = requestsTo(village, path)
  expect(polls.some(({ status }) => status === 304)).toBe(true)
  expect(internalErrors(events)).toEqual([])
})

it('a compressed file is read, though the server does not say that it is compressed', async () => {
  const { crawler, village, clock, store } = await createNetworkHarness([site([sitemap('/news.xml.gz')])])
  const [feed] = village.site('gazette').feeds
  await crawler.subscribe([{ url: address(feed!.url), kind: 'any' }])
  await clock.advance(MINUTE)
  expect((await onlyFeed(store)).feed).toMatchObject({ format: 'sitemap', foundBy: 'address' })
  expect(await store.entries({ limit: 99 })).toHaveLength(30)
})

it('the entries are the same after a restart, and a feed wins over a sitemap', async () => {
  const spec = site([sitemap('/news.xml'), { path: '/feed', announced: 'no' }], `Sitemap: ${HOME}news.xml`)
  const first = createCrawlHarness([spec], { strategy: 'fixed:1h' })
  await first.crawler.subscribe([{ url: address(`${HOME}news.xml`), kind: 'any' }])
  await first.clock.advance(2 * HOUR)
  await first.stop()
  const again = createCrawlHarness([spec], { strategy: 'fixed:1h', store: first.store, startAt: START + 6 * HOUR })
  await again.clock.advance(HOUR)
  const entries = await first.store.entries({ limit: 99 })
  expect(new Set(entries.map(({ url }) => url)).size).toBe(entries.length)
  expect(entries).toHaveLength(30 + 1)

  const other = createCrawlHarness([spec])
  await other.crawler.subscribe([{ url: address(HOME), kind: 'any' }])
  await other.clock.advance(HOUR)
  expect((await onlyFeed(other.store)).feed.url).toBe(`${HOME}feed`)
  expect(requestsTo(other.village, '/news.xml')).toEqual([])
})

it('robots.txt applies to sitemaps', async () => {
  const spec = site([sitemap('/attic/news.xml')], `Sitemap: ${HOME}attic/news.xml`)
  const { crawler, village, clock, store } = createCrawlHarness([spec])
  await crawler.subscribe([{ url: address(HOME), kind: 'any' }])
  await clock.advance(HOUR)
  expect(await store.feeds({ order: 'id', limit: 9 })).toEqual([])
  expect(requestsTo(village, '/attic/news.xml')).toEqual([])
})

it('a hostile sitemap of a million addresses costs bounded time, and stores no more than a thousand', async () => {
  const day = new Date(START + 99 * DAY).toISOString()
  const urls = Array.from({ length: 240_000 }, (_, n) => `<url><loc>${n % 2 ? HOME : 'http://x.localhost/'}${n}</loc>`)
  const text = `<urlset>${urls.join(`<lastmod>${day}</lastmod></url>`).slice(0, 9_900_000)}`
  const spec = site([sitemap('/news.xml', { fault: { kind: 'document', type: 'application/xml', text } })])
  const { crawler, clock, store, events } = createCrawlHarness([spec])
  await crawler.subscribe([{ url: address(`${HOME}news.xml`), kind: 'any' }])
  const startedAt = performance.now()
  await clock.advance(HOUR)
  expect(performance.now() - startedAt).toBeLessThan(10_000)
  const entries = await store.entries({ limit: 5_000 })
  expect(entries).toHaveLength(1_000)
  expect(entries.filter(({ url, seenAt }) => !url?.startsWith(HOME) || seenAt > clock.now())).toEqual([])
  expect(internalErrors(events)).toEqual([])
})

it('a sitemap that is gone for days is replaced by another one of its site', async () => {
  const spec = site(
    [sitemap('/map-1.xml', { window: 99 }), sitemap('/map-2.xml', { window: 99 })],
    `Sitemap: ${HOME}map-1.xml\nSitemap: ${HOME}map-2.xml`,
  )
  const { crawler, village, clock, store } = createCrawlHarness([spec])
  await crawler.subscribe([{ url: address(HOME), kind: 'any' }])
  await clock.advance(HOUR)
  expect((await onlyFeed(store)).feed.url).toBe(`${HOME}map-2.xml`)
  village.site('gazette').addFault({ kind: 'status', status: 404 }, { path: '/map-2.xml' })
  await clock.advance(5 * DAY)
  expect((await onlyFeed(store)).feed.url).toBe(`${HOME}map-1.xml`)
})
