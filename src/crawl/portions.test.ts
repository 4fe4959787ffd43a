import { describe, expect, it } from 'vitest'
import { box, quietGazette, subscribeFeeds } from '../../test/crawl-box.ts'
import { createMemoryStore } from '../drivers/index.ts'
import { DAY, type FeedId, HOUR, MINUTE } from '../model/index.ts'
import { draft, newFeed, record, START } from '../ports/store-samples.contract.ts'
import { MOST_A_DAY, recordInPortions, withinDay } from './portions.ts'

const many = (count: number, from = 0) => Array.from({ length: count }, (_, i) => draft(`e${from + i}`))
const seen = { validators: { etag: '"1"' }, bodyHash: 'body', windowHash: 'window' }

async function storeWithFeed() {
  const store = createMemoryStore()
  const [{ id: feedId } = { id: 0 as FeedId }] = await store.addFeeds([newFeed('flood')])
  return { store, feedId, feed: async () => (await store.feedsById([feedId]))[0]!.feed }
}

describe('thousands of entries at once', () => {
  it('are all there, in one poll', async () => {
    const { store, feedId, feed } = await storeWithFeed()
    expect(await recordInPortions(store, record(feedId, START, { fresh: many(2345), feed: seen }))).toBe(true)
    expect(await store.counts()).toMatchObject({ entries: 2345, polls: 1 })
    expect(await feed()).toMatchObject(seen)
  })

  it('others get their turn meanwhile', async () => {
    const { store, feedId } = await storeWithFeed()
    let turns = 0
    const turn = setInterval(() => turns++, 0)
    await recordInPortions(store, record(feedId, START, { fresh: many(5000) }))
    clearInterval(turn)
    expect(turns).toBeGreaterThan(1)
  })

  it('are asked for again if the store fails amid them', async () => {
    const { store, feedId, feed } = await storeWithFeed()
    let left = 3
    const failing = {
      ...store,
      recordPolls: async (...records: Parameters<typeof store.recordPolls>) => {
        if (left-- === 0) throw new Error('the disk is full')
        return store.recordPolls(...records)
      },
    }
    const poll = record(feedId, START, { fresh: many(2345), feed: seen })
    await expect(recordInPortions(failing, poll)).rejects.toThrow('full')
    expect(await store.counts()).toMatchObject({ entries: 1500, polls: 0 })
    expect((await feed()).validators).toEqual({})
    await recordInPortions(store, { ...poll, poll: { ...poll.poll, at: START + HOUR } })
    expect(await store.counts()).toMatchObject({ entries: 2345, polls: 1 })
  })
})

describe('a feed that never ends', () => {
  it('fills the store with so many a day, and what is left comes another day', async () => {
    const { store, feedId, feed } = await storeWithFeed()
    const poll = async (at: number, from: number) => {
      const given = record(feedId, at, { fresh: many(9000, from), feed: seen })
      const { record: kept, left } = await withinDay(store, given)
      await recordInPortions(store, kept)
      return left
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

  it('does so also if it shows only hundreds at a time', async () => {
    const { crawler, village, clock, store, events } = box([quietGazette], { strategy: 'fixed:15m' })
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
