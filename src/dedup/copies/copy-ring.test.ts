import fc from 'fast-check'
import { expect, test } from 'vitest'
import { MINHASHES, NO_KEY } from '../sign/minhash.ts'
import { createCopyRing } from './copy-ring.ts'

const CAPACITY = 20
const skeleton = { words: new Uint16Array(0), titleWords: 0, unspaced: false }
const item = (id: number) => ({ id, at: 0, high: 0, low: 0, skeleton, keys: new Uint32Array(MINHASHES).fill(NO_KEY) })

test('finds items by id, in all their versions, until they are evicted or dropped', () => {
  const ids = fc.array(fc.oneof(fc.nat(30), fc.constantFrom(2 ** 32, 2 ** 32 + 5, NO_KEY, -7)), { maxLength: 90 })
  fc.assert(
    fc.property(ids, fc.nat(30), (all, dropped) => {
      const ring = createCopyRing(CAPACITY)
      const numbers = all.map((id) => ({ id, number: ring.put(item(id)) }))
      for (const number of ring.numbersOf(new Set([dropped]))) ring.drop(number)
      for (const id of new Set(all)) {
        const expected = numbers.slice(-CAPACITY).filter((one) => one.id === id && id !== dropped)
        expect(ring.numbersOf(new Set([id]))).toEqual(expected.map(({ number }) => number).reverse())
      }
      expect(ring.numbersOf(new Set([999]))).toEqual([])
    }),
  )
})

test('finds older items after its tables have grown, which are small at first', () => {
  const [large, count] = [100_000, 9000]
  const ring = createCopyRing(large)
  const keysOf = (id: number) =>
    Uint32Array.from({ length: MINHASHES }, (_, band) => Math.imul(id * 31 + band, 0x9e3779b1))
  const add = (id: number) => ring.put({ ...item(id), keys: keysOf(id) })
  add(1)
  const bytesAtFirst = ring.bytes
  for (let id = 2; id <= count; id++) add(id)
  expect(ring.bytes).toBeGreaterThan(bytesAtFirst)
  expect(bytesAtFirst).toBeLessThan(1_000_000) // the tables of a full ring alone take four times as much
  for (const id of [1, 500, 3000, count]) {
    expect(ring.numbersOf(new Set([id]))).toEqual([id])
    expect(ring.candidates(keysOf(id))[0]).toBe(id)
  }
})
