import { expect, it } from 'vitest'
import { copyToOwnBuffer, decodeDoubles, encodeDoubles } from './memory-encoding.ts'

it('reads bytes from the middle of a larger buffer, as database drivers return them', () => {
  const pool = Buffer.alloc(64, 7)
  pool.set(encodeDoubles([1.5, -2, 3]), 9)
  const row = pool.subarray(9, 33)
  expect(decodeDoubles(row)).toEqual(Float64Array.of(1.5, -2, 3))
  expect([copyToOwnBuffer(row).byteLength, decodeDoubles(pool.subarray(0, 9))]).toEqual([24, undefined])
})
