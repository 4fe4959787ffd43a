/** What recorded polls count for, to the scheduler. */
import type { Millis, ScheduledFeed } from '../../model/index.ts'
import type { PollRecord } from '../../ports/index.ts'
import { followsPrice, strategyNamed, type Terms } from '../../scheduling/index.ts'

/** What the scheduler counts: dates that followed the price, and entries published since the poll before, with their waiting. */
export interface PollsCounted {
  following: number
  entries: number
  waitedMs: Millis
}

export const NOTHING_COUNTED: PollsCounted = { following: 0, entries: 0, waitedMs: 0 }

/** Adds one to the sum. */
export function add(sum: PollsCounted, one: PollsCounted): void {
  sum.following += one.following
  sum.entries += one.entries
  sum.waitedMs += one.waitedMs
}

export function countedOf({ held, record }: { held: ScheduledFeed; record: PollRecord }, terms: Terms): PollsCounted {
  const { polledAt, succeededAt } = held.schedule
  const counted = { ...NOTHING_COUNTED, following: polledAt !== undefined && isFollowing(record, terms) ? 1 : 0 }
  const { at } = record.poll
  for (const { publishedAt, dateOnly } of record.fresh) {
    if (succeededAt === undefined || publishedAt === undefined || dateOnly) continue
    if (publishedAt <= succeededAt || publishedAt > at) continue // its date is not the one of its appearance
    counted.entries++
    counted.waitedMs += at - publishedAt
  }
  return counted
}

/** Whether the price had a say in the next date, or could have, were it not for the limits. */
function isFollowing({ poll, schedule }: PollRecord, terms: Terms): boolean {
  const { because, polledAt, strategy, memory } = schedule
  if (polledAt !== poll.at || !because) return false
  const isFree = because.by === 'strategy' || because.by === 'min-interval' || because.by === 'max-interval'
  return isFree && followsPrice(strategyNamed(strategy), memory, polledAt, terms)
}
