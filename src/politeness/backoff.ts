/** Exponential backoff after failures. Feeds are never abandoned. */
import { DAY, type Failure, HOUR, type Instant, MINUTE, type Millis } from '../model/index.ts'

const FIRST_BACKOFF_MS = 10 * MINUTE // ours
const MAX_BACKOFF_MS = DAY // ours: even after a month of failures, a feed is polled once a day
const MAX_BACKOFF_WITHOUT_FEED_MS = 30 * DAY // ours: searching a site without a feed takes a dozen requests
const FORBIDDEN_MS = DAY // refusals that do not pass by themselves: robots.txt, forbidden addresses
const MEMBER_TIMEOUT_MS = 7 * DAY // 410 means permanent; retried a few times in case it was a mistake

/**
 * Doubles from ten minutes to a day with each consecutive failure, or from an hour to a month for a site without a feed. A Retry-After
 * is respected, up to a week (cache-headers.ts). `chance` in [0, 1) adds jitter.
 */
export function backoffUntil(failure: Failure, failuresBefore: number, now: Instant, chance: number): Instant {
  const retryAfterMs = failure.kind === 'http' ? (failure.retryAfterMs ?? 0) : 0
  const [first, last] =
    failure.kind === 'no-feed-found' ? [HOUR, MAX_BACKOFF_WITHOUT_FEED_MS] : [FIRST_BACKOFF_MS, MAX_BACKOFF_MS]
  const waitMs = Math.max(floorOf(failure), Math.min(last, first * 2 ** Math.min(16, failuresBefore)))
  return now + Math.ceil(Math.max(retryAfterMs, waitMs * (1 + chance / 4)))
}

function floorOf(failure: Failure): Millis {
  switch (failure.kind) {
    case 'http':
      return failure.status === 410 ? MEMBER_TIMEOUT_MS : 0
    case 'forbidden-by-robots':
    case 'forbidden-address':
      return FORBIDDEN_MS
    default:
      return 0
  }
}
