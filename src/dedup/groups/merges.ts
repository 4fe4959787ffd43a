/**
 * Which group an earlier one has become. Items of a batch may leave the index before the batch is over; their groups live
 * on, and may be merged by items that come later in it.
 */
import type { Placement } from '../item.ts'

export interface Merges {
  record(placement: Placement): void
  /** The group that has this one's members now. */
  currentId(group: number): number
}

export function createMerges(): Merges {
  const mergedInto = new Map<number, number>()
  return {
    record({ group, merged }) {
      for (const id of merged) mergedInto.set(id, group)
      mergedInto.delete(group) // an id that was merged away may be founded again, by a new version of its item
    },
    currentId(group) {
      let current = group
      for (let next = mergedInto.get(current); next !== undefined; next = mergedInto.get(current)) current = next
      return current
    },
  }
}
