/** The log of what we did to a feed's server, and what came of it. */
import type { Failure } from './failure.ts'
import type { FeedId } from './feed.ts'
import type { Instant, Millis } from './time.ts'

export type PollResult =
  | { kind: 'read'; fresh: number; changed: number; window: number; gap: boolean }
  /** `server`: 304 Not Modified; `hash`: the whole document came, and it was the one we had. */
  | { kind: 'not-modified'; by: 'server' | 'hash' }
  | { kind: 'failed'; failure: Failure }

export interface Poll {
  feedId: FeedId
  at: Instant
  tookMs: Millis
  /** Of the body, as it came over the wire. */
  bytes: number
  result: PollResult
}
