/**
 * Sets one price for all feeds so that the budget (polls per day) is spent where it is worth most. The demand curve
 * (demand.ts) predicts how many polls are made at each price; counted polls correct the curve, and debt corrects what
 * remains:
 *
 *   plan       the budget, spread over the hours of the week as feeds publish; no day exceeds 1.4 times the mean
 *   debt       polls made beyond the plan so far; 10% of a day's polls in debt raises the next hours' price by a fifth
 *   target     polls to spend from now on: budget x (1 - 2 debt in days)
 *   price      where forecast x correction equals the target, minus polls made at any price
 *
 * Polls therefore follow expected demand by hour and weekday, while the price is nearly constant within a day. There is no
 * queue: if polls became more expensive since a feed's date was set, the date is computed again when it comes, and the polls
 * that save most waiting are made first.
 *
 * Whatever does not follow the price is slowed down evenly: strategies that ignore the price get longer intervals once they
 * take more than their share, and goals once all of them together take 90% of the budget.
 *
 * An explicit budget also limits each hour and each day (budget-bounds.ts): near these bounds polls become more expensive.
 */
import { DAY, HOUR, type Instant, type Market, MINUTE, type Millis } from '../model/index.ts'
import { interpolateCurve, priceForPolls } from './demand.ts'
import {
  countByHour,
  dayPriceFactor,
  meanBetween,
  meanOfDay,
  planShortfall,
  spendingPlan,
  spendingProfile,
  updateWeek,
} from './spending-plan.ts'

/** How often the price is set. */
export const SETTLEMENT_INTERVAL_MS: Millis = 30 * MINUTE
const FIRST_PRICE: Millis = 30 * MINUTE
/** Share of the budget by which the target reacts to a debt of one day's polls. */
const DEBT_RESPONSE = 1
/** Feeds react to a price only at their next poll. With long intervals debts are repaid slowly, or the price would oscillate. */
const DEBT_RESPONSE_INTERVALS = 0.5
/** The target stays within these shares of the budget, whatever the debt. */
const MIN_TARGET = 0.4
const MAX_TARGET = 1.2
/**
 * Limits of savings and debt, in days of budget: a budget is not saved up, and a flood of first polls is not repaid for
 * weeks.
 */
const MAX_SAVED_DAYS = 0.25
const MAX_OWED_DAYS = 1
/** The target of a day keeps this distance from the day's bound. */
const MAX_DAY_TARGET = 1.45
/** Half-life of the polls that correct the forecast, and days' worth of polls the forecast counts for as a prior. */
const CORRECTION_HALF_LIFE: Millis = 4 * DAY
const CORRECTION_INTERVALS = 10
const PRIOR_DAYS = 0.1
const MIN_CORRECTION = 0.25
const MAX_CORRECTION = 4
const EXTRA_HALF_LIFE: Millis = 12 * HOUR
/** Half-life of the waiting times that correct the expected delay, and entries the forecast counts for as a prior. */
const DELAYS_HALF_LIFE: Millis = 7 * DAY
const DELAYS_PRIOR = 20
/** Weight of earlier counts after a survey of different feeds. */
const WEIGHT_AFTER_SURVEY = 0.25
/** Maximum share of the budget for goals, and of the rest for polls made at any price by strategies that follow the price. */
export const MAX_SHARE_FOR_GOALS = 0.9
const MAX_SHARE_AT_ANY_PRICE = 0.5
/** Minimum share of the budget that follows the price. */
const MIN_SHARE_PRICED = 0.05
/** Stretch factors are rounded up to powers of this, so that few different strategies are built. */
const STRETCH_STEP = 1.02
const MAX_STRETCH = 1000

/** What the market aims for: polls per day, and a minimum price. */
export interface BudgetTarget {
  pollsPerDay: number
  minPrice: Millis
  /** The operator set the budget: it also binds feeds that do not follow the price. */
  isExplicit: boolean
}

/** Polls that followed the price and others, and the entries published since the previous poll that they found. */
export interface PollSpending {
  following: number
  others: number
  entries?: number
  /** Their total waiting time. */
  waitedMs?: Millis
}

export function openMarket(at: Instant, price: Millis = FIRST_PRICE): Market {
  return {
    since: at,
    price,
    stretch: 1,
    goalStretch: 1,
    target: 0,
    counted: 0,
    expected: 0,
    extra: 0,
    debt: 0,
    settledAt: at,
    following: 0,
    others: 0,
    entries: 0,
    waitedMs: 0,
    delays: { entries: 0, waitedMs: 0, forecastMs: 0, promisedMs: 0 },
    week: { polls: [], planned: [], since: at },
    hour: { at, polls: 0 },
    day: { at, polls: 0 },
  }
}

/** Whether the price is due to be set. */
export function isSettlementDue({ settledAt }: Market, at: Instant): boolean {
  return at >= settledAt + SETTLEMENT_INTERVAL_MS || at < settledAt
}

export function countPolls(market: Market, { following, others, entries = 0, waitedMs = 0 }: PollSpending): Market {
  return {
    ...market,
    following: market.following + following,
    others: market.others + others,
    entries: market.entries + entries,
    waitedMs: market.waitedMs + waitedMs,
  }
}

/** Compares spending since the last settlement with what was expected, and sets the price. */
export function settleMarket(market: Market, at: Instant, target: BudgetTarget): Market {
  const ranMs = Math.min(DAY, Math.max(0, at - market.settledAt)) // a machine that slept for longer has no debt for it
  const now = { ...market, settledAt: at, following: 0, others: 0, entries: 0, waitedMs: 0 }
  return setPrice(ranMs > 0 ? accountSpending(market, now, ranMs, target) : now, at, target)
}

/** Sets the price again after a new survey, or for another target. */
export function repriceMarket(market: Market, demand: Market['demand'], at: Instant, target: BudgetTarget): Market {
  const weight = WEIGHT_AFTER_SURVEY
  return setPrice(
    { ...market, ...(demand && { demand }), counted: market.counted * weight, expected: market.expected * weight },
    at,
    target,
  )
}

function accountSpending(before: Market, now: Market, ranMs: Millis, { pollsPerDay }: BudgetTarget): Market {
  const { demand, following, others: unpricedPolls } = before
  const days = ranMs / DAY
  const from = before.settledAt
  const profile = spendingProfile(before)
  const natural = meanBetween(profile, from, ranMs)
  const plan = meanBetween(spendingPlan(profile), from, ranMs)
  const price = before.price * dayPriceFactor(profile, from)
  const expected = demand ? interpolateCurve(demand.following, price) * natural * days : following
  const expectedOthers = demand ? pollsAtAnyPrice(before, price) * natural * days : 0
  const weight =
    2 ** (-ranMs / Math.max(CORRECTION_HALF_LIFE, CORRECTION_INTERVALS * meanInterval(before, pollsPerDay)))
  const weightExtra = 2 ** (-ranMs / EXTRA_HALF_LIFE)
  const debt =
    before.debt + following + unpricedPolls - pollsPerDay * plan * planShortfall(before, spendingPlan(profile)) * days
  return {
    ...now,
    counted: before.counted * weight + following,
    expected: before.expected * weight + expected,
    ...(demand && countByHour(before, from, ranMs, following, interpolateCurve(demand.following, price))),
    extra: before.extra * weightExtra + ((unpricedPolls - expectedOthers) / days) * (1 - weightExtra),
    debt: Math.min(MAX_OWED_DAYS * pollsPerDay, Math.max(-maxSavings(before, pollsPerDay), debt)),
    delays: updateDelays(before, ranMs),
    week: updateWeek(before, spendingPlan(profile), from, ranMs),
  }
}

function updateDelays(market: Market, ranMs: Millis): Market['delays'] {
  const { delays, entries, waitedMs } = market
  const forecastMs = forecastDelay(market)
  if (forecastMs === undefined || entries === 0) return delays
  const weight = 2 ** (-ranMs / DELAYS_HALF_LIFE)
  const promisedMs = delayExpected(market) ?? forecastMs
  return {
    entries: delays.entries * weight + entries,
    waitedMs: Math.round(delays.waitedMs * weight + waitedMs),
    forecastMs: Math.round(delays.forecastMs * weight + entries * forecastMs),
    promisedMs: Math.round(delays.promisedMs * weight + entries * promisedMs),
  }
}

/** Forecast of polls per day that do not follow the price, at this price. */
function pollsAtAnyPrice({ demand, stretch, goalStretch }: Market, price: Millis): number {
  return demand
    ? interpolateCurve(demand.others, price) / stretch + interpolateCurve(demand.goals, price) / goalStretch
    : 0
}

function setPrice(market: Market, at: Instant, { pollsPerDay, minPrice, isExplicit }: BudgetTarget): Market {
  const { demand } = market
  if (!demand) return { ...market, target: pollsPerDay }
  const target = spendingTarget(market, at, pollsPerDay)
  const correction = demandCorrection(market, pollsPerDay)
  let { price } = market
  let stretch = 1
  let goalStretch = 1
  for (let step = 0; step < 3; step++) {
    const goals = interpolateCurve(demand.goals, price)
    goalStretch = isExplicit ? Math.max(1, goals / (MAX_SHARE_FOR_GOALS * target)) : 1
    const available = target - goals / goalStretch
    const unpricedPolls = Math.max(0, interpolateCurve(demand.others, price) + market.extra)
    const share = demand.unpriced + MAX_SHARE_AT_ANY_PRICE * (1 - demand.unpriced)
    stretch = isExplicit ? roundStretch(unpricedPolls / Math.max(1e-9, share * available)) : 1
    const following = Math.max(MIN_SHARE_PRICED * pollsPerDay, available - unpricedPolls / stretch)
    price = Math.max(minPrice, priceForPolls(demand.following, following / correction))
  }
  return { ...market, price: Math.round(price), stretch, goalStretch, target }
}

function roundStretch(times: number): number {
  if (!(times > 1)) return 1
  return STRETCH_STEP ** Math.ceil(Math.log(Math.min(MAX_STRETCH, times)) / Math.log(STRETCH_STEP) - 1e-9)
}

/** Polls per day to spend from now on. */
function spendingTarget(market: Market, at: Instant, pollsPerDay: number): number {
  const maxTarget = Math.min(
    MAX_TARGET,
    MAX_DAY_TARGET / Math.max(1, meanOfDay(spendingPlan(spendingProfile(market)), at)),
  )
  const response = Math.min(DEBT_RESPONSE, (DEBT_RESPONSE_INTERVALS * DAY) / meanInterval(market, pollsPerDay))
  const fraction = 1 - (response * market.debt) / pollsPerDay
  return pollsPerDay * Math.min(Math.max(1, maxTarget), Math.max(MIN_TARGET, fraction))
}

/** At least one interval's worth: a feed polled every few days spends a whole poll at a time. */
function maxSavings(market: Market, pollsPerDay: number): number {
  return pollsPerDay * Math.max(MAX_SAVED_DAYS, Math.min(2, meanInterval(market, pollsPerDay) / DAY))
}

/** Mean interval between two polls of a feed. */
function meanInterval({ demand }: Market, pollsPerDay: number): Millis {
  return ((demand?.feeds ?? 1) * DAY) / pollsPerDay
}

/** Ratio of counted to expected polls that followed the price. */
function demandCorrection({ counted: polls, expected }: Market, pollsPerDay: number): number {
  const belief = PRIOR_DAYS * pollsPerDay
  return Math.min(MAX_CORRECTION, Math.max(MIN_CORRECTION, (polls + belief) / (expected + belief)))
}

/** Polls per day that remain for feeds that follow the price. */
export function remainingPolls(market: Market, { pollsPerDay }: BudgetTarget): number {
  const unpricedPolls = Math.max(0, pollsAtAnyPrice(market, market.price) + market.extra)
  return Math.max(MIN_SHARE_PRICED * pollsPerDay, (market.target || pollsPerDay) - unpricedPolls)
}

/**
 * The price at this hour. A day whose demand exceeds its share of the week is more expensive, and the other days are cheaper
 * for it.
 */
export function priceAt(market: Market, at: Instant, { minPrice }: BudgetTarget): Millis {
  return Math.max(minPrice, Math.round(market.price * dayPriceFactor(spendingProfile(market), at)))
}

function forecastDelay({ demand, price }: Market): Millis | undefined {
  return demand && demand.learnt > 0 && demand.delaysMs.length > 0
    ? interpolateCurve(demand.delaysMs, price)
    : undefined
}

/**
 * Expected mean waiting time of an entry at the current or another price: the forecast, corrected by its recent error.
 * Undefined until feeds are known, or if strategies give no forecast.
 */
export function delayExpected(market: Market, price: Millis = market.price): Millis | undefined {
  const { waitedMs, forecastMs } = market.delays
  const forecast = forecastDelay({ ...market, price })
  if (forecast === undefined) return undefined
  const belief = DELAYS_PRIOR * forecast
  const deviation = (waitedMs + belief) / (forecastMs + belief)
  return forecast * Math.min(MAX_CORRECTION, Math.max(MIN_CORRECTION, deviation))
}

/** What a budget would buy, by the forecast and the counted polls: polls per day, mean waiting time, price. */
export interface BudgetOutlook {
  pollsPerDay: number
  delayMs?: Millis
  price: Millis
}

/** Sets the price for this target as the market would, without debt. */
export function budgetOutlook(market: Market, target: BudgetTarget): BudgetOutlook {
  const priced = setPrice({ ...market, debt: 0 }, market.settledAt, target)
  const { price, demand } = priced
  const following = demand
    ? interpolateCurve(demand.following, price) * demandCorrection(priced, target.pollsPerDay)
    : 0
  const delayMs = delayExpected(priced)
  const pollsPerDay = following + Math.max(0, pollsAtAnyPrice(priced, price) + priced.extra)
  return { pollsPerDay, price, ...(delayMs !== undefined && { delayMs }) }
}
