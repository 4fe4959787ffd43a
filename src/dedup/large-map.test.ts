import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createLargeMap } from './large-map.ts'

const step = fc.record({ key: fc.integer({ min: 0, max: 2 ** 32 }), value: fc.nat(), isGone: fc.boolean() })

test('behaves like a Map', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 300 }), (steps) => {
      const [large, map] = [createLargeMap<number>(), new Map<number, number>()]
      for (const { key, value, isGone } of steps.flatMap((one) => [one, { ...one, isGone: false }])) {
        if (isGone) {
          large.delete(key)
          map.delete(key)
        } else {
          large.set(key, value)
          map.set(key, value)
        }
        expect([large.size, large.get(key), large.get(key + 1)]).toEqual([map.size, map.get(key), map.get(key + 1)])
      }
    }),
  )
})
