/**
 * Hourly and daily bounds of an explicit budget, whatever strategies do. An hour has at most three times its planned polls,
 * a day at most 1.5 times the budget, and less the more polls were made beyond the plan: where limits and windows demand
 * more than the budget, spending settles there. From half of an hour's bound on, polls become more expensive the less is
 * left, so that the rest goes to the feeds that save most waiting; deferred feeds are due again when the next hour begins.
 *
 * First polls of new feeds are not deferred as long as they take at most 75% of a day's polls, or one hundred.
 */
import { DAY, type FeedId, HOUR, type Instant, type Market, type Millis, type PollCounter } from '../model/index.ts'
import { hourOfWeek } from './demand.ts'
import { spendingPlan, spendingProfile } from './spending-plan.ts'

const MOST_OF_HOUR = 3
/** Minimum for hours with nothing planned. */
const LEAST_OF_PLAN = 0.1
const LEAST_POLLS_AN_HOUR = 2
const MOST_OF_DAY = 1.5
const LEAST_OF_DAY = 0.5
/** Debt that the price repays by itself, in days. What exceeds it reduces the day's bound twice over. */
const DEBT_LEFT_ALONE = 0.2
const DEBT_TAKES = 2
/** Minimum share of a day's polls on the day the budget was set. */
const LEAST_PART = 0.25
/** Polls become more expensive from this share of a bound on. */
const HOUR_DEAR_FROM = 0.5
const DAY_DEAR_FROM = 0.85
const NEARLY = 0.02
const LEAST_FIRST_POLLS = 100
const FIRST_POLLS_OF_DAY = 0.75

export interface Bounds {
  hour: number
  day: number
}

/** `pollsPerDay` is one controller's share of a budget of `of`. */
export function boundsOf(market: Market, at: Instant, pollsPerDay: number, of = pollsPerDay): Bounds {
  const planned = spendingPlan(spendingProfile(market))[hourOfWeek(at)] ?? 1
  const hour = (MOST_OF_HOUR * pollsPerDay * Math.max(LEAST_OF_PLAN, planned)) / 24
  const owed = Math.max(0, market.debt / of - DEBT_LEFT_ALONE)
  const day = Math.max(LEAST_OF_DAY, MOST_OF_DAY - DEBT_TAKES * owed) * partOfDay(market.since, at) * pollsPerDay
  return { hour: Math.max(LEAST_POLLS_AN_HOUR, Math.floor(hour)), day: Math.max(1, Math.floor(day)) }
}

/** Share of the day that was left when the budget was set. */
function partOfDay(since: Instant, at: Instant): number {
  const midnight = Math.floor(at / DAY) * DAY
  return since <= midnight ? 1 : Math.max(LEAST_PART, (midnight + DAY - since) / DAY)
}

/** Polls of this hour and this day so far. */
export interface Spending {
  hour: PollCounter
  day: PollCounter
}

export function spendingAfter({ hour, day }: Spending, polls: number, at: Instant): Spending {
  return { hour: counterAfter(hour, polls, at, HOUR), day: counterAfter(day, polls, at, DAY) }
}

function counterAfter(counter: PollCounter, polls: number, at: Instant, lengthMs: Millis): PollCounter {
  const from = Math.floor(at / lengthMs) * lengthMs
  const before = counter.at >= from && counter.at < from + lengthMs ? counter.polls : 0
  return { at: from, polls: before + polls }
}

/** Factor on the price caused by the bounds; undefined if no polls are left. */
export function scarcity(spending: Spending, bounds: Bounds, at: Instant): number | undefined {
  const { hour, day } = spendingAfter(spending, 0, at)
  const [hourUsed, dayUsed] = [hour.polls / bounds.hour, day.polls / bounds.day]
  if (hourUsed >= 1 || dayUsed >= 1) return undefined
  return Math.max(dearer(hourUsed, HOUR_DEAR_FROM), dearer(dayUsed, DAY_DEAR_FROM))
}

/** Polls go with the square root of the price: at 90% of a bound a fifth of them is left. */
function dearer(used: number, from: number): number {
  return used <= from ? 1 : ((1 - from) / (1 - used + NEARLY * (1 - from))) ** 2
}

export function nextHourAt(at: Instant): Instant {
  return (Math.floor(at / HOUR) + 1) * HOUR
}

/** Which first polls are made at once. */
export interface FirstPolls {
  /**
   * Whether this feed's first poll is granted. The answer stays the same until the poll is made, since the feed may wait for
   * its host.
   */
  grants(id: FeedId, now: Instant): boolean
  /** When the next one is granted; each call returns a later date. */
  nextAt(now: Instant): Instant
}

export function createFirstPolls(pollsPerDay: () => number, startedAt: Instant): FirstPolls {
  let left = Number.POSITIVE_INFINITY
  let countedAt = startedAt
  let promisedAt = startedAt
  const granted = new Set<FeedId>()
  const most = () => Math.max(LEAST_FIRST_POLLS, FIRST_POLLS_OF_DAY * pollsPerDay())

  return {
    grants(id, now) {
      if (granted.has(id)) return true
      left = Math.min(most(), left + (Math.max(0, now - countedAt) / DAY) * most())
      countedAt = now
      if (left < 1) return false
      left--
      if (granted.size >= most()) granted.clear()
      granted.add(id)
      return true
    },
    nextAt(now) {
      promisedAt = Math.ceil(Math.max(now, promisedAt) + DAY / most())
      return promisedAt
    },
  }
}
