/** Exponential backoff after failures. Feeds are never abandoned. */
import { DAY, type Failure, HOUR, type Instant, MINUTE, type Millis } from '../model/index.ts'

const FIRST_MS = 10 * MINUTE // ours
const LAST_MS = DAY // ours: even after a month of failures, a feed is polled once a day
const LAST_WITHOUT_FEED_MS = 30 * DAY // ours: searching a site without a feed takes a dozen requests
const FORBIDDEN_MS = DAY // refusals that do not pass by themselves: robots.txt, forbidden addresses
const GONE_MS = 7 * DAY // 410 means permanent; retried a few times in case it was a mistake

/**
 * Doubles from ten minutes to a day with each consecutive failure, or from an hour to a month for a site without a feed. A Retry-After
 * is respected, up to a week (cache-headers.ts). `chance` in [0, 1) adds jitter.
 */
export function backoffUntil(failure: Failure, failuresBefore: number, now: Instant, chance: number): Instant {
  const asked = failure.kind === 'http' ? (failure.retryAfterMs ?? 0) : 0
  const [first, last] = failure.kind === 'no-feed-found' ? [HOUR, LAST_WITHOUT_FEED_MS] : [FIRST_MS, LAST_MS]
  const patience = Math.max(floorOf(failure), Math.min(last, first * 2 ** Math.min(16, failuresBefore)))
  return now + Math.ceil(Math.max(asked, patience * (1 + chance / 4)))
}

function floorOf(failure: Failure): Millis {
  switch (failure.kind) {
    case 'http':
      return failure.status === 410 ? GONE_MS : 0
    case 'forbidden-by-robots':
    case 'forbidden-address':
      return FORBIDDEN_MS
    default:
      return 0
  }
}
