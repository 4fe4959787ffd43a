/** The price of a poll, common to all feeds, with the expected demand and the counted polls from which it was computed. */
import type { Instant, Millis } from './time.ts'

/** Expected polls per day of all feeds, at each price of a grid (scheduling/demand.ts). */
export interface Demand {
  /** Polls that depend on the price. */
  following: number[]
  /** Polls that do not: of strategies without a price, and of windows that would overflow. */
  others: number[]
  /** Polls needed to meet all goals. */
  goals: number[]
  /** Mean waiting time of an entry, where strategies can predict it. */
  delaysMs: number[]
  /** Distribution of polls over the hours of a week, from Monday 00:00 UTC; mean 1. */
  profile: number[]
  /** The share of feeds whose strategy ignores the price. */
  unpriced: number
  /** The number of feeds, and how many of them have been polled. */
  feeds: number
  learnt: number
  at: Instant
}

/** Polls since `at`, the start of an hour or a day. */
export interface PollCounter {
  at: Instant
  polls: number
}

export interface Market {
  /** The configured budget in polls per day, if any, and since when it applies. */
  budget?: number
  since: Instant
  /** How long one entry may wait before a poll is cheaper. */
  price: Millis
  /** Multiplies the intervals of feeds that ignore the price; above 1 only if the budget is too small for them. */
  stretch: number
  /** Multiplies the goals of feeds; above 1 only if the budget is too small for all goals. */
  goalStretch: number
  /** Polls per day the price was set for. */
  target: number
  demand?: Demand
  /** Price-dependent polls counted and expected, both exponentially decayed. Their ratio corrects the forecast. */
  counted: number
  expected: number
  /** The same by hour of the day and by day of the week from Monday, UTC. */
  hours?: { counted: number[]; expected: number[] }
  weekdays?: { counted: number[]; expected: number[] }
  /** Polls per day beyond the forecast that did not depend on the price: retries, bursts. */
  extra: number
  /** Polls above the budget's plan so far; negative: below. */
  debt: number
  /** Everything before this time is included above; the counts since then follow. */
  settledAt: Instant
  following: number
  others: number
  entries: number
  waitedMs: Millis
  /** Recently found entries, exponentially decayed: their number, and their actual, forecast and promised delays. */
  delays: { entries: number; waitedMs: Millis; forecastMs: Millis; promisedMs: Millis }
  /** Polls in each hour of the last week, by hour of the week, and the planned distribution, mean 1. */
  week: { polls: number[]; planned: number[]; since: Instant }
  /** Polls of the current hour and day, limited by a configured budget. */
  hour: PollCounter
  day: PollCounter
}
