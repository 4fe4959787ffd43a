/** Where a strategy's wish becomes a date. */
import { DAY, type DueBecause, type Instant, MINUTE, type Millis } from '../model/index.ts'

export interface Limits {
  minMs: Millis
  maxMs: Millis
}

/** Urbansky et al. (2011), section 4: polling intervals between two minutes and 31 days. */
export const LIMITS: Limits = { minMs: 2 * MINUTE, maxMs: 31 * DAY }

/**
 * The limits bind the strategy; `notBefore`, which is politeness, binds all. Whole milliseconds, rounded up, so that what
 * is stored and read back is the same date. A wish that is no number is a strategy's mistake and waits as long as it may.
 */
export function dueAt(wish: Instant, now: Instant, limits: Limits, notBefore: Instant = now): Instant {
  return Math.ceil(Math.max(notBefore, limited(wish, now, limits)))
}

/** Which of the bounds of `dueAt` set the date. */
export function dueBecause(wish: Instant, now: Instant, limits: Limits, notBefore: Instant = now): DueBecause {
  const at = limited(wish, now, limits)
  if (notBefore > at) return 'server'
  return at === wish ? 'strategy' : at > wish ? 'min-interval' : 'max-interval'
}

function limited(wish: Instant, now: Instant, { minMs, maxMs }: Limits): Instant {
  const wished = Number.isNaN(wish) ? Number.POSITIVE_INFINITY : wish
  return Math.min(now + maxMs, Math.max(now + minMs, wished))
}
