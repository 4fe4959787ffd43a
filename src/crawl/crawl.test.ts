import { describe, expect, it } from 'vitest'
import { askedOf, box, mistakes, newspaperSite, onlyFeed, START, subscribe } from '../../test/crawl-harness.ts'
import { memoryStore } from '../../test/yielding-store.ts'
import type { SiteSpec } from '../lab/index.ts'
import { address } from '../model/address.fixture.ts'
import {
  DAY,
  type FeedId,
  failureInWords,
  HOUR,
  type Instant,
  MINUTE,
  type Outcome,
  type PollTask,
  SECOND,
} from '../model/index.ts'
import { createPace } from '../politeness/index.ts'
import { rolesOf, type Store } from '../ports/index.ts'
import { asked } from '../ports/search-query.fixture.ts'
import { LIMITS } from '../scheduling/index.ts'
import { type CrawlEvent, createController, feedToAdd, fixedPrice } from './index.ts'

describe('the crawl', () => {
  it('finds the feed of a site, reads it, and has every entry that is published afterwards', async () => {
    const { crawler, village, clock, store, events } = box([newspaperSite])
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
    expect(mistakes(events)).toEqual([])
  })

  it('makes one request to add a feed by its own address', async () => {
    const { crawler, village, clock, store } = box([newspaperSite])
    await crawler.subscribe([{ url: village.site('gazette').feeds[0]!.url, kind: 'any' }])
    await clock.advance(MINUTE)
    expect(village.requests).toHaveLength(1)
    expect((await store.counts()).entries).toBe(20)
  })

  it('asks conditionally ever after the first time, and learns from "not modified"', async () => {
    const silent: SiteSpec = { ...newspaperSite, silentSince: START - HOUR }
    const { crawler, village, clock, store } = box([silent])
    await subscribe(crawler, village)
    await clock.advance(6 * HOUR)
    const asked = askedOf(village, '/feed')
    expect(asked.length).toBeGreaterThan(5)
    expect(asked.filter(({ headers }) => headers['if-none-match'] === undefined)).toHaveLength(1)
    const { feed } = await onlyFeed(store)
    const polls = await store.polls({ feedId: feed.id, limit: 100 })
    expect(polls.filter(({ result }) => result.kind === 'not-modified')).toHaveLength(polls.length - 1)
  })

  it('asks the store nothing about a document that differs only in what does not matter', async () => {
    const silent: SiteSpec = {
      ...newspaperSite,
      silentSince: START - HOUR,
      feeds: [{ path: '/feed', validators: 'none' }],
    }
    const { crawler, village, clock, store } = box([silent])
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
    const { crawler, village, clock, store } = box([{ ...newspaperSite, feeds }], { gapMs: 5 * SECOND })
    await crawler.subscribe(village.site('gazette').feeds.map(({ url }) => ({ url, kind: 'feed' as const })))
    await clock.advance(10 * MINUTE)
    const times = village.requests.map(({ at }) => at)
    expect(times).toHaveLength(12)
    for (const [i, at] of times.entries()) if (i > 0) expect(at - times[i - 1]!).toBeGreaterThanOrEqual(5 * SECOND)
    expect((await store.counts()).unpolled).toBe(0)
  })

  it('leaves the whole root alone when one feed draws a 429, for as long as it asked, and over a restart', async () => {
    const sites: SiteSpec[] = [{ ...newspaperSite, feeds: [{ path: '/a' }, { path: '/b' }] }]
    const first = box(sites)
    await first.crawler.subscribe(
      first.village.site('gazette').feeds.map(({ url }) => ({ url, kind: 'feed' as const })),
    )
    await first.clock.advance(MINUTE)
    first.village.site('gazette').trouble({ kind: 'status', status: 429, retryAfter: { seconds: 7200 } })
    await first.clock.advance(HOUR)
    const refusedAt = first.village.requests.find(({ status }) => status === 429)!.at
    await first.stop()

    const second = box(sites, { store: first.store, startAt: first.clock.now() })
    await second.clock.advance(4 * HOUR)
    const again = second.village.requests.map(({ at }) => at)
    expect(Math.min(...again)).toBeGreaterThanOrEqual(refusedAt + 2 * HOUR)
    expect(again.length).toBeGreaterThanOrEqual(2)
  })

  it('polls nothing early after a restart, and nothing twice', async () => {
    const first = box([newspaperSite])
    await subscribe(first.crawler, first.village)
    await first.clock.advance(90 * MINUTE)
    const lastAt = askedOf(first.village, '/feed').at(-1)!.at
    await first.stop()
    const second = box([newspaperSite], { store: first.store, startAt: first.clock.now() })
    await second.clock.advance(2 * HOUR)
    const times = askedOf(second.village, '/feed').map(({ at }) => at)
    expect(times[0]).toBe(lastAt + HOUR)
    expect(times).toHaveLength(2)
  })

  it('never gives up a feed that fails, asks ever more seldom, and says why', async () => {
    const { crawler, village, clock, store } = box([newspaperSite])
    await subscribe(crawler, village)
    await clock.advance(MINUTE)
    village.site('gazette').trouble({ kind: 'status', status: 500 })
    await clock.advance(30 * DAY)
    const { feed, schedule } = await onlyFeed(store)
    expect(feed.state).toBe('active')
    expect(schedule.trouble).toMatchObject({ kind: 'http', status: 500 })
    expect(schedule.succeededAt).toBeLessThan(START + 5 * MINUTE)
    const asked = askedOf(village, '/feed').length
    expect(asked).toBeGreaterThan(25)
    expect(asked).toBeLessThan(45)

    village.site('gazette').heal()
    await clock.advance(2 * DAY)
    expect((await onlyFeed(store)).schedule).toMatchObject({ failures: 0 })
    expect((await onlyFeed(store)).schedule.trouble).toBeUndefined()
  })

  it('believes 410 only when it is repeated, and keeps the entries', async () => {
    const { crawler, village, clock, store } = box([newspaperSite])
    await subscribe(crawler, village)
    await clock.advance(MINUTE)
    const before = (await store.counts()).entries
    village.site('gazette').trouble({ kind: 'status', status: 410 })
    await clock.advance(8 * DAY)
    expect((await onlyFeed(store)).feed.state).toBe('active')
    await clock.advance(20 * DAY)
    expect((await onlyFeed(store)).feed.state).toBe('gone')
    expect((await store.counts()).entries).toBe(before)
    const asked = village.requests.length
    await clock.advance(60 * DAY)
    expect(village.requests).toHaveLength(asked)
  })

  it('says in words why a site has no feed, and looks again', async () => {
    const { crawler, village, clock, store, events } = box([{ name: 'silent', feeds: [] }])
    await subscribe(crawler, village)
    await clock.advance(MINUTE)
    expect(events.find(({ kind }) => kind === 'not-found')).toMatchObject({ failure: { kind: 'no-feed-found' } })
    expect(village.requests.length).toBeLessThanOrEqual(15)
    const [source] = await store.sources({ state: 'looking', limit: 10 })
    expect(source).toMatchObject({ failures: 1, trouble: { kind: 'no-feed-found' } })
    expect(source!.dueAt).toBeGreaterThan(clock.now())
  })

  it.each([
    ['is too busy today, and asks nowhere else', 503, /503/, 2],
    ['is gone, after a look at likely places', 410, /names http.*410.*likely places/, 15],
  ])('says that the feed which a page names %s', async (_, status, words, most) => {
    const { crawler, village, clock, store } = box([
      { ...newspaperSite, feeds: [{ path: '/feed', trouble: { kind: 'status', status } }] },
    ])
    await subscribe(crawler, village)
    await clock.advance(2 * MINUTE)
    const [source] = await store.sources({ state: 'looking', limit: 1 })
    expect(failureInWords(source!.trouble!)).toMatch(words)
    expect(village.requests.length).toBeLessThanOrEqual(most)
  })

  it('does not ask again at likely places that had nothing a moment ago', async () => {
    const { crawler, village, clock } = box([{ name: 'silent', feeds: [] }])
    const { home } = village.site('silent')
    await crawler.subscribe([{ url: home, kind: 'any' }])
    await clock.advance(MINUTE)
    const asked = village.requests.length
    await crawler.subscribe([{ url: `${home}?again`, kind: 'any' }])
    await clock.advance(MINUTE)
    expect(village.requests.length - asked).toBe(1)
    await clock.advance(2 * DAY)
    expect(village.requests.length).toBeGreaterThan(asked + 10)
  })

  it('does not poll a paused feed, polls it again when it is resumed, and forgets a removed one', async () => {
    const { crawler, village, clock, store } = box([newspaperSite])
    await subscribe(crawler, village)
    await clock.advance(MINUTE)
    const { feed } = await onlyFeed(store)
    await crawler.pause(feed.id)
    const asked = village.requests.length
    await clock.advance(DAY)
    expect(village.requests).toHaveLength(asked)
    await crawler.resume(feed.id)
    await clock.advance(MINUTE)
    expect(village.requests).toHaveLength(asked + 1)
    await crawler.remove(feed.id)
    await clock.advance(DAY)
    expect(village.requests).toHaveLength(asked + 1)
    expect((await store.counts()).entries).toBe(0)
  })

  it('polls at once when a person asks, but not three times in a row', async () => {
    const { crawler, village, clock, store } = box([newspaperSite])
    await subscribe(crawler, village)
    await clock.advance(10 * MINUTE)
    const { feed } = await onlyFeed(store)
    const asked = askedOf(village, '/feed').length
    for (let i = 0; i < 3; i++) {
      await crawler.pollNow(feed.id)
      await clock.advance(10 * SECOND)
    }
    expect(askedOf(village, '/feed')).toHaveLength(asked + 1)
    expect(askedOf(village, '/feed').at(-1)!.headers['if-none-match']).toBeDefined()
    expect(await crawler.pollNow(999 as FeedId)).toBeUndefined()
  })

  it('puts what it reads into the search index', async () => {
    const { crawler, village, clock, store, search } = box([newspaperSite])
    await subscribe(crawler, village)
    village.site('gazette').publish({ title: 'Heffalump seen near the weir' })
    await clock.advance(2 * MINUTE)
    const [hit] = await search.find(asked('heffalump weir'), 5)
    expect((await store.entriesById([hit!.id]))[0]?.title).toBe('Heffalump seen near the weir')
  })

  it('forgets what is older than wished, and does not take it for news again', async () => {
    const silent: SiteSpec = {
      ...newspaperSite,
      silentSince: START + 2 * HOUR,
      feeds: [{ path: '/feed', validators: 'none' }],
    }
    const { crawler, village, clock, store, search } = box([silent], { keepEntriesMs: 3 * DAY, keepPollsMs: DAY })
    await subscribe(crawler, village)
    village.site('gazette').publish({ title: 'Heffalump seen near the weir' })
    await clock.advance(DAY)
    expect((await store.counts()).entries).toBeGreaterThan(20)
    await clock.advance(4 * DAY)
    expect(await store.counts()).toMatchObject({ entries: 0 })
    expect(await search.find(asked('heffalump'), 5)).toEqual([])
    const polls = await store.polls({ limit: 1000 })
    expect(polls.length).toBeGreaterThan(20)
    // A run of unchanged polls goes as a whole, once its newest is old.
    expect(Math.min(...polls.map(({ at }) => at))).toBeGreaterThan(clock.now() - 4 * DAY)
    const { at } = polls.findLast(({ result }) => result.kind !== 'not-modified') ?? { at: clock.now() }
    expect(at).toBeGreaterThan(clock.now() - 26 * HOUR)
    const { feed } = await onlyFeed(store)
    await store.changeFeed(feed.id, { bodyHash: null, windowHash: null })
    await clock.advance(2 * HOUR)
    expect((await store.counts()).entries).toBe(0)
  })

  it('shows an edit of a title as a change of the same entry', async () => {
    const { crawler, village, clock, store } = box([
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

  it('says so when everything in the window is new: entries may have been missed', async () => {
    const { crawler, village, clock, store } = box([
      { ...newspaperSite, feeds: [{ path: '/feed', window: 3 }], rhythm: { kind: 'clockwork', everyMs: 5 * MINUTE } },
    ])
    await subscribe(crawler, village)
    await clock.advance(3 * HOUR)
    const polls = await store.polls({ limit: 10 })
    expect(polls.some(({ result }) => result.kind === 'read' && result.gap)).toBe(true)
  })

  it('fills a gap from the older documents of the feed, in turn, and goes on as before', async () => {
    const feeds = [{ path: '/feed', window: 3, paged: true }]
    const { crawler, village, clock, store, events } = box([
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
    expect(feed.errand).toBeUndefined()
    const polled = askedOf(village, '/feed')
      .filter(({ url }) => !url.includes('page='))
      .map(({ at }) => at)
    for (const [i, at] of polled.entries()) if (i > 0) expect(at - polled[i - 1]!).toBeGreaterThan(HOUR - MINUTE)
    for (const [i, { at }] of village.requests.entries())
      if (i > 0) expect(at - village.requests[i - 1]!.at).toBeGreaterThanOrEqual(2 * SECOND)
    expect(mistakes(events)).toEqual([])
  })

  it('walks no more than five older documents, however many there are', async () => {
    const feeds = [{ path: '/feed', window: 2, paged: true }]
    const { crawler, village, clock } = box([
      { ...newspaperSite, feeds, rhythm: { kind: 'clockwork', everyMs: MINUTE } },
    ])
    await subscribe(crawler, village)
    await clock.advance(90 * MINUTE)
    expect(village.requests.filter(({ url }) => url.includes('page='))).toHaveLength(5)
  })

  it('finds a feed again that has moved without a word, when its site knows it and its entries reappear', async () => {
    const { crawler, village, clock, store, events } = box([{ ...newspaperSite, silentSince: START }])
    await subscribe(crawler, village)
    await clock.advance(HOUR)
    village.site('gazette').move('/feed', '/news.xml')
    village.site('gazette').trouble({ kind: 'status', status: 404 }, { path: '/feed' })
    await clock.advance(DAY)
    expect((await onlyFeed(store)).feed.url).toMatch(/\/feed$/)
    await clock.advance(6 * DAY)
    const { feed, schedule } = await onlyFeed(store)
    expect(feed.url).toMatch(/\/news\.xml$/)
    expect(schedule).toMatchObject({ failures: 0 })
    expect(events.filter(({ kind }) => kind === 'moved')).toHaveLength(1)
    const homes = askedOf(village, '/').length
    await clock.advance(3 * DAY)
    expect(askedOf(village, '/')).toHaveLength(homes)
    expect(mistakes(events)).toEqual([])
  })

  it('only tells of another feed when nothing known reappears in it, and asks the site once a day', async () => {
    const other = { path: '/other.xml', announced: 'link' as const, about: 'comments' as const }
    const { crawler, village, clock, store, events } = box([{ ...newspaperSite, feeds: [{ path: '/feed' }, other] }])
    await subscribe(crawler, village)
    await clock.advance(HOUR)
    village.site('gazette').trouble({ kind: 'status', status: 404 }, { path: '/feed' })
    const homes = askedOf(village, '/').length
    await clock.advance(10 * DAY)
    const { feed } = await onlyFeed(store)
    expect(feed).toMatchObject({
      url: expect.stringMatching(/\/feed$/),
      successorUrl: expect.stringMatching(/other\.xml$/),
    })
    expect(events.filter(({ kind }) => kind === 'successor')).toHaveLength(1)
    const visits = askedOf(village, '/').length - homes
    expect(visits).toBeGreaterThan(3)
    expect(visits).toBeLessThanOrEqual(8)
    await crawler.edit(feed.id, { url: feed.successorUrl! })
    await clock.advance(MINUTE)
    expect((await onlyFeed(store)).schedule).toMatchObject({ failures: 0 })
  })

  it('takes a feed to its new address when a permanent redirect has proved itself, and not before', async () => {
    const { crawler, village, clock, store, events } = box([newspaperSite])
    await crawler.subscribe(village.site('gazette').feeds.map(({ url }) => ({ url, kind: 'feed' as const })))
    await clock.advance(HOUR)
    village.site('gazette').move('/feed', '/news.xml', 301)
    await clock.advance(12 * HOUR)
    expect((await onlyFeed(store)).feed).toMatchObject({ url: expect.stringMatching(/\/feed$/), moving: { times: 12 } })
    await clock.advance(DAY)
    expect((await onlyFeed(store)).feed.url).toMatch(/\/news\.xml$/)
    expect((await onlyFeed(store)).feed.moving).toBeUndefined()
    expect(events.filter(({ kind }) => kind === 'moved')).toHaveLength(1)
    const asked = askedOf(village, '/feed').length
    await clock.advance(DAY)
    expect(askedOf(village, '/feed')).toHaveLength(asked)
  })

  it.each([302, 303, 307] as const)('follows a %d for ever and stores nothing of it', async (status) => {
    const { crawler, village, clock, store } = box([newspaperSite])
    await crawler.subscribe(village.site('gazette').feeds.map(({ url }) => ({ url, kind: 'feed' as const })))
    await clock.advance(HOUR)
    village.site('gazette').move('/feed', '/news.xml', status)
    await clock.advance(4 * DAY)
    const { feed, schedule } = await onlyFeed(store)
    expect(feed.url).toMatch(/\/feed$/)
    expect(schedule.failures).toBe(0)
  })

  it('comes no more often than the publisher asks in the document', async () => {
    const { crawler, village, clock } = box([{ ...newspaperSite, feeds: [{ path: '/feed', ttlMinutes: 300 }] }])
    await subscribe(crawler, village)
    await clock.advance(DAY)
    expect(askedOf(village, '/feed')).toHaveLength(5)
  })

  it('guesses no address that robots.txt forbids, and asks for robots.txt once a day', async () => {
    const robots = 'User-agent: *\nDisallow: /feed\nDisallow: /rss\n'
    const { crawler, village, clock } = box([{ name: 'castle', robots, feeds: [] }])
    await subscribe(crawler, village)
    await clock.advance(10 * HOUR)
    const paths = village.requests.map(({ url }) => new URL(url).pathname)
    expect(paths.filter((path) => path === '/robots.txt')).toHaveLength(1)
    expect(paths).toContain('/atom.xml')
    expect(paths.filter((path) => path.startsWith('/feed') || path.startsWith('/rss'))).toEqual([])
    await clock.advance(2 * DAY)
    expect(askedOf(village, '/robots.txt').length).toBeLessThanOrEqual(3)
  })

  it.each([
    [
      'reads a feed that a person asked for, whatever robots.txt says',
      'guesses' as const,
      'active' as const,
      undefined,
    ],
    [
      'leaves it alone where robots.txt is to be heeded for all',
      'all' as const,
      'active' as const,
      'forbidden-by-robots',
    ],
  ])('%s', async (_, obeyRobots, state, trouble) => {
    const castle: SiteSpec = { ...newspaperSite, name: 'castle', robots: 'User-agent: *\nDisallow: /\n' }
    const { crawler, village, clock, store } = box([castle], { obeyRobots })
    await crawler.subscribe(village.site('castle').feeds.map(({ url }) => ({ url, kind: 'feed' as const })))
    await clock.advance(3 * DAY)
    const { feed, schedule } = await onlyFeed(store)
    expect([feed.state, schedule.trouble?.kind]).toEqual([state, trouble])
    expect(askedOf(village, '/feed').length > 0).toBe(obeyRobots === 'guesses')
    if (obeyRobots === 'guesses') expect(askedOf(village, '/robots.txt')).toHaveLength(0)
    else expect(askedOf(village, '/robots.txt').length).toBeLessThanOrEqual(4)
  })

  it('finds out that a server says "not modified" and lies, and has the news from then on', async () => {
    const parrot: SiteSpec = { ...newspaperSite, name: 'parrot', feeds: [{ path: '/feed', validators: 'lying' }] }
    const { crawler, village, clock, store } = box([parrot])
    await subscribe(crawler, village)
    await clock.advance(10 * DAY)
    const { feed, schedule } = await onlyFeed(store)
    expect(schedule.trust?.trust).toBe('lies')
    const published = village.site('parrot').published(clock.now() - DAY, clock.now() - 2 * HOUR)
    const paths = new Set(
      (await store.entries({ feedId: feed.id, limit: 1000 })).map(({ url }) => new URL(url!).pathname),
    )
    expect(published.filter((post) => !paths.has(post.path))).toEqual([])
    const asked = askedOf(village, '/feed')
    expect(
      asked.filter(({ headers, at }) => at < START + 20 * HOUR && headers['if-none-match'] === undefined),
    ).toHaveLength(1)
  })

  it.each([
    ['no more', START - 30 * DAY, 5],
    ['and twice more when a busy feed falls silent', START - HOUR, 7],
  ])('tests an honest server about once a week, %s', async (_, silentSince, most) => {
    const silent: SiteSpec = { ...newspaperSite, silentSince }
    const { crawler, village, clock, store } = box([silent])
    await subscribe(crawler, village)
    await clock.advance(30 * DAY)
    const whole = askedOf(village, '/feed').filter(({ headers }) => headers['if-none-match'] === undefined)
    expect(whole.length).toBeGreaterThanOrEqual(4)
    expect(whole.length).toBeLessThanOrEqual(most)
    expect((await onlyFeed(store)).schedule.trust?.trust).toBe('honest')
  })

  it('sends one feed at a time to look while a whole host is in trouble, and blames no feed for it', async () => {
    const feeds = Array.from({ length: 12 }, (_, i) => ({ path: `/feed/${i}` }))
    const { crawler, village, clock, store, events } = box([{ ...newspaperSite, feeds }])
    await crawler.subscribe(village.site('gazette').feeds.map(({ url }) => ({ url, kind: 'feed' as const })))
    await clock.advance(30 * MINUTE)
    village.site('gazette').trouble({ kind: 'reset' })
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
    expect(mistakes(events)).toEqual([])
  })

  it('leaves a longer gap where a host has asked for less, and remembers it over a restart', async () => {
    const sites: SiteSpec[] = [
      { ...newspaperSite, feeds: Array.from({ length: 6 }, (_, i) => ({ path: `/feed/${i}` })) },
    ]
    const first = box(sites)
    await first.crawler.subscribe(
      first.village.site('gazette').feeds.map(({ url }) => ({ url, kind: 'feed' as const })),
    )
    first.village.site('gazette').trouble({ kind: 'status', status: 429, retryAfter: { seconds: 60 } })
    await first.clock.advance(30 * SECOND)
    first.village.site('gazette').heal()
    await first.stop()
    const second = box(sites, { store: first.store, startAt: first.clock.now() })
    await second.clock.advance(30 * MINUTE)
    const times = second.village.requests.map(({ at }) => at)
    expect(times.length).toBeGreaterThanOrEqual(5)
    for (const [i, at] of times.entries()) if (i > 0) expect(at - times[i - 1]!).toBeGreaterThan(3.5 * SECOND)
  })

  it('takes the prefix that a person named off the titles', async () => {
    const { crawler, village, clock, store } = box([{ ...newspaperSite, silentSince: START }])
    await subscribe(crawler, village)
    await clock.advance(MINUTE)
    const { feed } = await onlyFeed(store)
    await crawler.edit(feed.id, { titlePrefix: 'Gazette', folder: 'News' })
    village.site('gazette').publish({ title: 'Gazette: Goose elected' })
    await clock.advance(2 * HOUR)
    expect((await store.entries({ limit: 1 }))[0]?.title).toBe('Goose elected')
    expect((await onlyFeed(store)).feed.folder).toBe('News')
  })

  it('refuses what is no address and harms no other', async () => {
    const { crawler, village } = box([newspaperSite])
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
      pace: createPace({ gapMs: 0 }),
      budget: fixedPrice(HOUR, LIMITS),
      strategy: 'moving-average',
      random: () => 0,
      knownBy,
      hands: () => 4,
      emit: (event) => events.push(event),
    })
    /** Has the feeds of these outcomes sent for, and brings the outcomes; the tasks as they were sent. */
    const bring = async (outcomes: Outcome[]): Promise<Outcome[]> => {
      const before = sent.length
      const feeds = outcomes.map(({ task }) => (task.kind === 'poll' ? task.feedId : (0 as FeedId)))
      isSent = new AbortController()
      await controller.sendNow({ sources: [], feeds }, isSent.signal)
      const flights = (sent.slice(before) as PollTask[]).map(({ lease }) => lease!)
      const brought = outcomes.map((outcome, i) => ({ ...outcome, task: { ...outcome.task, lease: flights[i]! } }))
      await controller.apply(brought)
      return brought
    }
    return { controller, bring, sent, events }
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

  it('applies an outcome once, however often it comes', async () => {
    const store = memoryStore()
    const { controller, bring } = parts(store, () => HOUR)
    const id = await addFeed(store, 1)
    const brought = await bring([windowOutcome(id, HOUR, ['x', 'y'])])
    const once = await store.feedsById([id])
    await controller.apply([...brought, ...brought])
    await controller.apply([windowOutcome(id, HOUR, ['x', 'y', 'z'])]) // nobody was sent for that
    expect(await store.feedsById([id])).toEqual(once)
    expect(await store.polls({ limit: 10 })).toHaveLength(1)
    expect((await store.counts()).entries).toBe(2)
  })

  it('records the neighbours of an outcome that the store refuses', async () => {
    const store = memoryStore()
    const refusing: Store = {
      ...store,
      async recordPolls(records) {
        if (records.some(({ fresh }) => fresh.some(({ key }) => key === 'poison'))) throw new Error('refused')
        return store.recordPolls(records)
      },
    }
    const { bring, events } = parts(refusing, () => HOUR)
    const ids = [await addFeed(store, 1), await addFeed(store, 2), await addFeed(store, 3)]
    await bring(ids.map((id, i) => windowOutcome(id, HOUR, [i === 1 ? 'poison' : 'fine'])))
    const polled = await store.feedsById(ids)
    expect(polled.map((held) => held?.schedule.trouble)).toEqual([
      undefined,
      { kind: 'internal', detail: 'refused' },
      undefined,
    ])
    expect(polled[1]?.schedule.dueAt).toBeGreaterThan(HOUR)
    expect(mistakes(events)).toHaveLength(1)
  })

  it('sends a leased feed to nobody else, and again when the lease has run out', async () => {
    const store = memoryStore()
    let now = HOUR
    await addFeed(store, 1)
    const one = parts(store, () => now)
    const other = parts(store, () => now)
    expect([await one.controller.tick(), await other.controller.tick()]).toEqual([1, 0])
    now += HOUR
    expect(await other.controller.tick()).toBe(1)
  })

  it('hands back what is out, due again some minutes after it was sent', async () => {
    const store = memoryStore()
    const id = await addFeed(store, 1)
    const { controller } = parts(store, () => HOUR)
    await controller.tick()
    expect(await store.takeDue(HOUR, 10, 2 * HOUR)).toMatchObject({ feeds: [] })
    await controller.handBackAll()
    expect(await store.takeDue(HOUR, 10, 2 * HOUR)).toMatchObject({ feeds: [] })
    expect((await store.nextDue()).pollAt).toBe(HOUR + 5 * MINUTE)
    expect((await store.takeDue(2 * HOUR, 10, 3 * HOUR)).feeds.map(({ feed }) => feed.id)).toEqual([id])
  })

  it('takes entries whose feed invents their keys anew at every poll for what they are', async () => {
    const store = memoryStore()
    const id = await addFeed(store, 1)
    let now = HOUR
    const { bring } = parts(store, () => now)
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
    await bring([
      shown(HOUR, [
        ['k1', 'goose'],
        ['k2', 'mayor'],
      ]),
    ])
    now = 2 * HOUR
    await bring([
      shown(2 * HOUR, [
        ['k3', 'fair'],
        ['k4', 'goose'],
        ['k5', 'mayor'],
      ]),
    ])
    expect((await store.entries({ limit: 10 })).map(({ title }) => title).sort()).toEqual(['fair', 'goose', 'mayor'])
    expect((await store.polls({ limit: 1 }))[0]?.result).toMatchObject({ kind: 'read', fresh: 1, gap: false })
  })

  it('takes the same title in the same feed for known, where that is wished', async () => {
    const store = memoryStore()
    const [a, b] = [await addFeed(store, 1), await addFeed(store, 2)]
    let now = HOUR
    const { bring } = parts(store, () => now, 'title')
    await bring([windowOutcome(a, HOUR, ['goose'])])
    now = 2 * HOUR
    const again = windowOutcome(a, 2 * HOUR, ['k2', 'mayor'])
    const elsewhere = windowOutcome(b, 2 * HOUR, ['k3'])
    for (const outcome of [again, elsewhere])
      if (outcome.result.kind === 'window') outcome.result.reading.entries[0]!.title = 'goose'
    await bring([again, elsewhere])
    const titles = async (feedId: FeedId) =>
      (await store.entries({ feedId, limit: 9 })).map(({ title }) => title).sort()
    expect([await titles(a), await titles(b)]).toEqual([['goose', 'mayor'], ['goose']])
  })

  it('notes in the log that it asked for everything without an excuse', async () => {
    const store = memoryStore()
    const id = await addFeed(store, 1)
    await store.changeFeed(id, { validators: { etag: '"1"' } })
    const { bring } = parts(store, () => HOUR)
    await bring([windowOutcome(id, HOUR, ['x'])])
    const [poll] = await store.polls({ limit: 1 })
    expect([poll?.conditional, poll?.unconditionalFor]).toEqual([false, undefined])
  })

  it('has no more tasks out than it may', async () => {
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
    const { bring } = parts(store, () => HOUR)
    const outcome = windowOutcome(id, HOUR, ['x'])
    if (outcome.result.kind === 'window') outcome.result.reading.entries[0]!.publishedAt = 500 * DAY
    await bring([outcome])
    expect((await store.entries({ limit: 1 }))[0]?.publishedAt).toBe(HOUR)
  })
})
