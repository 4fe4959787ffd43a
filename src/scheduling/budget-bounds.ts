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

const MAX_HOUR_FACTOR = 3
/** Minimum for hours with nothing planned. */
const MIN_PLAN = 0.1
const MIN_POLLS_PER_HOUR = 2
const MAX_DAY_FACTOR = 1.5
const MIN_DAY_FACTOR = 0.5
/** Debt that the price repays by itself, in days. What exceeds it reduces the day's bound twice over. */
const TOLERATED_DEBT_DAYS = 0.2
const DEBT_FACTOR = 2
/** Minimum share of a day's polls on the day the budget was set. */
const MIN_PART_OF_DAY = 0.25
/** Polls become more expensive from this share of a bound on. */
const HOUR_SCARCE_FROM = 0.5
const DAY_SCARCE_FROM = 0.85
const SCARCITY_EPSILON = 0.02
const MIN_FIRST_POLLS = 100
const FIRST_POLLS_SHARE = 0.75

export interface BudgetBounds {
  hour: number
  day: number
}

/** `pollsPerDay` is one controller's share of a budget of `of`. */
export function budgetBounds(market: Market, at: Instant, pollsPerDay: number, of = pollsPerDay): BudgetBounds {
  const planned = spendingPlan(spendingProfile(market))[hourOfWeek(at)] ?? 1
  const hour = (MAX_HOUR_FACTOR * pollsPerDay * Math.max(MIN_PLAN, planned)) / 24
  const owed = Math.max(0, market.debt / of - TOLERATED_DEBT_DAYS)
  const day = Math.max(MIN_DAY_FACTOR, MAX_DAY_FACTOR - DEBT_FACTOR * owed) * partOfDay(market.since, at) * pollsPerDay
  return { hour: Math.max(MIN_POLLS_PER_HOUR, Math.floor(hour)), day: Math.max(1, Math.floor(day)) }
}

/** Share of the day that was left when the budget was set. */
function partOfDay(since: Instant, at: Instant): number {
  const midnight = Math.floor(at / DAY) * DAY
  return since <= midnight ? 1 : Math.max(MIN_PART_OF_DAY, (midnight + DAY - since) / DAY)
}

/** Polls of this hour and this day so far. */
export interface Spending {
  hour: PollCounter
  day: PollCounter
}

export function addPolls({ hour, day }: Spending, polls: number, at: Instant): Spending {
  return { hour: addToCounter(hour, polls, at, HOUR), day: addToCounter(day, polls, at, DAY) }
}

function addToCounter(counter: PollCounter, polls: number, at: Instant, lengthMs: Millis): PollCounter {
  const from = Math.floor(at / lengthMs) * lengthMs
  const before = counter.at >= from && counter.at < from + lengthMs ? counter.polls : 0
  return { at: from, polls: before + polls }
}

/** Factor on the price caused by the bounds; undefined if no polls are left. */
export function scarcityFactor(spending: Spending, bounds: BudgetBounds, at: Instant): number | undefined {
  const { hour, day } = addPolls(spending, 0, at)
  const [hourUsed, dayUsed] = [hour.polls / bounds.hour, day.polls / bounds.day]
  if (hourUsed >= 1 || dayUsed >= 1) return undefined
  return Math.max(priceFactor(hourUsed, HOUR_SCARCE_FROM), priceFactor(dayUsed, DAY_SCARCE_FROM))
}

/** Polls go with the square root of the price: at 90% of a bound a fifth of them is left. */
function priceFactor(used: number, from: number): number {
  return used <= from ? 1 : ((1 - from) / (1 - used + SCARCITY_EPSILON * (1 - from))) ** 2
}

export function nextHourAt(at: Instant): Instant {
  return (Math.floor(at / HOUR) + 1) * HOUR
}

/** Which first polls are made at once. */
export interface FirstPollQuota {
  /**
   * Whether this feed's first poll is granted. The answer stays the same until the poll is made, since the feed may wait for
   * its host.
   */
  grants(id: FeedId, now: Instant): boolean
  /** When the next one is granted; each call returns a later date. */
  nextAt(now: Instant): Instant
}

export function createFirstPollQuota(pollsPerDay: () => number, startedAt: Instant): FirstPollQuota {
  let remaining = Number.POSITIVE_INFINITY
  let countedAt = startedAt
  let promisedAt = startedAt
  const grantedPolls = new Set<FeedId>()
  const maxPolls = () => Math.max(MIN_FIRST_POLLS, FIRST_POLLS_SHARE * pollsPerDay())

  return {
    grants(id, now) {
      if (grantedPolls.has(id)) return true
      remaining = Math.min(maxPolls(), remaining + (Math.max(0, now - countedAt) / DAY) * maxPolls())
      countedAt = now
      if (remaining < 1) return false
      remaining--
      if (grantedPolls.size >= maxPolls()) grantedPolls.clear()
      grantedPolls.add(id)
      return true
    },
    nextAt(now) {
      promisedAt = Math.ceil(Math.max(now, promisedAt) + DAY / maxPolls())
      return promisedAt
    },
  }
}
