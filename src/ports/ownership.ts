/**
 * Who owns which buckets. A store that has a single owner gives all of them to whoever has it open; one that several
 * controllers share keeps who lives until when, and the epoch of each bucket.
 */
import type { Bucket, Instant, Owned } from '../model/index.ts'

export interface Claim {
  owned: Owned
  /** Of those, buckets that others should have: to be let go of as soon as nothing is under way there. */
  surplus: Bucket[]
}

export interface Ownership {
  /**
   * Says that `owner` lives until `until`, and answers what it owns from now on: its share of all buckets among those who
   * live at `now` (`ownerOf`), without those that others still have, and with those that it still has.
   */
  claim(owner: string, now: Instant, until: Instant): Promise<Claim>
  /** Gives up these, if they are its own, for whoever claims next. */
  letGo(owner: string, buckets: Bucket[]): Promise<void>
  /** It owns nothing any more, and lives no longer. */
  retire(owner: string): Promise<void>
}
