/** When to come back after a failure: ever later, never never. */
import { DAY, type Failure, HOUR, type Instant, MINUTE, type Millis } from '../model/index.ts'

const FIRST_MS = 10 * MINUTE // ours
const LAST_MS = DAY // ours: a feed that failed for a month is still asked once a day
const LAST_WITHOUT_FEED_MS = 30 * DAY // ours: a site that has no feed costs a dozen requests each time
const FORBIDDEN_MS = DAY // a refusal that will not pass by itself: robots, addresses we do not visit
const GONE_MS = 7 * DAY // 410 says "for good"; we look again a few times, in case it was a slip

/**
 * Doubles from ten minutes to a day with each failure in a row, and from an hour to a month where a site has no feed; a server that names a time is taken at its word, up
 * to a week (cache-headers.ts). `chance` in [0, 1) spreads clients, and feeds, that failed at the same moment.
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
