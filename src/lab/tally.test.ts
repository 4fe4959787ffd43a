import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { DAY, HOUR, type Instant, MINUTE } from '../model/index.ts'
import { LIMITS, strategyNamed } from '../scheduling/index.ts'
import type { AlignedTrace, ReplayPlan } from './aligned-trace.ts'
import { runAlone } from './replay.ts'
import { freshnessScore } from './score.ts'
import { createCounter, type FeedTally, newAggregate, quantileMs } from './tally.ts'
import { DOCUMENT_BYTES, ENTRY_BYTES, HEADERS_BYTES } from './traffic.ts'

const START = Date.UTC(2030, 0, 7)

function tallyOf(published: Instant[], strategy: string, plan: ReplayPlan, window = 10) {
  const known = published.filter((at) => at <= plan.startAt).length
  const alignedTrace: AlignedTrace = {
    feed: 'f',
    kind: '',
    window,
    published: Float64Array.from(published),
    firstAt: plan.startAt,
    known,
  }
  const gathered = newAggregate()
  const { tally, onPoll, end } = createCounter(alignedTrace, plan, gathered)
  const options = { strategy: strategyNamed(strategy), limits: LIMITS, firstAt: plan.startAt, onPoll }
  runAlone(alignedTrace, options, plan.endAt, HOUR)
  end()
  return { tally, gathered }
}

describe('a tally', () => {
  const hourly = Array.from({ length: 72 }, (_, i) => START + i * HOUR + 30 * MINUTE)
  const days = (warmup: number, all: number) => ({
    startAt: START,
    scoreAt: START + warmup * DAY,
    endAt: START + all * DAY,
  })

  it('counts every entry after the warm-up once: found, missed, or unseen by the end', () => {
    const { tally } = tallyOf(hourly, 'fixed:1d', days(1, 3))
    // Polls at 0, 24 and 48 hours: entries of the second day wait until 48 h, those of the third until 72 h.
    const perDay = Array.from({ length: 24 }, (_, i) => i * HOUR + 30 * MINUTE).reduce((a, b) => a + b)
    expect(tally).toEqual({
      polls: 2,
      finds: 1,
      items: 48,
      missed: 14,
      unseen: 24,
      delayMs: 2 * perDay,
      waitMs: 2 * DAY,
      bytes: 2 * (HEADERS_BYTES + DOCUMENT_BYTES + 10 * ENTRY_BYTES),
    })
  })

  it('ignores the entries of the first poll', () => {
    const { tally } = tallyOf(hourly.slice(0, 1), 'fixed:1h', {
      startAt: START + HOUR,
      scoreAt: START,
      endAt: START + DAY,
    })
    expect(tally).toMatchObject({ items: 0, finds: 0, delayMs: 0, polls: 23 })
  })

  it('is consistent for any history and strategy', () => {
    const history = fc.array(fc.integer({ min: 0, max: 10 * DAY }), { maxLength: 60 })
    const strategy = fc.constantFrom('moving-average', 'fixed:3h', 'adva-rss', 'sqrt-rate', 'fix-learned')
    fc.assert(
      fc.property(history, strategy, fc.integer({ min: 1, max: 30 }), (offsets, name, window) => {
        const published = offsets.map((ms) => START - DAY + ms).toSorted((a, b) => a - b)
        const { tally, gathered } = tallyOf(published, name, days(2, 9), window)
        const scored = published.filter((at) => at >= START + 2 * DAY && at < START + 9 * DAY)
        const all = published.filter((at) => at >= START + 2 * DAY)
        expect(tally.items).toBe(all.length)
        expect(gathered.delays.reduce((sum, n) => sum + n, 0)).toBe(tally.items)
        expect(tally.missed + tally.unseen).toBeLessThanOrEqual(tally.items)
        expect(tally.finds).toBeLessThanOrEqual(tally.polls)
        if (scored.length === all.length) expect(tally.delayMs).toBeGreaterThanOrEqual(0)
      }),
      { numRuns: 60 },
    )
  })

  it('knows the median delay, to within a bin', () => {
    const { gathered } = tallyOf(hourly, 'fixed:1h', days(1, 3))
    expect(quantileMs(gathered.delays, 0.5) / (30 * MINUTE)).toBeGreaterThan(0.8)
    expect(quantileMs(gathered.delays, 0.5) / (30 * MINUTE)).toBeLessThan(1.25)
    expect(quantileMs(newAggregate().delays, 0.5)).toBe(0)
  })

  it('records the delays of the first finds of feeds with many entries', () => {
    const busy = Array.from({ length: 400 }, (_, i) => START + (i + 1) * 20 * MINUTE)
    const { timeliness } = tallyOf(busy, 'fixed:1h', days(1, 6)).gathered
    expect(timeliness.feeds[0]).toBe(1)
    expect(timeliness.delayMs[0]).toBe(20 * MINUTE)
    expect(tallyOf(hourly, 'fixed:1h', days(1, 3)).gathered.timeliness.feeds[0]).toBe(0)
  })
})

describe('a score', () => {
  const tally = (polls: number, items: number, delayMs: number): FeedTally => ({
    polls,
    items,
    delayMs,
    finds: 0,
    missed: 1,
    unseen: 0,
    waitMs: 0,
    bytes: 100,
  })
  const tallies = [tally(10, 1, 60 * MINUTE), tally(30, 3, 30 * MINUTE), tally(5, 0, 0)]

  it('averages by feeds and by polls, as in Table 1 of Urbansky et al.', () => {
    expect(freshnessScore(tallies)).toEqual({
      polls: 45,
      items: 4,
      missed: 3,
      unseen: 0,
      bytes: 300,
      byFeeds: { delayMs: 35 * MINUTE, pollsPerItem: 10, error: 350 },
      byPolls: { delayMs: 22.5 * MINUTE, pollsPerItem: 11.25, error: 22.5 * 11.25 },
    })
  })

  it('omits excluded feeds, and is zero for none', () => {
    expect(freshnessScore(tallies, [false, true, false])).toMatchObject({
      polls: 30,
      byPolls: { delayMs: 10 * MINUTE },
    })
    expect(freshnessScore([])).toMatchObject({ polls: 0, byFeeds: { delayMs: 0, pollsPerItem: 0, error: 0 } })
  })
})
