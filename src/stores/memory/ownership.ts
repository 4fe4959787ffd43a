/** Who owns which buckets of the memory store. A bucket that nobody ever claimed is anybody's: most tests are alone. */
import { allBuckets, type Bucket, type Owned, ownerOf } from '../../model/index.ts'
import type { Ownership } from '../../ports/index.ts'
import type { State } from './state.ts'

export function ownershipOf({ owners, buckets }: State): Ownership {
  return {
    async claim(owner, now, until) {
      for (const [name, aliveUntil] of owners) if (aliveUntil <= now) owners.delete(name)
      owners.set(owner, until)
      const owned = new Map<Bucket, number>()
      const surplus: Bucket[] = []
      for (const bucket of allBuckets()) {
        const held = buckets.get(bucket)
        const isMine = held?.owner === owner
        const isFree = held?.owner === undefined || !owners.has(held.owner)
        const isMyShare = ownerOf(bucket, owners.keys()) === owner
        if (isMine && !isMyShare) surplus.push(bucket)
        if (!isMine && !(isFree && isMyShare)) continue
        const epoch = (held?.epoch ?? 0) + (isMine ? 0 : 1)
        buckets.set(bucket, { owner, epoch })
        owned.set(bucket, epoch)
      }
      return { owned, surplus }
    },
    async letGo(owner, some) {
      for (const bucket of some) free(bucket, owner)
    },
    async retire(owner) {
      for (const bucket of allBuckets()) free(bucket, owner)
      owners.delete(owner)
    },
  }

  function free(bucket: Bucket, owner: string): void {
    const held = buckets.get(bucket)
    if (held?.owner === owner) held.owner = undefined
  }
}

/** Where nothing is said, everything is meant. */
export function owns({ buckets }: State, bucket: Bucket, owned: Owned | undefined): boolean {
  if (owned === undefined) return true
  const epoch = owned.get(bucket)
  return epoch !== undefined && epoch === (buckets.get(bucket)?.epoch ?? epoch)
}
