import { expect, test } from 'vitest'
import { heatOf, peakOf } from './heat.ts'

const at = (day: number, hour: number) => new Date(2026, 2, 1 + day, hour, 30).toISOString() // 2 March 2026 is a Monday

test('dates are counted by weekday and hour of the reader', () => {
  const { rows, most } = heatOf([at(1, 9), at(1, 9), at(8, 9), at(7, 23)])
  expect(most).toBe(3)
  expect(rows[0]?.[9]).toBe(3)
  expect(rows[6]?.[23]).toBe(1)
  expect(rows.flat().reduce((sum, one) => sum + one)).toBe(4)
})

test('the peak is told where there is one', () => {
  expect(peakOf(heatOf([]))).toBeUndefined()
  expect(peakOf(heatOf([at(2, 7), at(2, 7), at(4, 7), at(2, 15)]))).toEqual({ weekday: 1, hour: 7 })
})
