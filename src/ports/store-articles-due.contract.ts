/** Store contract: queued articles, article queues and their leases. */
import { expect } from 'vitest'
import { address } from '../model/address.fixture.ts'
import type { EntryDraft, EntryId, FeedId } from '../model/index.ts'
import { articleOf, failedArticle, readArticle, sameArticle, want } from './article-samples.contract.ts'
import type { Store } from './index.ts'
import { expectCounts } from './store-expectations.contract.ts'
import type { Promised } from './store-promise.contract.ts'
import { addFeed, addSource, all, draft, newFeed, record, START } from './store-samples.contract.ts'

const HOUR = 3_600_000

export function dueArticlePromises(promised: Promised): void {
  promised('queues the articles of a poll', async (store) => {
    const feedId = await addFeed(store, 'f')
    const articles = [page('a'), page('b'), { ...page('c'), key: 'unknown' }]
    await store.recordPolls([record(feedId, START, { fresh: [draft('a'), draft('b'), draft('c')], articles })])
    const [a, b, c] = await entryIds(store)
    expect(await store.articlesOfEntries([a!, b!, c!])).toStrictEqual([
      {
        id: expect.any(Number),
        url: 'https://a.example/page',
        root: 'a.example',
        state: 'waiting',
        wantedAt: START,
        newsAt: START,
        dueAt: START,
        failures: 0,
        reads: 0,
      },
      expect.objectContaining({ url: 'https://b.example/page' }),
      undefined,
    ])
    await expectCounts(store, { feeds: { active: 1 }, entries: 3, polls: 1, articles: { waiting: 2 } })
  })

  promised('queues the articles of the first poll of a found feed', async (store) => {
    const source = await addSource(store, 's')
    await store.recordSourceFound(
      source,
      newFeed('f'),
      record(0 as FeedId, START, { fresh: [draft('a')], articles: [page('a')] }),
    )
    expect(await take(store, START, 9)).toEqual(['a'])
  })

  promised('counts the pages requested since an hour, without those stored before', async (store) => {
    const [a, b] = [await addFeed(store, 'a'), await addFeed(store, 'b')]
    const from = Math.ceil(START / HOUR) * HOUR
    const fresh = [draft('a'), draft('b')]
    await store.recordPolls([record(a, from - 1, { fresh, articles: [page('a')] })])
    await store.recordPolls([
      record(b, from, { fresh, articles: [page('a'), page('b'), { ...page('c'), key: 'unknown' }] }),
    ])
    expect(await store.countStoredSince([b, a], from)).toMatchObject([{ pages: 1 }, { pages: 0 }])
    expect(await store.countStoredSince([a, a], from - HOUR)).toMatchObject([{ pages: 1 }, { pages: 1 }])
    const [entry] = await entryIds(store)
    await store.recordArticles([readArticle((await articleOf(store, entry!)).id, from + 1)])
    const again = { ...page('a'), again: { afterMs: HOUR, most: 10 } }
    for (const at of [from + HOUR, from + HOUR + 1])
      await store.recordPolls([record(a, at, { changed: [draft('a')], articles: [again] })])
    expect(await store.countStoredSince([a], from)).toMatchObject([{ pages: 1 }])
    expect(await store.countStoredSince([a, b], from)).toMatchObject([{ entries: 0 }, { entries: 2 }])
    await store.recordPolls([record(a, from + 72 * HOUR, { fresh: [draft('z')] })])
    expect(await store.countStoredSince([a], 0)).toMatchObject([{ pages: 0 }])
  })

  promised('creates one article per address, however many entries link to it', async (store) => {
    const [a, b] = await entries(store, 'a', 'b')
    await store.queueArticles([want(a!, 'x'), want(b!, 'x'), want(a!, 'x')], START)
    const [one, other] = await store.articlesOfEntries([a!, b!])
    expect(one).toEqual(other)
    const [pointing] = await store.entriesOfArticles([one!.id])
    expect(pointing!.map(({ id }) => id)).toEqual([a, b])
    expect(await take(store, START, 9)).toEqual(['x'])
    expect(await take(store, START, 9)).toEqual([])
  })

  promised('fetches an article that a user asks for before all others, also if it failed', async (store) => {
    const [a, b, c] = await entries(store, 'a', 'b', 'c')
    const requested = { afterMs: 60 }
    await store.queueArticles([want(a!, 'x', '1'), want(b!, 'x', '2')], START)
    await store.queueArticles([want(c!, 'w')], START + 5)
    const failed = await articleOf(store, a!)
    await store.recordArticles([failedArticle(failed.id, START)])
    await expectCounts(store, { feeds: { active: 1 }, entries: 3, polls: 1, articles: { waiting: 2, failed: 1 } })
    await store.queueArticles([{ ...want(a!, 'x', '1'), requested }], START + 10)
    expect(await articleOf(store, a!)).toMatchObject({ state: 'waiting', dueAt: START + 60, failures: 1 })
    await expectCounts(store, { feeds: { active: 1 }, entries: 3, polls: 1, articles: { waiting: 3 } })
    await store.queueArticles([{ ...want(a!, 'x', '1'), requested }], START + 60)
    const [first] = await store.leaseDueArticles(START + 60, 1, START + 90)
    expect(first).toMatchObject({ id: failed.id, state: 'waiting' })
  })

  promised('skips entries that are gone', async (store) => {
    await store.queueArticles([want(77 as EntryId, 'x')], START)
    expect((await store.nextDue()).articleAt).toBeUndefined()
    await expectCounts(store, {})
  })

  promised('leases the newest article of each queue, and every root in turn', async (store) => {
    const dated = (key: string, publishedAt: number): EntryDraft => draft(key, { publishedAt })
    const feedId = await addFeed(store, 'f')
    const fresh = [dated('old', START - 9), dated('new', START - 1), dated('mid', START - 5), dated('lone', START - 90)]
    await store.recordPolls([record(feedId, START, { fresh })])
    const [old, fresh1, mid, lone] = await entryIds(store)
    await store.queueArticles([want(old!, 'big', 'old'), want(mid!, 'big', 'mid'), want(fresh1!, 'big', 'new')], START)
    await store.queueArticles([want(lone!, 'small')], START + 1)
    expect(await take(store, START + 5, 1)).toEqual(['big/new'])
    expect(await take(store, START + 5, 9)).toEqual(['small'])
    expect(await take(store, START + 5, 9)).toEqual([])
    const big = await articleOf(store, fresh1!)
    await store.recordArticles([readArticle(big.id, START + 5, { queueDueAt: START + 7 })])
    expect(await take(store, START + 6, 9)).toEqual([])
    expect((await store.nextDue()).articleAt).toBe(START + 7)
    expect(await take(store, START + 7, 9)).toEqual(['big/mid'])
  })

  promised('leases a queue to one caller until the lease expires', async (store) => {
    const [a, b] = await entries(store, 'a', 'b')
    await store.queueArticles([want(a!, 'x', '1'), want(b!, 'x', '2')], START)
    const both = await Promise.all([take(store, START, 9), take(store, START, 9)])
    expect(both.flat()).toEqual(['x/2']) // for one of both callers
    expect((await store.nextDue()).articleAt).toBe(START + HOUR)
    expect(await take(store, START + HOUR - 1, 9)).toEqual([])
    expect(await take(store, START + HOUR, 9)).toEqual(['x/2'])
  })

  promised('leases articles with the feeds that link to them, and their settings for pages', async (store) => {
    const [a, b] = await entries(store, 'a', 'b')
    const fetching = { userAgent: 'Reader/2', cookies: 'a=1', extraction: { content: '.text' } }
    for (const { feed } of await store.feeds({ order: 'id', limit: 1 })) await store.changeFeed(feed.id, { fetching })
    await store.queueArticles([want(a!, 'x', '1'), want(b!, 'y', '2')], START)
    const leased = await store.leaseDueArticles(START, 9, START + HOUR)
    const [feed] = await store.feeds({ order: 'id', limit: 1 })
    const linking = { url: feed!.feed.url, userAgent: 'Reader/2', extraction: { content: '.text' } }
    expect(leased.map(({ url, feeds }) => [url, feeds])).toEqual(leased.map(({ url }) => [url, [linking]]))
    expect(leased).toHaveLength(2)
    expect(await store.leaseDueArticles(START, 9, START + HOUR)).toEqual([])
  })

  promised('releases leases of queues, and delays the whole queue', async (store) => {
    const [a, b] = await entries(store, 'a', 'b')
    await store.queueArticles([want(a!, 'x', '1'), want(b!, 'x', '2')], START)
    const [taken] = await store.leaseDueArticles(START, 9, START + HOUR)
    await store.releaseLeases([{ kind: 'article', id: taken!.id }])
    expect(await take(store, START, 9)).toEqual(['x/2'])
    await store.releaseLeases([
      { kind: 'article', id: taken!.id, dueAt: START + 50 },
      { kind: 'article', id: 999 as never },
    ])
    expect((await store.nextDue()).articleAt).toBe(START + 50)
    expect(await take(store, START + 49, 9)).toEqual([])
    expect(await take(store, START + 50, 9)).toEqual(['x/2'])
  })

  promised('returns a failed page again when it is due, and others of its queue meanwhile', async (store) => {
    const [a, b] = await entries(store, 'a', 'b')
    await store.queueArticles([want(a!, 'x', '1'), want(b!, 'x', '2')], START)
    const [newest] = await store.leaseDueArticles(START, 9, START + HOUR)
    await store.recordArticles([failedArticle(newest!.id, START, { dueAt: START + 100 })])
    expect(await take(store, START + 1, 9)).toEqual(['x/1'])
    await store.recordArticles([readArticle((await articleOf(store, a!)).id, START + 2)])
    expect((await store.nextDue()).articleAt).toBe(START + 100)
    expect(await take(store, START + 100, 9)).toEqual(['x/2'])
    await store.recordArticles([failedArticle(newest!.id, START + 101)])
    expect((await store.nextDue()).articleAt).toBeUndefined()
    expect(await articleOf(store, b!)).toMatchObject({ state: 'failed', failures: 2, triedAt: START + 101 })
    await store.queueArticles([want(b!, 'x', '2')], START + 200)
    expect((await store.nextDue()).articleAt).toBeUndefined() // a dead link is not retried
  })

  promised('does not fetch known pages, by requested or final address', async (store) => {
    const [a, b, c] = await entries(store, 'a', 'b', 'c')
    await store.queueArticles([want(a!, 'x', 'short')], START)
    const { id } = await articleOf(store, a!)
    await store.recordArticles([readArticle(id, START, { pageUrl: 'https://x.example/long' })])
    await store.queueArticles([want(b!, 'x', 'long'), want(c!, 'x', 'short')], START + 1)
    expect((await store.nextDue()).articleAt).toBeUndefined()
    expect((await store.articlesOfEntries([b!, c!])).map((article) => article?.id)).toEqual([id, id])
  })

  promised('fetches a page again when its entry changed, with a delay and a limit', async (store) => {
    const [a] = await entries(store, 'a')
    const again = { afterMs: 100, most: 2 }
    await store.queueArticles([{ ...want(a!, 'x'), again }], START)
    const { id } = await articleOf(store, a!)
    await store.recordArticles([readArticle(id, START)])
    await store.queueArticles([want(a!, 'x')], START + 10)
    expect((await store.nextDue()).articleAt).toBeUndefined()
    await store.queueArticles([{ ...want(a!, 'x'), again }], START + 10)
    expect(await articleOf(store, a!)).toMatchObject({ state: 'read', dueAt: START + 100, reads: 1 })
    await store.queueArticles([{ ...want(a!, 'x'), again }], START + 500)
    expect((await store.nextDue()).articleAt).toBe(START + 100)
    await store.recordArticles([readArticle(id, START + 600)])
    await store.queueArticles([{ ...want(a!, 'x'), again }], START + 900)
    expect((await store.nextDue()).articleAt).toBeUndefined()
  })

  promised('limits repeated fetches per entry, whatever its link', async (store) => {
    const [a] = await entries(store, 'a')
    const again = { afterMs: 100, most: 2 }
    await store.queueArticles([want(a!, 'x?sid=1')], START)
    await store.recordArticles([readArticle((await articleOf(store, a!)).id, START)])
    await store.queueArticles([{ ...want(a!, 'x?sid=2'), again }], START + 50)
    expect(await articleOf(store, a!)).toMatchObject({ url: want(a!, 'x?sid=1').url, state: 'read' })
    expect((await store.nextDue()).articleAt).toBeUndefined()
    await store.queueArticles([{ ...want(a!, 'x?sid=3'), again }], START + 200)
    const other = await articleOf(store, a!)
    expect(other).toMatchObject({ url: want(a!, 'x?sid=3').url, state: 'waiting', reads: 1, dueAt: START + 200 })
    await store.recordArticles([readArticle(other.id, START + 200)])
    await store.queueArticles([{ ...want(a!, 'x?sid=4'), again }], START + 900)
    expect(await articleOf(store, a!)).toMatchObject({ id: other.id, reads: 2 })
    expect((await store.nextDue()).articleAt).toBeUndefined()
  })

  promised('remembers that an address leads to a known page', async (store) => {
    const [a, b, c] = await entries(store, 'a', 'b', 'c')
    await store.queueArticles([want(a!, 'x'), want(b!, 'short')], START)
    const [x, short] = await store.articlesOfEntries([a!, b!])
    await store.recordArticles([readArticle(x!.id, START), sameArticle(short!.id, START, x!.id)])
    expect(await store.articlesById([short!.id])).toMatchObject([{ state: 'same', sameAs: x!.id }])
    expect((await articleOf(store, b!)).id).toBe(x!.id)
    await store.queueArticles([want(c!, 'short')], START + 1)
    expect((await articleOf(store, c!)).id).toBe(x!.id)
    expect((await store.nextDue()).articleAt).toBeUndefined()
    await expectCounts(store, { feeds: { active: 1 }, entries: 3, polls: 1, articles: { read: 1, pages: 1 } })
  })

  promised('cancels articles of a feed, except those other feeds wait for', async (store) => {
    const [a, b, c] = await entries(store, 'a', 'b', 'c')
    const other = await addFeed(store, 'other')
    await store.recordPolls([record(other, START, { fresh: [draft('d')] })])
    const d = (await entryIds(store)).at(-1)!
    await store.queueArticles([want(a!, 'x', '1'), want(b!, 'x', '2'), want(c!, 'y'), want(d, 'x', '2')], START)
    await store.recordArticles([readArticle((await articleOf(store, c!)).id, START)])
    await store.cancelArticles((await store.entriesById([a!]))[0]!.feedId)
    const left = await store.articlesOfEntries([a!, b!, c!, d])
    expect(left.map((article) => article?.state)).toEqual([undefined, undefined, 'read', 'waiting'])
    expect(await take(store, START, 9)).toEqual(['x/2'])
    await store.cancelArticles(other)
    expect((await store.nextDue()).articleAt).toBeUndefined()
  })

  promised('moves a redirected page to the queue of its target host', async (store) => {
    const [a, b] = await entries(store, 'a', 'b')
    await store.queueArticles([want(a!, 'x', '1'), want(b!, 'x', '2')], START)
    const [newest] = await store.leaseDueArticles(START, 9, START + HOUR)
    const led = (to: string, at: number) => {
      const result = { kind: 'elsewhere', to: address(to), root: new URL(to).hostname } as const
      return store.recordArticles([{ id: newest!.id, at, queueDueAt: at + 50, result }])
    }
    expect(await led('https://y.example/2', START)).toEqual([true])
    expect(await led('https://y.example/2', START)).toEqual([false])
    expect(await articleOf(store, b!)).toMatchObject({
      url: 'https://x.example/2',
      root: 'y.example',
      state: 'waiting',
      ledTo: { url: 'https://y.example/2', hops: 1 },
    })
    expect(await take(store, START, 9)).toEqual(['x/2']) // in the other queue, while its own has to wait
    expect(await led('https://x.example/3', START + 1)).toEqual([true])
    expect((await articleOf(store, b!)).ledTo).toEqual({ url: 'https://x.example/3', hops: 2 })
    expect(await take(store, START + 49, 9)).toEqual([])
    expect(await take(store, START + 50, 9)).toEqual(['x/2'])
    await store.recordArticles([readArticle(newest!.id, START + 51)])
    expect((await articleOf(store, b!)).ledTo).toEqual({ url: 'https://x.example/3', hops: 0 })
    expect(await take(store, START + 51, 9)).toEqual(['x/1'])
    await expectCounts(store, {
      feeds: { active: 1 },
      entries: 2,
      polls: 1,
      articles: { waiting: 1, read: 1, pages: 1 },
    })
  })

  promised('does not merge an article with one that was not read', async (store) => {
    const [a, b] = await entries(store, 'a', 'b')
    await store.queueArticles([want(a!, 'x'), want(b!, 'y')], START)
    const [x, y] = await store.articlesOfEntries([a!, b!])
    const records = [x!.id, y!.id, 999 as never].map((other) => sameArticle(y!.id, START + 1, other))
    expect(await store.recordArticles(records)).toEqual([false, false, false])
    expect(await take(store, START + 1, 9)).toEqual(['x', 'y'])
  })
}

function page(name: string) {
  return { key: name, url: address(`https://${name}.example/page`), root: `${name}.example` }
}

/** Adds a feed whose entries have these keys, and returns their ids. */
async function entries(store: Store, ...keys: string[]): Promise<EntryId[]> {
  const feedId = await addFeed(store, 'f')
  await store.recordPolls([record(feedId, START, { fresh: keys.map((key) => draft(key)) })])
  return entryIds(store)
}

async function entryIds(store: Store): Promise<EntryId[]> {
  return (await all(store.everyEntry({}))).map(({ id }) => id)
}

/** Leases due articles for an hour and returns their root and path. */
async function take(store: Store, now: number, limit: number): Promise<string[]> {
  const taken = await store.leaseDueArticles(now, limit, now + HOUR)
  return taken.map(({ url }) => url.replace(/https:\/\/(\w+)\.example/, '$1').replace(/\/page$/, ''))
}
