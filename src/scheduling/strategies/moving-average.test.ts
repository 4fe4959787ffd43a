import { describe, expect, it } from 'vitest'
import { DAY, HOUR, MINUTE } from '../../model/index.ts'
import { dueAt, LIMITS, strategyNamed, stretchedStrategy } from '../index.ts'

const TERMS = { price: HOUR, limits: LIMITS, subscribers: 1 }

describe('moving average', () => {
  const strategy = strategyNamed('moving-average')
  const learnAt = (memory: Uint8Array, at: number, window: number[], fresh: number) =>
    strategy.learn(memory, { at, window, fresh })

  it('waits the mean gap of the window after the last poll (eq. 1)', () => {
    const memory = learnAt(
      strategy.begin(),
      10 * HOUR,
      [1, 3, 5, 9].map((h) => h * HOUR),
      4,
    )
    expect(strategy.next(memory, 10 * HOUR, TERMS)).toBe(10 * HOUR + ((9 - 1) / 3) * HOUR)
  })

  it('adds a virtual entry after a poll without new entries (eq. 2)', () => {
    const before = learnAt(
      strategy.begin(),
      10 * HOUR,
      [1, 3, 5, 9].map((h) => h * HOUR),
      4,
    )
    const after = learnAt(before, 14 * HOUR, [], 0)
    const u = 8 / 3 - (3 - 1) / 3 + (14 - 9) / 3
    expect((strategy.next(after, 14 * HOUR, TERMS) - 14 * HOUR) / HOUR).toBeCloseTo(u, 10)
  })

  it('counts one virtual entry with virtual=one, however many polls found nothing', () => {
    const withOne = strategyNamed('moving-average:virtual=one')
    const window = [1, 3, 5, 9].map((h) => h * HOUR)
    let memory = withOne.learn(withOne.begin(), { at: 10 * HOUR, window, fresh: 4 })
    for (const at of [12, 13, 14]) memory = withOne.learn(memory, { at: at * HOUR, window: [], fresh: 0 })
    expect((withOne.next(memory, 14 * HOUR, TERMS) - 14 * HOUR) / HOUR).toBeCloseTo((14 - 3) / 3, 10)
  })

  it('waits longer and longer while nothing comes, and recovers with the first new entries', () => {
    let memory = learnAt(strategy.begin(), DAY, [DAY - 2 * HOUR, DAY - HOUR], 2)
    let at = DAY
    const waits: number[] = []
    for (let i = 0; i < 6; i++) {
      const next = strategy.next(memory, at, TERMS)
      waits.push(next - at)
      at = next
      memory = learnAt(memory, at, [], 0)
    }
    expect(waits).toEqual([...waits].sort((a, b) => a - b))
    expect(waits.at(-1)).toBeGreaterThanOrEqual(2 * (waits[0] ?? 0))
    memory = learnAt(memory, at, [at - 20 * MINUTE, at - 10 * MINUTE], 2)
    expect(strategy.next(memory, at, TERMS)).toBe(at + 10 * MINUTE)
  })

  it.each([
    ['an empty feed', []],
    ['a feed with one entry', [HOUR]],
  ])('waits half an hour, or the setting `empty`, for %s', (_, window) => {
    const memory = learnAt(strategy.begin(), 5 * HOUR, window, window.length)
    expect(strategy.next(memory, 5 * HOUR, TERMS)).toBe(5.5 * HOUR)
    expect(strategyNamed('moving-average:empty=6h').next(memory, 5 * HOUR, TERMS)).toBe(11 * HOUR)
  })

  describe.each(['all', 'one'])('stretched, with virtual=%s', (virtual) => {
    const spec = `moving-average:virtual=${virtual}`
    const window = Array.from({ length: 10 }, (_, i) => DAY + i * HOUR)
    const beginAt = DAY + 10 * HOUR

    /** How often a silent feed is polled, and how long the last wait was. */
    function silence(by: number, days = 20): { polls: number; waitMs: number } {
      const stretched = stretchedStrategy(spec, by)
      let memory = stretched.learn(stretched.begin(), { at: beginAt, window, fresh: 10 })
      let polls = 0
      let waitMs = 0
      for (let at = beginAt; at < beginAt + days * DAY; polls++) {
        const next = dueAt(stretched.next(memory, at, TERMS), at, LIMITS)
        waitMs = next - at
        at = next
        memory = stretched.learn(memory, { at, window: [], fresh: 0 })
      }
      return { polls, waitMs }
    }

    it.each([0.5, 0.9, 1.1, 2])('polls a silent feed %d times less often, and otherwise unchanged', (by) => {
      const unstretched = silence(1)
      const { polls, waitMs } = silence(by)
      expect((polls * by) / unstretched.polls).toBeGreaterThan(0.85)
      expect((polls * by) / unstretched.polls).toBeLessThan(1.2)
      expect(waitMs / by / unstretched.waitMs).toBeGreaterThan(0.8)
      expect(waitMs / by / unstretched.waitMs).toBeLessThan(1.3)
    })

    it('multiplies the mean gap after new entries', () => {
      const stretched = stretchedStrategy(spec, 3)
      const memory = stretched.learn(stretched.begin(), { at: beginAt, window, fresh: 10 })
      expect(stretched.next(memory, beginAt, TERMS)).toBe(beginAt + 3 * HOUR)
      const twice = stretchedStrategy(`${spec},stretch=1.5`, 2)
      expect(twice.next(memory, beginAt, TERMS)).toBe(beginAt + 3 * HOUR)
    })
  })

  it('limits its memory for a feed that shows many entries', () => {
    const window = Array.from({ length: 20_000 }, (_, i) => i * MINUTE)
    expect(learnAt(strategy.begin(), DAY, window, window.length).length).toBeLessThan(1000)
  })
})
