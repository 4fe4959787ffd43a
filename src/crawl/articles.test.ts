/** The article crawl in the village: which pages are fetched, how often, and which never are. */
import { copyFileSync, existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import {
  type CrawlHarness,
  type CrawlHarnessOptions,
  createCrawlHarness,
  internalErrors,
  START,
  subscribeFeeds,
} from '../../test/crawl-harness.ts'
import { pageKindOf, type SiteSpec, type Village } from '../lab/index.ts'
import { address } from '../model/address.fixture.ts'
import { DAY, HOUR, type Instant, MINUTE, SECOND, type StoredArticle } from '../model/index.ts'
import type { Net, Store } from '../ports/index.ts'
import { parsedQuery } from '../ports/search-query.fixture.ts'
import { createMemoryStore, openSqliteStore } from '../stores/index.ts'

/** A crawl of all feeds of these sites that fetches articles. */
async function crawl(
  sites: SiteSpec[],
  { backlog = 20, ...options }: CrawlHarnessOptions & { backlog?: number } = {},
): Promise<CrawlHarness> {
  const one = createCrawlHarness(sites, { articles: { preference: 'auto', backlog }, ...options })
  await subscribeFeeds(one.crawler, one.village)
  return one
}

const paper: SiteSpec = {
  name: 'paper',
  rhythm: { kind: 'clockwork', everyMs: 2 * HOUR },
  feeds: [{ path: '/feed' }],
}

/** How often each path of a site was requested, without feeds and robots.txt. */
function articleRequests(village: Village, name: string): Map<string, number> {
  const site = village.site(name)
  const others = new Set([...site.feeds.map(({ path }) => path), '/robots.txt', '/'])
  const counts = new Map<string, number>()
  for (const { url } of village.requests) {
    const { hostname, pathname } = new URL(url)
    if (hostname !== `${name}.localhost` || others.has(pathname)) continue
    counts.set(pathname, (counts.get(pathname) ?? 0) + 1)
  }
  return counts
}

async function articlesIn(store: Store): Promise<StoredArticle[]> {
  const ids = Array.from({ length: 5000 }, (_, i) => (i + 1) as StoredArticle['id'])
  return (await store.articlesById(ids)).filter((article) => article !== undefined)
}

const hostOf = (url: string) => new URL(url).host
const pathOf = (url: string | undefined) => new URL(url ?? '').pathname

describe('the article crawl', () => {
  it('gets the addresses of feeds with the leases, and reads no entries', async () => {
    const sites: SiteSpec[] = Array.from({ length: 12 }, (_, n) => ({ ...paper, name: `paper${n}` }))
    const store = createMemoryStore()
    const calls = { pages: 0, entries: 0 }
    const counting: Store = {
      ...store,
      leaseDueArticles: async (...given) => {
        const taken = await store.leaseDueArticles(...given)
        if (taken.length > 0) calls.pages++
        for (const { url, feeds } of taken) expect(feeds.map((feed) => hostOf(feed.url))).toContain(hostOf(url))
        return taken
      },
      entriesOfArticles: (ids) => {
        calls.entries++
        return store.entriesOfArticles(ids)
      },
    }
    const { clock } = await crawl(sites, { strategy: 'fixed:4h', store: counting })
    await clock.advance(2 * DAY)
    expect(calls.pages).toBeGreaterThan(10)
    expect(calls).toMatchObject({ entries: 0 })
  })

  it('fetches every article once, none that is forbidden, and dead links a limited number of times', async () => {
    const daily: SiteSpec = { ...paper, rhythm: { kind: 'clockwork', everyMs: 6 * HOUR } }
    const kinds = { missing: 0.15, noindex: 0.1, hidden: 0.1, noarchive: 0.1, pdf: 0.1 }
    const sites: SiteSpec[] = [
      daily,
      { ...daily, name: 'mixed', pages: { kinds } },
      { ...daily, name: 'closed', robots: 'User-agent: *\nDisallow: /\nAllow: /feed' },
      { ...daily, name: 'half', robots: 'User-agent: freshet\nDisallow: /2026/01/\n' },
      { ...daily, name: 'detour', pages: { linked: 'detour' } },
      { ...daily, name: 'tracked', pages: { linked: 'tracked' } },
      { ...daily, name: 'whole', feeds: [{ path: '/feed', content: 'full' }] },
    ]
    const { village, clock, store, events } = await crawl(sites, { strategy: 'fixed:4h' })
    await clock.advance(30 * DAY)
    const publishedBy = (name: string) => village.site(name).published(START, START + 30 * DAY - 5 * HOUR)
    const articles = await articlesIn(store)
    const byPath = (name: string) =>
      new Map(
        articles.filter(({ root }) => root === `${name}.localhost`).map((one) => [pathOf(one.pageUrl ?? one.url), one]),
      )

    for (const name of ['paper', 'tracked', 'detour', 'mixed']) {
      const requests = articleRequests(village, name)
      const found = byPath(name)
      const posts = publishedBy(name)
      expect(posts.length).toBeGreaterThan(110)
      for (const post of posts) {
        const kind = name === 'mixed' ? pageKindOf(name, { kinds }, post) : 'plain'
        const article = found.get(post.path)
        const state = { missing: 'failed', pdf: 'failed', noindex: 'refused', hidden: 'refused' } as const
        expect(article, `${name} ${post.path}`).toBeDefined()
        const isOld = post.at < START + 28 * DAY // dead links are tried again after a day
        if (kind in state && isOld) expect(article?.state).toBe(state[kind as keyof typeof state])
        if (kind === 'plain' || kind === 'noarchive') expect(article?.state).toBe('read')
        const tries = kind === 'missing' || kind === 'pdf' ? (isOld ? 2 : expect.any(Number)) : 1
        // A correction in the feed causes one more fetch of the page.
        expect(requests.get(post.path), `${name} ${kind}`).toEqual(
          post.revised && tries === 1 ? expect.any(Number) : tries,
        )
        expect(requests.get(post.path)).toBeLessThanOrEqual(2)
        const raw = await store.rawPage(article!.id)
        expect(raw !== undefined).toBe(kind === 'plain')
      }
    }
    expect([...articleRequests(village, 'closed').keys()]).toEqual([])
    expect([...articleRequests(village, 'half').keys()].filter((path) => path.startsWith('/2026/01/'))).toEqual([])
    expect([...articleRequests(village, 'half').keys()].length).toBeGreaterThan(10) // February is allowed
    expect(articleRequests(village, 'whole').size).toBe(0)
    expect(internalErrors(events)).toEqual([])
    expect((await store.counts()).articles.waiting).toBeLessThan(12)
  })

  it('stores one article for a page that several feeds link to with different addresses', async () => {
    const { village, clock, store } = await crawl([
      {
        ...paper,
        categories: ['Geese'],
        feeds: [
          { path: '/feed' },
          { path: '/geese', about: { category: 'Geese' } },
          { path: '/talk', about: 'comments' },
        ],
      },
    ])
    await clock.advance(5 * DAY)
    const posts = village.site('paper').published(START, START + 4 * DAY)
    const requests = articleRequests(village, 'paper')
    expect(posts.filter(({ revised }) => !revised).length).toBeGreaterThan(40)
    for (const { path, revised } of posts) if (!revised) expect(requests.get(path)).toBe(1)
    const read = (await articlesIn(store)).filter(({ state }) => state === 'read')
    expect(new Set(read.map(({ pageUrl }) => pageUrl)).size).toBe(read.length)
    const entries = await store.entriesOfArticles(read.map(({ id }) => id))
    expect(Math.max(...entries.map((list) => new Set(list.map(({ feedId }) => feedId)).size))).toBe(3)
  })

  it('recognizes another address of a page, and does not fetch it again', async () => {
    const { village, clock, store } = await crawl([{ ...paper, feeds: [{ path: '/feed' }, { path: '/again' }] }])
    await clock.advance(HOUR)
    const [article] = (await articlesIn(store)).filter(({ state }) => state === 'read')
    const [entries] = await store.entriesOfArticles([article!.id])
    const [, second] = entries!
    const other = { url: address(`${article!.url}?from=digest`), root: article!.root }
    await store.queueArticles([{ entryId: second!.id, ...other }], clock.now())
    await clock.advance(HOUR)
    const alias = (await articlesIn(store)).find(({ url }) => url === other.url)
    expect(alias).toMatchObject({ state: 'same', sameAs: article!.id })
    expect((await store.entriesOfArticles([article!.id]))[0]).toHaveLength(2)
    const requests = village.requests.length
    await store.queueArticles([{ entryId: entries![0]!.id, ...other }], clock.now())
    await clock.advance(10 * MINUTE)
    expect(village.requests.slice(requests).filter(({ url }) => url === other.url)).toEqual([])
  })

  it('ignores canonical addresses of a site that claims the same one on every page', async () => {
    const { clock, store } = await crawl([{ ...paper, pages: { canonical: '/2026/01/the-one-page' } }])
    await clock.advance(HOUR)
    const titles = new Set((await articlesIn(store)).map(({ state, facts }) => `${state} ${facts?.title}`))
    expect(titles.size).toBe(20)
    expect([...titles].every((title) => title.startsWith('read '))).toBe(true)
  })

  it('loses nothing when it is killed, and fetches no stored article again', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'freshet-'))
    const sites = [paper, { ...paper, name: 'mixed', pages: { kinds: { missing: 0.3 } } }]
    const requests = new Map<string, number>()
    let now = START
    for (let life = 0; life < 6; life++) {
      const { store } = openSqliteStore({ file: join(folder, `${life}.db`), mode: 'write', now: () => now })
      let packing = 0
      const { recordArticles } = store
      store.recordArticles = (records) => {
        packing++
        return recordArticles(records).finally(() => packing--)
      }
      const { village, clock, stop } = await crawl(sites, { store, startAt: now, isBusy: () => packing > 0 })
      await clock.advance(9 * HOUR + 7 * SECOND + life * MINUTE)
      now = clock.now()
      // What a killed process leaves behind: the files as they are, and leases that are not released.
      for (const end of ['.db', '.db-wal'])
        if (existsSync(join(folder, life + end))) copyFileSync(join(folder, life + end), join(folder, life + 1 + end))
      await stop()
      await store.close()
      for (const [path, times] of articleRequests(village, 'paper'))
        requests.set(path, (requests.get(path) ?? 0) + times)
    }
    const { store } = openSqliteStore({ file: join(folder, '6.db'), mode: 'write', now: () => now })
    const { village } = createCrawlHarness(sites, { startAt: now })
    const read = new Set((await articlesIn(store)).flatMap(({ state, url }) => (state === 'read' ? [pathOf(url)] : [])))
    const posts = village.site('paper').published(START, now - 3 * HOUR)
    expect(posts.length).toBeGreaterThan(20)
    for (const { path, revised } of posts) {
      expect(read.has(path)).toBe(true)
      expect(requests.get(path)).toBeLessThanOrEqual(revised ? 3 : 2)
    }
    await store.close()
    rmSync(folder, { recursive: true })
  })

  it('fetches articles if the feed has no full text or a user wants them, and stops if no user does', async () => {
    const unabridged: SiteSpec = { ...paper, name: 'whole', feeds: [{ path: '/feed', content: 'full' }] }
    const { village, clock, store, crawler } = await crawl([paper, unabridged])
    await clock.advance(HOUR)
    const [teasing, whole] = await store.feeds({ order: 'id', limit: 2 })
    expect(articleRequests(village, 'paper').size).toBe(20)
    expect(articleRequests(village, 'whole').size).toBe(0)

    await crawler.edit(whole!.feed.id, { articles: 'always' })
    await crawler.edit(teasing!.feed.id, { articles: 'never' })
    await clock.advance(HOUR)
    expect(articleRequests(village, 'whole').size).toBe(20)
    const before = articleRequests(village, 'paper').size
    await clock.advance(DAY)
    expect(articleRequests(village, 'paper').size).toBe(before)
    expect(articleRequests(village, 'whole').size).toBeGreaterThan(30)
    await crawler.edit(whole!.feed.id, { articles: '' })
    expect((await store.feedsById([whole!.feed.id]))[0]?.feed).not.toHaveProperty('articles')
  })

  it('drops waiting articles when a user no longer wants them', async () => {
    const { village, clock, store, crawler } = await crawl([{ ...paper, feeds: [{ path: '/feed', window: 60 }] }], {
      backlog: 50,
      gapMs: MINUTE,
    })
    await clock.advance(10 * MINUTE)
    const [scheduled] = await store.feeds({ order: 'id', limit: 1 })
    await crawler.edit(scheduled!.feed.id, { articles: 'never' })
    expect((await store.counts()).articles).toMatchObject({ waiting: 0, read: expect.any(Number) })
    const requests = articleRequests(village, 'paper').size
    await clock.advance(30 * MINUTE)
    expect(articleRequests(village, 'paper').size).toBeLessThanOrEqual(requests + 1)
  })

  it('starts with a few articles, the newest first, however many a feed has', async () => {
    const { village, clock } = await crawl([{ ...paper, feeds: [{ path: '/feed', window: 100 }] }], { backlog: 5 })
    await clock.advance(30 * MINUTE)
    const newest = village
      .site('paper')
      .published(START - 9 * DAY, START)
      .slice(-5)
      .reverse()
    expect([...articleRequests(village, 'paper').keys()]).toEqual(newest.map(({ path }) => path))
  })

  it('fetches from every root, however many articles another one has', async () => {
    const many: SiteSpec = { ...paper, name: 'many', feeds: [{ path: '/feed', window: 100 }] }
    const few: SiteSpec = { ...paper, name: 'few', feeds: [{ path: '/feed', window: 1 }] }
    const { village, clock } = await crawl([many, few], { backlog: 100 })
    await clock.advance(30 * SECOND)
    expect(articleRequests(village, 'few').size).toBe(1)
    expect(articleRequests(village, 'many').size).toBeGreaterThan(5)
    expect(articleRequests(village, 'many').size).toBeLessThan(16) // two seconds apart, like all requests
  })

  it('never delays a poll by more than one page', async () => {
    const gapMs = 30 * SECOND
    const { village, clock, events } = await crawl(
      [
        {
          ...paper,
          rhythm: { kind: 'clockwork', everyMs: 10 * MINUTE },
          feeds: [{ path: '/feed', window: 300, validators: 'none' }],
        },
      ],
      { backlog: 300, gapMs, strategy: 'fixed:10m' },
    )
    await clock.advance(3 * HOUR)
    const polls = events.flatMap((event) => (event.kind === 'polled' ? [event] : []))
    for (const [i, poll] of polls.entries()) {
      const dueAt = polls[i - 1]?.dueAt
      if (dueAt !== undefined) expect(poll.at - dueAt).toBeLessThanOrEqual(2 * gapMs)
    }
    expect(polls.length).toBeGreaterThan(15)
    expect(articleRequests(village, 'paper').size).toBeGreaterThan(200)
    expect(gapsAt(village)).toBeGreaterThanOrEqual(gapMs)
  })

  it('backs off from a host that does not answer, and tries each page a few times at most', async () => {
    const requests: string[] = []
    const wrapNet = (net: Net): Net => ({
      ...net,
      async get(request) {
        if (!request.url.includes('//paper.localhost')) return net.get(request)
        requests.push(request.url)
        return { ok: false, failure: { kind: 'unreachable' } }
      },
    })
    const feedsElsewhere = [{ path: '/feed', on: 'depot' }]
    const { clock, store } = await crawl([{ ...paper, feeds: feedsElsewhere }], { wrapNet })
    await clock.advance(30 * DAY)
    const tries = (await articlesIn(store)).map(({ failures }) => failures)
    expect(tries.length).toBeGreaterThan(300)
    expect(requests.length).toBeGreaterThan(25) // about once a day
    expect(requests.length).toBeLessThan(80)
    expect(Math.max(...tries)).toBeLessThanOrEqual(6)
  })

  it('waits when a host sends Retry-After, and fetches the page afterwards', async () => {
    const { village, clock, store } = await crawl([paper])
    await clock.advance(HOUR)
    const post = village.site('paper').publish()
    const limit = { kind: 'status', status: 429, retryAfter: { seconds: 7200 } } as const
    village.site('paper').addFault(limit, { path: post.path, untilAt: clock.now() + 3 * HOUR })
    await clock.advance(20 * HOUR)
    const article = (await articlesIn(store)).find(({ url }) => pathOf(url) === post.path)
    expect(article?.state).toBe('read')
    const at = village.requests.filter(({ url }) => pathOf(url) === post.path).map((request) => request.at)
    expect(at).toHaveLength(2)
    const between = village.requests.filter((request) => request.at > at[0]! && request.at < at[0]! + 2 * HOUR)
    expect(between).toEqual([])
  })

  it('fetches a page again once, some hours after its entry changed', async () => {
    const { village, clock, store } = await crawl([paper])
    await clock.advance(10 * MINUTE)
    const post = village.site('paper').publish({ title: 'First words' })
    await clock.advance(2 * HOUR)
    const readOnce = (await articlesIn(store)).find(({ url }) => pathOf(url) === post.path)
    expect(readOnce).toMatchObject({ state: 'read', reads: 1, facts: { title: 'First words' } })
    village.site('paper').revise(post, 'Second thoughts')
    await clock.advance(2 * HOUR)
    expect(articleRequests(village, 'paper').get(post.path)).toBe(1)
    await clock.advance(DAY)
    expect(articleRequests(village, 'paper').get(post.path)).toBe(2)
    expect(await store.articlesById([readOnce!.id])).toMatchObject([{ reads: 2, facts: { title: 'Second thoughts' } }])
  })

  it('does not follow a redirect to where robots.txt forbids it', async () => {
    const { village, clock, store } = await crawl([
      { ...paper, robots: 'User-agent: *\nDisallow: /2', pages: { linked: 'detour' } },
    ])
    await clock.advance(3 * HOUR)
    const requests = [...articleRequests(village, 'paper').keys()]
    expect(requests.length).toBeGreaterThan(10)
    expect(requests.every((path) => path.startsWith('/go/'))).toBe(true)
    const states = new Set((await articlesIn(store)).map(({ state }) => state))
    expect(states).toEqual(new Set(['refused']))
  })

  it('fetches robots.txt and no pages while robots.txt is unavailable', async () => {
    const { village, clock, store } = await crawl([{ ...paper, robots: 503 }])
    await clock.advance(5 * DAY)
    expect(articleRequests(village, 'paper').size).toBe(0)
    expect((await articlesIn(store)).some(({ state }) => state === 'refused')).toBe(false)
  })

  it('obeys Crawl-delay in robots.txt', async () => {
    const { village, clock } = await crawl([{ ...paper, robots: 'User-agent: *\nCrawl-delay: 20\n' }])
    await clock.advance(20 * MINUTE)
    expect(articleRequests(village, 'paper').size).toBe(20)
    expect(gapsAt(village, 4)).toBeGreaterThanOrEqual(20 * SECOND)
  })

  it('deletes old pages and texts, and pages beyond the size limit, and fetches none of them again', async () => {
    const retention = { keepPagesMs: DAY, keepArticlesMs: 3 * DAY, maxPageBytes: 20_000 }
    const { village, clock, store, search } = await crawl([paper], retention)
    await clock.advance(5 * DAY)
    const now = clock.now()
    const read = (await articlesIn(store)).filter(({ state }) => state === 'read')
    const agesMs = read.map(({ fetchedAt = 0 }) => now - fetchedAt)
    expect(agesMs.filter((ageMs) => ageMs < 3 * DAY).length).toBeGreaterThan(30)
    expect(agesMs.filter((ageMs) => ageMs > 3 * DAY + 2 * HOUR).length).toBeGreaterThan(20)
    for (const { id, fetchedAt = 0 } of read) {
      const ageMs = now - fetchedAt
      if (ageMs > DAY + 2 * HOUR) expect(await store.rawPage(id)).toBeUndefined()
      const [text] = await store.articleTexts([id])
      if (ageMs > 3 * DAY + 2 * HOUR) expect(text).toBeUndefined()
      if (ageMs < 3 * DAY) expect(text).toBeDefined()
    }
    const { pageBytes, pages } = (await store.counts()).articles
    expect(pages).toBeGreaterThan(0)
    expect(pageBytes).toBeLessThanOrEqual(retention.maxPageBytes + 10_000) // what arrived since the last retention run
    for (const times of articleRequests(village, 'paper').values()) expect(times).toBeLessThanOrEqual(2)
    const [oldest] = village.site('paper').published(START - 3 * HOUR, START)
    const gone = oldest!.paragraphs.at(-1)!.split(/\s+/).slice(0, 7).join(' ').replaceAll('"', '')
    expect(await search.find(parsedQuery(`"${gone}"`), 9)).toEqual([])
  })

  it('makes the texts of articles searchable, and stores their dates', async () => {
    const { village, clock, store, search } = await crawl([paper])
    await clock.advance(HOUR)
    const [post] = village.site('paper').published(START - 3 * HOUR, START)
    const last = post!.paragraphs.at(-1)!
    const words = last.split(/\s+/).slice(0, 6).join(' ')
    const hits = await search.find(parsedQuery(`"${words.replaceAll('"', '')}"`), 9)
    const entries = await store.entriesById(hits.map(({ id }) => id))
    expect(entries.map((entry) => pathOf(entry?.url))).toContain(post!.path)
    const [article] = await store.articlesOfEntries([entries.find((entry) => pathOf(entry?.url) === post!.path)!.id])
    expect(article?.facts?.date).toMatchObject({ at: post!.at, from: 'feed', trust: expect.any(Number) })
    expect(article?.facts?.authors).toEqual([post!.author])
  })
})

/** The shortest time between two requests, starting at index `from`. */
function gapsAt(village: Village, from = 0): number {
  const at: Instant[] = village.requests.slice(from).map((request) => request.at)
  return Math.min(...at.slice(1).map((one, i) => one - at[i]!))
}
