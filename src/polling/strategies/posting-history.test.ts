import { describe, expect, it } from 'vitest'
import { DAY, HOUR, MINUTE } from '../../model/index.ts'
import { followsPrice, LIMITS, strategyNamed } from '../index.ts'

const MONDAY = 20_000 * DAY
const at = MONDAY + 4 * DAY
const terms = (price: number, subscribers = 0) => ({ price, limits: LIMITS, subscribers })

/** Four days with two entries at ten and one at eleven o'clock. */
const window = [0, 1, 2, 3].flatMap((day) => [10, 10, 11].map((hour) => MONDAY + day * DAY + hour * HOUR))

describe('posting-history', () => {
  const strategy = strategyNamed('posting-history:training=0,floor=0.000001')
  const memory = strategy.learn(strategy.begin(), { at, window, fresh: window.length })
  // the window begins at ten o'clock: it spans 3 d 14 h
  const days = (at - window[0]!) / DAY

  it('polls when the expected articles reach the price: an hour an article (eq. 5)', () => {
    const perHourAtTen = 8 / days
    expect((strategy.next(memory, at, terms(HOUR)) - at) / HOUR).toBeCloseTo(10 + 1 / perHourAtTen, 3)
    expect((strategy.next(memory, at, terms(2.5 * HOUR)) - at) / HOUR).toBeCloseTo(
      11 + (2.5 - perHourAtTen) / (perHourAtTen / 2),
      3,
    )
  })

  it('lets subscribers weigh as much as c says (eq. 6)', () => {
    const weighted = strategyNamed('posting-history:training=0,floor=0.000001,c=0.5')
    expect(weighted.next(memory, at, terms(2 * HOUR, 2))).toBe(strategy.next(memory, at, terms(HOUR)))
    expect(weighted.urgency!(memory, at + DAY, { subscribers: 2 })).toBeCloseTo((12 / days) * 2, 2)
  })

  it('lets their activity weigh, which is usual where nobody counts it', () => {
    const weighted = strategyNamed('posting-history:training=0,floor=0.000001,c=0.5')
    const rank = (activity?: number) =>
      weighted.urgency!(memory, at + DAY, { subscribers: 2, ...(activity !== undefined && { activity }) })
    expect(rank()).toBe(rank(1))
    expect(rank(3) / rank(0)).toBeCloseTo(4, 5)
  })

  it('asks for no date where somebody takes the highest ranks, unless it goes by a threshold', () => {
    const ranked = { ...terms(HOUR), ranked: true as const }
    expect(strategy.next(memory, at, ranked)).toBe(at + LIMITS.maxMs)
    expect(strategy.rounds).toEqual({ everyMs: 8 * MINUTE, gapMs: 10 * MINUTE })
    const threshold = strategyNamed('posting-history:training=0,floor=0.000001,by=threshold')
    expect(threshold.next(memory, at, ranked)).toBe(strategy.next(memory, at, terms(HOUR)))
    expect(threshold.rounds).toBeUndefined()
  })

  it('ranks by the articles that wait now', () => {
    expect(strategy.urgency!(memory, at + 10 * HOUR, { subscribers: 0 })).toBeCloseTo(0, 3)
    expect(strategy.urgency!(memory, at + 11 * HOUR, { subscribers: 0 })).toBeCloseTo(8 / days, 3)
    expect(strategy.urgency!(strategy.begin(), at, { subscribers: 0 })).toBe(Number.POSITIVE_INFINITY)
  })

  it('keeps ten minutes between two polls, and polls a silent feed again', () => {
    const dense = Array.from({ length: 100 }, (_, i) => at - (100 - i) * MINUTE)
    const silent = strategyNamed('posting-history:training=0')
    const busy = silent.learn(silent.begin(), { at, window: dense, fresh: 100 })
    expect(silent.next(busy, at, terms(1))).toBe(at + 10 * MINUTE)
    const nothing = silent.learn(silent.begin(), { at, window: [], fresh: 0 })
    expect((silent.next(nothing, at, terms(HOUR)) - at) / HOUR).toBeCloseTo(1 / 0.002, 3)
  })

  it('trains for four weeks as adva-rss does', () => {
    const trained = strategyNamed('posting-history')
    const adva = strategyNamed('adva-rss')
    let [mine, theirs] = [trained.begin(), adva.begin()]
    for (let day = 0; day < 28; day++) {
      const look = { at: at + day * DAY, window, fresh: day % 3 }
      mine = trained.learn(mine, look)
      theirs = adva.learn(theirs, look)
      expect(trained.next(mine, look.at, terms(HOUR))).toBe(adva.next(theirs, look.at, terms(HOUR)))
      expect(followsPrice(trained, mine, look.at)).toBe(false)
    }
    expect(followsPrice(trained, mine, at + 28 * DAY)).toBe(true)
    expect(followsPrice(strategy, memory, at)).toBe(true)
    const later = { at: at + 28 * DAY, window: [], fresh: 0 }
    expect(trained.next(trained.learn(mine, later), later.at, terms(HOUR))).not.toBe(
      adva.next(adva.learn(theirs, later), later.at, terms(HOUR)),
    )
  })
})

describe('the references', () => {
  /** An entry every hour, for ten days. */
  const steady = Array.from({ length: 240 }, (_, i) => at - (240 - i) * HOUR)

  it('min-delay polls when the delays of what waits add up to the price', () => {
    const strategy = strategyNamed('min-delay')
    const memory = strategy.learn(strategy.begin(), { at, window, fresh: window.length })
    const next = strategy.next(memory, at, terms(3 * HOUR))
    expect(strategy.urgency!(memory, next, { subscribers: 0 })).toBeCloseTo(3 * HOUR, 0)
  })

  it.each(['min-delay', 'sqrt-rate'])('%s polls a steady feed every sqrt(2 price / rate)', (name) => {
    const strategy = strategyNamed(name)
    const memory = strategy.learn(strategy.begin(), { at, window: steady, fresh: steady.length })
    expect((strategy.next(memory, at, terms(18 * HOUR)) - at) / HOUR).toBeCloseTo(6, 0)
  })

  it('sqrt-rate learns from entries and from silence', () => {
    const strategy = strategyNamed('sqrt-rate')
    const first = strategy.learn(strategy.begin(), { at, window: steady, fresh: steady.length })
    const silent = strategy.learn(first, { at: at + 10 * DAY, window: [], fresh: 0 })
    const wait = strategy.next(silent, at + 10 * DAY, terms(HOUR)) - (at + 10 * DAY)
    expect(wait / (strategy.next(first, at, terms(HOUR)) - at)).toBeCloseTo(Math.SQRT2, 5)
  })

  it('round-robin polls every feed as often as every other', () => {
    const strategy = strategyNamed('round-robin')
    expect(strategy.next(strategy.begin(), at, terms(7 * HOUR))).toBe(at + 7 * HOUR)
  })
})
