/** Bucket ownership in the memory store. A bucket that was never claimed belongs to everyone: most tests have one process. */
import { allBuckets, type Bucket, type Owned, ownerOf } from '../../model/index.ts'
import type { Ownership } from '../../ports/index.ts'
import type { State } from './state.ts'

export function ownershipOf({ aliveUntilByOwner, buckets }: State): Ownership {
  return {
    async claim(owner, now, until) {
      for (const [name, aliveUntil] of aliveUntilByOwner) if (aliveUntil <= now) aliveUntilByOwner.delete(name)
      aliveUntilByOwner.set(owner, until)
      const owned = new Map<Bucket, number>()
      const surplus: Bucket[] = []
      for (const bucket of allBuckets()) {
        const current = buckets.get(bucket)
        const isOwned = current?.owner === owner
        const isFree = current?.owner === undefined || !aliveUntilByOwner.has(current.owner)
        const isMyShare = ownerOf(bucket, aliveUntilByOwner.keys()) === owner
        if (isOwned && !isMyShare) surplus.push(bucket)
        if (!isOwned && !(isFree && isMyShare)) continue
        const epoch = (current?.epoch ?? 0) + (isOwned ? 0 : 1)
        buckets.set(bucket, { owner, epoch })
        owned.set(bucket, epoch)
      }
      return { owned, surplus }
    },
    async releaseBuckets(owner, releasedBuckets) {
      for (const bucket of releasedBuckets ?? allBuckets()) release(bucket, owner)
      if (!releasedBuckets) aliveUntilByOwner.delete(owner)
    },
  }

  function release(bucket: Bucket, owner: string): void {
    const current = buckets.get(bucket)
    if (current?.owner === owner) current.owner = undefined
  }
}

/** Without `owned`, all buckets match. */
export function owns({ buckets }: State, bucket: Bucket, owned: Owned | undefined): boolean {
  if (owned === undefined) return true
  const epoch = owned.get(bucket)
  return epoch !== undefined && epoch === (buckets.get(bucket)?.epoch ?? epoch)
}
