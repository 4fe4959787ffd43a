/**
 * Who goes first when not all can go. Mostly what is due is put in order; strategies that rank have no dates at all, and in every
 * round those of highest rank go, as many as the budget has earned since the last one (Adam et al. 2010, III.B).
 */
import { DAY, type Instant, type Millis, type Schedule, type ScheduledFeed } from '../model/index.ts'
import type { Strategy } from './strategy.ts'

/** The due feeds, most urgent first; ties go to the one that has waited longest. */
export function mostUrgentFirst<Held extends ScheduledFeed>(
  due: Held[],
  now: Instant,
  strategyNamed: (name: string) => Strategy,
): Held[] {
  const urgencyOf = ({ feed, schedule }: ScheduledFeed) =>
    strategyNamed(schedule.strategy).urgency?.(schedule.memory, now, feed) ?? intervalsSince(schedule, now)
  return due
    .map((scheduled) => ({ scheduled, urgency: urgencyOf(scheduled) }))
    .sort((a, b) => b.urgency - a.urgency || a.scheduled.schedule.dueAt - b.scheduled.schedule.dueAt)
    .map(({ scheduled }) => scheduled)
}

/** Of a strategy that expects nothing it could tell: how many of its intervals have passed since the last poll. */
function intervalsSince({ dueAt, polledAt }: Schedule, now: Instant): number {
  return polledAt === undefined ? Number.POSITIVE_INFINITY : (now - polledAt) / Math.max(1, dueAt - polledAt)
}

/** Rounds begin at multiples of their length, so that nobody has to remember when the last one was. */
export function nextRoundAt(at: Instant, everyMs: Millis): Instant {
  return (Math.floor(at / everyMs) + 1) * everyMs
}

/** Whole polls that a day's worth of them pays for between two instants; what is left over goes to a later round. */
export function pollsBetween(perDay: number, from: Instant, to: Instant): number {
  return Math.max(0, Math.floor((perDay * to) / DAY) - Math.floor((perDay * from) / DAY))
}

/** Those of highest rank among many that come one by one. */
export interface Highest<One> {
  offer(one: One, rank: number): void
  /** So many of them, highest first; of equals those that came first. */
  first(most: number): One[]
}

export function createHighest<One>(most: number): Highest<One> {
  const kept: { one: One; rank: number }[] = []

  function placeOf(rank: number): number {
    let low = 0
    let high = kept.length
    while (low < high) {
      const middle = (low + high) >>> 1
      if (kept[middle]!.rank >= rank) low = middle + 1
      else high = middle
    }
    return low
  }

  return {
    offer(one, rank) {
      if (kept.length >= most && !(rank > (kept.at(-1)?.rank ?? Number.POSITIVE_INFINITY))) return
      kept.splice(placeOf(rank), 0, { one, rank })
      if (kept.length > most) kept.pop()
    },
    first: (some) => kept.slice(0, Math.max(0, some)).map(({ one }) => one),
  }
}
