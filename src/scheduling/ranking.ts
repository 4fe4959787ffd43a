/**
 * Order of polls when not all feeds can be polled. Most strategies sort the due feeds; ranking strategies have no due dates,
 * and each round polls the feeds of highest rank, as many as the budget has earned since the last round (Adam et al. 2010,
 * III.B).
 */
import { DAY, type Instant, type Millis, type Schedule, type ScheduledFeed } from '../model/index.ts'
import type { Strategy } from './strategy.ts'

/** Sorts due feeds, most urgent first. Ties go to the feed that has waited longest. */
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

/** Urgency for strategies that define none: time since the last poll, in intervals. */
function intervalsSince({ dueAt, polledAt }: Schedule, now: Instant): number {
  return polledAt === undefined ? Number.POSITIVE_INFINITY : (now - polledAt) / Math.max(1, dueAt - polledAt)
}

/** Rounds begin at multiples of their length, so no start date has to be stored. */
export function nextRoundAt(at: Instant, everyMs: Millis): Instant {
  return (Math.floor(at / everyMs) + 1) * everyMs
}

/** Whole polls earned between two instants at this rate; fractions carry over to a later round. */
export function pollsBetween(perDay: number, from: Instant, to: Instant): number {
  return Math.max(0, Math.floor((perDay * to) / DAY) - Math.floor((perDay * from) / DAY))
}

/** Keeps the items of highest rank from a stream. */
export interface Highest<One> {
  offer(one: One, rank: number): void
  /** The highest `most` items, best first; among equal ranks, the earliest offered first. */
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
