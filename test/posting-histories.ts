/**
 * Invented posting histories for tests and benchmarks of the budget: sites in one or two regions, around the clock, on weekends, on the
 * hour, in bursts. Everything follows from a seed.
 */
import type { ScheduledHistory } from '../src/lab/scheduled-run.ts'
import { seededRandom } from '../src/lab/village/seeded-random.ts'
import { DAY, HOUR, type Instant, MINUTE } from '../src/model/index.ts'

export const MONDAY: Instant = Date.UTC(2030, 0, 7)
/** Feeds also show what was published in the days before. */
const PAST_DAYS = 14

export type Habit =
  /** Weekdays, from 8 to 18 h of a zone. */
  | { kind: 'office'; zone: number; least: number; most: number }
  | { kind: 'around-the-clock'; least: number; most: number }
  | { kind: 'weekend'; least: number; most: number }
  /** Once an hour, on the hour, in office hours. */
  | { kind: 'hourly' }
  /** Some threads a week, each of a dozen entries within an hour. */
  | { kind: 'bursts' }

export interface WorldFeed {
  published: Float64Array
  habit: Habit['kind']
}

export function inventedHistories(
  parts: readonly { habit: Habit; feeds: number }[],
  days: number,
  seed: number,
): WorldFeed[] {
  const random = seededRandom('world', seed).next
  return parts.flatMap(({ habit, feeds }) =>
    Array.from({ length: feeds }, () => ({ habit: habit.kind, published: publishedBy(habit, days, random) })),
  )
}

export function asHistories(
  world: readonly WorldFeed[],
  strategy: string,
  more: Partial<ScheduledHistory> | ((i: number) => Partial<ScheduledHistory>) = {},
): ScheduledHistory[] {
  return world.map(({ published }, i) => ({
    published,
    window: 30,
    strategy,
    firstAt: MONDAY + i * 1000,
    onPoll: () => {},
    ...(typeof more === 'function' ? more(i) : more),
  }))
}

function publishedBy(habit: Habit, days: number, random: () => number): Float64Array {
  const perDay = 'least' in habit ? habit.least * (habit.most / habit.least) ** random() : 0
  const published: Instant[] = []
  for (let day = -PAST_DAYS; day < days; day++) {
    const from = MONDAY + day * DAY
    const weekday = ((day % 7) + 7) % 7
    published.push(...ofDay(habit, from, weekday, perDay, random))
  }
  return Float64Array.from(published.map(Math.floor)).sort()
}

function ofDay(habit: Habit, from: Instant, weekday: number, perDay: number, random: () => number): Instant[] {
  const somewhere = (start: number, hours: number, mean: number) =>
    Array.from({ length: poisson(mean, random) }, () => from + start * HOUR + random() * hours * HOUR)
  switch (habit.kind) {
    case 'office':
      return weekday < 5 ? somewhere(8 - habit.zone, 10, (perDay * 7) / 5) : []
    case 'around-the-clock':
      return somewhere(0, 24, perDay)
    case 'weekend':
      return weekday >= 5 ? somewhere(8, 14, (perDay * 7) / 2) : []
    case 'hourly':
      return weekday < 5 ? Array.from({ length: 10 }, (_, i) => from + (8 + i) * HOUR + random() * MINUTE) : []
    case 'bursts':
      return Array.from({ length: poisson(0.5, random) }, () => from + random() * DAY).flatMap((start) =>
        Array.from({ length: 12 }, () => start + random() * HOUR),
      )
  }
}

function poisson(mean: number, random: () => number): number {
  const limit = Math.exp(-mean)
  let n = 0
  for (let product = random(); product > limit; product *= random()) n++
  return n
}
