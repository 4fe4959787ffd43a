/** Feeds with settings of their own, through whole crawls. */
import { expect, it } from 'vitest'
import {
  createCrawlHarness,
  newspaperSite,
  onlyFeed,
  quietNewspaperSite,
  requestsTo,
  subscribeFeeds,
} from '../../test/crawl-harness.ts'
import { DAY, type FetchSettings, HOUR, MINUTE, type Outcome, webAddress } from '../model/index.ts'
import type { Net, NetRequest } from '../ports/index.ts'

/** A crawl of one feed, polled once, then changed. */
async function crawlWith(fetching: FetchSettings, site = newspaperSite, wrapNet?: (net: Net) => Net) {
  const harness = createCrawlHarness([site], {
    articles: { preference: 'never', backlog: 9 },
    ...(wrapNet && { wrapNet }),
  })
  await subscribeFeeds(harness.crawler, harness.village)
  await harness.clock.advance(MINUTE)
  const { feed } = await onlyFeed(harness.store)
  expect(await harness.crawler.edit(feed.id, { fetching })).toBe(true)
  await harness.clock.advance(MINUTE)
  return { ...harness, id: feed.id }
}

const SECRETS: FetchSettings = { headers: { 'x-key': 'k1' }, cookies: 'a=1', userAgent: 'Reader/2' }

it('sends the headers, cookies and user agent of a feed at once, and with every poll', async () => {
  const { village, clock } = await crawlWith(SECRETS)
  await clock.advance(2 * HOUR)
  const [first, ...later] = requestsTo(village, '/feed')
  expect(first!.headers).not.toHaveProperty('x-key')
  expect(later.length).toBeGreaterThan(2)
  for (const { headers } of later)
    expect(headers).toMatchObject({ 'x-key': 'k1', cookie: 'a=1', 'user-agent': 'Reader/2' })
  for (const { url, headers } of village.requests)
    if (!url.endsWith('/feed')) expect(headers).not.toHaveProperty('cookie')
})

it('is not polled more often than once a minute, however often its settings change', async () => {
  const { crawler, village, clock, id } = await crawlWith({ userAgent: 'Reader/0' }, quietNewspaperSite)
  const before = requestsTo(village, '/feed').length
  for (let i = 1; i <= 12; i++) {
    await crawler.edit(id, { fetching: { userAgent: `Reader/${i}` } })
    await clock.advance(MINUTE / 6)
  }
  expect(requestsTo(village, '/feed').length - before).toBeLessThanOrEqual(3)
})

it('waits as long as its server asked for, with other settings, too', async () => {
  const { crawler, village, clock, id } = await crawlWith({ userAgent: 'Reader/0' }, quietNewspaperSite)
  village.site('gazette').addFault({ kind: 'status', status: 429, retryAfter: { seconds: 7200 } }, { path: '/feed' })
  await clock.advance(2 * HOUR)
  const refused = requestsTo(village, '/feed').length
  await crawler.edit(id, { fetching: { cookies: 'a=1' } })
  await clock.advance(30 * MINUTE)
  expect(requestsTo(village, '/feed').length).toBe(refused)
})

it('does not send secrets to another host, and forgets them when the feed moves there', async () => {
  const mill = { ...quietNewspaperSite, name: 'mill', feeds: [{ path: '/feed' }] }
  const { crawler, village, clock, store } = createCrawlHarness([newspaperSite, mill])
  await crawler.subscribe([{ url: village.site('gazette').feeds[0]!.url, kind: 'feed' }])
  await clock.advance(MINUTE)
  const { feed } = await onlyFeed(store)
  await crawler.edit(feed.id, { fetching: { ...SECRETS, acceptsInvalidCertificate: true } })
  const target = webAddress(village.site('mill').feeds[0]!.url)!
  village.site('gazette').addFault({ kind: 'moved', status: 301, to: target }, { path: '/feed' })
  await clock.advance(3 * DAY)
  const atMill = village.requests.filter(({ url }) => url === target)
  expect(atMill.length).toBeGreaterThan(2)
  for (const { headers } of atMill) {
    expect(headers).not.toHaveProperty('cookie')
    expect(headers).not.toHaveProperty('x-key')
  }
  await crawler.edit(feed.id, { url: target })
  expect((await onlyFeed(store)).feed.fetching).toEqual({ userAgent: 'Reader/2' })
})

it('asks for the whole document if validators are to be ignored', async () => {
  const { village, clock, store } = await crawlWith({ ignoresValidators: true }, quietNewspaperSite)
  await clock.advance(5 * HOUR)
  const later = requestsTo(village, '/feed').slice(1)
  expect(later.length).toBeGreaterThan(2)
  for (const { headers, status } of later) {
    expect([headers['if-none-match'], headers['if-modified-since']]).toEqual([undefined, undefined])
    expect(status).toBe(200)
  }
  const polls = await store.polls({ feedId: (await onlyFeed(store)).feed.id, limit: 9 })
  expect(polls.slice(0, -2).map(({ unconditionalFor }) => unconditionalFor)).toEqual(
    polls.slice(0, -2).map(() => 'lies'),
  )
})

it('requests a feed from its bridge, whose host needs a free slot, too, and gets no secrets', async () => {
  const mill = { ...newspaperSite, name: 'mill', feeds: [{ path: '/feed' }] }
  const { crawler, village, clock, store } = createCrawlHarness([newspaperSite, mill])
  await crawler.subscribe([{ url: village.site('gazette').feeds[0]!.url, kind: 'feed' }])
  await clock.advance(MINUTE)
  const { feed } = await onlyFeed(store)
  const bridge = `${village.site('mill').feeds[0]!.url}?url={url}`
  await crawler.edit(feed.id, { fetching: { ...SECRETS, bridge } })
  await clock.advance(3 * DAY)
  const after = await onlyFeed(store)
  expect(after.feed).toMatchObject({ url: feed.url, ends: ['mill.localhost'] })
  expect(after.schedule.failures).toBe(0)
  const bridged = village.requests.filter(({ url }) => url.includes('?url='))
  expect(bridged.length).toBeGreaterThan(20)
  expect(requestsTo(village, '/feed').filter(({ url }) => url === feed.url)).toHaveLength(1)
  for (const { url, headers } of bridged) {
    expect(new URL(url).searchParams.get('url')).toBe(feed.url)
    expect(headers).toMatchObject({ 'user-agent': 'Reader/2' })
    expect(headers).not.toHaveProperty('cookie')
  }
  await crawler.edit(feed.id, { fetching: null })
  await clock.advance(HOUR)
  expect((await onlyFeed(store)).feed.ends).toBeUndefined()
  expect(village.requests.at(-1)!.url).toBe(feed.url)
})

it('stays with its address when the bridge redirects permanently, and backs off when it fails', async () => {
  const mill = { ...newspaperSite, name: 'mill', feeds: [{ path: '/feed' }, { path: '/other' }] }
  const { crawler, village, clock, store } = createCrawlHarness([newspaperSite, mill])
  await crawler.subscribe([{ url: village.site('gazette').feeds[0]!.url, kind: 'feed' }])
  await clock.advance(MINUTE)
  const { feed } = await onlyFeed(store)
  await crawler.edit(feed.id, { fetching: { bridge: `${village.site('mill').feeds[0]!.url}?url={url}` } })
  village.site('mill').addFault({ kind: 'moved', status: 301, to: '/other' }, { path: '/feed' })
  await clock.advance(4 * DAY)
  expect((await onlyFeed(store)).feed.url).toBe(feed.url)
  expect((await onlyFeed(store)).feed.moving).toBeUndefined()
})

it('passes proxy and certificate on for the poll, and to nothing else', async () => {
  const requests: NetRequest[] = []
  const fetching: FetchSettings = {
    proxy: 'http://proxy.example:3128',
    proxyLogin: 'ann:s%40',
    acceptsInvalidCertificate: true,
  }
  const { clock, crawler, id } = await crawlWith(fetching, newspaperSite, (net) => ({
    ...net,
    get: (request) => {
      requests.push(request)
      return net.get(request)
    },
  }))
  await crawler.edit(id, { articles: 'always' })
  await clock.advance(HOUR)
  const proxied = requests.filter(({ proxy }) => proxy !== undefined)
  expect(new Set(proxied.map(({ url }) => new URL(url).pathname))).toEqual(new Set(['/feed']))
  expect(proxied.at(-1)).toMatchObject({ proxy: 'http://ann:s%40@proxy.example:3128', acceptsInvalidCertificate: true })
  expect(requests.some(({ url, proxy }) => !url.endsWith('/feed') && proxy === undefined)).toBe(true)
})

it('rewrites titles and links, of known entries, too, without storing them again', async () => {
  const { clock, store, crawler, id } = await crawlWith({ userAgent: 'Reader/2' })
  const before = await store.entries({ feedId: id, limit: 100 })
  await crawler.edit(id, {
    fetching: {
      rewrites: [
        { part: 'title', find: '^', replace: 'News: ' },
        { part: 'link', find: '^https?://[^/]+', replace: 'https://mirror.example' },
        { part: 'link', find: '^.*/nothing$', replace: 'not a link' },
      ],
    },
  })
  await clock.advance(MINUTE)
  const after = await store.entries({ feedId: id, limit: 100 })
  expect(after).toHaveLength(before.length)
  for (const { title, url } of after)
    expect([title, url]).toEqual([
      expect.stringMatching(/^News: \S/),
      expect.stringMatching(/^https:\/\/mirror\.example\//),
    ])
})

it('reads pages by the extraction rules of the feed', async () => {
  const { clock, store, crawler, id } = await crawlWith({ extraction: { content: 'h1' }, userAgent: 'Reader/2' })
  await crawler.edit(id, { articles: 'always' })
  await clock.advance(HOUR)
  const [entry] = await store.entries({ feedId: id, limit: 1 })
  const [article] = await store.articlesOfEntries([entry!.id])
  expect(article?.state).toBe('read')
  const [text] = await store.articleTexts([article!.id])
  expect(text!.html).toMatch(/^<h1>.*<\/h1>$/)
})

it('returns outcomes without settings', async () => {
  const outcomes: Outcome[] = []
  const { crawler, village, clock, store } = createCrawlHarness([newspaperSite], {
    wrapQueue: (queue) => ({
      ...queue,
      collect: (apply, applyPush) =>
        queue.collect(async (batch) => {
          outcomes.push(...batch)
          await apply(batch)
        }, applyPush),
    }),
  })
  await subscribeFeeds(crawler, village)
  await clock.advance(MINUTE)
  await crawler.edit((await onlyFeed(store)).feed.id, { fetching: SECRETS })
  await clock.advance(HOUR)
  expect(outcomes.length).toBeGreaterThan(2)
  expect(JSON.stringify(outcomes)).not.toMatch(/k1|a=1/)
})
