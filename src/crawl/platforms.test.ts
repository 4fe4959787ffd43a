/** Feeds as platforms serve them today: rewritten on each fetch, behind consent pages, redirected to other sites. */
import { describe, expect, it } from 'vitest'
import {
  createCrawlHarness,
  gapsOf,
  internalErrors,
  onlyFeed,
  requestsTo,
  START,
  subscribeFeeds,
} from '../../test/crawl-harness.ts'
import type { SiteSpec } from '../lab/index.ts'
import { DAY, HOUR } from '../model/index.ts'

const ARTICLES = { preference: 'always', backlog: 20 } as const

type FeedSpec = NonNullable<SiteSpec['feeds']>[number]

function site(feed: Partial<FeedSpec>, more: Partial<SiteSpec> = {}): SiteSpec {
  return {
    name: 'tides',
    rhythm: { kind: 'clockwork', everyMs: 4 * HOUR },
    feeds: [{ path: '/feed', window: 12, ...feed }],
    ...more,
  }
}

describe('a feed that rewrites guid, link and date of every entry on each fetch', () => {
  it('stores each entry once, and is polled as often as it publishes', async () => {
    const { village, clock, store, crawler, events } = createCrawlHarness([site({ rewrites: 'everything' })], {
      strategy: 'tide',
    })
    await subscribeFeeds(crawler, village)
    await clock.advance(2 * DAY)
    const entries = await store.entries({ limit: 999 })
    const stories = new Set(entries.map(({ title, summary, content }) => [title, summary, content].join('\n')))
    expect(entries).toHaveLength(stories.size)
    expect(entries.length).toBeGreaterThan(12 + 8)
    expect(entries.length).toBeLessThan(12 + 14)
    expect((await onlyFeed(store)).feed.quirks).toEqual({ matchBy: 'text' })
    expect(requestsTo(village, '/feed').length).toBeLessThan(100)
    expect(internalErrors(events)).toEqual([])
  })

  it('keeps its keys if they are rewritten once', async () => {
    const { village, clock, store, crawler } = createCrawlHarness([site({})], { strategy: 'fixed:1h' })
    await subscribeFeeds(crawler, village)
    await clock.advance(DAY)
    expect((await onlyFeed(store)).feed.quirks).toBeUndefined()
  })
})

describe('a feed whose links carry a session id', () => {
  it('is stored with clean links, and fetches a page again at most once, six hours later', async () => {
    const quiet = site({ rewrites: 'sessions' }, { silentSince: START - HOUR })
    const { village, clock, store, crawler, events } = createCrawlHarness([quiet], {
      strategy: 'fixed:10m',
      articles: ARTICLES,
    })
    await subscribeFeeds(crawler, village)
    await clock.advance(DAY)
    const entries = await store.entries({ limit: 99 })
    expect(entries).toHaveLength(12)
    expect(entries.filter(({ url }) => url?.includes('sid='))).toEqual([])
    expect((await onlyFeed(store)).feed.quirks).toEqual({ varyingParameters: ['sid'] })
    const pages = Map.groupBy(
      village.requests.filter(({ url }) => /\/\d{4}\/\d\d\//.test(url)),
      ({ url }) => new URL(url).pathname,
    )
    expect(pages.size).toBe(12)
    for (const visits of pages.values()) {
      expect(visits.length).toBeLessThanOrEqual(2)
      for (const gap of gapsOf(visits.map(({ at }) => at))) expect(gap).toBeGreaterThan(6 * HOUR - 10 * 60_000)
    }
    expect(internalErrors(events)).toEqual([])
  })
})

describe('a feed that is redirected to another site', () => {
  const casino: SiteSpec = { name: 'casino', title: 'Win today', rhythm: { kind: 'clockwork', everyMs: HOUR } }
  const redirected = (to: string) => ({ kind: 'moved', status: 301, to }) as const

  it('is held if no entry is known, and shown to the user', async () => {
    const { village, clock, store, crawler, events } = createCrawlHarness([
      site({}),
      { ...casino, feeds: [{ path: '/spam' }] },
    ])
    const [home] = village.sites
    await crawler.subscribe([{ url: home!.feeds[0]!.url, kind: 'feed' }])
    await clock.advance(2 * HOUR)
    const before = await onlyFeed(store)
    const known = (await store.entries({ limit: 999 })).length
    village.site('tides').addFault(redirected('http://casino.localhost/spam'), { path: '/feed' })
    await clock.advance(9 * DAY)
    const { feed } = await onlyFeed(store)
    expect(feed).toMatchObject({ url: before.feed.url, title: before.feed.title })
    expect(feed.successorUrl).toBe('http://casino.localhost/spam')
    expect(await store.entries({ limit: 999 })).toHaveLength(known)
    expect(events.filter(({ kind }) => kind === 'move-on-hold')).toHaveLength(1)
    expect(events.filter(({ kind }) => kind === 'moved')).toEqual([])

    await crawler.edit(feed.id, { url: feed.successorUrl! })
    await clock.advance(2 * HOUR)
    expect((await store.entries({ limit: 999 })).length).toBeGreaterThan(known)
    expect((await onlyFeed(store)).feed).toMatchObject({ title: 'Win today', url: feed.successorUrl })
  })

  it('moves there if its entries are known', async () => {
    const moved = { path: '/moved', on: 'newtides', announced: 'no', window: 12 } as const
    const tides = site({})
    const { village, clock, store, crawler } = createCrawlHarness([{ ...tides, feeds: [...tides.feeds!, moved] }])
    await crawler.subscribe([{ url: village.sites[0]!.feeds[0]!.url, kind: 'feed' }])
    await clock.advance(2 * HOUR)
    village.site('tides').addFault(redirected('http://newtides.localhost/moved'), { path: '/feed' })
    await clock.advance(3 * DAY)
    expect((await onlyFeed(store)).feed.url).toBe('http://newtides.localhost/moved')
    expect((await onlyFeed(store)).feed.successorUrl).toBeUndefined()
  })
})

it('uses the title of the publisher, unless a user set one', async () => {
  const named = (title: string) => {
    const text = `<rss version="2.0"><channel><title>${title}</title><item><title>Ebb, by ${title}</title></item></channel></rss>`
    return { kind: 'document', text, type: 'application/rss+xml' } as const
  }
  const { village, clock, store, crawler } = createCrawlHarness([site({ fault: named('Old name') })])
  await subscribeFeeds(crawler, village)
  await clock.advance(HOUR / 2)
  const say = async (title: string) => {
    village.site('tides').addFault(named(title))
    await clock.advance(HOUR)
    return (await onlyFeed(store)).feed.title
  }
  expect(await say('New name')).toBe('New name')
  await crawler.edit((await onlyFeed(store)).feed.id, { title: 'Mine' })
  expect(await say('Another name')).toBe('Mine')
})

it('polls a busy feed whose dates name an old year as often as its entries arrive', async () => {
  const pollsOf = async (feed: Partial<FeedSpec>) => {
    const { village, clock, store, crawler } = createCrawlHarness([site(feed)], { strategy: 'tide' })
    await subscribeFeeds(crawler, village)
    await clock.advance(9 * DAY)
    expect((await store.entries({ limit: 999 })).length).toBeGreaterThan(12 + 50)
    return village.requests.filter(({ url, at }) => url.endsWith('/feed') && at > START + 5 * DAY).length
  }
  const usual = await pollsOf({})
  expect(await pollsOf({ yearsBehind: 2 })).toBeGreaterThan(usual / 3)
})

it('reports Retry-After as the reason of a wait, not repeated failures', async () => {
  const { village, clock, store, crawler } = createCrawlHarness([site({})])
  await subscribeFeeds(crawler, village)
  await clock.advance(HOUR / 2)
  village.site('tides').addFault({ kind: 'status', status: 503, retryAfter: { seconds: 7200 } })
  await clock.advance(HOUR)
  expect((await onlyFeed(store)).schedule).toMatchObject({ failures: 1, because: { by: 'server' } })
})

it('does not mistake a cookie notice for the article, and keeps the text of the feed', async () => {
  const walled = site({ content: 'summary' }, { pages: { kinds: { wall: 1 } } })
  const { village, clock, store, crawler, events } = createCrawlHarness([walled], { articles: ARTICLES })
  await subscribeFeeds(crawler, village)
  await clock.advance(DAY + HOUR / 2)
  const entries = await store.entries({ limit: 99 })
  const articles = await store.articlesOfEntries(entries.map(({ id }) => id))
  expect(articles.map((article) => article?.state)).toEqual(entries.map(() => 'refused'))
  expect(articles[0]?.trouble).toMatchObject({ detail: expect.stringContaining('the same text') })
  expect(entries.every(({ summary }) => summary)).toBe(true)
  expect(internalErrors(events)).toEqual([])
})
