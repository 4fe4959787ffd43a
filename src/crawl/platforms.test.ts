/** Feeds as today's platforms serve them: rewritten on each fetch, behind walls, moved away by strangers. */
import { describe, expect, it } from 'vitest'
import { askedOf, box, gapsOf, mistakes, onlyFeed, START, subscribeFeeds } from '../../test/crawl-box.ts'
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
  it('has each story once, and is polled as often as it has news', async () => {
    const { village, clock, store, crawler, events } = box([site({ rewrites: 'everything' })], { strategy: 'tide' })
    await subscribeFeeds(crawler, village)
    await clock.advance(2 * DAY)
    const entries = await store.entries({ limit: 999 })
    const stories = new Set(entries.map(({ title, summary, content }) => [title, summary, content].join('\n')))
    expect(entries).toHaveLength(stories.size)
    expect(entries.length).toBeGreaterThan(12 + 8)
    expect(entries.length).toBeLessThan(12 + 14)
    expect((await onlyFeed(store)).feed.quirks).toEqual({ matchBy: 'text' })
    expect(askedOf(village, '/feed').length).toBeLessThan(100)
    expect(mistakes(events)).toEqual([])
  })

  it('keeps its keys where they are rewritten once', async () => {
    const { village, clock, store, crawler } = box([site({})], { strategy: 'fixed:1h' })
    await subscribeFeeds(crawler, village)
    await clock.advance(DAY)
    expect((await onlyFeed(store)).feed.quirks).toBeUndefined()
  })
})

describe('a feed whose links carry a session id', () => {
  it('is stored with clean links, and a page is fetched again once at most, six hours later', async () => {
    const quiet = site({ rewrites: 'sessions' }, { silentSince: START - HOUR })
    const { village, clock, store, crawler, events } = box([quiet], { strategy: 'fixed:10m', articles: ARTICLES })
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
    expect(mistakes(events)).toEqual([])
  })
})
