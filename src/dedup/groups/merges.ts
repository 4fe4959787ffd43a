/**
 * Tracks group merges within a batch. Items may leave the index before the batch is finished; their groups live on, and may
 * be merged by later items.
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
      mergedInto.delete(group) // a merged id may be founded again, by a new version of its item
    },
    currentId(group) {
      let current = group
      for (let next = mergedInto.get(current); next !== undefined; next = mergedInto.get(current)) current = next
      return current
    },
  }
}
