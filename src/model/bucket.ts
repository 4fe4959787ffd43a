/**
 * Who is responsible for which roots, where several controllers share the work. Everything about one root stands in one bucket
 * (feeds by the root that their requests end at, pages by their own, hubs by theirs), and a bucket has one owner at a time:
 * so turns, rests and incidents of a root are known to one process, and need no agreement.
 *
 * An owner lives as long as it says so. Each bucket belongs to the one of those alive whose name, hashed with the bucket's
 * number, is the largest: when one comes or goes, no bucket moves between the others. At each change of hands the bucket's
 * epoch grows by one, and who comes with an older one is given nothing.
 */
export const BUCKETS = 256

export type Bucket = number & { readonly of: 'bucket' }

/** The epoch of each bucket that is owned. */
export type Owned = ReadonlyMap<Bucket, number>

export function bucketOf(root: string): Bucket {
  return (hash(root) % BUCKETS) as Bucket
}

/** Who of these should have it. */
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

/** FNV-1a of the UTF-16 code units, its bits mixed once more so that neighbours part: the same on every machine, for ever. */
function hash(text: string): number {
  let h = 0x811c9dc5
  for (let i = 0; i < text.length; i++) h = Math.imul(h ^ text.charCodeAt(i), 0x01000193)
  h = Math.imul(h ^ (h >>> 16), 0x45d9f3b)
  return (h ^ (h >>> 15)) >>> 0
}
