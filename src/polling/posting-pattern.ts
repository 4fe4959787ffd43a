/**
 * The posting history of a feed by the hour of the day (Adam et al. 2010, section III.B): how many entries came in each hour, over
 * the days that we have watched. No rate is zero: a feed that was silent for a day must be polled again.
 */
import { DAY, HOUR, type Instant, type Memory, type Millis } from '../model/index.ts'
import { freshTimes } from './look.ts'
import { doublesIn, packedDoubles } from './packing.ts'
import type { Look } from './strategy.ts'

export interface PostingPattern {
  /** Since when we know what the feed posted, and when we last looked. */
  sinceAt: Instant
  lastAt: Instant
  /** Entries in each hour of the day, UTC. */
  counts: Float64Array
}

const HOURS = 24

/** What a strategy keeps beside the pattern comes after it; undefined if the bytes are none. */
export function patternIn(memory: Memory, more: number): { pattern: PostingPattern; rest: Float64Array } | undefined {
  const numbers = doublesIn(memory)
  if (numbers?.length !== 2 + HOURS + more) return undefined
  const [sinceAt = 0, lastAt = 0] = numbers
  return { pattern: { sinceAt, lastAt, counts: numbers.subarray(2, 2 + HOURS) }, rest: numbers.subarray(2 + HOURS) }
}

export function packedPattern({ sinceAt, lastAt, counts }: PostingPattern, rest: readonly number[]): Memory {
  return packedDoubles([sinceAt, lastAt, ...counts, ...rest])
}

export function patternAfter(before: PostingPattern | undefined, look: Look): PostingPattern {
  const { at, window } = look
  const times = before ? freshTimes(look) : window.map((publishedAt) => Math.min(publishedAt, at))
  const counts = before ? before.counts.slice() : new Float64Array(HOURS)
  for (const publishedAt of times) counts[hourOf(publishedAt)]! += 1
  return { sinceAt: before?.sinceAt ?? Math.min(times[0] ?? at, at - DAY), lastAt: at, counts }
}

/** Entries an hour, for each hour of the day. */
export function hourlyRates({ sinceAt, lastAt, counts }: PostingPattern, floor: number): Float64Array {
  const days = Math.max(1, (lastAt - sinceAt) / DAY)
  const rates = new Float64Array(HOURS)
  for (let hour = 0; hour < HOURS; hour++) rates[hour] = Math.max(floor, counts[hour]! / days)
  return rates
}

/**
 * Walks from `from` hour by hour: `reached` is given what one more stretch of a constant rate would bring, and answers how far into
 * that stretch is far enough, or undefined to go on. At most until `until`.
 */
export function walkHours(
  rates: Float64Array,
  from: Instant,
  until: Instant,
  reached: (rate: number, lengthMs: Millis) => Millis | undefined,
): Instant {
  for (let at = from; at < until; ) {
    const end = Math.min(until, (Math.floor(at / HOUR) + 1) * HOUR)
    const into = reached(rates[hourOf(at)]! / HOUR, end - at)
    if (into !== undefined) return at + into
    at = end
  }
  return until
}

/** Entries up to the beginning of each hour of a day, and in all of it: who is asked in every round must not add up each time. */
export function entriesByHour(rates: Float64Array): Float64Array {
  const sums = new Float64Array(HOURS + 1)
  for (let hour = 0; hour < HOURS; hour++) sums[hour + 1] = sums[hour]! + rates[hour]!
  return sums
}

/** Entries expected between two instants. */
export function expectedBetween(sums: Float64Array, from: Instant, to: Instant): number {
  const days = Math.floor(to / DAY) - Math.floor(from / DAY)
  return days * sums[HOURS]! + entriesInDay(sums, to) - entriesInDay(sums, from)
}

function entriesInDay(sums: Float64Array, at: Instant): number {
  const hour = hourOf(at)
  return sums[hour]! + ((sums[hour + 1]! - sums[hour]!) * (at % HOUR)) / HOUR
}

function hourOf(at: Instant): number {
  return Math.floor((at % DAY) / HOUR)
}
