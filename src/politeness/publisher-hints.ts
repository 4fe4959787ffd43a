/**
 * Polling hints in the document: `ttl`, `sy:updatePeriod`, `skipHours` and `skipDays`. They can only delay polls; "hourly" does not
 * oblige us to poll each hour. Hours and days are GMT (RSS 2.0).
 */
import { DAY, HOUR, type Instant, type Millis, type PublisherHints } from '../model/index.ts'

/** Ours, as for max-age: many a ttl was meant in seconds, and "yearly" often comes from a template. */
export const MAX_HINT_MS: Millis = DAY

const THURSDAY = 4 // the first of January 1970

/**
 * The date of the next poll of a feed last polled at `lastAt` that would be polled at `due`, limits included. Skipped hours and days
 * add at most six days and 23 hours; a list that excludes everything is a mistake and is ignored.
 */
export function notBeforeByHints(hints: PublisherHints, lastAt: Instant, proposedAt: Instant): Instant {
  const restMs = Math.min(MAX_HINT_MS, Math.max(0, hints.ttlMs ?? 0, hints.updatePeriodMs ?? 0))
  const hours = skipped(hints.skipHours, 24)
  const days = skipped(hints.skipDays, 7)
  const earliest = Math.max(lastAt + restMs, proposedAt)
  if (hours.size + days.size === 0 || !Number.isFinite(earliest)) return earliest

  let at = earliest
  for (;;) {
    if (days.has(dayOf(at))) at = (Math.floor(at / DAY) + 1) * DAY
    else if (hours.has(hourOf(at))) at = (Math.floor(at / HOUR) + 1) * HOUR
    else return at
  }
}

/** Some publishers count hours from 1 to 24 and days from 1 to 7. */
function skipped(list: readonly number[] | undefined, count: number): Set<number> {
  const set = new Set(list?.filter((n) => Number.isInteger(n) && n >= 0 && n <= count).map((n) => n % count))
  return set.size < count ? set : new Set()
}

function hourOf(at: Instant): number {
  return Math.floor(at / HOUR) % 24
}

function dayOf(at: Instant): number {
  return (Math.floor(at / DAY) + THURSDAY) % 7
}
