import { expect, it } from 'vitest'
import { doublesIn, ownBuffer, packedDoubles } from './packing.ts'

it('reads bytes that lie in the middle of a larger buffer, as databases answer them', () => {
  const pool = Buffer.alloc(64, 7)
  pool.set(packedDoubles([1.5, -2, 3]), 9)
  const row = pool.subarray(9, 33)
  expect(doublesIn(row)).toEqual(Float64Array.of(1.5, -2, 3))
  expect([ownBuffer(row).byteLength, doublesIn(pool.subarray(0, 9))]).toEqual([24, undefined])
})
