/** Counts recorded polls for the scheduler. */
import type { Millis, ScheduledFeed } from '../../model/index.ts'
import type { PollRecord } from '../../ports/index.ts'
import { followsPrice, strategyNamed, type Terms } from '../../scheduling/index.ts'

/** Due dates that follow the price, and entries published since the previous poll with their total delay. */
export interface PollCounts {
  following: number
  entries: number
  waitedMs: Millis
}

export const NO_POLLS: PollCounts = { following: 0, entries: 0, waitedMs: 0 }

/** Adds one to the sum. */
export function addCounts(sum: PollCounts, one: PollCounts): void {
  sum.following += one.following
  sum.entries += one.entries
  sum.waitedMs += one.waitedMs
}

export function countsOf(
  { scheduled, record }: { scheduled: ScheduledFeed; record: PollRecord },
  terms: Terms,
): PollCounts {
  const { polledAt, succeededAt } = scheduled.schedule
  const counted = { ...NO_POLLS, following: polledAt !== undefined && followsPriceOf(record, terms) ? 1 : 0 }
  const { at } = record.poll
  for (const { publishedAt, dateOnly } of record.fresh) {
    if (succeededAt === undefined || publishedAt === undefined || dateOnly) continue
    if (publishedAt <= succeededAt || publishedAt > at) continue // its date is not its publication
    counted.entries++
    counted.waitedMs += at - publishedAt
  }
  return counted
}

/** Whether the price affects the next due date, or would without the limits. */
function followsPriceOf({ poll, schedule }: PollRecord, terms: Terms): boolean {
  const { because, polledAt, strategy, memory } = schedule
  if (polledAt !== poll.at || !because) return false
  const isFree = because.by === 'strategy' || because.by === 'min-interval' || because.by === 'max-interval'
  return isFree && followsPrice(strategyNamed(strategy), memory, polledAt, terms)
}
