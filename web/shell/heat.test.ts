import { expect, test } from 'vitest'
import { countByHour, findPeak } from './heat.ts'

const at = (day: number, hour: number) => new Date(2026, 2, 1 + day, hour, 30).toISOString() // 2 March 2026 is a Monday

test('counts dates by weekday and hour in the local time zone', () => {
  const { rows, max } = countByHour([at(1, 9), at(1, 9), at(8, 9), at(7, 23)])
  expect(max).toBe(3)
  expect(rows[0]?.[9]).toBe(3)
  expect(rows[6]?.[23]).toBe(1)
  expect(rows.flat().reduce((sum, count) => sum + count)).toBe(4)
})

test('finds the busiest weekday and hour, and none without dates', () => {
  expect(findPeak(countByHour([]))).toBeUndefined()
  expect(findPeak(countByHour([at(2, 7), at(2, 7), at(4, 7), at(2, 15)]))).toEqual({ weekday: 1, hour: 7 })
})
