import { describe, expect, test } from 'vitest'
import { pendingCurve, rateAt } from './pending-curve.ts'

const MONDAY = Date.UTC(2026, 2, 2)
const HOUR = 3_600_000

describe('expected entries', () => {
  test('grow evenly without a profile', () => {
    const curve = pendingCurve({ perDay: 24 }, MONDAY, MONDAY + 12 * HOUR)
    expect(curve[0]?.pending).toBe(0)
    expect(curve.at(-1)?.pending).toBeCloseTo(12, 6)
  })

  test('over a whole day equal the daily rate, for any profile', () => {
    const hours = Array.from({ length: 24 }, (_, hour) => (hour === 9 ? 23 : 0.1))
    expect(pendingCurve({ perDay: 6, hours }, MONDAY, MONDAY + 24 * HOUR).at(-1)?.pending).toBeCloseTo(6, 1)
  })

  test("match the strategy's own expectation at the next poll", () => {
    const curve = pendingCurve({ perDay: 24, pending: 5 }, MONDAY, MONDAY + 12 * HOUR, MONDAY + 6 * HOUR)
    expect(curve.findLast(({ at }) => at <= MONDAY + 6 * HOUR)?.pending).toBeCloseTo(5, 6)
  })

  test('grow faster on the days and hours of the profile', () => {
    const weekdays = [3, 1, 1, 1, 1, 0, 0]
    expect(rateAt({ perDay: 24, weekdays }, MONDAY)).toBeCloseTo(3, 6)
    expect(rateAt({ perDay: 24, weekdays }, MONDAY + 5 * 24 * HOUR)).toBe(0)
  })
})
