import { describe, expect, test } from 'vitest'
import { chanceOfAtLeast, countByHour, findPeaks } from './heat.ts'

const at = (day: number, hour: number, minute = 30) => new Date(2026, 2, 1 + day, hour, minute).toISOString() // 2 March 2026 is a Monday
const days = (count: number) => Array.from({ length: count }, (_, i) => i + 1)

test('counts dates by weekday and hour in the local time zone', () => {
  const { rows, max } = countByHour([at(1, 9), at(1, 9), at(8, 9), at(7, 23)])
  expect(max).toBe(3)
  expect(rows[0]?.[9]).toBe(3)
  expect(rows[6]?.[23]).toBe(1)
  expect(rows.flat().reduce((sum, count) => sum + count)).toBe(4)
})

test('knows the binomial distribution', () => {
  expect(chanceOfAtLeast(0, 9, 0.5)).toBe(1)
  expect(chanceOfAtLeast(3, 3, 0.5)).toBeCloseTo(1 / 8)
  expect(chanceOfAtLeast(1, 4, 0.25)).toBeCloseTo(1 - 0.75 ** 4)
  expect(chanceOfAtLeast(700, 1000, 0.5)).toBeLessThan(1e-30)
})

describe('the busiest weekday and hour', () => {
  test.each<[string, string[], object]>([
    ['without dates', [], {}],
    ['with invalid dates', ['x'], {}],
    [
      'of a week',
      days(7).flatMap((day) => (day === 1 ? [at(day, 9), at(day, 9), at(day, 9)] : [at(day, 9)])),
      { hour: 9 },
    ],
    [
      'of a feed that publishes alike every day, through the day',
      days(70).flatMap((day) => [at(day, (day * 5) % 24), at(day, (day * 5 + 12) % 24)]),
      {},
    ],
    ['of few entries', [at(1, 7), at(8, 7), at(15, 9), at(30, 12)], {}],
    ['of a weekly', days(8).map((week) => at(7 * week + 2, 6)), { weekday: 1, hour: 6 }],
    [
      'of a daily with a large issue on Fridays',
      days(84).flatMap((day) =>
        (day % 7 === 5 ? [0, 5, 10, 15, 20] : [0]).map((hour) => at(day, (day * 5 + hour) % 24)),
      ),
      { weekday: 4 },
    ],
    [
      'after one day with fifty entries',
      [...days(60).map((day) => at(day, (day * 5) % 24)), ...days(50).map((minute) => at(15, minute % 24, minute))],
      {},
    ],
  ])('%s', (_name, dates, peaks) => expect(findPeaks(dates)).toEqual(peaks))
})
