import { beforeEach, describe, expect, it } from 'vitest'
import { address } from '../model/address.fixture.ts'
import { DAY, type EntryDraft, type FeedId, HOUR, type Instant, MINUTE } from '../model/index.ts'
import type { Store } from '../ports/index.ts'
import { addFeed, all, draft, failedRecord, record, START } from '../ports/store-samples.contract.ts'
import { LIMITS } from '../scheduling/index.ts'
import { createMemoryStore } from '../stores/index.ts'
import { backtest } from './backtest.ts'
import { historiesIn } from './histories.ts'

const NOW = START + 30 * DAY
let store: Store
let feedId: FeedId
beforeEach(async () => {
  store = createMemoryStore()
  feedId = await addFeed(store, 'gazette', { url: address('https://gazette.example/feed') })
})

const poll = (at: Instant, ...fresh: EntryDraft[]) => store.recordPolls([record(feedId, at, { fresh })])
const historyOf = async (since = 0) => (await all(historiesIn(store, since)))[0]
/** In minutes from START. */
const minutes = (instants: ArrayLike<Instant> = []) => Array.from(instants, (at) => Math.round((at - START) / MINUTE))

describe("a feed's history", () => {
  it('has entries by their own dates, including those before the first poll', async () => {
    await poll(START, draft('a', { publishedAt: START - HOUR }), draft('b', { publishedAt: START - 30 * MINUTE }))
    await poll(START + HOUR, draft('c', { publishedAt: START + 20 * MINUTE }))
    const history = await historyOf()
    expect(minutes(history?.trace.published)).toEqual([-60, -30, 20])
    expect(history?.seen).toEqual([{ at: expect.any(Number), seenAt: START + HOUR }])
    expect(history?.trace).toMatchObject({ window: 10, bytes: 4096, feed: 'https://gazette.example/feed' })
  })

  it('has entries without a time by when they were seen', async () => {
    await poll(START)
    await poll(START + HOUR, draft('a'))
    await poll(START + 2 * HOUR, draft('b', { publishedAt: START, dateOnly: true }))
    const history = await historyOf()
    expect(minutes(history?.trace.published)).toEqual([60, 120])
    expect(history?.undated).toBe(true)
  })

  it('has no entry before the last poll without it, or after the first poll with it', async () => {
    await poll(START)
    await store.recordPolls([failedRecord(feedId, START + 30 * MINUTE)])
    await poll(START + HOUR, draft('backdated', { publishedAt: START - DAY }), draft('ahead', { publishedAt: NOW }))
    expect(minutes((await historyOf())?.trace.published)).toEqual([0, 60])
  })

  it('is omitted if empty', async () => {
    expect(await historyOf()).toBeUndefined()
    await poll(START)
    expect(await historyOf()).toBeUndefined()
    await poll(START + HOUR, draft('a'))
    expect(await historyOf(START + DAY)).toBeUndefined()
  })
})

describe('a backtest', () => {
  const options = {
    strategies: ['moving-average', 'sqrt-rate'],
    budgets: undefined,
    seed: 1,
    limits: LIMITS,
    thorough: false,
    lastMs: 90 * DAY,
    now: NOW,
  }

  /** An entry every two hours, and a poll ten minutes after every full hour. */
  async function liveTwoWeeks(): Promise<void> {
    for (let hour = 0; hour < 14 * 24; hour++) {
      const at = START + hour * HOUR + 10 * MINUTE
      await poll(at, ...(hour % 2 === 0 ? [draft(`${hour}`, { publishedAt: START + hour * HOUR })] : []))
    }
    await store.recordPolls([failedRecord(feedId, START + 14 * DAY)])
  }

  it('reports the actual results, and other strategies with the same and half the polls', async () => {
    await liveTwoWeeks()
    const { today, own, budgets, protocol } = await backtest(store, options, { workerCount: 0 })
    expect(protocol).toMatchObject({ startAt: START + 10 * MINUTE, endAt: START + 14 * DAY })
    expect(today).toMatchObject({ failed: 0, undated: 0, strategies: ['fix'] })
    expect(today?.score.byPolls.delayMs).toBe(10 * MINUTE)
    expect(today?.score.items).toBe(own[0]?.all.items)
    expect(own.map(({ strategy }) => strategy)).toEqual(options.strategies)
    expect(budgets.map(({ pollsPerDay }) => Math.round(pollsPerDay))).toEqual([24, 12])
    for (const { rows } of budgets) {
      expect(rows.map(({ strategy }) => strategy)).toEqual(options.strategies)
      for (const row of rows) expect(row.all.byPolls.delayMs).toBeGreaterThan(0)
    }
  })

  it('is rejected without enough history, with a hint', async () => {
    const reason = (overrides = {}) =>
      backtest(store, { ...options, ...overrides }, { workerCount: 0 }).then(
        () => 'done',
        (error: Error) => error.message,
      )
    expect(await reason()).toMatch(/polled for less than a day/)
    await poll(START, draft('a'))
    await poll(START + HOUR, draft('b'))
    expect(await reason()).toMatch(/polled for less than a day/)
    await poll(START + 3 * DAY, draft('c'))
    expect(await reason()).toBe('done')
    expect(await reason({ warmupMs: 4 * DAY })).toMatch(/3 days, which is all warm-up/)
  })
})
