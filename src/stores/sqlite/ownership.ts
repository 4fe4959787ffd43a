/** Ownership and leadership in a SQLite store: the process that has the lock owns all buckets and leads in every role. */
import { allBuckets } from '../../model/index.ts'
import type { Leadership, Ownership } from '../../ports/index.ts'

const EPOCH = 1

export function createSoleOwnership(): Ownership & Leadership {
  const all = new Map(allBuckets().map((bucket) => [bucket, EPOCH]))
  return {
    claim: async () => ({ owned: all, surplus: [] }),
    releaseBuckets: async () => {},
    lead: async () => EPOCH,
    resign: async () => {},
  }
}
