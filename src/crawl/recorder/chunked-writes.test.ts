import { describe, expect, it } from 'vitest'
import { createCrawlHarness, quietNewspaperSite, subscribeFeeds } from '../../../test/crawl-harness.ts'
import { memoryStore } from '../../../test/yielding-store.ts'
import { address } from '../../model/address.fixture.ts'
import { DAY, type EntryDraft, type FeedId, HOUR, type Instant, MINUTE } from '../../model/index.ts'
import { rolesOf, type Store } from '../../ports/index.ts'
import { draft, newFeed, record, START } from '../../ports/store-samples.contract.ts'
import { doOnce } from '../retried-steps.ts'
import {
  createDailyLimit,
  firstChunk,
  MAX_ENTRIES_PER_DAY,
  newsOf,
  recordInChunks,
  recordNewsInChunks,
  recordRest,
  weightOf,
  withLimitedNews,
} from './chunked-writes.ts'
import { createCommittedWrites } from './committed-writes.ts'

const many = (count: number, from = 0) => Array.from({ length: count }, (_, i) => draft(`e${from + i}`))
const seen = { validators: { etag: '"1"' }, bodyHash: 'body', windowHash: 'window' }

function writesTo(store: Store) {
  const committedWrites = createCommittedWrites({ ...rolesOf(store), retryTransient: doOnce })
  return { pollResults: store, committedWrites, retryTransient: doOnce }
}

async function storeWithFeed() {
  const store = memoryStore()
  const [{ id: feedId } = { id: 0 as FeedId }] = await store.addFeeds([newFeed('flood')])
  return { store, feedId, feed: async () => (await store.feedsById([feedId]))[0]!.feed }
}

describe('writing thousands of entries', () => {
  it('stores all of them with one poll', async () => {
    const { store, feedId, feed } = await storeWithFeed()
    expect(await recordInChunks(writesTo(store), record(feedId, START, { fresh: many(2345), feed: seen }))).toBe(
      'recorded',
    )
    expect(await store.counts()).toMatchObject({ entries: 2345, polls: 1 })
    expect(await feed()).toMatchObject(seen)
  })

  it('writes new and changed entries in chunks, with fewer entries the longer they are', async () => {
    const { store, feedId } = await storeWithFeed()
    const weights: number[] = []
    const counting: Store = {
      ...store,
      recordPolls(records) {
        weights.push(...records.map(weightOf))
        return store.recordPolls(records)
      },
      recordEntries(records) {
        weights.push(...records.map(weightOf))
        return store.recordEntries(records)
      },
    }
    const titled = (title: string) => many(1800).map((one) => ({ ...one, title }))
    const articles = many(1800).map(({ key }) => ({
      key,
      url: address(`https://flood.example/${key}`),
      root: 'flood.example',
    }))
    await recordInChunks(writesTo(counting), record(feedId, START, { fresh: titled('before'), articles }))
    await recordInChunks(writesTo(counting), record(feedId, START + 1, { changed: titled('after') }))
    const long = many(30, 5000).map((one) => ({ ...one, content: 'x'.repeat(100_000) }))
    await recordInChunks(writesTo(counting), record(feedId, START + 2, { fresh: long }))
    expect(Math.max(...weights)).toBeLessThanOrEqual(100)
    expect(weights.length).toBeGreaterThan(10)
    const counts = await store.counts()
    expect({ entries: counts.entries, polls: counts.polls, waiting: counts.articles.waiting }).toEqual({
      entries: 1830,
      polls: 3,
      waiting: 1800,
    })
    const all = await store.entries({ feedId, limit: 2000 })
    expect(all.filter(({ title }) => title === 'after')).toHaveLength(1800)
  })

  it('creates a found feed first, and makes the next poll conditional when all entries are stored', async () => {
    const store = memoryStore()
    const [source] = await store.addSources([
      { url: address('https://a.example'), root: 'a.example', addedAt: 0, dueAt: 0 },
    ])
    const { first, rest } = firstChunk(record(0 as FeedId, START, { fresh: many(1200), feed: seen }))
    const { feedId } = (await store.recordSourceFound(source!.id, newFeed('flood'), first))!
    const feed = async () => (await store.feedsById([feedId]))[0]!.feed
    expect([first.fresh.length, (await feed()).validators]).toEqual([100, {}])
    await recordRest({ ...rolesOf(store), retryTransient: doOnce }, feedId, rest!)
    expect(await store.counts()).toMatchObject({ entries: 1200, polls: 1 })
    expect(await feed()).toMatchObject(seen)
  })

  it('does not make the next poll conditional if the store fails in between', async () => {
    const { store, feedId, feed } = await storeWithFeed()
    let remaining = 3
    const failing = {
      ...store,
      recordEntries: async (...records: Parameters<typeof store.recordEntries>) => {
        if (remaining-- === 0) throw new Error('the disk is full')
        return store.recordEntries(...records)
      },
    }
    const poll = record(feedId, START, { fresh: many(2345), feed: seen })
    await expect(recordInChunks(writesTo(failing), poll)).rejects.toThrow('full')
    expect(await store.counts()).toMatchObject({ entries: 300, polls: 0 })
    expect((await feed()).validators).toEqual({})
    await recordInChunks(writesTo(store), { ...poll, poll: { ...poll.poll, at: START + HOUR } })
    expect(await store.counts()).toMatchObject({ entries: 2345, polls: 1 })
  })
})

describe('daily limits of a feed', () => {
  it('stores entries up to the limit, and the rest on another day', async () => {
    const { store, feedId, feed } = await storeWithFeed()
    const poll = async (at: number, from: number) => {
      const given = record(feedId, at, { fresh: many(9000, from), feed: seen })
      const dailyLimit = createDailyLimit(store) // a new one each time, as after a restart
      const bounded = await dailyLimit.apply(newsOf(given, feedId))
      await recordInChunks(writesTo(store), withLimitedNews(given, bounded))
      return bounded.skippedEntries
    }
    expect(await poll(START, 0)).toBe(0)
    expect(await poll(START + HOUR, 9000)).toBe(0)
    expect(await poll(START + 2 * HOUR, 18_000)).toBe(27_000 - MAX_ENTRIES_PER_DAY)
    expect(await store.counts()).toMatchObject({ entries: MAX_ENTRIES_PER_DAY, polls: 3 })
    expect(await feed()).toMatchObject({ validators: {} })
    expect((await feed()).bodyHash).toBeUndefined()
    expect(await poll(START + 3 * HOUR, 18_000)).toBe(9000)
    expect(await poll(START + 2 * DAY, 18_000)).toBe(0)
    expect(await store.counts()).toMatchObject({ entries: 27_000 })
  })

  it('counts entries that are being written at the same time', async () => {
    const { store, feedId } = await storeWithFeed()
    const dailyLimit = createDailyLimit(store)
    const recordAt = (at: Instant, fresh: EntryDraft[]) => ({ feedId, at, fresh, changed: [] })
    const both = await Promise.all([0, 15_000].map((from) => dailyLimit.apply(recordAt(START, many(15_000, from)))))
    const [first, second] = both.sort((a, b) => a.skippedEntries - b.skippedEntries)
    expect([first!.skippedEntries, second!.skippedEntries]).toEqual([0, 30_000 - MAX_ENTRIES_PER_DAY])
    await recordNewsInChunks(writesTo(store), first!.news)
    dailyLimit.release(first!.news)
    expect((await dailyLimit.apply(recordAt(START, many(9000, 30_000)))).skippedEntries).toBe(9000)
    dailyLimit.release(second!.news)
    expect((await dailyLimit.apply(recordAt(START, many(9000, 30_000)))).skippedEntries).toBe(4000)
  })

  it('makes one query for all feeds of a batch', async () => {
    const store = memoryStore()
    const added = await store.addFeeds(Array.from({ length: 30 }, (_, n) => newFeed(`f${n}`)))
    let queries = 0
    const counting: Store = {
      ...store,
      countStoredSince(ids, since) {
        queries++
        return store.countStoredSince(ids, since)
      },
    }
    const dailyLimit = createDailyLimit(counting)
    const news = added.map(({ id: feedId }, n) => ({ feedId, at: START + n, fresh: many(n % 3, n * 10), changed: [] }))
    const bounded = await dailyLimit.applyAll([...news, { ...news[1]!, fresh: many(MAX_ENTRIES_PER_DAY, 5000) }])
    expect(queries).toBe(1)
    expect(bounded.map(({ skippedEntries }) => skippedEntries)).toEqual([...news.map(() => 0), news[1]!.fresh.length])
    expect(bounded.slice(0, -1).map((one) => one.news)).toEqual(news)
  })

  it('applies to a feed that shows only hundreds of entries at a time', async () => {
    let recording = 0 // takes turns of the event loop, but no clock time
    const { crawler, village, clock, store, events } = createCrawlHarness([quietNewspaperSite], {
      strategy: 'fixed:15m',
      isBusy: () => recording > 0,
      wrapQueue: (queue) => ({
        ...queue,
        collect: (apply) =>
          queue.collect(async (outcomes) => {
            recording++
            await apply(outcomes).finally(() => recording--)
          }),
      }),
    })
    const shows = (from: number) => {
      const items = many(480, from).map(({ key, title }) => `<item><guid>${key}</guid><title>${title}</title></item>`)
      const text = `<rss version="2.0"><channel><title>T</title>${items.join('')}</channel></rss>`
      village.site('gazette').addFault({ kind: 'document', type: 'application/rss+xml', text })
    }
    shows(0)
    await subscribeFeeds(crawler, village)
    for (let poll = 1; poll < 45; poll++) {
      await clock.advance(15 * MINUTE)
      shows(480 * poll)
    }
    expect((await store.counts()).entries).toBe(MAX_ENTRIES_PER_DAY)
    expect(events.some(({ kind }) => kind === 'flood')).toBe(true)
  })
})
