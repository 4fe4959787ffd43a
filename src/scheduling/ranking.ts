/**
 * Order of polls when not all feeds can be polled. Most strategies sort the due feeds; ranking strategies have no due dates,
 * and each round polls the feeds of highest rank, as many as the budget has earned since the last round (Adam et al. 2010,
 * III.B).
 */
import { DAY, type Instant, type Millis, type Schedule, type ScheduledFeed } from '../model/index.ts'
import type { Strategy } from './strategy.ts'

/** Sorts due feeds, most urgent first. Ties go to the feed that has waited longest. */
export function sortByUrgency<Due extends ScheduledFeed>(
  due: Due[],
  now: Instant,
  strategyNamed: (name: string) => Strategy,
): Due[] {
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
export function earnedPolls(perDay: number, from: Instant, to: Instant): number {
  return Math.max(0, Math.floor((perDay * to) / DAY) - Math.floor((perDay * from) / DAY))
}

/** Keeps the items of highest rank from a stream. */
export interface TopRanked<Item> {
  offer(item: Item, rank: number): void
  /** The highest `most` items, best first; among equal ranks, the earliest offered first. */
  first(most: number): Item[]
}

export function createTopRanked<One>(most: number): TopRanked<One> {
  const ranked: { one: One; rank: number }[] = []

  function indexFor(rank: number): number {
    let low = 0
    let high = ranked.length
    while (low < high) {
      const middle = (low + high) >>> 1
      if (ranked[middle]!.rank >= rank) low = middle + 1
      else high = middle
    }
    return low
  }

  return {
    offer(item, rank) {
      if (ranked.length >= most && !(rank > (ranked.at(-1)?.rank ?? Number.POSITIVE_INFINITY))) return
      ranked.splice(indexFor(rank), 0, { one: item, rank })
      if (ranked.length > most) ranked.pop()
    },
    first: (count) => ranked.slice(0, Math.max(0, count)).map(({ one: item }) => item),
  }
}
