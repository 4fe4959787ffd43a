/**
 * What a root has taught us about its own gap. Each time it asks for less, the gap doubles; each calm day takes a fifth of
 * it back, until it is the usual one again. So a server that cannot bear us is visited ever more seldom, without anybody
 * setting it by hand, and one bad evening is forgotten within days.
 *
 * 429, 503 and any Retry-After are such words. 403 may mean one private feed among a thousand open ones: only when three
 * come without another answer between them is it the root that refuses us.
 */
import { DAY, type Failure, type Instant, MINUTE, type Millis } from '../model/index.ts'

/** Plain JSON, worth storing while its factor is above 1 or there are refusals. */
export interface HostBudget {
  /** How many usual gaps make one of this root's, at `calmAt`. */
  factor: number
  /** From then on days count as calm: the end of the rest that it last asked for. */
  calmAt: Instant
  /** 403s since the last other answer. */
  refusals: number
}

/** What is known of a root's own gap. */
export interface OwnPace {
  budget?: HostBudget
  /** Of a robots.txt: until then, no gap is shorter. */
  crawlDelay?: { ms: Millis; until: Instant }
}

const GROWTH = 2 // ours
const SHRINKS_BY_DAY = 0.8 // ours
const MOST = 32 // ours: at the usual two seconds, about a minute; from there to 1 it takes 16 days
const GROWS_EVERY_MS: Millis = 10 * MINUTE // ours: ten feeds that fail in one breath are one word
const REFUSALS_BELIEVED = 3 // ours

/** After each answer of the root; undefined when nothing changes. */
export function budgetAfter(
  before: HostBudget | undefined,
  failure: Failure | undefined,
  now: Instant,
): HostBudget | undefined {
  if (failure && failure.kind !== 'http') return undefined
  const refusals = failure?.status === 403 ? Math.min(REFUSALS_BELIEVED, (before?.refusals ?? 0) + 1) : 0
  const restMs = failure?.retryAfterMs ?? 0
  const asksForLess = failure?.status === 429 || failure?.status === 503 || restMs > 0 || refusals >= REFUSALS_BELIEVED
  if (!asksForLess) {
    if (refusals === (before?.refusals ?? 0)) return undefined
    return { factor: before?.factor ?? 1, calmAt: before?.calmAt ?? 0, refusals }
  }
  const grows = !before || now >= before.calmAt + GROWS_EVERY_MS
  const factor = Math.min(MOST, factorAt(before, now) * (grows ? GROWTH : 1))
  return { factor, calmAt: Math.max(before?.calmAt ?? 0, now + restMs), refusals }
}

export function factorAt(budget: HostBudget | undefined, now: Instant): number {
  if (!budget) return 1
  const calmDays = Math.max(0, now - budget.calmAt) / DAY
  return Math.max(1, budget.factor * SHRINKS_BY_DAY ** calmDays)
}

/** The root's gap now, in whole milliseconds. */
export function ownGapMs(gapMs: Millis, { budget, crawlDelay }: OwnPace, now: Instant): Millis {
  const askedMs = crawlDelay && now < crawlDelay.until ? crawlDelay.ms : 0
  return Math.ceil(Math.max(gapMs * factorAt(budget, now), askedMs))
}
