/** The file has one owner, who has the lock: he has all buckets, leads in everything, and nobody can come between. */
import { allBuckets } from '../../model/index.ts'
import type { Leadership, Ownership } from '../../ports/index.ts'

const EPOCH = 1

export function soleOwnership(): Ownership & Leadership {
  const all = new Map(allBuckets().map((bucket) => [bucket, EPOCH]))
  return {
    claim: async () => ({ owned: all, surplus: [] }),
    letGo: async () => {},
    retire: async () => {},
    lead: async () => EPOCH,
    resign: async () => {},
  }
}
