/** The price of a poll, which is one for all feeds, and what it was found by: expected demand, and polls counted. */
import type { Instant, Millis } from './time.ts'

/** What all feeds together are expected to spend, at each price of a grid (polling/demand.ts). Polls are a day's. */
export interface Demand {
  /** Polls that follow the price. */
  following: number[]
  /** Polls made at any price, at their own pace: of strategies that know no price, and of windows that would overflow. */
  others: number[]
  /** Polls made for goals, if all goals are met. */
  goals: number[]
  /** How long an entry waits in the mean, where strategies can tell. */
  delaysMs: number[]
  /** How polls are spread over the hours of a week, from Monday 00:00 UTC; of mean 1. */
  profile: number[]
  /** The share of feeds whose strategy knows no price. */
  unpriced: number
  /** Of how many feeds, and how many of them had been polled. */
  feeds: number
  learnt: number
  at: Instant
}

/** Polls since `at`, where an hour or a day began. */
export interface PollCounter {
  at: Instant
  polls: number
}

export interface Market {
  /** The budget that somebody named, in polls a day; absent: none. And since when it is that. */
  budget?: number
  since: Instant
  /** For how long one entry may wait before a poll is the lesser evil. */
  price: Millis
  /** How many times their own interval feeds wait that do not follow the price; 1 unless the budget is too small for them. */
  stretch: number
  /** How many times as late as their goal feeds with one may be; 1 unless the budget is too small for all goals. */
  goalStretch: number
  /** Polls a day that the price was set for. */
  target: number
  demand?: Demand
  /** Polls that followed the price, and how many were expected; both fade. Their ratio corrects the forecast. */
  counted: number
  expected: number
  /** The same by hour of the day and by day of the week from Monday, UTC: how far feeds' real hours are off the forecast's. */
  hours?: { counted: number[]; expected: number[] }
  weekdays?: { counted: number[]; expected: number[] }
  /** Polls a day beyond the forecast that did not follow the price: retries, bursts. */
  extra: number
  /** Polls above the budget's plan so far; negative: below it. */
  debt: number
  /** Up to when all of that is counted, and what was counted since. */
  settledAt: Instant
  following: number
  others: number
  entries: number
  waitedMs: Millis
  /** Of entries found of late, which fade: how many, how long they waited, and how long the forecast and the promise said. */
  delays: { entries: number; waitedMs: Millis; forecastMs: Millis; promisedMs: Millis }
  /** Polls in each hour of the last week, by hour of the week, and what the plan had for it, of mean 1. */
  week: { polls: number[]; planned: number[]; since: Instant }
  /** Polls of this hour and of this day, which a named budget bounds. */
  hour: PollCounter
  day: PollCounter
}
