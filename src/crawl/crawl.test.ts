import { describe, expect, it } from 'vitest'
import {
  createCrawlHarness,
  internalErrors,
  newspaperSite,
  onlyFeed,
  requestsTo,
  START,
  subscribe,
} from '../../test/crawl-harness.ts'
import { memoryStore } from '../../test/yielding-store.ts'
import type { SiteSpec } from '../lab/index.ts'
import { address } from '../model/address.fixture.ts'
import {
  DAY,
  describeFailure,
  type FeedId,
  HOUR,
  type Instant,
  MINUTE,
  type Outcome,
  type PollTask,
  SECOND,
} from '../model/index.ts'
import { createHostQueue } from '../politeness/index.ts'
import { rolesOf, type Store } from '../ports/index.ts'
import { parsedQuery } from '../ports/search-query.fixture.ts'
import { LIMITS } from '../scheduling/index.ts'
import { type CrawlEvent, createController, feedToAdd, fixedPrice } from './index.ts'

describe('the crawl', () => {
  it('finds the feed of a site, reads it, and stores every entry published afterwards', async () => {
    const { crawler, village, clock, store, events } = createCrawlHarness([newspaperSite])
    await subscribe(crawler, village)
    await clock.advance(DAY)

    const { feed } = await onlyFeed(store)
    expect(feed).toMatchObject({ url: `${village.site('gazette').home}feed`, state: 'active', format: 'rss' })
    const published = village.site('gazette').published(START, START + DAY - HOUR)
    const entries = await store.entries({ feedId: feed.id, limit: 1000 })
    const paths = new Set(entries.map((entry) => new URL(entry.url!).pathname))
    expect(published.length).toBeGreaterThan(60)
    expect(published.filter((post) => !paths.has(post.path))).toEqual([])
    expect(new Set(entries.map((entry) => entry.key)).size).toBe(entries.length)
    expect(internalErrors(events)).toEqual([])
  })

  it('makes one request to add a feed by its own address', async () => {
    const { crawler, village, clock, store } = createCrawlHarness([newspaperSite])
    await crawler.subscribe([{ url: village.site('gazette').feeds[0]!.url, kind: 'any' }])
    await clock.advance(MINUTE)
    expect(village.requests).toHaveLength(1)
    expect((await store.counts()).entries).toBe(20)
  })

  it('makes conditional requests after the first poll, and learns from "not modified"', async () => {
    const silent: SiteSpec = { ...newspaperSite, silentSince: START - HOUR }
    const { crawler, village, clock, store } = createCrawlHarness([silent])
    await subscribe(crawler, village)
    await clock.advance(6 * HOUR)
    const requests = requestsTo(village, '/feed')
    expect(requests.length).toBeGreaterThan(5)
    expect(requests.filter(({ headers }) => headers['if-none-match'] === undefined)).toHaveLength(1)
    const { feed } = await onlyFeed(store)
    const polls = await store.polls({ feedId: feed.id, limit: 100 })
    expect(polls.filter(({ result }) => result.kind === 'not-modified')).toHaveLength(polls.length - 1)
  })

  it('makes no queries for a document that differs only in irrelevant parts', async () => {
    const silent: SiteSpec = {
      ...newspaperSite,
      silentSince: START - HOUR,
      feeds: [{ path: '/feed', validators: 'none' }],
    }
    const { crawler, village, clock, store } = createCrawlHarness([silent])
    await subscribe(crawler, village)
    await clock.advance(MINUTE)
    const { feed } = await onlyFeed(store)
    await store.changeFeed(feed.id, { bodyHash: 'of the same feed with another advertisement' })
    await clock.advance(2 * HOUR)
    const sameness = (await store.polls({ limit: 9 })).map(({ result }) =>
      result.kind === 'not-modified' ? result.by : '',
    )
    expect(sameness).toEqual(['hash', 'titles', ''])
  })

  it('keeps a gap between two requests to one root, however many feeds it has', async () => {
    const feeds = Array.from({ length: 12 }, (_, i) => ({ path: `/feed/${i}` }))
    const { crawler, village, clock, store } = createCrawlHarness([{ ...newspaperSite, feeds }], { gapMs: 5 * SECOND })
    await crawler.subscribe(village.site('gazette').feeds.map(({ url }) => ({ url, kind: 'feed' as const })))
    await clock.advance(10 * MINUTE)
    const times = village.requests.map(({ at }) => at)
    expect(times).toHaveLength(12)
    for (const [i, at] of times.entries()) if (i > 0) expect(at - times[i - 1]!).toBeGreaterThanOrEqual(5 * SECOND)
    expect((await store.counts()).unpolled).toBe(0)
  })

  it('backs off from the whole root after a 429, as long as Retry-After says, even after a restart', async () => {
    const sites: SiteSpec[] = [{ ...newspaperSite, feeds: [{ path: '/a' }, { path: '/b' }] }]
    const first = createCrawlHarness(sites)
    await first.crawler.subscribe(
      first.village.site('gazette').feeds.map(({ url }) => ({ url, kind: 'feed' as const })),
    )
    await first.clock.advance(MINUTE)
    first.village.site('gazette').addFault({ kind: 'status', status: 429, retryAfter: { seconds: 7200 } })
    await first.clock.advance(HOUR)
    const refusedAt = first.village.requests.find(({ status }) => status === 429)!.at
    await first.stop()

    const second = createCrawlHarness(sites, { store: first.store, startAt: first.clock.now() })
    await second.clock.advance(4 * HOUR)
    const again = second.village.requests.map(({ at }) => at)
    expect(Math.min(...again)).toBeGreaterThanOrEqual(refusedAt + 2 * HOUR)
    expect(again.length).toBeGreaterThanOrEqual(2)
  })

  it('polls nothing early after a restart, and nothing twice', async () => {
    const first = createCrawlHarness([newspaperSite])
    await subscribe(first.crawler, first.village)
    await first.clock.advance(90 * MINUTE)
    const lastAt = requestsTo(first.village, '/feed').at(-1)!.at
    await first.stop()
    const second = createCrawlHarness([newspaperSite], { store: first.store, startAt: first.clock.now() })
    await second.clock.advance(2 * HOUR)
    const times = requestsTo(second.village, '/feed').map(({ at }) => at)
    expect(times[0]).toBe(lastAt + HOUR)
    expect(times).toHaveLength(2)
  })

  it('never abandons a failing feed, backs off, and reports the reason', async () => {
    const { crawler, village, clock, store } = createCrawlHarness([newspaperSite])
    await subscribe(crawler, village)
    await clock.advance(MINUTE)
    village.site('gazette').addFault({ kind: 'status', status: 500 })
    await clock.advance(30 * DAY)
    const { feed, schedule } = await onlyFeed(store)
    expect(feed.state).toBe('active')
    expect(schedule.trouble).toMatchObject({ kind: 'http', status: 500 })
    expect(schedule.succeededAt).toBeLessThan(START + 5 * MINUTE)
    const requests = requestsTo(village, '/feed').length
    expect(requests).toBeGreaterThan(25)
    expect(requests).toBeLessThan(45)

    village.site('gazette').heal()
    await clock.advance(2 * DAY)
    expect((await onlyFeed(store)).schedule).toMatchObject({ failures: 0 })
    expect((await onlyFeed(store)).schedule.trouble).toBeUndefined()
  })

  it('accepts 410 only when it is repeated, and keeps the entries', async () => {
    const { crawler, village, clock, store } = createCrawlHarness([newspaperSite])
    await subscribe(crawler, village)
    await clock.advance(MINUTE)
    const before = (await store.counts()).entries
    village.site('gazette').addFault({ kind: 'status', status: 410 })
    await clock.advance(8 * DAY)
    expect((await onlyFeed(store)).feed.state).toBe('active')
    await clock.advance(20 * DAY)
    expect((await onlyFeed(store)).feed.state).toBe('gone')
    expect((await store.counts()).entries).toBe(before)
    const requests = village.requests.length
    await clock.advance(60 * DAY)
    expect(village.requests).toHaveLength(requests)
  })

  it('reports why a site has no feed, and tries discovery again', async () => {
    const { crawler, village, clock, store, events } = createCrawlHarness([{ name: 'silent', feeds: [] }])
    await subscribe(crawler, village)
    await clock.advance(MINUTE)
    expect(events.find(({ kind }) => kind === 'not-found')).toMatchObject({ failure: { kind: 'no-feed-found' } })
    expect(village.requests.length).toBeLessThanOrEqual(15)
    const [source] = await store.sources({ state: 'looking', limit: 10 })
    expect(source).toMatchObject({ failures: 1, trouble: { kind: 'no-feed-found' } })
    expect(source!.dueAt).toBeGreaterThan(clock.now())
  })

  it.each([
    ['is unavailable, without further requests', 503, /503/, 2],
    ['is gone, after probing likely addresses', 410, /declares http.*410.*likely addresses/, 15],
  ])('reports that the feed a page declares %s', async (_, status, words, most) => {
    const { crawler, village, clock, store } = createCrawlHarness([
      { ...newspaperSite, feeds: [{ path: '/feed', fault: { kind: 'status', status } }] },
    ])
    await subscribe(crawler, village)
    await clock.advance(2 * MINUTE)
    const [source] = await store.sources({ state: 'looking', limit: 1 })
    expect(describeFailure(source!.trouble!)).toMatch(words)
    expect(village.requests.length).toBeLessThanOrEqual(most)
  })

  it('does not probe addresses again that had no feed a moment ago', async () => {
    const { crawler, village, clock } = createCrawlHarness([{ name: 'silent', feeds: [] }])
    const { home } = village.site('silent')
    await crawler.subscribe([{ url: home, kind: 'any' }])
    await clock.advance(MINUTE)
    const requests = village.requests.length
    await crawler.subscribe([{ url: `${home}?again`, kind: 'any' }])
    await clock.advance(MINUTE)
    expect(village.requests.length - requests).toBe(1)
    await clock.advance(2 * DAY)
    expect(village.requests.length).toBeGreaterThan(requests + 10)
  })

  it('does not poll a paused feed, polls it again when it is resumed, and forgets a removed one', async () => {
    const { crawler, village, clock, store } = createCrawlHarness([newspaperSite])
    await subscribe(crawler, village)
    await clock.advance(MINUTE)
    const { feed } = await onlyFeed(store)
    await crawler.pause(feed.id)
    const requests = village.requests.length
    await clock.advance(DAY)
    expect(village.requests).toHaveLength(requests)
    await crawler.resume(feed.id)
    await clock.advance(MINUTE)
    expect(village.requests).toHaveLength(requests + 1)
    await crawler.remove(feed.id)
    await clock.advance(DAY)
    expect(village.requests).toHaveLength(requests + 1)
    expect((await store.counts()).entries).toBe(0)
  })

  it('polls at once when a user requests it, but not three times in a row', async () => {
    const { crawler, village, clock, store } = createCrawlHarness([newspaperSite])
    await subscribe(crawler, village)
    await clock.advance(10 * MINUTE)
    const { feed } = await onlyFeed(store)
    const requests = requestsTo(village, '/feed').length
    for (let i = 0; i < 3; i++) {
      await crawler.pollNow(feed.id)
      await clock.advance(10 * SECOND)
    }
    expect(requestsTo(village, '/feed')).toHaveLength(requests + 1)
    expect(requestsTo(village, '/feed').at(-1)!.headers['if-none-match']).toBeDefined()
    expect(await crawler.pollNow(999 as FeedId)).toBeUndefined()
  })

  it('adds entries to the search index', async () => {
    const { crawler, village, clock, store, search } = createCrawlHarness([newspaperSite])
    await subscribe(crawler, village)
    village.site('gazette').publish({ title: 'Heffalump seen near the weir' })
    await clock.advance(2 * MINUTE)
    const [hit] = await search.find(parsedQuery('heffalump weir'), 5)
    expect((await store.entriesById([hit!.id]))[0]?.title).toBe('Heffalump seen near the weir')
  })

  it('deletes entries beyond the retention period, and does not store them again', async () => {
    const silent: SiteSpec = {
      ...newspaperSite,
      silentSince: START + 2 * HOUR,
      feeds: [{ path: '/feed', validators: 'none' }],
    }
    const { crawler, village, clock, store, search } = createCrawlHarness([silent], {
      keepEntriesMs: 3 * DAY,
      keepPollsMs: DAY,
    })
    await subscribe(crawler, village)
    village.site('gazette').publish({ title: 'Heffalump seen near the weir' })
    await clock.advance(DAY)
    expect((await store.counts()).entries).toBeGreaterThan(20)
    await clock.advance(4 * DAY)
    expect(await store.counts()).toMatchObject({ entries: 0 })
    expect(await search.find(parsedQuery('heffalump'), 5)).toEqual([])
    const polls = await store.polls({ limit: 1000 })
    expect(polls.length).toBeGreaterThan(20)
    // A run of unchanged polls is deleted as a whole, once its newest is old.
    expect(Math.min(...polls.map(({ at }) => at))).toBeGreaterThan(clock.now() - 4 * DAY)
    const { at } = polls.findLast(({ result }) => result.kind !== 'not-modified') ?? { at: clock.now() }
    expect(at).toBeGreaterThan(clock.now() - 26 * HOUR)
    const { feed } = await onlyFeed(store)
    await store.changeFeed(feed.id, { bodyHash: null, windowHash: null })
    await clock.advance(2 * HOUR)
    expect((await store.counts()).entries).toBe(0)
  })

  it('shows an edit of a title as a change of the same entry', async () => {
    const { crawler, village, clock, store } = createCrawlHarness([
      { ...newspaperSite, rhythm: { kind: 'at', instants: [START - HOUR] } },
    ])
    await subscribe(crawler, village)
    const post = village.site('gazette').publish({ title: 'Goose elected mayor' })
    await clock.advance(MINUTE)
    village.site('gazette').revise(post, 'Goose not elected mayor')
    await clock.advance(2 * HOUR)
    const entries = await store.entries({ limit: 100 })
    expect(entries.map((entry) => entry.title).filter((title) => title.includes('mayor'))).toEqual([
      'Goose not elected mayor',
    ])
    expect(entries.find((entry) => entry.title.includes('mayor'))?.changedAt).toBeGreaterThan(START)
  })

  it('reports a gap when all entries in the feed are new', async () => {
    const { crawler, village, clock, store } = createCrawlHarness([
      { ...newspaperSite, feeds: [{ path: '/feed', window: 3 }], rhythm: { kind: 'clockwork', everyMs: 5 * MINUTE } },
    ])
    await subscribe(crawler, village)
    await clock.advance(3 * HOUR)
    const polls = await store.polls({ limit: 10 })
    expect(polls.some(({ result }) => result.kind === 'read' && result.gap)).toBe(true)
  })

  it('fills a gap from the older documents of the feed, one after another, and continues as before', async () => {
    const feeds = [{ path: '/feed', window: 3, paged: true }]
    const { crawler, village, clock, store, events } = createCrawlHarness([
      { ...newspaperSite, feeds, rhythm: { kind: 'clockwork', everyMs: 5 * MINUTE } },
    ])
    await subscribe(crawler, village)
    await clock.advance(5 * HOUR + MINUTE)
    const { feed } = await onlyFeed(store)
    const entries = await store.entries({ feedId: feed.id, limit: 1000 })
    const paths = new Set(entries.map((entry) => new URL(entry.url!).pathname))
    const published = village.site('gazette').published(START, START + 4 * HOUR)
    expect(published.length).toBeGreaterThan(40)
    expect(published.filter((post) => !paths.has(post.path))).toEqual([])
    expect(feed.gapAt).toBeGreaterThan(START)
    expect(feed.followUp).toBeUndefined()
    const polled = requestsTo(village, '/feed')
      .filter(({ url }) => !url.includes('page='))
      .map(({ at }) => at)
    for (const [i, at] of polled.entries()) if (i > 0) expect(at - polled[i - 1]!).toBeGreaterThan(HOUR - MINUTE)
    for (const [i, { at }] of village.requests.entries())
      if (i > 0) expect(at - village.requests[i - 1]!.at).toBeGreaterThanOrEqual(2 * SECOND)
    expect(internalErrors(events)).toEqual([])
  })

  it('reads at most five older documents', async () => {
    const feeds = [{ path: '/feed', window: 2, paged: true }]
    const { crawler, village, clock } = createCrawlHarness([
      { ...newspaperSite, feeds, rhythm: { kind: 'clockwork', everyMs: MINUTE } },
    ])
    await subscribe(crawler, village)
    await clock.advance(90 * MINUTE)
    expect(village.requests.filter(({ url }) => url.includes('page='))).toHaveLength(5)
  })

  it('finds a feed that moved without a redirect, if its site declares it and its entries reappear', async () => {
    const { crawler, village, clock, store, events } = createCrawlHarness([{ ...newspaperSite, silentSince: START }])
    await subscribe(crawler, village)
    await clock.advance(HOUR)
    village.site('gazette').move('/feed', '/news.xml')
    village.site('gazette').addFault({ kind: 'status', status: 404 }, { path: '/feed' })
    await clock.advance(DAY)
    expect((await onlyFeed(store)).feed.url).toMatch(/\/feed$/)
    await clock.advance(6 * DAY)
    const { feed, schedule } = await onlyFeed(store)
    expect(feed.url).toMatch(/\/news\.xml$/)
    expect(schedule).toMatchObject({ failures: 0 })
    expect(events.filter(({ kind }) => kind === 'moved')).toHaveLength(1)
    const homes = requestsTo(village, '/').length
    await clock.advance(3 * DAY)
    expect(requestsTo(village, '/')).toHaveLength(homes)
    expect(internalErrors(events)).toEqual([])
  })

  it('only reports another feed if no known entries reappear in it, and checks the site once a day', async () => {
    const other = { path: '/other.xml', announced: 'link' as const, about: 'comments' as const }
    const { crawler, village, clock, store, events } = createCrawlHarness([
      { ...newspaperSite, feeds: [{ path: '/feed' }, other] },
    ])
    await subscribe(crawler, village)
    await clock.advance(HOUR)
    village.site('gazette').addFault({ kind: 'status', status: 404 }, { path: '/feed' })
    const homes = requestsTo(village, '/').length
    await clock.advance(10 * DAY)
    const { feed } = await onlyFeed(store)
    expect(feed).toMatchObject({
      url: expect.stringMatching(/\/feed$/),
      successorUrl: expect.stringMatching(/other\.xml$/),
    })
    expect(events.filter(({ kind }) => kind === 'successor')).toHaveLength(1)
    const visits = requestsTo(village, '/').length - homes
    expect(visits).toBeGreaterThan(3)
    expect(visits).toBeLessThanOrEqual(8)
    await crawler.edit(feed.id, { url: feed.successorUrl! })
    await clock.advance(MINUTE)
    expect((await onlyFeed(store)).schedule).toMatchObject({ failures: 0 })
  })

  it('moves a feed only after a permanent redirect has been stable', async () => {
    const { crawler, village, clock, store, events } = createCrawlHarness([newspaperSite])
    await crawler.subscribe(village.site('gazette').feeds.map(({ url }) => ({ url, kind: 'feed' as const })))
    await clock.advance(HOUR)
    village.site('gazette').move('/feed', '/news.xml', 301)
    await clock.advance(12 * HOUR)
    expect((await onlyFeed(store)).feed).toMatchObject({ url: expect.stringMatching(/\/feed$/), moving: { times: 12 } })
    await clock.advance(DAY)
    expect((await onlyFeed(store)).feed.url).toMatch(/\/news\.xml$/)
    expect((await onlyFeed(store)).feed.moving).toBeUndefined()
    expect(events.filter(({ kind }) => kind === 'moved')).toHaveLength(1)
    const requests = requestsTo(village, '/feed').length
    await clock.advance(DAY)
    expect(requestsTo(village, '/feed')).toHaveLength(requests)
  })

  it.each([302, 303, 307] as const)('follows a %d without storing the new address', async (status) => {
    const { crawler, village, clock, store } = createCrawlHarness([newspaperSite])
    await crawler.subscribe(village.site('gazette').feeds.map(({ url }) => ({ url, kind: 'feed' as const })))
    await clock.advance(HOUR)
    village.site('gazette').move('/feed', '/news.xml', status)
    await clock.advance(4 * DAY)
    const { feed, schedule } = await onlyFeed(store)
    expect(feed.url).toMatch(/\/feed$/)
    expect(schedule.failures).toBe(0)
  })

  it('polls no more often than the ttl of the feed allows', async () => {
    const { crawler, village, clock } = createCrawlHarness([
      { ...newspaperSite, feeds: [{ path: '/feed', ttlMinutes: 300 }] },
    ])
    await subscribe(crawler, village)
    await clock.advance(DAY)
    expect(requestsTo(village, '/feed')).toHaveLength(5)
  })

  it('probes no address that robots.txt forbids, and fetches robots.txt once a day', async () => {
    const robots = 'User-agent: *\nDisallow: /feed\nDisallow: /rss\n'
    const { crawler, village, clock } = createCrawlHarness([{ name: 'castle', robots, feeds: [] }])
    await subscribe(crawler, village)
    await clock.advance(10 * HOUR)
    const paths = village.requests.map(({ url }) => new URL(url).pathname)
    expect(paths.filter((path) => path === '/robots.txt')).toHaveLength(1)
    expect(paths).toContain('/atom.xml')
    expect(paths.filter((path) => path.startsWith('/feed') || path.startsWith('/rss'))).toEqual([])
    await clock.advance(2 * DAY)
    expect(requestsTo(village, '/robots.txt').length).toBeLessThanOrEqual(3)
  })

  it.each([
    ['reads a feed that a user added, whatever robots.txt says', 'guesses' as const, 'active' as const, undefined],
    [
      'does not read it if robots.txt applies to all requests',
      'all' as const,
      'active' as const,
      'forbidden-by-robots',
    ],
  ])('%s', async (_, obeyRobots, state, trouble) => {
    const castle: SiteSpec = { ...newspaperSite, name: 'castle', robots: 'User-agent: *\nDisallow: /\n' }
    const { crawler, village, clock, store } = createCrawlHarness([castle], { obeyRobots })
    await crawler.subscribe(village.site('castle').feeds.map(({ url }) => ({ url, kind: 'feed' as const })))
    await clock.advance(3 * DAY)
    const { feed, schedule } = await onlyFeed(store)
    expect([feed.state, schedule.trouble?.kind]).toEqual([state, trouble])
    expect(requestsTo(village, '/feed').length > 0).toBe(obeyRobots === 'guesses')
    if (obeyRobots === 'guesses') expect(requestsTo(village, '/robots.txt')).toHaveLength(0)
    else expect(requestsTo(village, '/robots.txt').length).toBeLessThanOrEqual(4)
  })

  it('detects a server that wrongly answers "not modified", and gets its entries from then on', async () => {
    const parrot: SiteSpec = { ...newspaperSite, name: 'parrot', feeds: [{ path: '/feed', validators: 'lying' }] }
    const { crawler, village, clock, store } = createCrawlHarness([parrot])
    await subscribe(crawler, village)
    await clock.advance(10 * DAY)
    const { feed, schedule } = await onlyFeed(store)
    expect(schedule.trust?.trust).toBe('lies')
    const published = village.site('parrot').published(clock.now() - DAY, clock.now() - 2 * HOUR)
    const paths = new Set(
      (await store.entries({ feedId: feed.id, limit: 1000 })).map(({ url }) => new URL(url!).pathname),
    )
    expect(published.filter((post) => !paths.has(post.path))).toEqual([])
    const requests = requestsTo(village, '/feed')
    expect(
      requests.filter(({ headers, at }) => at < START + 20 * HOUR && headers['if-none-match'] === undefined),
    ).toHaveLength(1)
  })

  it.each([
    ['no more', START - 30 * DAY, 5],
    ['and twice more when a busy feed stops publishing', START - HOUR, 7],
  ])('tests an honest server about once a week, %s', async (_, silentSince, most) => {
    const silent: SiteSpec = { ...newspaperSite, silentSince }
    const { crawler, village, clock, store } = createCrawlHarness([silent])
    await subscribe(crawler, village)
    await clock.advance(30 * DAY)
    const whole = requestsTo(village, '/feed').filter(({ headers }) => headers['if-none-match'] === undefined)
    expect(whole.length).toBeGreaterThanOrEqual(4)
    expect(whole.length).toBeLessThanOrEqual(most)
    expect((await onlyFeed(store)).schedule.trust?.trust).toBe('honest')
  })

  it('polls one canary at a time during an incident of a host, and counts no failures of feeds', async () => {
    const feeds = Array.from({ length: 12 }, (_, i) => ({ path: `/feed/${i}` }))
    const { crawler, village, clock, store, events } = createCrawlHarness([{ ...newspaperSite, feeds }])
    await crawler.subscribe(village.site('gazette').feeds.map(({ url }) => ({ url, kind: 'feed' as const })))
    await clock.advance(30 * MINUTE)
    village.site('gazette').addFault({ kind: 'reset' })
    await clock.advance(2 * HOUR)
    expect(events.filter(({ kind }) => kind === 'incident')).toHaveLength(1)
    const during = village.requests.length
    await clock.advance(4 * HOUR)
    expect(village.requests.length - during).toBeLessThanOrEqual(12)
    const failures = (await store.feeds({ order: 'id', limit: 20 })).map(({ schedule }) => schedule.failures)
    expect(Math.max(...failures)).toBeLessThanOrEqual(1)

    village.site('gazette').heal()
    await clock.advance(5 * HOUR)
    expect(events.filter(({ kind }) => kind === 'incident-over')).toHaveLength(1)
    const well = (await store.feeds({ order: 'id', limit: 20 })).filter(({ schedule }) => !schedule.trouble)
    expect(well).toHaveLength(12)
    expect(internalErrors(events)).toEqual([])
  })

  it('keeps a longer gap after a host limited requests, even after a restart', async () => {
    const sites: SiteSpec[] = [
      { ...newspaperSite, feeds: Array.from({ length: 6 }, (_, i) => ({ path: `/feed/${i}` })) },
    ]
    const first = createCrawlHarness(sites)
    await first.crawler.subscribe(
      first.village.site('gazette').feeds.map(({ url }) => ({ url, kind: 'feed' as const })),
    )
    first.village.site('gazette').addFault({ kind: 'status', status: 429, retryAfter: { seconds: 60 } })
    await first.clock.advance(30 * SECOND)
    first.village.site('gazette').heal()
    await first.stop()
    const second = createCrawlHarness(sites, { store: first.store, startAt: first.clock.now() })
    await second.clock.advance(30 * MINUTE)
    const times = second.village.requests.map(({ at }) => at)
    expect(times.length).toBeGreaterThanOrEqual(5)
    for (const [i, at] of times.entries()) if (i > 0) expect(at - times[i - 1]!).toBeGreaterThan(3.5 * SECOND)
  })

  it('removes the title prefix that a user set', async () => {
    const { crawler, village, clock, store } = createCrawlHarness([{ ...newspaperSite, silentSince: START }])
    await subscribe(crawler, village)
    await clock.advance(MINUTE)
    const { feed } = await onlyFeed(store)
    await crawler.edit(feed.id, { titlePrefix: 'Gazette', folder: 'News' })
    village.site('gazette').publish({ title: 'Gazette: Goose elected' })
    await clock.advance(2 * HOUR)
    expect((await store.entries({ limit: 1 }))[0]?.title).toBe('Goose elected')
    expect((await onlyFeed(store)).feed.folder).toBe('News')
  })

  it('refuses invalid addresses without affecting others', async () => {
    const { crawler, village } = createCrawlHarness([newspaperSite])
    const answers = await crawler.subscribe([
      { url: 'not an address', kind: 'any' },
      { url: village.site('gazette').home, kind: 'any' },
      { url: 'javascript:alert(1)', kind: 'feed' },
    ])
    expect(answers.map(({ kind }) => kind)).toEqual(['refused', 'source', 'refused'])
  })
})

describe('the controller', () => {
  const parts = (store: Store, at: () => Instant, knownBy: 'key' | 'title' = 'key') => {
    const sent: unknown[] = []
    let isSent = new AbortController()
    const events: CrawlEvent[] = []
    const controller = createController({
      ...rolesOf(store),
      queue: {
        send: async (tasks) => {
          sent.push(...tasks)
          isSent.abort()
        },
        collect() {},
        close: async () => {},
      },
      clock: { now: at, sleepUntil: async () => {} },
      hostQueue: createHostQueue({ gapMs: 0 }),
      budget: fixedPrice(HOUR, LIMITS),
      strategy: 'moving-average',
      random: () => 0,
      knownBy,
      slots: () => 4,
      emit: (event) => events.push(event),
    })
    /** Sends the feeds of these outcomes, then applies the outcomes. Returns them with the leases of the sent tasks. */
    const apply = async (outcomes: Outcome[]): Promise<Outcome[]> => {
      const before = sent.length
      const feeds = outcomes.map(({ task }) => (task.kind === 'poll' ? task.feedId : (0 as FeedId)))
      isSent = new AbortController()
      await controller.sendNow({ sources: [], feeds }, isSent.signal)
      const leases = (sent.slice(before) as PollTask[]).map(({ lease }) => lease!)
      const leased = outcomes.map((outcome, i) => ({ ...outcome, task: { ...outcome.task, lease: leases[i]! } }))
      await controller.apply(leased)
      return leased
    }
    return { controller, apply, sent, events }
  }
  const windowOutcome = (feedId: FeedId, at: Instant, keys: string[]): Outcome => ({
    task: {
      kind: 'poll',
      feedId,
      url: address(`http://a${feedId}.example/feed`),
      validators: {},
      subscribers: 1,
      gapMs: 0,
    },
    at,
    tookMs: 5,
    bytes: 100,
    result: {
      kind: 'window',
      reading: {
        facts: { format: 'rss' },
        entries: keys.map((key) => ({ key, title: key })),
        validators: {},
        bodyHash: 'h',
        windowHash: keys.join(),
        restMs: 0,
      },
    },
  })
  const addFeed = async (store: Store, n: number) =>
    (
      await store.addFeeds([
        feedToAdd({ url: address(`http://a${n}.example/feed`), title: `A${n}` }, 'moving-average', 0),
      ])
    )[0]!.id

  it('applies an outcome once, however often it arrives', async () => {
    const store = memoryStore()
    const { controller, apply } = parts(store, () => HOUR)
    const id = await addFeed(store, 1)
    const applied = await apply([windowOutcome(id, HOUR, ['x', 'y'])])
    const once = await store.feedsById([id])
    await controller.apply([...applied, ...applied])
    await controller.apply([windowOutcome(id, HOUR, ['x', 'y', 'z'])]) // no such task was sent
    expect(await store.feedsById([id])).toEqual(once)
    expect(await store.polls({ limit: 10 })).toHaveLength(1)
    expect((await store.counts()).entries).toBe(2)
  })

  it('records the other outcomes of a batch when the store rejects one', async () => {
    const store = memoryStore()
    const refusing: Store = {
      ...store,
      async recordPolls(records) {
        if (records.some(({ fresh }) => fresh.some(({ key }) => key === 'poison'))) throw new Error('refused')
        return store.recordPolls(records)
      },
    }
    const { apply, events } = parts(refusing, () => HOUR)
    const ids = [await addFeed(store, 1), await addFeed(store, 2), await addFeed(store, 3)]
    await apply(ids.map((id, i) => windowOutcome(id, HOUR, [i === 1 ? 'poison' : 'fine'])))
    const polled = await store.feedsById(ids)
    expect(polled.map((scheduled) => scheduled?.schedule.trouble)).toEqual([
      undefined,
      { kind: 'internal', detail: 'refused' },
      undefined,
    ])
    expect(polled[1]?.schedule.dueAt).toBeGreaterThan(HOUR)
    expect(internalErrors(events)).toHaveLength(1)
  })

  it('sends a leased feed again only after its lease has ended', async () => {
    const store = memoryStore()
    let now = HOUR
    await addFeed(store, 1)
    const one = parts(store, () => now)
    const other = parts(store, () => now)
    expect([await one.controller.tick(), await other.controller.tick()]).toEqual([1, 0])
    now += HOUR
    expect(await other.controller.tick()).toBe(1)
  })

  it('releases in-flight tasks, which are due again some minutes after they were sent', async () => {
    const store = memoryStore()
    const id = await addFeed(store, 1)
    const { controller } = parts(store, () => HOUR)
    await controller.tick()
    expect(await store.leaseDue(HOUR, 10, 2 * HOUR)).toMatchObject({ feeds: [] })
    await controller.releaseAll()
    expect(await store.leaseDue(HOUR, 10, 2 * HOUR)).toMatchObject({ feeds: [] })
    expect((await store.nextDue()).pollAt).toBe(HOUR + 5 * MINUTE)
    expect((await store.leaseDue(2 * HOUR, 10, 3 * HOUR)).feeds.map(({ feed }) => feed.id)).toEqual([id])
  })

  it('recognizes entries whose keys change with every poll', async () => {
    const store = memoryStore()
    const id = await addFeed(store, 1)
    let now = HOUR
    const { apply } = parts(store, () => now)
    const shown = (at: Instant, keys: [string, string][]) => {
      const outcome = windowOutcome(
        id,
        at,
        keys.map(([key]) => key),
      )
      if (outcome.result.kind === 'window')
        for (const [i, entry] of outcome.result.reading.entries.entries())
          Object.assign(entry, { title: keys[i]![1], url: `http://a1.example/${keys[i]![1]}` })
      return outcome
    }
    await apply([
      shown(HOUR, [
        ['k1', 'goose'],
        ['k2', 'mayor'],
      ]),
    ])
    now = 2 * HOUR
    await apply([
      shown(2 * HOUR, [
        ['k3', 'fair'],
        ['k4', 'goose'],
        ['k5', 'mayor'],
      ]),
    ])
    expect((await store.entries({ limit: 10 })).map(({ title }) => title).sort()).toEqual(['fair', 'goose', 'mayor'])
    expect((await store.polls({ limit: 1 }))[0]?.result).toMatchObject({ kind: 'read', fresh: 1, gap: false })
  })

  it('treats entries with the same title as known, if configured', async () => {
    const store = memoryStore()
    const [a, b] = [await addFeed(store, 1), await addFeed(store, 2)]
    let now = HOUR
    const { apply } = parts(store, () => now, 'title')
    await apply([windowOutcome(a, HOUR, ['goose'])])
    now = 2 * HOUR
    const again = windowOutcome(a, 2 * HOUR, ['k2', 'mayor'])
    const elsewhere = windowOutcome(b, 2 * HOUR, ['k3'])
    for (const outcome of [again, elsewhere])
      if (outcome.result.kind === 'window') outcome.result.reading.entries[0]!.title = 'goose'
    await apply([again, elsewhere])
    const titles = async (feedId: FeedId) =>
      (await store.entries({ feedId, limit: 9 })).map(({ title }) => title).sort()
    expect([await titles(a), await titles(b)]).toEqual([['goose', 'mayor'], ['goose']])
  })

  it('logs unconditional requests and their reason', async () => {
    const store = memoryStore()
    const id = await addFeed(store, 1)
    await store.changeFeed(id, { validators: { etag: '"1"' } })
    const { apply } = parts(store, () => HOUR)
    await apply([windowOutcome(id, HOUR, ['x'])])
    const [poll] = await store.polls({ limit: 1 })
    expect([poll?.conditional, poll?.unconditionalFor]).toEqual([false, undefined])
  })

  it('never has more tasks in flight than slots', async () => {
    const store = memoryStore()
    for (let n = 1; n <= 10; n++) await addFeed(store, n)
    const { controller, sent } = parts(store, () => HOUR)
    expect(await controller.tick()).toBe(4)
    expect(await controller.tick()).toBe(0)
    expect(sent).toHaveLength(4)
  })

  it('drops the outcome of a feed that was removed meanwhile', async () => {
    const store = memoryStore()
    const id = await addFeed(store, 1)
    const { controller, sent, events } = parts(store, () => HOUR)
    await controller.tick()
    await store.removeFeed(id)
    await controller.apply([{ ...windowOutcome(id, HOUR, ['x']), task: sent[0] as PollTask }])
    expect(await store.counts()).toMatchObject({ entries: 0, polls: 0 })
    expect(events).toEqual([])
  })

  it('dates no entry later than it was seen', async () => {
    const store = memoryStore()
    const id = await addFeed(store, 1)
    const { apply } = parts(store, () => HOUR)
    const outcome = windowOutcome(id, HOUR, ['x'])
    if (outcome.result.kind === 'window') outcome.result.reading.entries[0]!.publishedAt = 500 * DAY
    await apply([outcome])
    expect((await store.entries({ limit: 1 }))[0]?.publishedAt).toBe(HOUR)
  })
})
