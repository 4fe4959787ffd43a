/** Turns the date a strategy proposes into the due date. */
import { DAY, type DueBecause, type Instant, MINUTE, type Millis } from '../model/index.ts'

export interface Limits {
  minMs: Millis
  maxMs: Millis
}

/** Urbansky et al. (2011), section 4: polling intervals between two minutes and 31 days. */
export const LIMITS: Limits = { minMs: 2 * MINUTE, maxMs: 31 * DAY }

/**
 * `limits` clamp the strategy's proposal; `notBefore` (politeness) takes precedence over both. Rounded up to whole
 * milliseconds, so that the stored date equals the computed one. A proposal that is not a number counts as the latest
 * allowed date.
 */
export function dueAt(proposedAt: Instant, now: Instant, limits: Limits, notBefore: Instant = now): Instant {
  return Math.ceil(Math.max(notBefore, clampToLimits(proposedAt, now, limits)))
}

/** Which of the constraints in `dueAt` set the date. */
export function dueCause(proposedAt: Instant, now: Instant, limits: Limits, notBefore: Instant = now): DueBecause {
  const at = clampToLimits(proposedAt, now, limits)
  if (notBefore > at) return 'server'
  return at === proposedAt ? 'strategy' : at > proposedAt ? 'min-interval' : 'max-interval'
}

function clampToLimits(proposedAt: Instant, now: Instant, { minMs, maxMs }: Limits): Instant {
  const proposal = Number.isNaN(proposedAt) ? Number.POSITIVE_INFINITY : proposedAt
  return Math.min(now + maxMs, Math.max(now + minMs, proposal))
}
