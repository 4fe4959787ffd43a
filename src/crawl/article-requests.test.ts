/** Pages that users ask for, in the village: fetched before all others, by robots.txt and at the pace of their host. */
import { expect, it } from 'vitest'
import { createCrawlHarness, subscribeFeeds } from '../../test/crawl-harness.ts'
import type { SiteSpec } from '../lab/index.ts'
import { type EntryId, HOUR, MINUTE } from '../model/index.ts'

const paper: SiteSpec = {
  name: 'paper',
  rhythm: { kind: 'clockwork', everyMs: 2 * HOUR },
  feeds: [{ path: '/feed' }],
}

async function crawled(site: SiteSpec = paper, options: Parameters<typeof createCrawlHarness>[1] = {}) {
  const harness = createCrawlHarness([site], { articles: { preference: 'never', backlog: 20 }, ...options })
  await subscribeFeeds(harness.crawler, harness.village)
  await harness.clock.advance(HOUR)
  const entries = await harness.store.entries({ limit: 100 })
  const stateOf = async (id: EntryId) => (await harness.store.articlesOfEntries([id]))[0]?.state
  return { ...harness, entries, oldest: entries.at(-1)!, stateOf }
}

it('fetches the page of any entry, however old, and announces it with the entries that link to it', async () => {
  const { crawler, clock, oldest, stateOf, events } = await crawled()
  expect(await stateOf(oldest.id)).toBeUndefined()
  expect(await crawler.requestArticle(oldest.id)).toMatchObject({ kind: 'queued' })
  await clock.advance(MINUTE)
  expect(await stateOf(oldest.id)).toBe('read')
  const event = events.find(({ kind }) => kind === 'article')
  expect(event).toMatchObject({ result: { kind: 'read' }, links: [{ entryId: oldest.id, feedId: oldest.feedId }] })
  expect(await crawler.requestArticle(oldest.id)).toEqual({ kind: 'stored' })
  expect(await crawler.requestArticle(999_999 as EntryId)).toBeUndefined()
})

it('fetches it before all pages that wait, one at a time', async () => {
  const { crawler, clock, oldest, village, stateOf } = await crawled(paper, {
    articles: { preference: 'always', backlog: 100 },
    gapMs: 10 * MINUTE,
  })
  expect(await stateOf(oldest.id)).toBe('waiting')
  const before = village.requests.length
  const result = await crawler.requestArticle(oldest.id)
  expect(result).toMatchObject({ kind: 'queued' })
  await clock.advance(25 * MINUTE)
  const pages = village.requests.slice(before).filter(({ url }) => !/feed|robots/.test(url))
  expect(pages.map(({ url }) => url)[0]).toBe(oldest.url)
  expect(pages.length).toBeLessThanOrEqual(3)
})

it('obeys robots.txt, and says so', async () => {
  const { crawler, clock, oldest, stateOf, events } = await crawled({
    ...paper,
    robots: 'User-agent: *\nDisallow: /\nAllow: /feed',
  })
  await crawler.requestArticle(oldest.id)
  await clock.advance(MINUTE)
  expect(await stateOf(oldest.id)).toBe('refused')
  expect(events.find(({ kind }) => kind === 'article')).toMatchObject({
    result: { kind: 'failed', failure: { kind: 'forbidden-by-robots' } },
  })
  expect(await crawler.requestArticle(oldest.id)).toMatchObject({ kind: 'queued' })
})
