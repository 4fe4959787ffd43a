/**
 * Learns the request gap of a root from its responses. Whenever the root asks us to slow down, the gap doubles; every day without
 * such a response shrinks it by a fifth, down to the default. So an overloaded server gets fewer requests without configuration,
 * and a single bad evening is forgotten within days.
 *
 * 429, 503 and any Retry-After count as such. A 403 may mean one private feed among a thousand open ones: only three in a row
 * count.
 */
import { DAY, type Failure, type Instant, MINUTE, type Millis } from '../model/index.ts'

/** Plain JSON. Stored while its factor is above 1 or there are refusals. */
export interface AdaptiveGap {
  /** Multiplies the default gap, as of `calmAt`. */
  factor: number
  /** Start of the period without refusals: the end of the last requested pause. */
  calmAt: Instant
  /** Consecutive 403s. */
  refusals: number
}

/** The known gap requirements of a root. */
export interface RootGapState {
  adaptiveGap?: AdaptiveGap
  /** From robots.txt: a minimum gap until then. */
  crawlDelay?: { ms: Millis; until: Instant }
}

const GROWTH = 2 // ours
const DAILY_SHRINK_FACTOR = 0.8 // ours
const MAX_FACTOR = 32 // ours: about a minute with the default of two seconds; shrinks back to 1 in 16 days
const GROWTH_INTERVAL_MS: Millis = 10 * MINUTE // ours: failures in quick succession count as one
const MIN_REFUSALS = 3 // ours

/** Call after each response of the root; undefined if nothing changes. */
export function gapAfter(
  before: AdaptiveGap | undefined,
  failure: Failure | undefined,
  now: Instant,
): AdaptiveGap | undefined {
  if (failure && failure.kind !== 'http') return undefined
  const refusals = failure?.status === 403 ? Math.min(MIN_REFUSALS, (before?.refusals ?? 0) + 1) : 0
  const restMs = failure?.retryAfterMs ?? 0
  const asksForLess = failure?.status === 429 || failure?.status === 503 || restMs > 0 || refusals >= MIN_REFUSALS
  if (!asksForLess) {
    if (refusals === (before?.refusals ?? 0)) return undefined
    return { factor: before?.factor ?? 1, calmAt: before?.calmAt ?? 0, refusals }
  }
  const grows = !before || now >= before.calmAt + GROWTH_INTERVAL_MS
  const factor = Math.min(MAX_FACTOR, factorAt(before, now) * (grows ? GROWTH : 1))
  return { factor, calmAt: Math.max(before?.calmAt ?? 0, now + restMs), refusals }
}

export function factorAt(adaptiveGap: AdaptiveGap | undefined, now: Instant): number {
  if (!adaptiveGap) return 1
  const calmDays = Math.max(0, now - adaptiveGap.calmAt) / DAY
  return Math.max(1, adaptiveGap.factor * DAILY_SHRINK_FACTOR ** calmDays)
}

/** The root's current gap, in whole milliseconds. */
export function rootGapMs(gapMs: Millis, { adaptiveGap, crawlDelay }: RootGapState, now: Instant): Millis {
  const crawlDelayMs = crawlDelay && now < crawlDelay.until ? crawlDelay.ms : 0
  return Math.ceil(Math.max(gapMs * factorAt(adaptiveGap, now), crawlDelayMs))
}
