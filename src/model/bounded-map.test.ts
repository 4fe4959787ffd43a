import { expect, it } from 'vitest'
import { setBounded } from './bounded-map.ts'

it('keeps the keys that were set last', () => {
  const map = new Map<string, number>()
  for (const [i, key] of ['a', 'b', 'a', 'c'].entries()) setBounded(map, key, i, 2)
  expect([...map]).toEqual([
    ['a', 2],
    ['c', 3],
  ])
})
