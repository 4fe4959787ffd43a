import { expect, it } from 'vitest'
import {
  createCrawlHarness,
  gapsOf,
  onlyFeed,
  quietNewspaperSite,
  requestsTo,
  subscribeFeeds,
} from '../../../test/crawl-harness.ts'
import type { SiteSpec } from '../../lab/index.ts'
import { DAY, HOUR, MINUTE } from '../../model/index.ts'

it('rule 24: 301 and 308 are stored when repeated for a day, if they lead to a feed', async () => {
  for (const status of [301, 308] as const) {
    const { crawler, village, clock, store } = createCrawlHarness([quietNewspaperSite])
    const urlNow = async () => (await onlyFeed(store)).feed.url
    await subscribeFeeds(crawler, village)
    await clock.advance(MINUTE)
    const flip = { path: '/feed', untilAt: clock.now() + HOUR }
    village.site('gazette').addFault({ kind: 'moved', status, to: '/feed.xml' }, flip)
    await clock.advance(3 * DAY)
    expect(await urlNow()).toMatch(/\/feed$/)

    village.site('gazette').move('/feed', '/news.xml', status)
    await clock.advance(20 * HOUR)
    expect(await urlNow()).toMatch(/\/feed$/)
    await clock.advance(12 * HOUR)
    expect(await urlNow()).toMatch(/\/news\.xml$/)
    const requestCount = requestsTo(village, '/feed').length
    await clock.advance(DAY)
    expect(requestsTo(village, '/feed')).toHaveLength(requestCount)
  }
})

it('rule 25: 302, 303 and 307 are followed, and never stored', async () => {
  for (const status of [302, 303, 307] as const) {
    const { crawler, village, clock, store } = createCrawlHarness([quietNewspaperSite])
    await subscribeFeeds(crawler, village)
    await clock.advance(MINUTE)
    village.site('gazette').move('/feed', '/news.xml', status)
    await clock.advance(4 * DAY)
    const { feed, schedule } = await onlyFeed(store)
    expect([new URL(feed.url).pathname, schedule.failures]).toEqual(['/feed', 0])
    expect(requestsTo(village, '/news.xml').length).toBeGreaterThan(90)
  }
})

it('rule 26: a redirect to a page never becomes the address of a feed', async () => {
  const { crawler, village, clock, store } = createCrawlHarness([quietNewspaperSite])
  await subscribeFeeds(crawler, village)
  await clock.advance(MINUTE)
  const site = village.site('gazette')
  site.addFault({ kind: 'moved', status: 301, to: '/login' }, { path: '/feed' })
  site.addFault({ kind: 'login' }, { path: '/login' })
  await clock.advance(7 * DAY)
  expect(requestsTo(village, '/login').length).toBeGreaterThan(5)
  expect((await onlyFeed(store)).feed.url).toMatch(/\/feed$/)
  site.heal('/feed')
  await clock.advance(2 * DAY)
  expect((await onlyFeed(store)).schedule.failures).toBe(0)
})

it('rule 27: redirect loops are cut off', async () => {
  const { crawler, village, clock, store } = createCrawlHarness([quietNewspaperSite])
  const site = village.site('gazette')
  site.addFault({ kind: 'moved', status: 302, to: '/round' }, { path: '/feed' })
  site.addFault({ kind: 'moved', status: 302, to: '/feed' }, { path: '/round' })
  await subscribeFeeds(crawler, village)
  await clock.advance(MINUTE)
  expect(village.requests.length).toBeLessThanOrEqual(6)
  expect((await onlyFeed(store)).schedule.trouble?.kind).toBe('redirects')
})

it('rule 28: repeated 410 ends a feed, and its entries stay', async () => {
  const { crawler, village, clock, store } = createCrawlHarness([quietNewspaperSite])
  await subscribeFeeds(crawler, village)
  await clock.advance(MINUTE)
  const { entries } = await store.counts()
  village.site('gazette').addFault({ kind: 'status', status: 410 }, { path: '/feed' })
  await clock.advance(8 * DAY)
  expect((await onlyFeed(store)).feed.state).toBe('active')
  await clock.advance(20 * DAY)
  expect((await onlyFeed(store)).feed.state).toBe('gone')
  expect((await store.counts()).entries).toBe(entries)
  const requestCount = village.requests.length
  await clock.advance(30 * DAY)
  expect(village.requests).toHaveLength(requestCount)
})

it('rule 29: no feed ends because of 404, 403, 500, or an unreachable server', async () => {
  const troubles = [404, 403, 500, 503].map((status) => ({ kind: 'status' as const, status }))
  for (const trouble of [...troubles, { kind: 'reset' as const }, { kind: 'slow' as const }]) {
    const { crawler, village, clock, store } = createCrawlHarness([quietNewspaperSite])
    await subscribeFeeds(crawler, village)
    await clock.advance(MINUTE)
    village.site('gazette').addFault(trouble, { path: '/feed' })
    await clock.advance(30 * DAY)
    const { feed, schedule } = await onlyFeed(store)
    expect(feed.state).toBe('active')
    expect(schedule.succeededAt).toBeLessThan(clock.now() - 29 * DAY)
    const gaps = gapsOf(requestsTo(village, '/feed').map(({ at }) => at))
    expect(gaps.length).toBeGreaterThan(25)
    expect(gaps.length).toBeLessThan(45)
    village.site('gazette').heal('/feed')
    await clock.advance(2 * DAY)
    expect((await onlyFeed(store)).schedule.trouble).toBeUndefined()
  }
  const nowhere = createCrawlHarness([quietNewspaperSite])
  await nowhere.crawler.subscribe([{ url: 'http://nowhere.localhost/feed', kind: 'feed' }])
  await nowhere.clock.advance(30 * DAY)
  expect(await onlyFeed(nowhere.store)).toMatchObject({
    feed: { state: 'active' },
    schedule: { trouble: { kind: 'unreachable' } },
  })
})

it('rule 30: a page or an empty document in place of a feed clears nothing', async () => {
  for (const kind of ['login', 'empty'] as const) {
    const site: SiteSpec = quietNewspaperSite
    const { crawler, village, clock, store } = createCrawlHarness([site])
    await subscribeFeeds(crawler, village)
    await clock.advance(MINUTE)
    const { feed: before } = await onlyFeed(store)
    const { entries } = await store.counts()
    village.site('gazette').addFault({ kind }, { path: '/feed' })
    await clock.advance(DAY)
    const { feed, schedule } = await onlyFeed(store)
    expect(schedule.trouble?.kind).toBe('not-a-feed')
    expect(feed.validators).toEqual(before.validators)
    expect((await store.counts()).entries).toBe(entries)
    village.site('gazette').heal('/feed')
    await clock.advance(DAY)
    expect((await onlyFeed(store)).schedule.failures).toBe(0)
    expect((await store.counts()).entries).toBe(entries)
  }
})
