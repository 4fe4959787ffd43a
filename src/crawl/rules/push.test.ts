import { expect, it, vi } from 'vitest'
import {
  askedOf,
  box,
  type CrawlHarness,
  type CrawlHarnessOptions,
  gapsOf,
  mistakes,
  onlyFeed,
  PUSH,
  quietNewspaperSite,
  START,
  subscribe,
  subscribeFeeds,
} from '../../../test/crawl-harness.ts'
import type { SiteSpec, Village } from '../../lab/index.ts'
import { DAY, HOUR, MINUTE, SECOND } from '../../model/index.ts'
import { asked } from '../../ports/search-query.fixture.ts'
import { LIMITS } from '../../scheduling/index.ts'
import { explainSchedule } from '../../views/explain-schedule.ts'
import { readHere } from '../fetcher/read-document.ts'

const pushed: SiteSpec = { ...quietNewspaperSite, feeds: [{ path: '/feed', hub: true }] }
const feedUrl = (village: Village) => village.site('gazette').feeds[0]!.url

/** A feed that is pushed: subscribed to, and confirmed. */
async function pushedBox(options: CrawlHarnessOptions = {}, sites = [pushed]): Promise<CrawlHarness> {
  const one = box(sites, { push: PUSH, ...options })
  await subscribeFeeds(one.crawler, one.village)
  await one.clock.advance(10 * SECOND)
  return one
}

/** Publishes something and has the hub tell of it. */
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
const pushOf = async ({ store }: CrawlHarness) => (await store.pushesOf([(await onlyFeed(store)).feed.id]))[0]

it('rule 45: the hub is the one that the Link header names, else the document; the topic is what the feed calls itself', async () => {
  const asked = async (headers: Record<string, string>, extra = '') => {
    const one = box([{ ...pushed, feeds: [{ path: '/feed', hub: true, extra }] }], { push: PUSH })
    if (headers.link) one.village.site('gazette').trouble({ kind: 'headers', headers })
    await subscribe(one.crawler, one.village)
    await one.clock.advance(MINUTE)
    return one.village.requests
      .filter(({ method }) => method === 'POST')
      .map(({ url, body }) => [url, new URLSearchParams(body).get('hub.topic')])
  }
  const self = 'http://gazette.localhost/feed'
  expect(await asked({})).toEqual([['http://hub.localhost/', self]])
  const link = '</other>; rel="alternate", <http://hub.localhost/second>; rel="hub", </canonical>; rel=self'
  expect(await asked({ link })).toEqual([['http://hub.localhost/second', 'http://gazette.localhost/canonical']])
  expect(await asked({ link: '<http://hub.localhost/third>; rel="preconnect hub"' })).toEqual([
    ['http://hub.localhost/third', self],
  ])
})

it('rule 46: every subscription has an address that nobody can guess, and a secret of its own', async () => {
  const two: SiteSpec = { ...pushed, feeds: ['/a', '/b'].map((path) => ({ path, hub: true as const })) }
  const { village, server } = await pushedBox({}, [two])
  const { asked } = village.hub
  expect(asked).toHaveLength(2)
  expect(new Set(asked.flatMap(({ callback, secret }) => [callback, secret])).size).toBe(4)
  for (const { callback, secret, topic } of asked) {
    expect(callback).toMatch(/^https:\/\/reader\.example\/freshet\/websub\/[\w-]{16,}$/)
    expect(secret.length).toBeGreaterThanOrEqual(16)
    expect(callback).not.toContain(secret)
    expect(topic).toMatch(/^http:\/\/gazette\.localhost\/[ab]$/)
  }
  const shown = await (await server.app.request('http://localhost/api/v1/feeds')).text()
  expect(shown).toContain('"hub":"http://hub.localhost/"')
  for (const { callback, secret } of asked) {
    expect(shown).not.toContain(secret)
    expect(shown).not.toContain(callback.split('/').at(-1)!)
  }
})

it('rule 47: a hub is answered only if we asked it, and for that topic', async () => {
  const one = box([pushed], { push: PUSH })
  one.village.hub.habits.verifies = false
  await subscribeFeeds(one.crawler, one.village)
  await one.clock.advance(10 * SECOND)
  const { callback, topic } = one.village.hub.asked[0]!
  const ask = async (query: Record<string, string>, address = callback) => {
    const answer = await one.village.hub.reach(`${address}?${new URLSearchParams(query)}`)
    return [answer.status, await answer.text()]
  }
  const right = { 'hub.mode': 'subscribe', 'hub.topic': topic, 'hub.challenge': 'abc', 'hub.lease_seconds': '3600' }
  const nobody = [404, '']
  expect(await ask({ ...right, 'hub.topic': 'http://gazette.localhost/other' })).toEqual(nobody)
  expect(await ask({ ...right, 'hub.mode': 'unsubscribe' })).toEqual(nobody)
  expect(await ask({ ...right, 'hub.challenge': '' })).toEqual(nobody)
  expect(await ask(right, callback.replace(/.$/, 'x'))).toEqual(nobody)
  expect(await ask({})).toEqual(nobody)
  expect(await pushOf(one)).toMatchObject({ state: 'waiting' })
  expect(await ask(right)).toEqual([200, 'abc'])
  expect(await pushOf(one)).toMatchObject({ state: 'active' })
  expect(await ask(right)).toEqual(nobody)
})

it('rule 48: what is not signed with the secret, by sha1, sha256, sha384 or sha512, is ignored', async () => {
  const one = await pushedBox()
  for (const method of ['sha1', 'sha256', 'sha384', 'sha512'] as const) {
    expect(await publish(one, `by ${method}`, { method })).toEqual([202])
    expect((await titles(one))[0]).toBe(`by ${method}`)
  }
  const { pushes } = (await pushOf(one))!
  const wrong = ['sha256=00', `sha256=${'0'.repeat(64)}`, 'md5=0', 'sha512=', 'sha1=zz', '', null]
  for (const signature of wrong) expect(await publish(one, 'forged', { signature })).toEqual([202])
  const tampered = { body: '<rss><channel><item><title>forged</title></item></channel></rss>', signature: null }
  expect(await publish(one, 'forged', tampered)).toEqual([202])
  expect(await titles(one)).not.toContain('forged')
  expect((await pushOf(one))?.pushes).toBe(pushes)
  expect(one.events.filter((event) => event.kind === 'push' && event.what === 'unsigned')).toHaveLength(8)
})

it('rule 49: a hub is answered before its message is read, and 410 when nobody wants it any more', async () => {
  const one = await pushedBox()
  const { store, village, crawler, clock } = one
  const { feed } = await onlyFeed(store)
  const recordNews = store.recordNews.bind(store)
  const slow = Promise.withResolvers<void>()
  store.recordNews = async (records) => {
    await slow.promise
    return recordNews(records)
  }
  expect(await publish(one, 'slowly')).toEqual([202])
  expect(await titles(one)).not.toContain('slowly')
  slow.resolve()
  await clock.advance(SECOND)
  expect((await titles(one))[0]).toBe('slowly')

  const { callback } = village.hub.subscriptions[0]!
  await crawler.remove(feed.id)
  await clock.advance(MINUTE)
  expect(village.hub.asked.map(({ mode }) => mode)).toEqual(['subscribe', 'unsubscribe'])
  expect(village.hub.subscriptions).toEqual([])
  expect((await village.hub.reach(callback, { method: 'POST', body: 'x' })).status).toBe(410)
  expect(mistakes(one.events)).toEqual([])
})

it('a hub is told to come later while too much waits to be read, and heard when it does', async () => {
  const one = await pushedBox()
  const { store, clock } = one
  const recordNews = store.recordNews.bind(store)
  const slow = Promise.withResolvers<void>()
  store.recordNews = async (records) => {
    await slow.promise
    return recordNews(records)
  }
  const large = (title: string) =>
    `<rss version="2.0"><channel><item><title>${title}</title></item><!--${' '.repeat(9_000_000)}--></channel></rss>`
  const statuses = []
  for (const title of ['a', 'b', 'c', 'd']) statuses.push(await publish(one, title, { body: large(title) }))
  slow.resolve()
  expect(statuses).toEqual([[202], [202], [202], [503]])
  await clock.advance(SECOND)
  expect(await publish(one, 'd', { body: large('d') })).toEqual([202])
  await clock.advance(SECOND)
  expect((await store.entries({ limit: 4 })).map(({ title }) => title).sort()).toEqual(['a', 'b', 'c', 'd'])
})

it('rule 50: a lease is renewed before it ends, a refusal is taken, and 307 and 308 are followed', async () => {
  const short = box([pushed], { push: PUSH })
  short.village.hub.habits.leaseSeconds = 3600
  await subscribeFeeds(short.crawler, short.village)
  await short.clock.advance(6 * HOUR)
  const gaps = gapsOf(short.village.hub.asked.map(({ at }) => at))
  expect(gaps.length).toBeGreaterThanOrEqual(6)
  expect(Math.max(...gaps)).toBeLessThan(HOUR)
  expect(Math.min(...gaps)).toBeGreaterThan(30 * MINUTE)
  expect(new Set(short.village.hub.asked.map(({ callback }) => callback)).size).toBe(1)

  const refused = box([pushed], { push: PUSH })
  refused.village.hub.habits.denies = 'not from you'
  await subscribeFeeds(refused.crawler, refused.village)
  await refused.clock.advance(12 * HOUR)
  expect(await pushOf(refused)).toMatchObject({
    state: 'waiting',
    trouble: { kind: 'hub-refused', detail: 'not from you' },
  })
  expect(refused.village.hub.asked).toHaveLength(1)
  expect(askedOf(refused.village, '/feed')).toHaveLength(13)

  for (const status of [307, 308]) {
    const moved = box([pushed], { push: PUSH })
    const link = '<http://hub.localhost/old>; rel="hub"'
    moved.village.site('gazette').trouble({ kind: 'headers', headers: { link } })
    const here = { status, headers: { location: '/new' } }
    moved.village.hub.habits.answers = (url) => (url.endsWith('/old') ? here : undefined)
    await subscribeFeeds(moved.crawler, moved.village)
    await moved.clock.advance(MINUTE)
    expect(moved.village.hub.subscriptions).toHaveLength(1)
    expect(await pushOf(moved)).toMatchObject({ state: 'active' })
  }
})

it('rule 51: while pushes come, polls are few; when one finds what was not pushed, they are as many as before', async () => {
  const one = await pushedBox()
  const { village, clock, events } = one
  const polls = () => askedOf(village, '/feed').map(({ at }) => at)
  await clock.advance(3 * HOUR)
  expect(gapsOf(polls())).toEqual(Array(3).fill(HOUR)) // nothing came yet, so nothing is relied upon

  for (let day = 0; day < 2; day++) {
    for (let hour = 0; hour < 24; hour++) {
      await publish(one, `day ${day}, hour ${hour}`)
      await clock.advance(HOUR - SECOND)
    }
  }
  expect((await titles(one))[0]).toBe('day 1, hour 23')
  const relaxed = gapsOf(polls()).slice(4)
  expect(relaxed.length).toBeGreaterThan(6)
  expect(relaxed).toEqual(Array(relaxed.length).fill(6 * HOUR))
  const why = await explainSchedule(await onlyFeed(one.store), { marketBook: one.store, limits: LIMITS })
  expect(why?.words).toMatch(/its hub tells us of news at once/)

  village.site('gazette').publish({ title: 'not pushed' })
  const before = polls().length
  await clock.advance(DAY)
  expect(events.filter((event) => event.kind === 'push' && event.what === 'broken')).toHaveLength(1)
  expect((await titles(one))[0]).toBe('not pushed')
  expect(gapsOf(polls()).slice(before + 1)).toEqual(Array(polls().length - before - 2).fill(HOUR))
  expect(polls().length - before).toBeGreaterThan(15)
  expect(village.hub.asked.length).toBe(2) // the hub may have lost us

  await publish(one, 'pushed again')
  await clock.advance(13 * HOUR)
  expect(gapsOf(polls()).at(-1)).toBe(6 * HOUR)
})

it('counts how well a hub serves: how soon, what it missed, renewals and failures', async () => {
  const one = await pushedBox()
  const { village, clock, store } = one
  const quality = async () => (await store.pushesOf([(await onlyFeed(store)).feed.id]))[0]!.quality!
  await clock.advance(3 * HOUR)
  for (const title of ['first', 'second']) {
    await publish(one, title)
    await clock.advance(3 * HOUR)
  }
  expect(await quality()).toMatchObject({ fresh: 2, missed: 0, missedPolls: 0, failures: 0, unsigned: 0 })
  expect((await quality()).delays.reduce((sum, count) => sum + count)).toBe(2)
  expect((await quality()).delays[0]).toBe(2) // within ten seconds
  village.site('gazette').publish({ title: 'not pushed' })
  await clock.advance(DAY)
  expect(await quality()).toMatchObject({ missed: 1, missedPolls: 1, renewals: 1 })
})

it('takes a push for what it is: no gap, no poll, no lesson; and it is known when the poll comes', async () => {
  const one = await pushedBox()
  const before = await onlyFeed(one.store)
  const post = one.village.site('gazette').publish({ title: 'alone' })
  const body = `<rss version="2.0"><channel><title>x</title><item><title>alone</title>
    <link>http://gazette.localhost${post.path}</link>
    <guid isPermaLink="false">tag:gazette.localhost,2024:${post.id}</guid></item></channel></rss>`
  await one.village.hub.distribute(feedUrl(one.village), { body })
  await one.clock.advance(SECOND)
  expect(await onlyFeed(one.store)).toEqual(before)
  expect((await titles(one))[0]).toBe('alone')
  expect(await one.store.polls({ limit: 9 })).toHaveLength(1)
  await one.clock.advance(HOUR)
  expect((await one.store.polls({ limit: 1 }))[0]?.result).toMatchObject({ kind: 'read', fresh: 0, gap: false })
  expect((await one.search.find(asked('alone'), 5)).length).toBe(1)
})

it('polls soon when a hub says that there is news and does not bring it', async () => {
  const one = await pushedBox()
  await one.clock.advance(10 * MINUTE)
  await publish(one, 'go and see', { body: '' })
  await one.clock.advance(MINUTE)
  expect((await titles(one))[0]).toBe('go and see')
})

it('asks a hub that fails or is silent ever more seldom, and goes on polling meanwhile', async () => {
  for (const habits of [{ verifies: false }, { verifies: true, answers: () => ({ status: 503 }) }]) {
    const one = box([pushed], { push: PUSH })
    Object.assign(one.village.hub.habits, habits)
    await subscribeFeeds(one.crawler, one.village)
    await one.clock.advance(4 * DAY)
    const gaps = gapsOf(one.village.hub.asked.map(({ at }) => at))
    expect(gaps.length).toBeGreaterThan(4)
    expect(gaps.length).toBeLessThan(12)
    expect(gaps).toEqual(gaps.toSorted((a, b) => a - b))
    expect(gapsOf(askedOf(one.village, '/feed').map(({ at }) => at))).toEqual(Array(96).fill(HOUR))
  }
})

it('goes on with its subscriptions after a restart, and lets go of a hub that is no longer named', async () => {
  const first = await pushedBox()
  await publish(first, 'before')
  await first.stop()
  const second = box([pushed], { push: PUSH, store: first.store, startAt: first.clock.now() })
  second.village.hub.subscriptions.push(...first.village.hub.subscriptions)
  await publish(second, 'after')
  expect((await titles(second))[0]).toBe('after')
  await second.clock.advance(DAY)
  expect(second.village.hub.asked).toEqual([])
  await second.stop()

  const third = box([{ ...quietNewspaperSite }], { push: PUSH, store: first.store, startAt: second.clock.now() })
  third.village.hub.subscriptions.push(...first.village.hub.subscriptions)
  third.village.site('gazette').publish({ title: 'without a hub' })
  await third.clock.advance(DAY)
  expect(third.village.hub.asked.map(({ mode }) => mode)).toEqual(['unsubscribe'])
  expect(await pushOf(third)).toBeUndefined()
})

it('wants no push of a feed that a person has paused, until it is resumed', async () => {
  const one = await pushedBox()
  await one.crawler.pause((await onlyFeed(one.store)).feed.id)
  expect(await publish(one, 'unwanted')).toEqual([410])
  expect(one.village.hub.subscriptions).toEqual([])
  expect(await titles(one)).not.toContain('unwanted')

  const other = await pushedBox()
  await other.crawler.pause((await onlyFeed(other.store)).feed.id)
  await other.clock.advance(12 * DAY) // longer than the lease that it had
  expect(other.village.hub.asked).toHaveLength(1)
  await other.crawler.resume((await onlyFeed(other.store)).feed.id)
  await other.clock.advance(DAY)
  expect(other.village.hub.asked).toHaveLength(2)
  expect(await pushOf(other)).toMatchObject({ state: 'active' })
})

it('asks no hub, and answers none, where hubs cannot reach us', async () => {
  const one = box([pushed], { startAt: START })
  await subscribeFeeds(one.crawler, one.village)
  await one.clock.advance(DAY)
  expect(one.village.hub.asked).toEqual([])
  const anywhere = 'http://localhost/websub/abcdefghijklmnopqrstuvwxyz'
  expect((await one.server.app.request(anywhere, { method: 'POST', body: 'x' })).status).toBe(404)
  expect((await one.server.app.request(anywhere)).status).toBe(404)
})

it('thousands of entries that a hub brings are read where polls are read, and recorded in portions', async () => {
  let [documents, most] = [0, 0]
  const read: NonNullable<CrawlHarnessOptions['read']> = (...asked) => {
    documents++
    return readHere(...asked)
  }
  const one = await pushedBox({ read })
  const { recordNews } = one.store
  one.store.recordNews = (records) => {
    most = Math.max(most, ...records.map(({ fresh }) => fresh.length))
    return recordNews(records)
  }
  const items = Array.from({ length: 3000 }, (_, i) => `<item><title>No. ${i}</title><guid>flood-${i}</guid></item>`)
  const body = `<rss version="2.0"><channel><title>Flood</title>${items.join('')}</channel></rss>`
  const { entries } = await one.store.counts()
  expect(await publish(one, 'flood', { body })).toEqual([202])
  const isAll = async () => expect((await one.store.counts()).entries).toBe(entries + 3000)
  await vi.waitFor(isAll, { timeout: 60_000 }) // however busy the machine is
  expect([documents, most]).toEqual([1, 100])
  expect(mistakes(one.events)).toEqual([])
})
