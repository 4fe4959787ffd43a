import { describe, expect, it } from 'vitest'
import { box, quietNewspaperSite, subscribeFeeds } from '../../../test/crawl-harness.ts'
import { memoryStore } from '../../../test/yielding-store.ts'
import { address } from '../../model/address.fixture.ts'
import { DAY, type EntryDraft, type FeedId, HOUR, type Instant, MINUTE } from '../../model/index.ts'
import { rolesOf, type Store } from '../../ports/index.ts'
import { draft, newFeed, record, START } from '../../ports/store-samples.contract.ts'
import { doOnce } from '../retried-steps.ts'
import {
  createDayBound,
  firstPortion,
  MOST_A_DAY,
  newsOf,
  recordInPortions,
  recordNewsInPortions,
  recordRest,
  weightOf,
  withinDay,
} from './chunked-writes.ts'
import { createCommittedWrites } from './committed-writes.ts'

const many = (count: number, from = 0) => Array.from({ length: count }, (_, i) => draft(`e${from + i}`))
const seen = { validators: { etag: '"1"' }, bodyHash: 'body', windowHash: 'window' }

function writesTo(store: Store) {
  const committed = createCommittedWrites({ ...rolesOf(store), retryTransient: doOnce })
  return { ledger: store, committed, retryTransient: doOnce }
}

async function storeWithFeed() {
  const store = memoryStore()
  const [{ id: feedId } = { id: 0 as FeedId }] = await store.addFeeds([newFeed('flood')])
  return { store, feedId, feed: async () => (await store.feedsById([feedId]))[0]!.feed }
}

describe('thousands of entries at once', () => {
  it('are all there, in one poll', async () => {
    const { store, feedId, feed } = await storeWithFeed()
    expect(await recordInPortions(writesTo(store), record(feedId, START, { fresh: many(2345), feed: seen }))).toBe(
      'recorded',
    )
    expect(await store.counts()).toMatchObject({ entries: 2345, polls: 1 })
    expect(await feed()).toMatchObject(seen)
  })

  it('are told to the store in portions, new and changed alike, and the fewer the longer they are', async () => {
    const { store, feedId } = await storeWithFeed()
    const told: number[] = []
    const counting: Store = {
      ...store,
      recordPolls(records) {
        told.push(...records.map(weightOf))
        return store.recordPolls(records)
      },
      recordNews(records) {
        told.push(...records.map(weightOf))
        return store.recordNews(records)
      },
    }
    const titled = (title: string) => many(1800).map((one) => ({ ...one, title }))
    const pages = many(1800).map(({ key }) => ({
      key,
      url: address(`https://flood.example/${key}`),
      root: 'flood.example',
    }))
    await recordInPortions(writesTo(counting), record(feedId, START, { fresh: titled('before'), pages }))
    await recordInPortions(writesTo(counting), record(feedId, START + 1, { changed: titled('after') }))
    const long = many(30, 5000).map((one) => ({ ...one, content: 'x'.repeat(100_000) }))
    await recordInPortions(writesTo(counting), record(feedId, START + 2, { fresh: long }))
    expect(Math.max(...told)).toBeLessThanOrEqual(100)
    expect(told.length).toBeGreaterThan(10)
    const { entries, polls, articles } = await store.counts()
    expect({ entries, polls, waiting: articles.waiting }).toEqual({ entries: 1830, polls: 3, waiting: 1800 })
    const all = await store.entries({ feedId, limit: 2000 })
    expect(all.filter(({ title }) => title === 'after')).toHaveLength(1800)
  })

  it('of a feed that was just found come after it, and the next poll is conditional when all are there', async () => {
    const store = memoryStore()
    const [source] = await store.addSources([
      { url: address('https://a.example'), root: 'a.example', addedAt: 0, dueAt: 0 },
    ])
    const { first, rest } = firstPortion(record(0 as FeedId, START, { fresh: many(1200), feed: seen }))
    const { feedId } = (await store.sourceFound(source!.id, newFeed('flood'), first))!
    const feed = async () => (await store.feedsById([feedId]))[0]!.feed
    expect([first.fresh.length, (await feed()).validators]).toEqual([100, {}])
    await recordRest({ ...rolesOf(store), retryTransient: doOnce }, feedId, rest!)
    expect(await store.counts()).toMatchObject({ entries: 1200, polls: 1 })
    expect(await feed()).toMatchObject(seen)
  })

  it('are asked for again if the store fails amid them', async () => {
    const { store, feedId, feed } = await storeWithFeed()
    let left = 3
    const failing = {
      ...store,
      recordNews: async (...records: Parameters<typeof store.recordNews>) => {
        if (left-- === 0) throw new Error('the disk is full')
        return store.recordNews(...records)
      },
    }
    const poll = record(feedId, START, { fresh: many(2345), feed: seen })
    await expect(recordInPortions(writesTo(failing), poll)).rejects.toThrow('full')
    expect(await store.counts()).toMatchObject({ entries: 300, polls: 0 })
    expect((await feed()).validators).toEqual({})
    await recordInPortions(writesTo(store), { ...poll, poll: { ...poll.poll, at: START + HOUR } })
    expect(await store.counts()).toMatchObject({ entries: 2345, polls: 1 })
  })
})

describe('a feed that never ends', () => {
  it('fills the store with so many a day, and what is left comes another day', async () => {
    const { store, feedId, feed } = await storeWithFeed()
    const poll = async (at: number, from: number) => {
      const given = record(feedId, at, { fresh: many(9000, from), feed: seen })
      const day = createDayBound(store) // a new one each time, as after a restart
      const bounded = await day.within(newsOf(given, feedId))
      await recordInPortions(writesTo(store), withinDay(given, bounded))
      return bounded.left
    }
    expect(await poll(START, 0)).toBe(0)
    expect(await poll(START + HOUR, 9000)).toBe(0)
    expect(await poll(START + 2 * HOUR, 18_000)).toBe(27_000 - MOST_A_DAY)
    expect(await store.counts()).toMatchObject({ entries: MOST_A_DAY, polls: 3 })
    expect(await feed()).toMatchObject({ validators: {} })
    expect((await feed()).bodyHash).toBeUndefined()
    expect(await poll(START + 3 * HOUR, 18_000)).toBe(9000)
    expect(await poll(START + 2 * DAY, 18_000)).toBe(0)
    expect(await store.counts()).toMatchObject({ entries: 27_000 })
  })

  it('cannot be brought twice at the same time', async () => {
    const { store, feedId } = await storeWithFeed()
    const day = createDayBound(store)
    const broughtAt = (at: Instant, fresh: EntryDraft[]) => ({ feedId, at, fresh, changed: [] })
    const both = await Promise.all([0, 15_000].map((from) => day.within(broughtAt(START, many(15_000, from)))))
    const [first, second] = both.sort((a, b) => a.left - b.left)
    expect([first!.left, second!.left]).toEqual([0, 30_000 - MOST_A_DAY])
    await recordNewsInPortions(writesTo(store), first!.news)
    day.written(first!.news)
    expect((await day.within(broughtAt(START, many(9000, 30_000)))).left).toBe(9000)
    day.written(second!.news)
    expect((await day.within(broughtAt(START, many(9000, 30_000)))).left).toBe(4000)
  })

  it('is asked of the store once for all feeds of a batch', async () => {
    const store = memoryStore()
    const added = await store.addFeeds(Array.from({ length: 30 }, (_, n) => newFeed(`f${n}`)))
    let asked = 0
    const counting: Store = {
      ...store,
      storedSince(what, ids, since) {
        asked++
        return store.storedSince(what, ids, since)
      },
    }
    const day = createDayBound(counting)
    const news = added.map(({ id: feedId }, n) => ({ feedId, at: START + n, fresh: many(n % 3, n * 10), changed: [] }))
    const bounded = await day.withinAll([...news, { ...news[1]!, fresh: many(MOST_A_DAY, 5000) }])
    expect(asked).toBe(1)
    expect(bounded.map(({ left }) => left)).toEqual([...news.map(() => 0), news[1]!.fresh.length])
    expect(bounded.slice(0, -1).map((one) => one.news)).toEqual(news)
  })

  it('does so also if it shows only hundreds at a time', async () => {
    let recording = 0 // takes its turns of the event loop, but no time
    const { crawler, village, clock, store, events } = box([quietNewspaperSite], {
      strategy: 'fixed:15m',
      isBusy: () => recording > 0,
      carriedBy: (queue) => ({
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
      village.site('gazette').trouble({ kind: 'document', type: 'application/rss+xml', text })
    }
    shows(0)
    await subscribeFeeds(crawler, village)
    for (let poll = 1; poll < 45; poll++) {
      await clock.advance(15 * MINUTE)
      shows(480 * poll)
    }
    expect((await store.counts()).entries).toBe(MOST_A_DAY)
    expect(events.some(({ kind }) => kind === 'flood')).toBe(true)
  })
})
