import { describe, expect, it } from 'vitest'
import { DAY, HOUR, MINUTE } from '../../model/index.ts'
import { followsPrice, LIMITS, strategyNamed } from '../index.ts'

const MONDAY = 20_003 * DAY
const at = MONDAY + 14 * DAY
const terms = (price: number, subscribers = 0) => ({ price, limits: LIMITS, subscribers })

/** Two weeks with two entries at ten and one at eleven o'clock every day. */
const window = Array.from({ length: 14 }, (_, day) =>
  [10, 10, 11].map((hour) => MONDAY + day * DAY + hour * HOUR),
).flat()

describe('posting-history', () => {
  const strategy = strategyNamed('posting-history:training=0,floor=0.000001')
  /** The feed was empty at first, so it is observed since the day before. */
  const watched = (times: number[], by = strategy) =>
    by.learn(by.learn(by.begin(), { at: MONDAY + DAY, window: [], fresh: 0 }), {
      at,
      window: times,
      fresh: times.length,
    })
  const memory = watched(window)

  it('polls when the expected articles reach the price: an hour an article (eq. 5)', () => {
    const perHourAtTen = 2
    expect((strategy.next(memory, at, terms(HOUR)) - at) / HOUR).toBeCloseTo(10 + 1 / perHourAtTen, 3)
    expect((strategy.next(memory, at, terms(2.5 * HOUR)) - at) / HOUR).toBeCloseTo(
      11 + (2.5 - perHourAtTen) / (perHourAtTen / 2),
      3,
    )
  })

  it('weighs subscribers by c (eq. 6)', () => {
    const weighted = strategyNamed('posting-history:training=0,floor=0.000001,c=0.5')
    expect(weighted.next(memory, at, terms(2 * HOUR, 2))).toBe(strategy.next(memory, at, terms(HOUR)))
    expect(weighted.urgency!(memory, at + DAY, { subscribers: 2 })).toBeCloseTo(3 * 2, 2)
  })

  it('weighs subscribers by their activity, which is 1 if not counted', () => {
    const weighted = strategyNamed('posting-history:training=0,floor=0.000001,c=0.5')
    const rank = (activity?: number) =>
      weighted.urgency!(memory, at + DAY, { subscribers: 2, ...(activity !== undefined && { activity }) })
    expect(rank()).toBe(rank(1))
    expect(rank(3) / rank(0)).toBeCloseTo(4, 5)
  })

  it('proposes no date if the caller ranks feeds, except with by=threshold', () => {
    const ranked = { ...terms(HOUR), ranked: true as const }
    expect(strategy.next(memory, at, ranked)).toBe(at + LIMITS.maxMs)
    expect(strategy.rounds).toEqual({ everyMs: 8 * MINUTE, gapMs: 10 * MINUTE })
    const threshold = strategyNamed('posting-history:training=0,floor=0.000001,by=threshold')
    expect(threshold.next(memory, at, ranked)).toBe(strategy.next(memory, at, terms(HOUR)))
    expect(threshold.rounds).toBeUndefined()
  })

  it('ranks by the articles that are waiting now', () => {
    expect(strategy.urgency!(memory, at + 10 * HOUR, { subscribers: 0 })).toBeCloseTo(0, 3)
    expect(strategy.urgency!(memory, at + 11 * HOUR, { subscribers: 0 })).toBeCloseTo(2, 3)
    expect(strategy.urgency!(strategy.begin(), at, { subscribers: 0 })).toBe(Number.POSITIVE_INFINITY)
  })

  describe('by weekday', () => {
    /** Ten entries at noon of each working day, none at the weekend. */
    const working = Array.from({ length: 14 }, (_, day) => day)
      .filter((day) => day % 7 < 5)
      .flatMap((day) => Array(10).fill(MONDAY + day * DAY + 12 * HOUR))
    const ofWorking = watched(working)
    const on = (day: number) =>
      strategy.urgency!(ofWorking, at + (day + 1) * DAY, { subscribers: 0 }) -
      strategy.urgency!(ofWorking, at + day * DAY, { subscribers: 0 })

    it('expects less on weekends without entries, and the same total per week', () => {
      expect(on(5)).toBeCloseTo(on(6), 9)
      expect(on(5)).toBeLessThan(on(0) / 2)
      expect(strategy.urgency!(ofWorking, at + 7 * DAY, { subscribers: 0 })).toBeCloseTo(50, 2)
      expect(strategy.urgency!(ofWorking, at + 70 * DAY, { subscribers: 0 })).toBeCloseTo(500, 1)
    })

    it('hardly adjusts weekdays if there are few entries', () => {
      const learned = watched([MONDAY + 8 * DAY + 12 * HOUR])
      const of = (day: number) =>
        strategy.urgency!(learned, at + (day + 1) * DAY, { subscribers: 0 }) -
        strategy.urgency!(learned, at + day * DAY, { subscribers: 0 })
      expect(of(1)).toBeGreaterThan(of(2))
      expect(of(1)).toBeLessThan(of(2) * 1.2)
    })

    it('treats a weekday that was not observed yet as an average one', () => {
      // from Monday to Thursday, ten entries a day
      const four = Array.from({ length: 40 }, (_, i) => MONDAY + Math.floor(i / 10) * DAY + 12 * HOUR)
      const initial = strategy.learn(strategy.begin(), { at: MONDAY + DAY, window: [], fresh: 0 })
      const since = MONDAY + 4 * DAY
      const learned = strategy.learn(initial, { at: since, window: four, fresh: 40 })
      expect(strategy.urgency!(learned, since + DAY, { subscribers: 0 })).toBeCloseTo(10, 1)
      expect(strategy.urgency!(learned, since + 7 * DAY, { subscribers: 0 })).toBeCloseTo(70, 1)
    })

    it('with by=threshold, polls when the week has brought enough articles', () => {
      const threshold = strategyNamed('posting-history:training=0,floor=0.000001,by=threshold')
      const saturday = at + 5 * DAY
      const [weekend, monday] = [saturday, at].map((from) => threshold.next(ofWorking, from, terms(5 * HOUR)) - from)
      expect(monday).toBeLessThan(13 * HOUR)
      expect(weekend).toBeGreaterThan(36 * HOUR)
    })

    it('counts dates before 1970, too', () => {
      const old = strategy.learn(strategy.begin(), { at, window: [-10 * DAY - 1, -1], fresh: 2 })
      expect(strategy.urgency!(old, at + 7 * DAY, { subscribers: 0 })).toBeGreaterThan(0)
      expect(strategy.reason!(old, at, terms(HOUR)).figures.articlesPerDay).toBeCloseTo(2 / ((at + 10 * DAY) / DAY), 3)
    })
  })

  describe('memories of earlier versions, with hours only', () => {
    const doubles = (...numbers: number[]) => new Uint8Array(Float64Array.from(numbers).buffer)
    const hours = Array.from({ length: 24 }, (_, hour) => (hour === 10 ? 28 : hour === 11 ? 14 : 0))
    const timer = [1.6, 1, MONDAY]

    it.each([
      ['with the maximum of M and the first ToE', doubles(MONDAY, at, ...hours, ...timer, 80, 2)],
      ['that end with the date', doubles(MONDAY, at, ...hours, ...timer)],
    ])('are read with equal weekdays: %s', (_, old) => {
      for (const later of [10.5 * HOUR, DAY, 9 * DAY])
        expect(strategy.urgency!(old, at + later, { subscribers: 0 })).toBeCloseTo(
          strategy.urgency!(memory, at + later, { subscribers: 0 }),
          9,
        )
      expect(strategyNamed('posting-history').reason!(old, at, terms(HOUR)).figures).toMatchObject({ M: 1.6, T: 1 })
    })

    it('learn weekdays from then on', () => {
      const old = doubles(MONDAY, at, ...hours, ...timer, 80, 0)
      const tuesday = Array(60).fill(at + DAY + 12 * HOUR)
      const updated = strategy.learn(old, { at: at + 7 * DAY, window: tuesday, fresh: 60 })
      const on = (day: number) =>
        strategy.urgency!(updated, at + (8 + day) * DAY, { subscribers: 0 }) -
        strategy.urgency!(updated, at + (7 + day) * DAY, { subscribers: 0 })
      expect(on(1)).toBeGreaterThan(2 * on(3))
    })

    it('of min-delay are read, too', () => {
      const delay = strategyNamed('min-delay')
      const old = doubles(MONDAY, at, ...hours)
      expect(delay.next(old, at, terms(HOUR))).toBeCloseTo(delay.next(watched(window, delay), at, terms(HOUR)), -1)
    })

    it.each([[new Uint8Array(0)], [new Uint8Array(5)], [doubles(1, 2, 3)]])(
      'that cannot be read are those of a feed never polled: %s',
      (broken) => {
        expect(strategy.next(broken, at, terms(HOUR))).toBe(strategy.next(strategy.begin(), at, terms(HOUR)))
        expect(strategy.learn(broken, { at, window, fresh: 3 })).toEqual(
          strategy.learn(strategy.begin(), { at, window, fresh: 3 }),
        )
      },
    )
  })

  it('keeps ten minutes between two polls, and polls a silent feed again', () => {
    const dense = Array.from({ length: 100 }, (_, i) => at - (100 - i) * MINUTE)
    const silent = strategyNamed('posting-history:training=0')
    const busy = silent.learn(silent.begin(), { at, window: dense, fresh: 100 })
    expect(silent.next(busy, at, terms(1))).toBe(at + 10 * MINUTE)
    const nothing = silent.learn(silent.begin(), { at, window: [], fresh: 0 })
    expect((silent.next(nothing, at, terms(HOUR)) - at) / HOUR).toBeCloseTo(1 / 0.002, 3)
  })

  it('trains for four weeks like adva-rss', () => {
    const trained = strategyNamed('posting-history')
    const adva = strategyNamed('adva-rss')
    let [mine, theirs] = [trained.begin(), adva.begin()]
    for (let day = 0; day < 28; day++) {
      const observation = { at: at + day * DAY, window, fresh: day % 3 }
      mine = trained.learn(mine, observation)
      theirs = adva.learn(theirs, observation)
      expect(trained.next(mine, observation.at, terms(HOUR))).toBe(adva.next(theirs, observation.at, terms(HOUR)))
      expect(followsPrice(trained, mine, observation.at)).toBe(false)
    }
    expect(followsPrice(trained, mine, at + 28 * DAY)).toBe(true)
    expect(followsPrice(strategy, memory, at)).toBe(true)
    const later = { at: at + 28 * DAY, window: [], fresh: 0 }
    expect(trained.next(trained.learn(mine, later), later.at, terms(HOUR))).not.toBe(
      adva.next(adva.learn(theirs, later), later.at, terms(HOUR)),
    )
  })
})

describe('the baselines', () => {
  /** An entry every hour, for ten days. */
  const steady = Array.from({ length: 240 }, (_, i) => at - (240 - i) * HOUR)

  it('min-delay polls when the delays of waiting articles add up to the price', () => {
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

  it('round-robin polls every feed equally often', () => {
    const strategy = strategyNamed('round-robin')
    expect(strategy.next(strategy.begin(), at, terms(7 * HOUR))).toBe(at + 7 * HOUR)
  })
})
