/**
 * Decides whether a due feed is still worth a poll. Its date was set at the price of its last poll. If polls have become
 * more expensive since, the strategy is asked again, and a later date replaces the old one. This keeps the budget without a
 * queue: of all due feeds, those are polled that save most waiting per poll.
 */
import { HOUR, type Instant, type Millis, type Schedule, SECOND } from '../model/index.ts'
import { dueAt } from './due-date.ts'
import type { Strategy, Terms } from './strategy.ts'

/** Dates are computed again when the price has risen by this factor since they were set. */
const PRICE_RISE = 1.1
/** Maximum deferral, absolute and as a share of the time since the last poll: the price may fall meanwhile. */
const MAX_DEFERRAL_MS: Millis = HOUR
const MAX_DEFERRAL_SHARE = 0.05

/** Returns undefined if the feed is polled now. `strategy` and `terms` are the current ones. */
export function deferUntil(
  schedule: Pick<Schedule, 'memory' | 'because' | 'succeededAt' | 'failures'>,
  strategy: Strategy,
  terms: Terms,
  now: Instant,
): Instant | undefined {
  const { because, succeededAt, memory, failures } = schedule
  if (succeededAt === undefined || failures > 0 || !because || !MOVABLE_CAUSES.has(because.by)) return undefined
  if (terms.price <= because.price * PRICE_RISE && (terms.stretch ?? 1) <= 1) return undefined
  const until = dueAt(strategy.next(memory, succeededAt, terms), succeededAt, terms.limits)
  if (until <= now + SECOND) return undefined
  return Math.min(until, Math.ceil(now + Math.max(MAX_DEFERRAL_MS, MAX_DEFERRAL_SHARE * (now - succeededAt))))
}

/** Dates that the market may move; not those set by servers, publishers and failures. */
const MOVABLE_CAUSES: ReadonlySet<string> = new Set(['strategy', 'min-interval', 'max-interval', 'budget'])
