/**
 * One price for all feeds, and a budget that is spent when it is worth most. A budget says how many polls a day there may be.
 * The demand curve (demand.ts) says at which price so many are made; counting corrects the curve, and a debt corrects the rest:
 *
 *   plan       the budget, spread over the hours of the week as feeds publish, no day with more than 1.4 times the mean
 *   debt       polls made beyond the plan so far; a tenth of a day's polls too many makes the next hours a fifth dearer
 *   target     what is to be spent from here on: budget x (1 - 2 debt in days)
 *   price      where forecast x correction meets the target, less what is polled at any price
 *
 * So polls follow expected demand by hour and weekday, and the price hardly moves within a day. Nothing waits in line: a feed
 * whose date has come is asked for its date again where polls have become dearer since, and those go first that save most waiting.
 *
 * What does not follow the price gives way evenly: intervals of strategies that know no price are stretched once they take more
 * than their share, and goals once all of them together take nine tenths of the budget.
 *
 * A named budget also bounds each hour and each day (spending.ts): near these bounds polls become dearer by the minute.
 */
import { DAY, HOUR, type Instant, type Market, MINUTE, type Millis } from '../model/index.ts'
import { curveAt, priceAtWhich } from './demand.ts'
import {
  countedByHour,
  dayPriceFactor,
  meanBetween,
  meanOfDay,
  planShortfall,
  spendingPlan,
  spendingProfile,
  weekSpent,
} from './spending-plan.ts'

/** How often the price is set. */
export const SETTLED_EVERY_MS: Millis = 30 * MINUTE
const FIRST_PRICE: Millis = 30 * MINUTE
/** By how much of the budget the target answers a debt of a day's polls. */
const ANSWER = 1
/** Feeds answer a price when they are polled next: where that takes long, debts are paid slowly, or the price would swing. */
const ANSWER_IN_INTERVALS = 0.5
/** However far behind or ahead of the plan, the target stays within these shares of the budget. */
const LEAST_TARGET = 0.4
const MOST_TARGET = 1.2
/** Debts are forgotten beyond these, in days: a budget is not saved up for long, nor is a flood of first polls paid for weeks. */
const MOST_SAVED = 0.25
const MOST_OWED = 1
/** The target of a day never comes nearer to its bound than this. */
const MOST_OF_DAY_TARGET = 1.45
/** Counted polls correct the forecast: with this half-life, and so many days' polls of belief in the forecast before. */
const CORRECTED_HALF_LIFE: Millis = 4 * DAY
const CORRECTED_INTERVALS = 10
const BELIEF_DAYS = 0.1
const LEAST_CORRECTION = 0.25
const MOST_CORRECTION = 4
const EXTRA_HALF_LIFE: Millis = 12 * HOUR
/** What entries waited corrects the promise: with this half-life, and so many entries of belief in the forecast. */
const DELAYS_HALF_LIFE: Millis = 7 * DAY
const DELAYS_BELIEF = 20
/** After a survey of other feeds, what was counted of those before weighs so much. */
const KEPT_AT_SURVEY = 0.25
/** Goals take so much of the budget at most, and polls at any price so much of what is left for feeds that have a price. */
export const MOST_FOR_GOALS = 0.9
const MOST_AT_ANY_PRICE = 0.5
/** However much others take, so much of the budget follows the price. */
const LEAST_LEFT = 0.05
/** Stretches are rounded up to powers of this, so that few strategies have to be made for them. */
const STRETCH_STEP = 1.02
const MOST_STRETCH = 1000

/** What is aimed at: so many polls a day, at a price that never falls below the least. */
export interface Aim {
  pollsPerDay: number
  leastPrice: Millis
  /** A budget that somebody named: it binds feeds that do not follow the price, too. */
  isNamed: boolean
}

/** Polls that followed the price, and others; and the entries that they found which were published since the poll before. */
export interface Spent {
  following: number
  others: number
  entries?: number
  /** How long all of these waited, added up. */
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

/** Whether the price is to be set anew. */
export function isToSettle({ settledAt }: Market, at: Instant): boolean {
  return at >= settledAt + SETTLED_EVERY_MS || at < settledAt
}

export function counted(market: Market, { following, others, entries = 0, waitedMs = 0 }: Spent): Market {
  return {
    ...market,
    following: market.following + following,
    others: market.others + others,
    entries: market.entries + entries,
    waitedMs: market.waitedMs + waitedMs,
  }
}

/** Compares what was spent since the last time with what was expected, and sets the price. */
export function settleMarket(market: Market, at: Instant, aim: Aim): Market {
  const ranMs = Math.min(DAY, Math.max(0, at - market.settledAt)) // a machine that slept for longer owes nothing
  const now = { ...market, settledAt: at, following: 0, others: 0, entries: 0, waitedMs: 0 }
  return priced(ranMs > 0 ? accounted(market, now, ranMs, aim) : now, at, aim)
}

/** With the price for another survey, or for another aim. */
export function repriced(market: Market, demand: Market['demand'], at: Instant, aim: Aim): Market {
  const kept = KEPT_AT_SURVEY
  return priced(
    { ...market, ...(demand && { demand }), counted: market.counted * kept, expected: market.expected * kept },
    at,
    aim,
  )
}

function accounted(before: Market, now: Market, ranMs: Millis, { pollsPerDay }: Aim): Market {
  const { demand, following, others } = before
  const days = ranMs / DAY
  const from = before.settledAt
  const profile = spendingProfile(before)
  const natural = meanBetween(profile, from, ranMs)
  const plan = meanBetween(spendingPlan(profile), from, ranMs)
  const price = before.price * dayPriceFactor(profile, from)
  const expected = demand ? curveAt(demand.following, price) * natural * days : following
  const expectedOthers = demand ? atAnyPrice(before, price) * natural * days : 0
  const kept = 2 ** (-ranMs / Math.max(CORRECTED_HALF_LIFE, CORRECTED_INTERVALS * intervalOf(before, pollsPerDay)))
  const keptExtra = 2 ** (-ranMs / EXTRA_HALF_LIFE)
  const debt =
    before.debt + following + others - pollsPerDay * plan * planShortfall(before, spendingPlan(profile)) * days
  return {
    ...now,
    counted: before.counted * kept + following,
    expected: before.expected * kept + expected,
    ...(demand && countedByHour(before, from, ranMs, following, curveAt(demand.following, price))),
    extra: before.extra * keptExtra + ((others - expectedOthers) / days) * (1 - keptExtra),
    debt: Math.min(MOST_OWED * pollsPerDay, Math.max(-savedMost(before, pollsPerDay), debt)),
    delays: delaysAfter(before, ranMs),
    week: weekSpent(before, spendingPlan(profile), from, ranMs),
  }
}

function delaysAfter(market: Market, ranMs: Millis): Market['delays'] {
  const { delays, entries, waitedMs } = market
  const forecastMs = forecastDelay(market)
  if (forecastMs === undefined || entries === 0) return delays
  const kept = 2 ** (-ranMs / DELAYS_HALF_LIFE)
  const promisedMs = delayExpected(market) ?? forecastMs
  return {
    entries: delays.entries * kept + entries,
    waitedMs: Math.round(delays.waitedMs * kept + waitedMs),
    forecastMs: Math.round(delays.forecastMs * kept + entries * forecastMs),
    promisedMs: Math.round(delays.promisedMs * kept + entries * promisedMs),
  }
}

/** Polls a day that the forecast says are made at this price by those that do not follow it. */
function atAnyPrice({ demand, stretch, goalStretch }: Market, price: Millis): number {
  return demand ? curveAt(demand.others, price) / stretch + curveAt(demand.goals, price) / goalStretch : 0
}

function priced(market: Market, at: Instant, { pollsPerDay, leastPrice, isNamed }: Aim): Market {
  const { demand } = market
  if (!demand) return { ...market, target: pollsPerDay }
  const target = targetOf(market, at, pollsPerDay)
  const correction = correctionOf(market, pollsPerDay)
  let { price } = market
  let stretch = 1
  let goalStretch = 1
  for (let step = 0; step < 3; step++) {
    const goals = curveAt(demand.goals, price)
    goalStretch = isNamed ? Math.max(1, goals / (MOST_FOR_GOALS * target)) : 1
    const left = target - goals / goalStretch
    const others = Math.max(0, curveAt(demand.others, price) + market.extra)
    const share = demand.unpriced + MOST_AT_ANY_PRICE * (1 - demand.unpriced)
    stretch = isNamed ? stretchOf(others / Math.max(1e-9, share * left)) : 1
    const following = Math.max(LEAST_LEFT * pollsPerDay, left - others / stretch)
    price = Math.max(leastPrice, priceAtWhich(demand.following, following / correction))
  }
  return { ...market, price: Math.round(price), stretch, goalStretch, target }
}

function stretchOf(times: number): number {
  if (!(times > 1)) return 1
  return STRETCH_STEP ** Math.ceil(Math.log(Math.min(MOST_STRETCH, times)) / Math.log(STRETCH_STEP) - 1e-9)
}

/** Polls a day to spend from here on. */
function targetOf(market: Market, at: Instant, pollsPerDay: number): number {
  const most = Math.min(
    MOST_TARGET,
    MOST_OF_DAY_TARGET / Math.max(1, meanOfDay(spendingPlan(spendingProfile(market)), at)),
  )
  const answer = Math.min(ANSWER, (ANSWER_IN_INTERVALS * DAY) / intervalOf(market, pollsPerDay))
  const wished = 1 - (answer * market.debt) / pollsPerDay
  return pollsPerDay * Math.min(Math.max(1, most), Math.max(LEAST_TARGET, wished))
}

/** Feeds that are polled once in some days spend in steps of a whole poll each. */
function savedMost(market: Market, pollsPerDay: number): number {
  return pollsPerDay * Math.max(MOST_SAVED, Math.min(2, intervalOf(market, pollsPerDay) / DAY))
}

/** Between two polls of a feed, in the mean. */
function intervalOf({ demand }: Market, pollsPerDay: number): Millis {
  return ((demand?.feeds ?? 1) * DAY) / pollsPerDay
}

/** How many times as many polls followed the price as were expected. */
function correctionOf({ counted: polls, expected }: Market, pollsPerDay: number): number {
  const belief = BELIEF_DAYS * pollsPerDay
  return Math.min(MOST_CORRECTION, Math.max(LEAST_CORRECTION, (polls + belief) / (expected + belief)))
}

/** Polls a day that are left to those who follow the price. */
export function pollsLeft(market: Market, { pollsPerDay }: Aim): number {
  const others = Math.max(0, atAnyPrice(market, market.price) + market.extra)
  return Math.max(LEAST_LEFT * pollsPerDay, (market.target || pollsPerDay) - others)
}

/** The price at this hour: a day that would take more than its part of the week is dearer, and the others are cheaper for it. */
export function priceAt(market: Market, at: Instant, { leastPrice }: Aim): Millis {
  return Math.max(leastPrice, Math.round(market.price * dayPriceFactor(spendingProfile(market), at)))
}

function forecastDelay({ demand, price }: Market): Millis | undefined {
  return demand && demand.learnt > 0 && demand.delaysMs.length > 0 ? curveAt(demand.delaysMs, price) : undefined
}

/**
 * How long an entry is expected to wait in the mean, at the price of now or at another, by the forecast and by how far it was off
 * of late; undefined until feeds are known, or where strategies cannot tell.
 */
export function delayExpected(market: Market, price: Millis = market.price): Millis | undefined {
  const { waitedMs, forecastMs } = market.delays
  const forecast = forecastDelay({ ...market, price })
  if (forecast === undefined) return undefined
  const belief = DELAYS_BELIEF * forecast
  const off = (waitedMs + belief) / (forecastMs + belief)
  return forecast * Math.min(MOST_CORRECTION, Math.max(LEAST_CORRECTION, off))
}

/** What a budget would buy, by the forecast and what was counted: polls a day, how long an entry waits, and at which price. */
export interface BudgetOutlook {
  pollsPerDay: number
  delayMs?: Millis
  price: Millis
}

/** As the market would set the price for this aim, with nothing owed. */
export function budgetOutlook(market: Market, aim: Aim): BudgetOutlook {
  const set = priced({ ...market, debt: 0 }, market.settledAt, aim)
  const { price, demand } = set
  const following = demand ? curveAt(demand.following, price) * correctionOf(set, aim.pollsPerDay) : 0
  const delayMs = delayExpected(set)
  const pollsPerDay = following + Math.max(0, atAnyPrice(set, price) + set.extra)
  return { pollsPerDay, price, ...(delayMs !== undefined && { delayMs }) }
}
