import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { DAY, HOUR, type Memory, MINUTE } from '../../model/index.ts'
import { LIMITS, type Observation, strategyNamed, type Terms } from '../index.ts'

const strategy = strategyNamed('tide')
const MONDAY = Date.UTC(2026, 0, 5)
const terms = (change: Partial<Terms> = {}): Terms => ({ price: HOUR, limits: LIMITS, subscribers: 1, ...change })

/** Polls `published` every `everyMs`, up to and including `to`. */
function watched(published: number[], to: number, everyMs: number, window = 20): Memory {
  let memory = strategy.begin()
  let seen = 0
  for (let at = MONDAY; at <= to; at += everyMs) {
    const upTo = published.filter((publishedAt) => publishedAt <= at).length
    const shownDates = published.slice(Math.max(0, upTo - window), upTo)
    memory = strategy.learn(memory, { at, window: upTo > seen ? shownDates : [], fresh: Math.min(window, upTo - seen) })
    seen = upTo
  }
  return memory
}

const wait = (memory: Memory, at: number, change: Partial<Terms> = {}) => strategy.next(memory, at, terms(change)) - at
const noons = Array.from({ length: 60 }, (_, day) => MONDAY + day * DAY + 12 * HOUR)
/** Once a day, at hours without a pattern. */
const anyHour = noons.map((noon, day) => noon - 12 * HOUR + ((day * 0.618) % 1) * DAY)
const end = MONDAY + 60 * DAY

describe('tide', () => {
  it('polls soon after the hour in which a feed publishes', () => {
    const memory = watched(noons, end, 6 * HOUR)
    const { hours } = strategy.expect!(memory, end, end + DAY, terms())
    expect(hours!.indexOf(Math.max(...hours!))).toBe(12)
    const next = new Date(end + wait(memory, end, { price: 6 * HOUR }))
    expect(next.getUTCHours()).toBeGreaterThanOrEqual(12)
    expect(next.getUTCHours()).toBeLessThanOrEqual(15)
  })

  it('polls in the minute after the full hour, if the feed publishes then', () => {
    const striking = Array.from({ length: 12 * 60 }, (_, i) => MONDAY + i * 2 * HOUR)
    const memory = watched(striking, end, 5 * HOUR)
    for (const price of [2 * HOUR, 20 * HOUR]) expect(((end + wait(memory, end, { price })) % HOUR) / MINUTE).toBe(1)
  })

  it('plans the same from stored memory as from what it has just learned', () => {
    const memory = watched(noons, end, 6 * HOUR)
    const again = strategyNamed('tide')
    expect(again.next(memory.slice(), end, terms())).toBe(strategy.next(memory, end, terms()))
  })

  it('polls a steady feed about every sqrt(2 price / rate)', () => {
    const steady = Array.from({ length: 24 * 60 }, (_, i) => MONDAY + i * HOUR)
    const memory = watched(steady, end, 6 * HOUR, 50)
    for (const price of [2 * HOUR, 8 * HOUR])
      expect(wait(memory, end, { price }) / Math.sqrt(2 * price * HOUR)).toBeCloseTo(1, 0)
  })

  it('waits longer the longer a feed is silent, and never a negative time', () => {
    const waits = [3, 30, 100].map((days) => {
      const at = MONDAY + 3 * DAY + days * DAY
      return wait(watched(noons.slice(0, 3), at, DAY), at)
    })
    expect(waits).toEqual([...waits].sort((a, b) => a - b))
    expect(waits[2]! / waits[0]!).toBeGreaterThan(2)
  })

  it('distinguishes a feed that has stopped publishing from one that pauses', () => {
    const silentFor = (days: number) => {
      const at = end + days * DAY
      return strategy.expect!(watched(anyHour, at, 6 * HOUR), at, at + DAY, terms())
    }
    expect([silentFor(0), silentFor(2), silentFor(12)].map(({ decided }) => decided)).toEqual([
      undefined,
      undefined,
      'silence',
    ])
    expect(silentFor(2).pollsPerDay / silentFor(0).pollsPerDay).toBeGreaterThan(0.8)
    expect(silentFor(12).pollsPerDay / silentFor(0).pollsPerDay).toBeLessThan(0.5)
    expect(silentFor(12).pending).toBeLessThan(silentFor(0).pending)
  })

  it('polls soon when a feed that publishes many entries at once has just begun to', () => {
    const batches = anyHour.flatMap((at) => [0, 1, 2, 3].map((i) => at + i * MINUTE))
    const outlook = (past: number[], latest: number) => {
      const now = [10, 8, 6].slice(0, latest).map((minutes) => end - minutes * MINUTE)
      const memory = watched([...past, ...now], end, 6 * HOUR)
      return strategy.expect!(memory, end, end + HOUR, terms())
    }
    expect(outlook(batches, 0).decided).toBeUndefined()
    expect(outlook(batches, 3).decided).toBe('burst')
    const more = (past: number[]) => outlook(past, 3).pending - outlook(past, 0).pending
    expect(more(batches)).toBeGreaterThan(4 * more(anyHour))
  })

  it('polls rare feeds more often the nearer alpha is to 1', () => {
    const rarely = anyHour.filter((_, day) => day % 20 === 0)
    const ratio = (alpha: number) => {
      const withAlpha = strategyNamed(`tide:alpha=${alpha}`)
      const polls = (published: number[]) =>
        withAlpha.expect!(watched(published, end, 12 * HOUR), end, end + HOUR, terms()).pollsPerDay
      return polls(rarely) / polls(anyHour)
    }
    expect(ratio(0.65)).toBeGreaterThan(1.2 * ratio(0))
    expect(ratio(1)).toBeGreaterThan(1.2 * ratio(0.65))
  })

  it('polls before a burst has filled the window', () => {
    const burst = [...noons, ...Array.from({ length: 15 }, (_, i) => end - (15 - i) * MINUTE)]
    const memory = watched(burst, end, 6 * HOUR)
    expect(wait(memory, end, { price: 100 * HOUR })).toBeLessThan(20 * MINUTE)
    expect(strategy.expect!(memory, end, end + HOUR, terms({ price: 100 * HOUR })).decided).toBe('burst')
  })

  it('accepts a lower price for a goal or many readers, and polls less at a higher price', () => {
    const memory = watched(noons, end, 6 * HOUR)
    const usual = wait(memory, end, { price: 20 * HOUR })
    expect(wait(memory, end, { price: 20 * HOUR, goalMs: HOUR })).toBeLessThan(usual)
    const polls = (change: Partial<Terms>) => strategy.expect!(memory, end, end + HOUR, terms(change)).pollsPerDay
    expect(polls({ price: 2 * HOUR }) / polls({ price: 8 * HOUR })).toBeCloseTo(2, 0)
    expect(polls({ price: 20 * HOUR, goalMs: HOUR })).toBeGreaterThan(2 * polls({ price: 20 * HOUR }))
    expect(polls({ price: 20 * HOUR, subscribers: 100 })).toBeGreaterThan(2 * polls({ price: 20 * HOUR }))
  })

  it('meets its goal at any price; the market extends goals if the budget is too small', () => {
    const memory = watched(noons, end, 6 * HOUR)
    const polls = (price: number) =>
      strategy.expect!(memory, end, end + HOUR, terms({ price, goalMs: HOUR })).pollsPerDay
    expect(polls(100_000 * DAY)).toBe(polls(HOUR))
    expect(strategy.atAnyPrice!(memory, end, terms({ price: 100_000 * DAY, goalMs: HOUR }))).toBe(true)
    expect(strategy.atAnyPrice!(memory, end, terms({ price: 1, goalMs: HOUR }))).toBe(false)
  })

  it('starts with the publishing hours of its site', () => {
    const memory = strategy.begin([watched(noons, end, 6 * HOUR)])
    const first = strategy.learn(memory, { at: end, window: [end - 3 * DAY], fresh: 1 })
    const alone = strategy.learn(strategy.begin(), { at: end, window: [end - 3 * DAY], fresh: 1 })
    const noonOf = (memory: Memory) => strategy.expect!(memory, end, end + DAY, terms()).hours![12]!
    expect(noonOf(first)).toBeGreaterThan(1.5 * noonOf(alone))
  })

  it('keeps at most 256 bytes per feed', () => {
    expect(watched(noons, end, DAY).length).toBeLessThanOrEqual(256)
  })

  it.each([
    ['empty', new Uint8Array(0)],
    ['truncated', new Uint8Array(17)],
    ['from another program', new Uint8Array(256).fill(255)],
  ])('starts over with a memory that is %s', (_, memory) => {
    expect(strategy.next(memory, end, terms())).toBe(strategy.next(strategy.begin(), end, terms()))
  })

  it('proposes a reasonable date for any input', () => {
    const instant = fc.oneof(fc.integer({ min: -1e13, max: 1e15 }), fc.integer({ min: MONDAY, max: end }))
    const observation = fc.record({
      at: instant,
      window: fc.array(instant, { maxLength: 50 }),
      fresh: fc.integer({ min: -5, max: 99 }),
    })
    fc.assert(
      fc.property(
        fc.array(observation, { maxLength: 20 }),
        fc.double({ min: 0, noNaN: true }),
        (observations: Observation[], price) => {
          let memory = strategy.begin()
          for (const observation of observations) {
            memory = strategy.learn(memory, observation)
            const next = strategy.next(memory, observation.at, terms({ price }))
            expect(Number.isNaN(next)).toBe(false)
            expect(next).toBeGreaterThan(observation.at)
            const { perDay, pending, pollsPerDay } = strategy.expect!(
              memory,
              observation.at,
              next,
              terms({ price: price + 1 }),
            )
            for (const number of [perDay, pending, pollsPerDay]) expect(number).toBeGreaterThanOrEqual(0)
          }
        },
      ),
      { numRuns: 200 },
    )
  })
})
