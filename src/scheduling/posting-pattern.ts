/**
 * A feed's posting history by hour and weekday (Adam et al. 2010, section III.B: "per hour and per day"): how many entries
 * came in each hour of the day and on each day of the week, over the observed time. No rate is zero: a feed that was silent
 * for a day must be polled again.
 *
 * The rate of an hour of the week is the rate of its hour of day times a factor for its weekday. Four weeks show each of the
 * 168 hours of a week only four times: a table of them predicts worse than the hours alone, and this product better. Weekday
 * factors are shrunk towards 1, so a feed with few entries follows its hours.
 */
import { DAY, HOUR, type Instant, type Memory, type Millis } from '../model/index.ts'
import { decodeDoubles, encodeDoubles } from './memory-encoding.ts'
import { newEntryDates } from './observation.ts'
import type { Observation } from './strategy.ts'

export interface PostingPattern {
  /** Start of the observed time, and the last poll. */
  sinceAt: Instant
  lastAt: Instant
  /** Entries in each hour of the day, UTC. */
  hours: Float64Array
  /** Entries on each day of the week from Monday, UTC. */
  weekdays: Float64Array
}

const HOURS = 24
const WEEKDAYS = 7
const WEEK = WEEKDAYS * DAY
const MONDAY = 4 * DAY // 5 January 1970

/** Prior weight of equal weekdays, in entries per weekday. Of 0.5 to 32, 4 and 8 predict best; with 8, entries wait least. */
const PRIOR_ENTRIES = 8

/** Decodes a pattern followed by `more` numbers of the strategy; undefined if the bytes have another length. */
export function decodePattern(
  memory: Memory,
  extraNumbers: number,
): { pattern: PostingPattern; rest: Float64Array } | undefined {
  const numbers = decodeDoubles(memory)
  const [sinceAt = 0, lastAt = 0] = numbers ?? []
  const hours = numbers?.subarray(2, 2 + HOURS)
  if (hours && numbers?.length === 2 + HOURS + WEEKDAYS + extraNumbers) {
    const weekdays = numbers.subarray(2 + HOURS, 2 + HOURS + WEEKDAYS)
    return { pattern: { sinceAt, lastAt, hours, weekdays }, rest: numbers.subarray(2 + HOURS + WEEKDAYS) }
  }
  if (hours && numbers?.length === 2 + HOURS + extraNumbers) {
    // memories of earlier versions have no weekdays: each gets its share of the observed time
    const entries = hours.reduce((sum, count) => sum + count, 0)
    const weekdays = observedByWeekday(sinceAt, lastAt).map((share) => share * entries)
    return { pattern: { sinceAt, lastAt, hours, weekdays }, rest: numbers.subarray(2 + HOURS) }
  }
  return undefined
}

export function encodePattern({ sinceAt, lastAt, hours, weekdays }: PostingPattern, extra: readonly number[]): Memory {
  return encodeDoubles([sinceAt, lastAt, ...hours, ...weekdays, ...extra])
}

export function updatePattern(before: PostingPattern | undefined, observation: Observation): PostingPattern {
  const { at, window } = observation
  const times = before ? newEntryDates(observation) : window.map((publishedAt) => Math.min(publishedAt, at))
  const hours = before ? before.hours.slice() : new Float64Array(HOURS)
  const weekdays = before ? before.weekdays.slice() : new Float64Array(WEEKDAYS)
  for (const publishedAt of times) {
    const hour = hourOfWeek(publishedAt)
    hours[hour % HOURS]! += 1
    weekdays[Math.floor(hour / HOURS)]! += 1
  }
  return { sinceAt: before?.sinceAt ?? Math.min(times[0] ?? at, at - DAY), lastAt: at, hours, weekdays }
}

/** Entries per hour. What exceeds the floor varies with the weekday. */
export interface PostingRates {
  floor: number
  /** On an average day, above the floor. */
  hours: Float64Array
  /** Factor for each weekday, of mean 1, so that a week has as many entries as by hours alone. */
  weekdays: Float64Array
}

export function postingRates({ sinceAt, lastAt, hours, weekdays }: PostingPattern, floor: number): PostingRates {
  const days = Math.max(1, (lastAt - sinceAt) / DAY)
  const observedDays = observedByWeekday(sinceAt, lastAt)
  const entries = weekdays.reduce((sum, count) => sum + count, 0)
  const busier = weekdays.map((count, day) => (count + PRIOR_ENTRIES) / (entries * observedDays[day]! + PRIOR_ENTRIES))
  const mean = busier.reduce((sum, times) => sum + times, 0) / WEEKDAYS
  return {
    floor,
    hours: hours.map((count) => Math.max(0, count / days - floor)),
    weekdays: busier.map((times) => times / mean),
  }
}

/** On an average day. */
export function entriesPerDay({ floor, hours }: PostingRates): number {
  return hours.reduce((sum, rate) => sum + rate, HOURS * floor)
}

/** Share of the time between two instants that fell on each weekday. Sums to 1. */
function observedByWeekday(from: Instant, to: Instant): Float64Array {
  const span = to - from
  if (!(span > 0)) return new Float64Array(WEEKDAYS).fill(1 / WEEKDAYS)
  const weeks = Math.floor(span / WEEK)
  const watched = new Float64Array(WEEKDAYS).fill(weeks * DAY)
  let at = from + weeks * WEEK
  for (let days = 0; days <= WEEKDAYS && at < to; days++) {
    const end = Math.min(to, (Math.floor(at / DAY) + 1) * DAY)
    watched[Math.floor(hourOfWeek(at) / HOURS)]! += end - at
    at = end
  }
  return watched.map((time) => time / span)
}

/**
 * Walks from `from` to `until`, hour by hour. `reached` gets the rate and length of the next interval of constant rate and
 * returns how far into it to stop, or undefined to continue.
 */
export function walkHours(
  { floor, hours, weekdays }: PostingRates,
  from: Instant,
  until: Instant,
  reached: (rate: number, lengthMs: Millis) => Millis | undefined,
): Instant {
  for (let at = from; at < until; ) {
    const end = Math.min(until, (Math.floor(at / HOUR) + 1) * HOUR)
    const hour = hourOfWeek(at)
    const rate = floor + hours[hour % HOURS]! * weekdays[Math.floor(hour / HOURS)]!
    const intoHour = reached(rate / HOUR, end - at)
    if (intoHour !== undefined) return at + intoHour
    at = end
  }
  return until
}

/** Cumulative rates per hour of the day and per day of the week, so that ranking in every round need not add them up again. */
export function cumulativeRates({ floor, hours, weekdays }: PostingRates): PostingRates {
  return { floor, hours: cumulativeSums(hours), weekdays: cumulativeSums(weekdays) }
}

function cumulativeSums(rates: Float64Array): Float64Array {
  const sums = new Float64Array(rates.length + 1)
  for (const [i, rate] of rates.entries()) sums[i + 1] = sums[i]! + rate
  return sums
}

/** Entries expected between two instants. */
export function expectedBetween(sums: PostingRates, from: Instant, to: Instant): number {
  const weeks = Math.floor((to - MONDAY) / WEEK) - Math.floor((from - MONDAY) / WEEK)
  const above =
    weeks * sums.hours[HOURS]! * sums.weekdays[WEEKDAYS]! + entriesInWeek(sums, to) - entriesInWeek(sums, from)
  return above + (sums.floor * (to - from)) / HOUR
}

/** Above the floor, since Monday. */
function entriesInWeek({ hours, weekdays }: PostingRates, at: Instant): number {
  const hourInWeek = hourOfWeek(at)
  const day = Math.floor(hourInWeek / HOURS)
  const hour = hourInWeek % HOURS
  const today = hours[hour]! + (hours[hour + 1]! - hours[hour]!) * (at / HOUR - Math.floor(at / HOUR))
  return weekdays[day]! * hours[HOURS]! + (weekdays[day + 1]! - weekdays[day]!) * today
}

/** Since Monday; also works for dates before 1970. */
function hourOfWeek(at: Instant): number {
  const sinceMonday = (at - MONDAY) % WEEK
  return Math.floor((sinceMonday < 0 ? sinceMonday + WEEK : sinceMonday) / HOUR)
}
