import { expect, it, vi } from 'vitest'
import {
  type CrawlHarness,
  type CrawlHarnessOptions,
  createCrawlHarness,
  gapsOf,
  internalErrors,
  onlyFeed,
  PUSH,
  quietNewspaperSite,
  requestsTo,
  START,
  subscribe,
  subscribeFeeds,
} from '../../../test/crawl-harness.ts'
import type { SiteSpec, Village } from '../../lab/index.ts'
import { DAY, HOUR, MINUTE, SECOND } from '../../model/index.ts'
import { parsedQuery } from '../../ports/search-query.fixture.ts'
import { LIMITS } from '../../scheduling/index.ts'
import { explainSchedule } from '../../views/explain-schedule.ts'
import { readInProcess } from '../fetcher/read-document.ts'

const siteWithHub: SiteSpec = { ...quietNewspaperSite, feeds: [{ path: '/feed', hub: true }] }
const feedUrl = (village: Village) => village.site('gazette').feeds[0]!.url

/** A feed with a confirmed hub subscription. */
async function createPushHarness(options: CrawlHarnessOptions = {}, sites = [siteWithHub]): Promise<CrawlHarness> {
  const harness = createCrawlHarness(sites, { push: PUSH, ...options })
  await subscribeFeeds(harness.crawler, harness.village)
  await harness.clock.advance(10 * SECOND)
  return harness
}

/** Publishes a post, and makes the hub push it. */
async function publish(
  { village, clock }: CrawlHarness,
  title: string,
  how: Parameters<Village['hub']['distribute']>[1] = {},
) {
  village.site('gazette').publish({ title })
  const statuses = await village.hub.distribute(feedUrl(village), how)
  await clock.advance(SECOND)
  return statuses
}
const titles = async ({ store }: CrawlHarness) => (await store.entries({ limit: 3 })).map(({ title }) => title)
const subscriptionOf = async ({ store }: CrawlHarness) =>
  (await store.hubSubscriptionsOf([(await onlyFeed(store)).feed.id]))[0]

it('rule 45: the hub comes from the Link header, else from the document; the topic is the self link of the feed', async () => {
  const request = async (headers: Record<string, string>, extra = '') => {
    const harness = createCrawlHarness([{ ...siteWithHub, feeds: [{ path: '/feed', hub: true, extra }] }], {
      push: PUSH,
    })
    if (headers.link) harness.village.site('gazette').addFault({ kind: 'headers', headers })
    await subscribe(harness.crawler, harness.village)
    await harness.clock.advance(MINUTE)
    return harness.village.requests
      .filter(({ method }) => method === 'POST')
      .map(({ url, body }) => [url, new URLSearchParams(body).get('hub.topic')])
  }
  const self = 'http://gazette.localhost/feed'
  expect(await request({})).toEqual([['http://hub.localhost/', self]])
  const link = '</other>; rel="alternate", <http://hub.localhost/second>; rel="hub", </canonical>; rel=self'
  expect(await request({ link })).toEqual([['http://hub.localhost/second', 'http://gazette.localhost/canonical']])
  expect(await request({ link: '<http://hub.localhost/third>; rel="preconnect hub"' })).toEqual([
    ['http://hub.localhost/third', self],
  ])
})

it('rule 46: every subscription has an unguessable callback address and its own secret', async () => {
  const two: SiteSpec = { ...siteWithHub, feeds: ['/a', '/b'].map((path) => ({ path, hub: true as const })) }
  const { village, server } = await createPushHarness({}, [two])
  const { requests } = village.hub
  expect(requests).toHaveLength(2)
  expect(new Set(requests.flatMap(({ callback, secret }) => [callback, secret])).size).toBe(4)
  for (const { callback, secret, topic } of requests) {
    expect(callback).toMatch(/^https:\/\/reader\.example\/freshet\/websub\/[\w-]{16,}$/)
    expect(secret.length).toBeGreaterThanOrEqual(16)
    expect(callback).not.toContain(secret)
    expect(topic).toMatch(/^http:\/\/gazette\.localhost\/[ab]$/)
  }
  const shown = await (await server.app.request('http://localhost/api/v1/feeds')).text()
  expect(shown).toContain('"hub":"http://hub.localhost/"')
  for (const { callback, secret } of requests) {
    expect(shown).not.toContain(secret)
    expect(shown).not.toContain(callback.split('/').at(-1)!)
  }
})

it('rule 47: a verification by a hub is confirmed only if we asked for it, and for that topic', async () => {
  const harness = createCrawlHarness([siteWithHub], { push: PUSH })
  harness.village.hub.behavior.verifies = false
  await subscribeFeeds(harness.crawler, harness.village)
  await harness.clock.advance(10 * SECOND)
  const { callback, topic } = harness.village.hub.requests[0]!
  const ask = async (query: Record<string, string>, address = callback) => {
    const answer = await harness.village.hub.send(`${address}?${new URLSearchParams(query)}`)
    return [answer.status, await answer.text()]
  }
  const right = { 'hub.mode': 'subscribe', 'hub.topic': topic, 'hub.challenge': 'abc', 'hub.lease_seconds': '3600' }
  const notFound = [404, '']
  expect(await ask({ ...right, 'hub.topic': 'http://gazette.localhost/other' })).toEqual(notFound)
  expect(await ask({ ...right, 'hub.mode': 'unsubscribe' })).toEqual(notFound)
  expect(await ask({ ...right, 'hub.challenge': '' })).toEqual(notFound)
  expect(await ask(right, callback.replace(/.$/, 'x'))).toEqual(notFound)
  expect(await ask({})).toEqual(notFound)
  expect(await subscriptionOf(harness)).toMatchObject({ state: 'waiting' })
  expect(await ask(right)).toEqual([200, 'abc'])
  expect(await subscriptionOf(harness)).toMatchObject({ state: 'active' })
  expect(await ask(right)).toEqual(notFound)
})

it('rule 48: pushes without a valid signature by sha1, sha256, sha384 or sha512 are ignored', async () => {
  const harness = await createPushHarness()
  for (const method of ['sha1', 'sha256', 'sha384', 'sha512'] as const) {
    expect(await publish(harness, `by ${method}`, { method })).toEqual([202])
    expect((await titles(harness))[0]).toBe(`by ${method}`)
  }
  const { pushes } = (await subscriptionOf(harness))!
  const wrong = ['sha256=00', `sha256=${'0'.repeat(64)}`, 'md5=0', 'sha512=', 'sha1=zz', '', null]
  for (const signature of wrong) expect(await publish(harness, 'forged', { signature })).toEqual([202])
  const tampered = { body: '<rss><channel><item><title>forged</title></item></channel></rss>', signature: null }
  expect(await publish(harness, 'forged', tampered)).toEqual([202])
  expect(await titles(harness)).not.toContain('forged')
  expect((await subscriptionOf(harness))?.pushes).toBe(pushes)
  expect(harness.events.filter((event) => event.kind === 'push' && event.what === 'unsigned')).toHaveLength(8)
})

it('rule 49: a hub is answered before its push is read, and with 410 once nobody wants it', async () => {
  const harness = await createPushHarness()
  const { store, village, crawler, clock } = harness
  const { feed } = await onlyFeed(store)
  const recordEntries = store.recordEntries.bind(store)
  const slow = Promise.withResolvers<void>()
  store.recordEntries = async (records) => {
    await slow.promise
    return recordEntries(records)
  }
  expect(await publish(harness, 'slowly')).toEqual([202])
  expect(await titles(harness)).not.toContain('slowly')
  slow.resolve()
  await clock.advance(SECOND)
  expect((await titles(harness))[0]).toBe('slowly')

  const { callback } = village.hub.subscriptions[0]!
  await crawler.remove(feed.id)
  await clock.advance(MINUTE)
  expect(village.hub.requests.map(({ mode }) => mode)).toEqual(['subscribe', 'unsubscribe'])
  expect(village.hub.subscriptions).toEqual([])
  expect((await village.hub.send(callback, { method: 'POST', body: 'x' })).status).toBe(410)
  expect(internalErrors(harness.events)).toEqual([])
})

it('answers 503 while too many pushes wait, and accepts them later', async () => {
  const harness = await createPushHarness()
  const { store, clock } = harness
  const recordEntries = store.recordEntries.bind(store)
  const slow = Promise.withResolvers<void>()
  store.recordEntries = async (records) => {
    await slow.promise
    return recordEntries(records)
  }
  const large = (title: string) =>
    `<rss version="2.0"><channel><item><title>${title}</title></item><!--${' '.repeat(9_000_000)}--></channel></rss>`
  const statuses = []
  for (const title of ['a', 'b', 'c', 'd']) statuses.push(await publish(harness, title, { body: large(title) }))
  slow.resolve()
  expect(statuses).toEqual([[202], [202], [202], [503]])
  await clock.advance(SECOND)
  expect(await publish(harness, 'd', { body: large('d') })).toEqual([202])
  await clock.advance(SECOND)
  expect((await store.entries({ limit: 4 })).map(({ title }) => title).sort()).toEqual(['a', 'b', 'c', 'd'])
})

it('rule 50: leases are renewed before they end, denials are accepted, and 307 and 308 are followed', async () => {
  const short = createCrawlHarness([siteWithHub], { push: PUSH })
  short.village.hub.behavior.leaseSeconds = 3600
  await subscribeFeeds(short.crawler, short.village)
  await short.clock.advance(6 * HOUR)
  const gaps = gapsOf(short.village.hub.requests.map(({ at }) => at))
  expect(gaps.length).toBeGreaterThanOrEqual(6)
  expect(Math.max(...gaps)).toBeLessThan(HOUR)
  expect(Math.min(...gaps)).toBeGreaterThan(30 * MINUTE)
  expect(new Set(short.village.hub.requests.map(({ callback }) => callback)).size).toBe(1)

  const refused = createCrawlHarness([siteWithHub], { push: PUSH })
  refused.village.hub.behavior.denialReason = 'not from you'
  await subscribeFeeds(refused.crawler, refused.village)
  await refused.clock.advance(12 * HOUR)
  expect(await subscriptionOf(refused)).toMatchObject({
    state: 'waiting',
    trouble: { kind: 'hub-refused', detail: 'not from you' },
  })
  expect(refused.village.hub.requests).toHaveLength(1)
  expect(requestsTo(refused.village, '/feed')).toHaveLength(13)

  for (const status of [307, 308]) {
    const moved = createCrawlHarness([siteWithHub], { push: PUSH })
    const link = '<http://hub.localhost/old>; rel="hub"'
    moved.village.site('gazette').addFault({ kind: 'headers', headers: { link } })
    const here = { status, headers: { location: '/new' } }
    moved.village.hub.behavior.answers = (url) => (url.endsWith('/old') ? here : undefined)
    await subscribeFeeds(moved.crawler, moved.village)
    await moved.clock.advance(MINUTE)
    expect(moved.village.hub.subscriptions).toHaveLength(1)
    expect(await subscriptionOf(moved)).toMatchObject({ state: 'active' })
  }
})

it('rule 51: polls are rare while pushes come, and normal again after one finds entries that were not pushed', async () => {
  const harness = await createPushHarness()
  const { village, clock, events } = harness
  const polls = () => requestsTo(village, '/feed').map(({ at }) => at)
  await clock.advance(3 * HOUR)
  expect(gapsOf(polls())).toEqual(Array(3).fill(HOUR)) // without pushes, the hub is not relied upon

  for (let day = 0; day < 2; day++) {
    for (let hour = 0; hour < 24; hour++) {
      await publish(harness, `day ${day}, hour ${hour}`)
      await clock.advance(HOUR - SECOND)
    }
  }
  expect((await titles(harness))[0]).toBe('day 1, hour 23')
  const relaxed = gapsOf(polls()).slice(4)
  expect(relaxed.length).toBeGreaterThan(6)
  expect(relaxed).toEqual(Array(relaxed.length).fill(6 * HOUR))
  const why = await explainSchedule(await onlyFeed(harness.store), { pollMarket: harness.store, limits: LIMITS })
  expect(why?.words).toMatch(/the hub pushes updates/)

  village.site('gazette').publish({ title: 'not pushed' })
  const before = polls().length
  await clock.advance(DAY)
  expect(events.filter((event) => event.kind === 'push' && event.what === 'broken')).toHaveLength(1)
  expect((await titles(harness))[0]).toBe('not pushed')
  expect(gapsOf(polls()).slice(before + 1)).toEqual(Array(polls().length - before - 2).fill(HOUR))
  expect(polls().length - before).toBeGreaterThan(15)
  expect(village.hub.requests.length).toBe(2) // the hub may have lost the subscription

  await publish(harness, 'pushed again')
  await clock.advance(13 * HOUR)
  expect(gapsOf(polls()).at(-1)).toBe(6 * HOUR)
})

it('counts the delays, missed entries, renewals and failures of a hub', async () => {
  const harness = await createPushHarness()
  const { village, clock, store } = harness
  const quality = async () => (await store.hubSubscriptionsOf([(await onlyFeed(store)).feed.id]))[0]!.quality!
  await clock.advance(3 * HOUR)
  for (const title of ['first', 'second']) {
    await publish(harness, title)
    await clock.advance(3 * HOUR)
  }
  expect(await quality()).toMatchObject({ fresh: 2, missed: 0, missedPolls: 0, failures: 0, unsigned: 0 })
  expect((await quality()).delays.reduce((sum, count) => sum + count)).toBe(2)
  expect((await quality()).delays[0]).toBe(2) // within ten seconds
  village.site('gazette').publish({ title: 'not pushed' })
  await clock.advance(DAY)
  expect(await quality()).toMatchObject({ missed: 1, missedPolls: 1, renewals: 1 })
})

it('records a push without a gap, a poll or learning, and its entries are known to the next poll', async () => {
  const harness = await createPushHarness()
  const before = await onlyFeed(harness.store)
  const post = harness.village.site('gazette').publish({ title: 'alone' })
  const body = `<rss version="2.0"><channel><title>x</title><item><title>alone</title>
    <link>http://gazette.localhost${post.path}</link>
    <guid isPermaLink="false">tag:gazette.localhost,2024:${post.id}</guid></item></channel></rss>`
  await harness.village.hub.distribute(feedUrl(harness.village), { body })
  await harness.clock.advance(SECOND)
  expect(await onlyFeed(harness.store)).toEqual(before)
  expect((await titles(harness))[0]).toBe('alone')
  expect(await harness.store.polls({ limit: 9 })).toHaveLength(1)
  await harness.clock.advance(HOUR)
  expect((await harness.store.polls({ limit: 1 }))[0]?.result).toMatchObject({ kind: 'read', fresh: 0, gap: false })
  expect((await harness.search.find(parsedQuery('alone'), 5)).length).toBe(1)
})

it('polls soon when a push has no content', async () => {
  const harness = await createPushHarness()
  await harness.clock.advance(10 * MINUTE)
  await publish(harness, 'go and see', { body: '' })
  await harness.clock.advance(MINUTE)
  expect((await titles(harness))[0]).toBe('go and see')
})

it('backs off from a hub that fails or is silent, and keeps polling', async () => {
  for (const habits of [{ verifies: false }, { verifies: true, answers: () => ({ status: 503 }) }]) {
    const harness = createCrawlHarness([siteWithHub], { push: PUSH })
    Object.assign(harness.village.hub.behavior, habits)
    await subscribeFeeds(harness.crawler, harness.village)
    await harness.clock.advance(4 * DAY)
    const gaps = gapsOf(harness.village.hub.requests.map(({ at }) => at))
    expect(gaps.length).toBeGreaterThan(4)
    expect(gaps.length).toBeLessThan(12)
    expect(gaps).toEqual(gaps.toSorted((a, b) => a - b))
    expect(gapsOf(requestsTo(harness.village, '/feed').map(({ at }) => at))).toEqual(Array(96).fill(HOUR))
  }
})

it('keeps subscriptions over a restart, and unsubscribes from a hub that is no longer named', async () => {
  const first = await createPushHarness()
  await publish(first, 'before')
  await first.stop()
  const second = createCrawlHarness([siteWithHub], { push: PUSH, store: first.store, startAt: first.clock.now() })
  second.village.hub.subscriptions.push(...first.village.hub.subscriptions)
  await publish(second, 'after')
  expect((await titles(second))[0]).toBe('after')
  await second.clock.advance(DAY)
  expect(second.village.hub.requests).toEqual([])
  await second.stop()

  const third = createCrawlHarness([{ ...quietNewspaperSite }], {
    push: PUSH,
    store: first.store,
    startAt: second.clock.now(),
  })
  third.village.hub.subscriptions.push(...first.village.hub.subscriptions)
  third.village.site('gazette').publish({ title: 'without a hub' })
  await third.clock.advance(DAY)
  expect(third.village.hub.requests.map(({ mode }) => mode)).toEqual(['unsubscribe'])
  expect(await subscriptionOf(third)).toBeUndefined()
})

it('accepts no push for a paused feed until it is resumed', async () => {
  const harness = await createPushHarness()
  await harness.crawler.pause((await onlyFeed(harness.store)).feed.id)
  expect(await publish(harness, 'unwanted')).toEqual([410])
  expect(harness.village.hub.subscriptions).toEqual([])
  expect(await titles(harness)).not.toContain('unwanted')

  const other = await createPushHarness()
  await other.crawler.pause((await onlyFeed(other.store)).feed.id)
  await other.clock.advance(12 * DAY) // longer than the lease that it had
  expect(other.village.hub.requests).toHaveLength(1)
  await other.crawler.resume((await onlyFeed(other.store)).feed.id)
  await other.clock.advance(DAY)
  expect(other.village.hub.requests).toHaveLength(2)
  expect(await subscriptionOf(other)).toMatchObject({ state: 'active' })
})

it('neither subscribes to hubs nor answers them without a public address', async () => {
  const harness = createCrawlHarness([siteWithHub], { startAt: START })
  await subscribeFeeds(harness.crawler, harness.village)
  await harness.clock.advance(DAY)
  expect(harness.village.hub.requests).toEqual([])
  const anywhere = 'http://localhost/websub/abcdefghijklmnopqrstuvwxyz'
  expect((await harness.server.app.request(anywhere, { method: 'POST', body: 'x' })).status).toBe(404)
  expect((await harness.server.app.request(anywhere)).status).toBe(404)
})

it('reads large pushes like polls, and records them in chunks', async () => {
  let [documents, most] = [0, 0]
  const read: NonNullable<CrawlHarnessOptions['read']> = (...request) => {
    documents++
    return readInProcess(...request)
  }
  const harness = await createPushHarness({ read })
  const { recordEntries } = harness.store
  harness.store.recordEntries = (records) => {
    most = Math.max(most, ...records.map(({ fresh }) => fresh.length))
    return recordEntries(records)
  }
  const items = Array.from({ length: 3000 }, (_, i) => `<item><title>No. ${i}</title><guid>flood-${i}</guid></item>`)
  const body = `<rss version="2.0"><channel><title>Flood</title>${items.join('')}</channel></rss>`
  const { entries } = await harness.store.counts()
  expect(await publish(harness, 'flood', { body })).toEqual([202])
  const isAll = async () => expect((await harness.store.counts()).entries).toBe(entries + 3000)
  await vi.waitFor(isAll, { timeout: 60_000 }) // however busy the machine is
  expect([documents, most]).toEqual([1, 100])
  expect(internalErrors(harness.events)).toEqual([])
})
