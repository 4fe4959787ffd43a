import { expect, it } from 'vitest'
import {
  askedOf,
  box,
  onlyFeed,
  quietNewspaperSite,
  START,
  subscribe,
  subscribeFeeds,
} from '../../../test/crawl-harness.ts'
import { pageKindOf, type SiteSpec } from '../../lab/index.ts'
import { type ArticleId, DAY, HOUR, MINUTE } from '../../model/index.ts'

/** A site without a feed: where we look for one is what robots.txt is asked about. */
const castle = (robots?: string | number): SiteSpec => ({
  name: 'castle',
  feeds: [],
  ...(robots !== undefined && { robots }),
})

async function placesAsked(robots: string | number | undefined, prepare = (_: ReturnType<typeof box>) => {}) {
  const one = box([castle(robots)])
  prepare(one)
  await subscribe(one.crawler, one.village)
  await one.clock.advance(2 * MINUTE)
  const paths = one.village.requests.map(({ url }) => new URL(url).pathname)
  return paths.filter((path) => path !== '/' && path !== '/robots.txt' && !path.startsWith('/moved'))
}

it('rule 34: likely places are few, and those that had nothing are not asked again for a day', async () => {
  const { crawler, village, clock, store, stop } = box([castle()])
  const { home } = village.site('castle')
  for (const again of ['', '?again', '?and-again']) {
    await crawler.subscribe([{ url: home + again, kind: 'any' }])
    await clock.advance(2 * MINUTE)
  }
  const missed = village.requests.filter(({ status }) => status === 404)
  expect(missed).toHaveLength(12)
  expect(new Set(missed.map(({ url }) => url)).size).toBe(missed.length)
  expect(village.requests.length).toBeLessThanOrEqual(17)
  await stop()

  const second = box([castle()], { store, startAt: clock.now() })
  await second.crawler.subscribe([{ url: `${home}?after-a-restart`, kind: 'any' }])
  await second.clock.advance(10 * HOUR)
  expect(askedOf(second.village, '/').length).toBeGreaterThan(0)
  expect(second.village.requests.filter(({ status }) => status === 404)).toEqual([])
  await second.clock.advance(2 * DAY)
  expect(second.village.requests.filter(({ status }) => status === 404)).toHaveLength(12)
})

it('rule 39: robots.txt is read as RFC 9309 says', async () => {
  const places = await placesAsked(`
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
  expect(places).toContain('/feed.xml') // the longer rule
  expect(places).toContain('/rss.xml') // of equals, the one that allows
  expect(places).toContain('/rss') // not the group for everybody
  expect(places.filter((path) => path === '/rss/' || /^\/feed(?!\.xml)/.test(path))).toEqual([])
})

it('rule 40: without robots.txt all is allowed, and nothing while it cannot be had', async () => {
  const everything = await placesAsked('')
  expect(everything.length).toBeGreaterThan(10)
  for (const status of [404, 401, 403, 410]) expect(await placesAsked(status)).toEqual(everything)
  for (const status of [429, 500, 503]) expect(await placesAsked(status)).toEqual([])
  const hangs = ({ village }: ReturnType<typeof box>) =>
    village.site('castle').trouble({ kind: 'slow' }, { path: '/robots.txt' })
  expect(await placesAsked(undefined, hangs)).toEqual([])

  const redirected =
    (hops: number) =>
    ({ village }: ReturnType<typeof box>) => {
      const site = village.site('castle')
      const place = (hop: number) => (hop === 0 ? '/robots.txt' : `/moved-${hop}.txt`)
      for (let hop = 0; hop < hops; hop++)
        site.trouble({ kind: 'moved', status: 301, to: place(hop + 1) }, { path: place(hop) })
      site.trouble({ kind: 'document', type: 'text/plain', text: 'User-agent: *\nDisallow: /' }, { path: place(hops) })
    }
  expect(await placesAsked(undefined, redirected(5))).toEqual([])
  expect(await placesAsked(undefined, redirected(6))).toEqual(everything)
})

it('rule 41: robots.txt is asked for once a day, over restarts, and may be long, broken and marked', async () => {
  const filling = `# ${'x'.repeat(1000)}\n`.repeat(520)
  const robots = `\uFEFFUser-agent: *\nnonsense\n: : :\nDisallow: /feed\n${filling}Disallow: /rss\n${filling}`
  const places = await placesAsked(robots)
  expect(places.filter((path) => path.startsWith('/feed'))).toEqual([])
  expect(places).toContain('/rss.xml') // beyond the 500 KiB that are read
  const endless = await placesAsked(robots + filling.repeat(20)) // more than any other document may have
  expect(endless).toEqual(places)

  const first = box([castle('User-agent: *\nDisallow: /feed\n')])
  await subscribe(first.crawler, first.village)
  await first.clock.advance(5 * HOUR)
  expect(askedOf(first.village, '/').length).toBeGreaterThan(2)
  expect(askedOf(first.village, '/robots.txt')).toHaveLength(1)
  await first.stop()
  const second = box([castle()], { store: first.store, startAt: first.clock.now() })
  await second.clock.advance(18 * HOUR)
  expect(askedOf(second.village, '/')).toHaveLength(2)
  expect(askedOf(second.village, '/robots.txt')).toHaveLength(0)
  expect(second.village.requests.filter(({ url }) => new URL(url).pathname.startsWith('/feed'))).toEqual([])
  await second.clock.advance(2 * DAY)
  expect(askedOf(second.village, '/robots.txt')).toHaveLength(2)
})

it('rule 42: a feed that a person asked for is read whatever robots.txt says, unless that person wants it heeded', async () => {
  const closed: SiteSpec = { ...quietNewspaperSite, robots: 'User-agent: *\nDisallow: /\n' }
  const usual = box([closed])
  await subscribeFeeds(usual.crawler, usual.village)
  await usual.clock.advance(DAY)
  expect(askedOf(usual.village, '/feed').length).toBeGreaterThan(20)
  expect(askedOf(usual.village, '/robots.txt')).toHaveLength(0)

  const strict = box([closed], { obeyRobots: 'all' })
  await subscribeFeeds(strict.crawler, strict.village)
  await strict.clock.advance(3 * DAY)
  expect(askedOf(strict.village, '/feed')).toHaveLength(0)
  expect(askedOf(strict.village, '/robots.txt').length).toBeLessThanOrEqual(4)
  expect((await onlyFeed(strict.store)).schedule.trouble?.kind).toBe('forbidden-by-robots')
})

it('rule 44: what pages ask not to be kept is not, and what we show is kept from search engines and archives', async () => {
  const { crawler, village, clock, server } = box([quietNewspaperSite])
  village.site('gazette').trouble({ kind: 'headers', headers: { 'x-robots-tag': 'noindex, noarchive' } })
  await subscribeFeeds(crawler, village)
  await clock.advance(MINUTE)
  for (const path of ['/api/v1/entries', '/api/v1/entries/1', '/feeds.opml', '/', '/nothing']) {
    const { headers } = await server.app.request(`http://localhost${path}`)
    expect(headers.get('x-robots-tag')).toBe('noindex, noarchive')
  }

  const kinds = { noindex: 0.3, hidden: 0.3, noarchive: 0.3 }
  const shy = box([{ ...quietNewspaperSite, pages: { kinds } }], { articles: { preference: 'always', backlog: 20 } })
  await subscribeFeeds(shy.crawler, shy.village)
  await shy.clock.advance(HOUR)
  for (const post of shy.village.site('gazette').published(START - 7 * HOUR, START)) {
    const kind = pageKindOf('gazette', { kinds }, post)
    const articles = await shy.store.articlesById(Array.from({ length: 20 }, (_, i) => (i + 1) as ArticleId))
    const article = articles.find((one) => one && new URL(one.url).pathname === post.path)
    const [text] = await shy.store.articleTexts([article!.id])
    const isKept = kind === 'plain' || kind === 'noarchive'
    expect(article?.state).toBe(isKept ? 'read' : 'refused')
    expect(text !== undefined).toBe(isKept)
    expect((await shy.store.rawPage(article!.id)) !== undefined).toBe(kind === 'plain')
  }
})
