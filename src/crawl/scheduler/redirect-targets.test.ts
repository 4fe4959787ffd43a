import { describe, expect, it } from 'vitest'
import { createCrawlHarness, gapsOf, internalErrors, onlyFeed } from '../../../test/crawl-harness.ts'
import type { SteppedClock } from '../../clocks/index.ts'
import { address } from '../../model/address.fixture.ts'
import { DAY, type FeedId, HOUR, MINUTE, SECOND } from '../../model/index.ts'
import type { Net, NetAnswer, NetRedirect, NetRequest } from '../../ports/index.ts'
import { createMemoryStore } from '../../stores/index.ts'

type Place = { to: string } | { body: string; type?: string } | { status: number; retryAfter?: string }

const TOOK_MS = 3 * SECOND

/** A web in which every request takes time, and which counts concurrent requests per host. */
function web(placeOf: (url: string) => Place) {
  const steps: { url: string; at: number }[] = []
  const inside = new Map<string, number>()
  let most = new Map<string, number>()

  async function step(url: string, clock: SteppedClock): Promise<Place> {
    const { hostname } = new URL(url)
    steps.push({ url, at: clock.now() })
    inside.set(hostname, (inside.get(hostname) ?? 0) + 1)
    most.set(hostname, Math.max(most.get(hostname) ?? 0, inside.get(hostname)!))
    await clock.sleepUntil(clock.now() + TOOK_MS)
    inside.set(hostname, inside.get(hostname)! - 1)
    return placeOf(url)
  }

  async function get({ url, shouldFollow }: NetRequest, clock: SteppedClock): Promise<NetAnswer> {
    const redirects: NetRedirect[] = []
    for (let here: string = url; ; ) {
      const place = await step(here, clock)
      const answer = { ok: true as const, url: address(here), redirects, wireBytes: 0 }
      if ('status' in place) {
        const headers = place.retryAfter ? { 'retry-after': place.retryAfter } : {}
        return { ...answer, status: place.status, headers: { ...headers }, body: new Uint8Array() }
      }
      if ('body' in place) {
        const headers = { 'content-type': place.type ?? 'application/rss+xml' }
        return { ...answer, status: 200, headers, body: new TextEncoder().encode(place.body) }
      }
      if (redirects.length === 5) return { ok: false, failure: { kind: 'redirects' }, url: address(here) }
      const to = address(place.to)
      if (shouldFollow?.(to) === false)
        return { ...answer, status: 302, headers: {}, leadsTo: to, body: new Uint8Array() }
      redirects.push({ status: 302, to })
      here = to
    }
  }

  return {
    steps,
    at: (host: string) => steps.filter(({ url }) => new URL(url).hostname === host).map(({ at }) => at),
    mostAtOnce: (host: string) => most.get(host) ?? 0,
    forget() {
      steps.length = 0
      most = new Map()
    },
    wrapNet: (_: Net, clock: SteppedClock): Net => ({
      get: (request) => get(request, clock),
      post: (request) => get(request, clock),
      close: async () => {},
    }),
  }
}

const rss = (title: string) =>
  `<rss version="2.0"><channel><title>${title}</title><item><guid>${title}</guid><title>${title}</title></item></channel></rss>`
const blogs = Array.from({ length: 300 }, (_, i) => `http://blog${i}.example/feed`)
const toMill = (url: string): Place =>
  url.startsWith('http://mill.example/') ? { body: rss(url) } : { to: `http://mill.example/${new URL(url).hostname}` }

describe('redirect targets', () => {
  it('get one request at a time, from the first one on and after a restart', async () => {
    const store = createMemoryStore()
    const net = web(toMill)
    const first = createCrawlHarness([], { store, wrapNet: net.wrapNet, concurrency: 32 })
    await first.crawler.subscribe(blogs.map((url) => ({ url, kind: 'feed' })))
    await first.clock.advance(MINUTE)
    expect(net.at('mill.example').length).toBeGreaterThan(2)
    await first.clock.advance(HOUR)
    const polls = await store.polls({ limit: 1000 })
    expect(new Set(polls.map(({ feedId }) => feedId)).size).toBe(300)
    expect(polls.filter(({ result }) => result.kind === 'failed')).toEqual([])
    expect(net.mostAtOnce('mill.example')).toBe(1)
    expect(Math.min(...gapsOf(net.at('mill.example')))).toBeGreaterThanOrEqual(TOOK_MS + 2 * SECOND)
    expect(internalErrors(first.events)).toEqual([])
    await first.stop()

    net.forget()
    const startAt = first.clock.now() + 2 * HOUR
    const second = createCrawlHarness([], { store, wrapNet: net.wrapNet, concurrency: 32, startAt })
    await second.clock.advance(HOUR)
    expect(net.at('mill.example').length).toBeGreaterThanOrEqual(300)
    expect(net.mostAtOnce('mill.example')).toBe(1)
    expect(Math.min(...gapsOf(net.at('mill.example')))).toBeGreaterThanOrEqual(TOOK_MS + 2 * SECOND)
    // The targets are known: no poll takes two requests to the same host.
    expect(Math.min(...blogs.flatMap((url) => gapsOf(net.at(new URL(url).hostname))))).toBeGreaterThan(MINUTE)
  })

  it('count the redirected first request neither as a poll nor as a failure', async () => {
    const net = web(toMill)
    const { crawler, clock, store, events } = createCrawlHarness([], { wrapNet: net.wrapNet })
    await crawler.subscribe([{ url: blogs[0]!, kind: 'feed' }])
    await clock.advance(MINUTE)
    expect(net.at('blog0.example')).toHaveLength(2)
    expect(net.at('mill.example')).toHaveLength(1)
    expect(await store.polls({ limit: 9 })).toMatchObject([{ result: { kind: 'read', fresh: 1 } }])
    const { feed, schedule } = await onlyFeed(store)
    expect(feed.ends).toEqual(['mill.example'])
    expect(schedule).toMatchObject({ failures: 0 })
    expect(crawler.activity().totals).toMatchObject({ polls: 1, failures: 0 })
    expect(events.filter(({ kind }) => kind === 'polled')).toHaveLength(1)
  })

  it('may change: tasks wait for the new host and no longer for the old one', async () => {
    let end = 'mill.example'
    const net = web((url) => (new URL(url).hostname === end ? { body: rss('a') } : { to: `http://${end}/` }))
    const { crawler, clock, store } = createCrawlHarness([], { wrapNet: net.wrapNet })
    await crawler.subscribe([{ url: blogs[0]!, kind: 'feed' }])
    await clock.advance(MINUTE)
    end = 'barn.example'
    await clock.advance(HOUR)
    expect((await onlyFeed(store)).feed.ends).toEqual(['barn.example'])
    expect((await store.polls({ limit: 9 })).map(({ result }) => result.kind)).toEqual(['not-modified', 'read'])
    end = 'blog0.example'
    await clock.advance(HOUR)
    expect((await onlyFeed(store)).feed.ends).toBeUndefined()
  })

  it('follow redirects to www. and https at once, because the host is the same', async () => {
    const net = web((url) =>
      url.startsWith('https://www.') ? { body: rss('a') } : { to: 'https://www.blog0.example/' },
    )
    const { crawler, clock, store } = createCrawlHarness([], { wrapNet: net.wrapNet })
    await crawler.subscribe([{ url: blogs[0]!, kind: 'feed' }])
    await clock.advance(MINUTE)
    expect(net.steps).toHaveLength(2)
    expect((await store.polls({ limit: 9 })).map(({ result }) => result.kind)).toEqual(['read'])
  })

  it('give up when two hosts redirect to each other, or to another host each time', async () => {
    let steps = 0
    const pingPong = (url: string): Place => ({ to: `http://${url.includes('//a.') ? 'b' : 'a'}.example/${++steps}` })
    const ever = (): Place => ({ to: `http://host${++steps}.example/` })
    for (const placeOf of [pingPong, ever]) {
      const net = web(placeOf)
      const { crawler, clock, store } = createCrawlHarness([], { wrapNet: net.wrapNet })
      await crawler.subscribe([{ url: 'http://a.example/feed', kind: 'feed' }])
      await clock.advance(5 * MINUTE)
      const polls = await store.polls({ limit: 9 })
      expect(polls).toMatchObject([{ result: { kind: 'failed', failure: { kind: 'redirects' } } }])
      expect(net.steps.length).toBeLessThanOrEqual(12)
      await clock.advance(DAY)
      expect(net.steps.length).toBeLessThan(120)
    }
  })

  it('back off from the host that answered', async () => {
    const net = web((url) => ('to' in toMill(url) ? toMill(url) : { status: 429, retryAfter: '7200' }))
    const { crawler, clock, store } = createCrawlHarness([], { wrapNet: net.wrapNet })
    await crawler.subscribe(blogs.slice(0, 20).map((url) => ({ url, kind: 'feed' })))
    await clock.advance(HOUR)
    expect(net.at('mill.example')).toHaveLength(1)
    expect(await store.hosts()).toMatchObject([{ root: 'mill.example', strikes: 1 }])
  })

  it('wait for host slots during discovery, also for a feed on another host', async () => {
    const page = '<link rel="alternate" type="application/rss+xml" href="http://mill.example/feed">'
    const net = web((url) => {
      if (url === 'http://mill.example/feed') return { body: rss('a') }
      return url.includes('new.') ? { body: page, type: 'text/html' } : { to: url.replace('old.', 'new.') }
    })
    const { crawler, clock, store } = createCrawlHarness([], { wrapNet: net.wrapNet, concurrency: 32 })
    const addresses = Array.from({ length: 30 }, (_, i) => `http://old.site${i}.example/`)
    const asIs = addresses.map((url) => url.replace('old.site', 'site').replace('.example', '.old.example'))
    await crawler.subscribe([...addresses, asIs[0]!].map((url) => ({ url, kind: 'any' })))
    await clock.advance(HOUR)
    expect(net.mostAtOnce('mill.example')).toBe(1)
    expect(Math.min(...gapsOf(net.at('mill.example')))).toBeGreaterThanOrEqual(TOOK_MS + 2 * SECOND)
    expect(await store.sources({ state: 'looking', limit: 99 })).toEqual([])
  })

  it('queue articles at the host they are redirected to', async () => {
    const items = Array.from(
      { length: 10 },
      (_, i) => `<item><title>${i}</title><link>http://go.example/${i}</link></item>`,
    )
    const net = web((url) => {
      if (url.endsWith('/feed')) return { body: `<rss version="2.0"><channel>${items.join('')}</channel></rss>` }
      if (url.endsWith('/robots.txt')) return { status: 404 }
      if (url.startsWith('http://go.')) return { to: url.replace('go.', 'mill.') }
      return {
        body: `<title>${url}</title><article><p>${`words and ${'abcdefghij'.at(Number(url.at(-1)))}words `.repeat(40)}</p></article>`,
        type: 'text/html',
      }
    })
    const { crawler, clock, store, events } = createCrawlHarness([], {
      wrapNet: net.wrapNet,
      articles: { preference: 'always', backlog: 20 },
    })
    await crawler.subscribe([{ url: blogs[0]!, kind: 'feed' }])
    await clock.advance(HOUR)
    expect((await store.counts()).articles).toMatchObject({ read: 10, waiting: 0, failed: 0 })
    expect(net.at('go.example')).toHaveLength(11) // with robots.txt
    expect(net.at('mill.example')).toHaveLength(11)
    expect(net.mostAtOnce('mill.example')).toBe(1)
    expect(Math.min(...gapsOf(net.at('mill.example')))).toBeGreaterThanOrEqual(TOOK_MS + 2 * SECOND)
    expect(internalErrors(events)).toEqual([])
  })

  it('give up an article that is redirected from host to host', async () => {
    let steps = 0
    const net = web((url) => {
      if (url.endsWith('/feed')) return { body: rss('a').replace('<guid>', '<link>http://go.example/1</link><guid>') }
      return url.endsWith('/robots.txt') ? { status: 404 } : { to: `http://host${++steps}.example/` }
    })
    const { crawler, clock, store } = createCrawlHarness([], {
      wrapNet: net.wrapNet,
      articles: { preference: 'always', backlog: 20 },
    })
    await crawler.subscribe([{ url: blogs[0]!, kind: 'feed' }])
    await clock.advance(HOUR)
    const [entry] = await store.entries({ limit: 1 })
    const [article] = await store.articlesOfEntries([entry!.id])
    expect(article).toMatchObject({ trouble: { kind: 'redirects' }, failures: 1 })
    expect(steps).toBe(6)
  })

  it('poll a selected feed to the end of its redirects', async () => {
    const net = web(toMill)
    const { crawler, clock, store } = createCrawlHarness([], { wrapNet: net.wrapNet, isIdle: true })
    const [added] = await crawler.subscribe([{ url: blogs[0]!, kind: 'feed' }])
    const { feedId } = added as { feedId: FeedId }
    const done = crawler.pollSelected({ feeds: [feedId], sources: [] }, new AbortController().signal)
    await clock.advance(MINUTE)
    await done
    expect(await store.polls({ limit: 9 })).toMatchObject([{ feedId, result: { kind: 'read' } }])
  })
})
