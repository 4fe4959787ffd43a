/**
 * Ownership of buckets. A store with a single writer gives that writer all buckets. A store shared by several controllers keeps the
 * expiry date of each controller and the epoch of each bucket.
 */
import type { Bucket, Instant, Owned } from '../model/index.ts'

export interface Claim {
  owned: Owned
  /** Owned buckets that belong to others now. To be released as soon as they have no tasks in flight. */
  surplus: Bucket[]
}

export interface Ownership {
  /**
   * Extends the life of `owner` to `until` and returns the buckets it owns now: its share among the owners alive at `now` (`ownerOf`),
   * without buckets that others still hold, and with those it still holds itself.
   */
  claim(owner: string, now: Instant, until: Instant): Promise<Claim>
  /** Releases those of these buckets that it owns, so that the next claim can take them. Without `buckets`, all of them, and ends its membership. */
  releaseBuckets(owner: string, buckets?: Bucket[]): Promise<void>
}
