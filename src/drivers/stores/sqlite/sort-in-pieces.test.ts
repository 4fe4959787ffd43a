import fc from 'fast-check'
import { expect, it } from 'vitest'
import { sortInPieces } from './sort-in-pieces.ts'

it('sorts as any sort does, and changes nothing of what it is given', async () => {
  const pairs = fc.array(fc.tuple(fc.nat(5), fc.nat()), { maxLength: 50 })
  await fc.assert(
    fc.asyncProperty(pairs, fc.integer({ min: 1, max: 9 }), async (all, size) => {
      const before = [...all]
      const byFirst = ([a]: [number, number], [b]: [number, number]) => a - b
      expect(await sortInPieces(all, size, byFirst)).toEqual(all.toSorted(byFirst))
      expect(all).toEqual(before)
    }),
    { numRuns: 200 },
  )
})
