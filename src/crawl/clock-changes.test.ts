/** The machine's clock is set while the crawl runs, or was wrong when the store was last written. */
import { describe, expect, test } from 'vitest'
import { createCrawlHarness, newspaperSite, START, subscribeFeeds } from '../../test/crawl-harness.ts'
import { DAY, HOUR } from '../model/index.ts'
import { createMemoryStore } from '../stores/index.ts'

describe('setting the clock', () => {
  test('far back ends the run, so that the caller can restart', async () => {
    const { clock, village, crawler, running, events, jump } = createCrawlHarness([newspaperSite])
    await subscribeFeeds(crawler, village)
    await clock.advance(HOUR)
    jump(-400 * DAY)
    expect(await running).toBe('clock-set-back')
    expect(events).toContainEqual(expect.objectContaining({ kind: 'clock-set', byMs: -400 * DAY }))
  })

  test('back by an hour is announced, and polls go on', async () => {
    const { clock, village, crawler, store, events, jump } = createCrawlHarness([newspaperSite])
    await subscribeFeeds(crawler, village)
    await clock.advance(HOUR)
    jump(-HOUR)
    const before = (await store.counts()).polls
    await clock.advance(2 * HOUR)
    expect((await store.counts()).polls).toBeGreaterThanOrEqual(before + 2)
    expect(events).toContainEqual(expect.objectContaining({ kind: 'clock-set', byMs: -HOUR }))
  })

  test('far ahead suspends retention for a day', async () => {
    const { clock, village, crawler, store, jump } = createCrawlHarness([newspaperSite], { keepEntriesMs: 3 * HOUR })
    await subscribeFeeds(crawler, village)
    await clock.advance(HOUR)
    jump(2 * DAY)
    const [oldest] = (await store.entries({ limit: 99 })).slice(-1)
    await clock.advance(20 * HOUR)
    expect(await store.entriesById([oldest!.id])).toEqual([oldest])
    await clock.advance(6 * HOUR)
    expect(await store.entriesById([oldest!.id])).toEqual([undefined])
  })
})

test('repairs the dates of a store whose last clock was a year ahead, and polls its feeds at once', async () => {
  const store = createMemoryStore()
  const ahead = createCrawlHarness([newspaperSite], { store, startAt: START + 400 * DAY })
  await subscribeFeeds(ahead.crawler, ahead.village)
  await ahead.clock.advance(2 * HOUR)
  const before = (await store.counts()).polls
  expect(before).toBe(3)
  await ahead.stop()

  const { clock, events } = createCrawlHarness([newspaperSite], { store })
  await clock.advance(3 * HOUR)
  expect((await store.counts()).polls).toBeGreaterThanOrEqual(before + 3)
  expect(events).toContainEqual(expect.objectContaining({ kind: 'dates-repaired' }))
})
