import { expect, it } from 'vitest'
import { setBounded } from './bounded-map.ts'

it('keeps the most recently set keys', () => {
  const map = new Map<string, number>()
  for (const [i, key] of ['a', 'b', 'a', 'c'].entries()) setBounded(map, key, i, 2)
  expect([...map]).toEqual([
    ['a', 2],
    ['c', 3],
  ])
})
