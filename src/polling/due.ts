/** Where a strategy's wish becomes a date. */
import { DAY, type Instant, MINUTE, type Millis } from '../model/index.ts'

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
  const wished = Number.isNaN(wish) ? Number.POSITIVE_INFINITY : wish
  return Math.ceil(Math.max(notBefore, Math.min(now + limits.maxMs, Math.max(now + limits.minMs, wished))))
}
