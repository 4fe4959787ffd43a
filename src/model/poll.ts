/** The poll log: every request made for a feed, and its result. */
import type { Failure } from './failure.ts'
import type { FeedId } from './feed.ts'
import type { Instant, Millis } from './time.ts'

/**
 * How we know that nothing changed, cheapest first: the server said so (304), the body's hash is the same, or only parts that do
 * not matter differ (Adam et al. 2009: first the date, then the hash, then the titles).
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
  /** Size of the body, as transferred. */
  bytes: number
  /** The request carried the validators of the previous response. */
  conditional: boolean
  /** Why it did not: there were none, they were being audited, or they are known to be wrong. */
  unconditionalFor?: 'no-validators' | 'audit' | 'lies'
  /** Why an unscheduled poll was made: a user asked for it, an older page was read to fill a gap, or the feed was found at a new address. */
  occasion?: 'manual' | 'older' | 'moved-feed'
  /** Until when the response asked us to wait. */
  waitUntil?: Instant
  result: PollResult
}
