import { expect, it } from 'vitest'
import { formatSize } from './durations.ts'

it.each([
  [0, '0 B'],
  [205.73757476313978, '206 B'],
  [999.4, '999 B'],
  [999.7, '1.0 kB'],
  [9960, '10 kB'],
  [999_400, '999 kB'],
  [999_600, '1.0 MB'],
  [999_999_999, '1.0 GB'],
])('formats %d bytes as %s', (bytes, text) => {
  expect(formatSize(bytes)).toBe(text)
})
