import { expect, test } from 'vitest'
import type { Placement } from '../item.ts'
import { createMerges } from './merges.ts'

const placement = (group: number, merged: number[]): Placement => {
  return { id: 0, group, merged, primary: 0, distance: 0, size: 2, evidence: { likeness: 1, reason: '' }, joined: [] }
}

test('a group that was merged twice resolves to the last one', () => {
  const merges = createMerges()
  merges.record(placement(3, [5]))
  merges.record(placement(1, [3, 4]))
  expect([5, 3, 4, 1, 9].map(merges.currentId)).toEqual([1, 1, 1, 1, 9])
})

test('an id that was merged and founded again resolves to itself', () => {
  const merges = createMerges()
  merges.record(placement(3, [5]))
  merges.record(placement(5, [3]))
  expect([3, 5].map(merges.currentId)).toEqual([5, 5])
})
