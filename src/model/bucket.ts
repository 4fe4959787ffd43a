/**
 * Partitioning of roots between several controllers. Everything about one root is in one bucket (feeds by the root their requests
 * end at, pages and hubs by their own), and a bucket has one owner at a time: so queues, rest periods and incidents of a root are
 * known to one process and need no coordination.
 *
 * Owners stay members by heartbeat. A bucket belongs to the live owner with the highest hash of name and bucket number
 * (rendezvous hashing): when one joins or leaves, no bucket moves between the others. Each change of owner increments the bucket's
 * epoch, and requests with an older epoch are rejected.
 */
export const BUCKETS = 256

export type Bucket = number & { readonly of: 'bucket' }

/** The epoch of each owned bucket. */
export type Owned = ReadonlyMap<Bucket, number>

export function bucketOf(root: string): Bucket {
  return (hash(root) % BUCKETS) as Bucket
}

/** Which of these owners should own the bucket. */
export function ownerOf(bucket: Bucket, owners: Iterable<string>): string | undefined {
  let best: string | undefined
  let most = -1
  for (const owner of owners) {
    const weight = hash(`${bucket} ${owner}`)
    if (weight < most || (weight === most && best !== undefined && owner > best)) continue
    best = owner
    most = weight
  }
  return best
}

export function allBuckets(): Bucket[] {
  return Array.from({ length: BUCKETS }, (_, bucket) => bucket as Bucket)
}

/** FNV-1a of the UTF-16 code units with a final mix. Must never change: all machines have to agree. */
function hash(text: string): number {
  let h = 0x811c9dc5
  for (let i = 0; i < text.length; i++) h = Math.imul(h ^ text.charCodeAt(i), 0x01000193)
  h = Math.imul(h ^ (h >>> 16), 0x45d9f3b)
  return (h ^ (h >>> 15)) >>> 0
}
