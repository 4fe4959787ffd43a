import { expect, it } from 'vitest'
import {
  createCrawlHarness,
  onlyFeed,
  quietNewspaperSite,
  requestsTo,
  START,
  subscribe,
  subscribeFeeds,
} from '../../../test/crawl-harness.ts'
import { pageKindOf, type SiteSpec } from '../../lab/index.ts'
import { type ArticleId, DAY, HOUR, MINUTE } from '../../model/index.ts'

/** A site without a feed: robots.txt decides which addresses may be probed. */
const siteWithoutFeed = (robots?: string | number): SiteSpec => ({
  name: 'castle',
  feeds: [],
  ...(robots !== undefined && { robots }),
})

async function probesOf(
  robots: string | number | undefined,
  prepare = (_: ReturnType<typeof createCrawlHarness>) => {},
) {
  const one = createCrawlHarness([siteWithoutFeed(robots)])
  prepare(one)
  await subscribe(one.crawler, one.village)
  await one.clock.advance(2 * MINUTE)
  const paths = one.village.requests.map(({ url }) => new URL(url).pathname)
  return paths.filter((path) => path !== '/' && path !== '/robots.txt' && !path.startsWith('/moved'))
}

it('rule 34: probes are few, and failed ones are not repeated for a day', async () => {
  const { crawler, village, clock, store, stop } = createCrawlHarness([siteWithoutFeed()])
  const { home } = village.site('castle')
  for (const again of ['', '?again', '?and-again']) {
    await crawler.subscribe([{ url: home + again, kind: 'any' }])
    await clock.advance(2 * MINUTE)
  }
  const notFound = village.requests.filter(({ status }) => status === 404)
  expect(notFound).toHaveLength(9 + 4) // probes for feeds, and the usual addresses of sitemaps
  expect(new Set(notFound.map(({ url }) => url)).size).toBe(notFound.length)
  expect(village.requests.length).toBeLessThanOrEqual(17)
  await stop()

  const second = createCrawlHarness([siteWithoutFeed()], { store, startAt: clock.now() })
  await second.crawler.subscribe([{ url: `${home}?after-a-restart`, kind: 'any' }])
  await second.clock.advance(10 * HOUR)
  expect(requestsTo(second.village, '/').length).toBeGreaterThan(0)
  expect(second.village.requests.filter(({ status }) => status === 404)).toEqual([])
  await second.clock.advance(2 * DAY)
  expect(second.village.requests.filter(({ status }) => status === 404)).toHaveLength(9 + 4) // probes for feeds, and the usual addresses of sitemaps
})

it('rule 39: robots.txt is read according to RFC 9309', async () => {
  const probes = await probesOf(`
User-agent: *
Disallow: /

User-Agent: FRESHET
Disallow: /feed
Allow: /feed.xml
Disallow: /*.xml$
Allow: /*.xml$

user-agent: other
User-agent: freshet/2.0
disallow: /rss/ # ours, too
`)
  expect(probes).toContain('/feed.xml') // the longer rule
  expect(probes).toContain('/rss.xml') // of equals, the one that allows
  expect(probes).toContain('/rss') // not the group for everybody
  expect(probes.filter((path) => path === '/rss/' || /^\/feed(?!\.xml)/.test(path))).toEqual([])
})

it('rule 40: without robots.txt everything is allowed, and nothing while it cannot be fetched', async () => {
  const allProbes = await probesOf('')
  expect(allProbes.length).toBeGreaterThan(10)
  for (const status of [404, 401, 403, 410]) expect(await probesOf(status)).toEqual(allProbes)
  for (const status of [429, 500, 503]) expect(await probesOf(status)).toEqual([])
  const hangs = ({ village }: ReturnType<typeof createCrawlHarness>) =>
    village.site('castle').addFault({ kind: 'slow' }, { path: '/robots.txt' })
  expect(await probesOf(undefined, hangs)).toEqual([])

  const redirected =
    (hops: number) =>
    ({ village }: ReturnType<typeof createCrawlHarness>) => {
      const site = village.site('castle')
      const pathOf = (hop: number) => (hop === 0 ? '/robots.txt' : `/moved-${hop}.txt`)
      for (let hop = 0; hop < hops; hop++)
        site.addFault({ kind: 'moved', status: 301, to: pathOf(hop + 1) }, { path: pathOf(hop) })
      site.addFault(
        { kind: 'document', type: 'text/plain', text: 'User-agent: *\nDisallow: /' },
        { path: pathOf(hops) },
      )
    }
  expect(await probesOf(undefined, redirected(5))).toEqual([])
  expect(await probesOf(undefined, redirected(6))).toEqual(allProbes)
})

it('rule 41: robots.txt is fetched once a day, over restarts, and may be long, malformed or start with a byte order mark', async () => {
  const filling = `# ${'x'.repeat(1000)}\n`.repeat(520)
  const robots = `\uFEFFUser-agent: *\nnonsense\n: : :\nDisallow: /feed\n${filling}Disallow: /rss\n${filling}`
  const probes = await probesOf(robots)
  expect(probes.filter((path) => path.startsWith('/feed'))).toEqual([])
  expect(probes).toContain('/rss.xml') // beyond the 500 KiB that are read
  const endless = await probesOf(robots + filling.repeat(20)) // larger than the limit of any other document
  expect(endless).toEqual(probes)

  const first = createCrawlHarness([siteWithoutFeed('User-agent: *\nDisallow: /feed\n')])
  await subscribe(first.crawler, first.village)
  await first.clock.advance(5 * HOUR)
  expect(requestsTo(first.village, '/').length).toBeGreaterThan(2)
  expect(requestsTo(first.village, '/robots.txt')).toHaveLength(1)
  await first.stop()
  const second = createCrawlHarness([siteWithoutFeed()], { store: first.store, startAt: first.clock.now() })
  await second.clock.advance(18 * HOUR)
  expect(requestsTo(second.village, '/')).toHaveLength(2)
  expect(requestsTo(second.village, '/robots.txt')).toHaveLength(0)
  expect(second.village.requests.filter(({ url }) => new URL(url).pathname.startsWith('/feed'))).toEqual([])
  await second.clock.advance(2 * DAY)
  expect(requestsTo(second.village, '/robots.txt')).toHaveLength(2)
})

it('rule 42: a feed that a user added is read whatever robots.txt says, unless configured otherwise', async () => {
  const closed: SiteSpec = { ...quietNewspaperSite, robots: 'User-agent: *\nDisallow: /\n' }
  const usual = createCrawlHarness([closed])
  await subscribeFeeds(usual.crawler, usual.village)
  await usual.clock.advance(DAY)
  expect(requestsTo(usual.village, '/feed').length).toBeGreaterThan(20)
  expect(requestsTo(usual.village, '/robots.txt')).toHaveLength(0)

  const strict = createCrawlHarness([closed], { obeyRobots: 'all' })
  await subscribeFeeds(strict.crawler, strict.village)
  await strict.clock.advance(3 * DAY)
  expect(requestsTo(strict.village, '/feed')).toHaveLength(0)
  expect(requestsTo(strict.village, '/robots.txt').length).toBeLessThanOrEqual(4)
  expect((await onlyFeed(strict.store)).schedule.trouble?.kind).toBe('forbidden-by-robots')
})

it('rule 44: pages that forbid indexing or archiving are not kept, and our own pages forbid both', async () => {
  const { crawler, village, clock, server } = createCrawlHarness([quietNewspaperSite])
  village.site('gazette').addFault({ kind: 'headers', headers: { 'x-robots-tag': 'noindex, noarchive' } })
  await subscribeFeeds(crawler, village)
  await clock.advance(MINUTE)
  for (const path of ['/api/v1/entries', '/api/v1/entries/1', '/feeds.opml', '/', '/nothing']) {
    const { headers } = await server.app.request(`http://localhost${path}`)
    expect(headers.get('x-robots-tag')).toBe('noindex, noarchive')
  }

  const kinds = { noindex: 0.3, hidden: 0.3, noarchive: 0.3 }
  const restricted = createCrawlHarness([{ ...quietNewspaperSite, pages: { kinds } }], {
    articles: { preference: 'always', backlog: 20 },
  })
  await subscribeFeeds(restricted.crawler, restricted.village)
  await restricted.clock.advance(HOUR)
  for (const post of restricted.village.site('gazette').published(START - 7 * HOUR, START)) {
    const kind = pageKindOf('gazette', { kinds }, post)
    const articles = await restricted.store.articlesById(Array.from({ length: 20 }, (_, i) => (i + 1) as ArticleId))
    const article = articles.find((one) => one && new URL(one.url).pathname === post.path)
    const [text] = await restricted.store.articleTexts([article!.id])
    const isStored = kind === 'plain' || kind === 'noarchive'
    expect(article?.state).toBe(isStored ? 'read' : 'refused')
    expect(text !== undefined).toBe(isStored)
    expect((await restricted.store.rawPage(article!.id)) !== undefined).toBe(kind === 'plain')
  }
})
