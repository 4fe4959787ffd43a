/** The log of what we did to a feed's server, and what came of it. */
import type { Failure } from './failure.ts'
import type { FeedId } from './feed.ts'
import type { Instant, Millis } from './time.ts'

/**
 * How we know that nothing changed, from the cheapest: the server said so (304), the document was the one we had, or it
 * differed only in what does not matter (Adam et al. 2009: first the date, then the hash, then the titles).
 */
export type Sameness = 'server' | 'hash' | 'titles'

export type PollResult =
  | { kind: 'read'; fresh: number; changed: number; window: number; gap: boolean }
  | { kind: 'not-modified'; by: Sameness }
  | { kind: 'failed'; failure: Failure }

export interface Poll {
  feedId: FeedId
  at: Instant
  tookMs: Millis
  /** Of the body, as it came over the wire. */
  bytes: number
  /** We asked only for what is new: with the validators of the answer before. */
  conditional: boolean
  /** Why not, where that was right: there were none to send, they were tested, or they are known to lie. */
  unconditionalFor?: 'no-validators' | 'audit' | 'lies'
  /**
   * Why it was made, where it was not due by itself: a person asked for it, an older document was read to fill a gap, or the
   * feed was sought elsewhere and found.
   */
  occasion?: 'hand' | 'older' | 'seek'
  /** Until when the answer asked us to stay away. */
  restUntil?: Instant
  result: PollResult
}
