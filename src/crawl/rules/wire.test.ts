import { expect, it } from 'vitest'
import {
  createNetworkHarness,
  onlyFeed,
  PUSH,
  quietNewspaperSite,
  requestsTo,
  subscribe,
  subscribeFeeds,
} from '../../../test/crawl-harness.ts'
import { defaultConfig } from '../../app/index.ts'
import { userAgent } from '../../app/version.ts'
import { HOUR, MINUTE } from '../../model/index.ts'
import { serveDns } from '../../net/dns-server.fixture.ts'

it('rule 22: responses are requested compressed, and decompressed up to a limit', async () => {
  const { crawler, village, clock, store } = await createNetworkHarness([
    {
      ...quietNewspaperSite,
      feeds: [{ path: '/feed' }, { path: '/bomb', fault: { kind: 'huge', bytes: 12_000_000 } }],
    },
  ])
  await subscribeFeeds(crawler, village)
  await clock.advance(MINUTE)
  const [feed, bomb] = await store.feeds({ order: 'id', limit: 2 })
  for (const coding of ['gzip', 'br', 'zstd'])
    expect(village.requests[0]?.headers['accept-encoding']).toMatch(new RegExp(`\\b${coding}\\b`))
  const [poll] = await store.polls({ feedId: feed!.feed.id, limit: 1 })
  expect(poll?.result).toMatchObject({ kind: 'read', fresh: 20 })
  expect(poll?.bytes).toBeLessThan(6000)
  expect(bomb?.schedule.trouble).toEqual({ kind: 'too-large', detail: 'more than 10000000 bytes after decoding' })
})

it('rule 31: the user agent names us and a contact address, the same in every request', async () => {
  const { contact } = defaultConfig()
  const { crawler, village, clock } = await createNetworkHarness(
    [
      { ...quietNewspaperSite, feeds: [] },
      { ...quietNewspaperSite, name: 'b' },
    ],
    {
      userAgent: userAgent(contact),
    },
  )
  await subscribe(crawler, village)
  await clock.advance(2 * HOUR)
  const names = new Set(village.requests.map(({ headers }) => headers['user-agent']))
  expect([...names].map((name) => name?.replace('; 1 subscriber)', ')'))).toEqual(
    Array(2).fill(expect.stringMatching(/^Freshet\/\d+\.\d+\.\d+ \(\+https:\/\/\S+\/conduct\)$/)),
  )
  expect(requestsTo(village, '/robots.txt')).toHaveLength(1)
})

it('rule 32: a feed is fetched once for all its subscribers, and its server is told their number', async () => {
  const { crawler, village, clock, store } = await createNetworkHarness([quietNewspaperSite])
  const { url } = village.site('gazette').feeds[0]!
  await crawler.subscribe([{ url, kind: 'feed' }])
  await crawler.subscribe([
    { url, kind: 'feed' },
    { url: url.replace('http', 'HTTP'), kind: 'feed' },
  ])
  await clock.advance(MINUTE)
  expect(village.requests).toHaveLength(1)
  const { feed } = await onlyFeed(store)
  await crawler.edit(feed.id, { subscribers: 12 })
  await clock.advance(HOUR)
  expect(village.requests.map(({ headers }) => /\d+ subscribers?/.exec(headers['user-agent'] ?? '')?.[0])).toEqual([
    '1 subscriber',
    '12 subscribers',
  ])
})

it('rule 33: requests have no cookies, no referrer, no fragment and no added parameters', async () => {
  const { crawler, village, clock } = await createNetworkHarness([quietNewspaperSite])
  village.site('gazette').addFault({ kind: 'headers', headers: { 'set-cookie': 'visitor=7; path=/' } })
  const { url } = village.site('gazette').feeds[0]!
  await crawler.subscribe([{ url: `${url}?a=b&utm_x=1#part`, kind: 'feed' }])
  await clock.advance(3 * HOUR)
  expect(village.requests.map((request) => request.url)).toEqual(Array(4).fill(`${url}?a=b&utm_x=1`))
  const allowed = [
    'accept',
    'accept-encoding',
    'connection',
    'host',
    'if-modified-since',
    'if-none-match',
    'user-agent',
  ]
  const sent = new Set(village.requests.flatMap(({ headers }) => Object.keys(headers)))
  expect([...sent].sort()).toEqual(allowed)
})

it('rule 52: no request goes to an address that is not public, whatever names and redirects say', async () => {
  let turncoat = '127.0.0.1'
  await using dns = await serveDns((name) => [name === 'turncoat.example' ? turncoat : '127.0.0.2'])
  const { crawler, village, clock, store } = await createNetworkHarness(
    [{ ...quietNewspaperSite, feeds: [{ path: '/feed' }, { path: '/moved' }, { path: '/pushed' }] }],
    { allowNetworks: ['127.0.0.1/32'], dnsServers: [dns.address], push: PUSH },
  )
  const site = village.site('gazette')
  const { port } = new URL(site.home)
  site.addFault({ kind: 'moved', status: 301, to: `http://127.0.0.2:${port}/feed` }, { path: '/moved' })
  const link = `<http://127.0.0.2:${port}/hub>; rel="hub"`
  site.addFault({ kind: 'headers', headers: { link } }, { path: '/pushed' })
  await subscribeFeeds(crawler, village)
  const strangers = ['inside.example', 'turncoat.example'].map((host) => `http://${host}:${port}/feed`)
  await crawler.subscribe(strangers.map((url) => ({ url, kind: 'feed' as const })))
  await crawler.subscribe([{ url: `http://[::ffff:127.0.0.2]:${port}/`, kind: 'any' }])
  await clock.advance(MINUTE)
  turncoat = '127.0.0.2'
  await clock.advance(3 * HOUR)

  const troubles = new Map(
    (await store.feeds({ order: 'id', limit: 9 })).map(({ feed, schedule }) => [
      new URL(feed.url).host + new URL(feed.url).pathname,
      schedule.trouble?.kind,
    ]),
  )
  const at = (place: string) => troubles.get(place.replace('/', `:${port}/`))
  expect([at('gazette.localhost/feed'), at('gazette.localhost/moved')]).toEqual([undefined, 'forbidden-address'])
  expect([at('inside.example/feed'), at('turncoat.example/feed')]).toEqual(Array(2).fill('forbidden-address'))
  expect((await store.sources({ limit: 1 }))[0]?.trouble?.kind).toBe('forbidden-address')
  const pushed = (await store.feeds({ order: 'id', limit: 9 })).find(({ feed }) => feed.url.endsWith('/pushed'))!
  expect((await store.hubSubscriptionsOf([pushed.feed.id]))[0]?.trouble?.kind).toBe('forbidden-address')
  const hosts = new Set(village.requests.map(({ url }) => new URL(url).hostname))
  expect([...hosts].sort()).toEqual(['gazette.localhost', 'turncoat.example'])
  expect(village.requests.filter(({ url }) => url.includes('turncoat'))).toHaveLength(1)
})
