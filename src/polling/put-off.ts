/**
 * Whether a feed whose date has come is still worth a poll. Its date was set at the price of its last poll; where polls have become
 * dearer since, its strategy is asked again, and a date that has moved is the new one. So a budget is kept without a queue: of all
 * that is due, those go that save most waiting for a poll.
 */
import { HOUR, type Instant, type Millis, type Schedule, SECOND } from '../model/index.ts'
import { dueAt } from './due.ts'
import type { Strategy, Terms } from './strategy.ts'

/** Dates are asked for again when polls are so many times as dear as when they were set. */
const DEARER = 1.1
/** And again after so long, or so much of the time since the last poll: the price may have fallen meanwhile. */
const LONGEST_MS: Millis = HOUR
const LONGEST_SHARE = 0.05

/** Undefined: it goes now. `strategy` and `terms` are those of now. */
export function putOffUntil(
  schedule: Pick<Schedule, 'memory' | 'because' | 'succeededAt' | 'failures'>,
  strategy: Strategy,
  terms: Terms,
  now: Instant,
): Instant | undefined {
  const { because, succeededAt, memory, failures } = schedule
  if (succeededAt === undefined || failures > 0 || !because || !OURS.has(because.by)) return undefined
  if (terms.price <= because.price * DEARER && (terms.stretch ?? 1) <= 1) return undefined
  const until = dueAt(strategy.next(memory, succeededAt, terms), succeededAt, terms.limits)
  if (until <= now + SECOND) return undefined
  return Math.min(until, Math.ceil(now + Math.max(LONGEST_MS, LONGEST_SHARE * (now - succeededAt))))
}

/** Dates that the market may move; not those of servers, publishers and failures. */
const OURS: ReadonlySet<string> = new Set(['strategy', 'min-interval', 'max-interval', 'budget'])
