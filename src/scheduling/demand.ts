/**
 * Forecasts what all feeds together would spend. A sample of feeds is asked how their polls would spread over a week at each
 * price of a grid. Added up, that gives a demand curve (polls per day by price) and a profile (polls by hour of the week).
 * The market reads the price off the curve, and spends the budget by the profile.
 *
 * A feed that was never polled counts as a typical one; the survey is repeated when first polls have taught more.
 */
import { DAY, type Demand, HOUR, type Instant, type Memory, type Millis } from '../model/index.ts'
import { followsPrice, type Strategy, type Terms, type WeekForecast } from './strategy.ts'

/** The grid reaches from where minimum intervals bind to where maximum intervals do. */
const MIN_PRICE: Millis = 500
const PRICE_STEP = 3
export const PRICES: readonly Millis[] = Array.from({ length: 18 }, (_, i) => MIN_PRICE * PRICE_STEP ** i)
export const WEEK_HOURS = 168
const MONDAY: Instant = 96 * HOUR // 1970-01-05

/** Sample size. With more feeds, every second or third is asked. Feeds with goals are all asked. */
const MAX_SAMPLE = 200
const QUARTERS = [0, 6, 12, 18]
const QUARTER_MS: Millis = 6 * HOUR
/** After this many polls in a quarter, the rest of the quarter is extrapolated. */
const MAX_POLLS_IN_QUARTER = 6
/**
 * Our estimate: half of real feeds have an entry in six days, and the mean is two a day; weighted by the square root of the
 * rates.
 */
const TYPICAL_GAPS_DAYS = [2.4, 0.6, 3.9, 1.7, 0.2, 4.8, 2.9, 1.1, 2.2, 2.4]
/** A survey is repeated when the number of feeds, or of polled feeds, changes by this factor; and after a day. */
const CHANGE_FACTOR = 1.25
const STALE_AFTER_MS: Millis = DAY

export interface SurveyedFeed {
  strategy: Strategy
  /** For a feed that was never polled, the memory of a typical one. */
  memory: Memory
  lastAt: Instant
  /** The terms at this price, without stretch. */
  termsAt(price: Millis): Terms
  /** Number of feeds this one represents. */
  weight: number
}

export interface Survey {
  addFeed(feed: SurveyedFeed): void
  /** `pollsPerDay`: the profile is taken at the price at which about this many polls are made. */
  result(of: { feeds: number; learnt: number; at: Instant }, pollsPerDay: number): Demand
}

/** Of `feeds` feeds, every n-th is asked. */
export function samplingInterval(feeds: number): number {
  return Math.max(1, Math.ceil(feeds / MAX_SAMPLE))
}

export function createSurvey(): Survey {
  const byPrice = PRICES.map(() => ({
    following: 0,
    others: 0,
    goals: 0,
    entries: 0,
    waitedMs: 0,
    hours: new Float64Array(WEEK_HOURS),
  }))
  let unpriced = 0
  let totalWeight = 0

  function addFeed({ strategy, memory, lastAt, termsAt, weight }: SurveyedFeed): void {
    totalWeight += weight
    if (!followsPrice(strategy, memory, lastAt)) unpriced += weight
    let unpricedWeek: WeekForecast | undefined
    for (const [i, price] of PRICES.entries()) {
      const sums = byPrice[i]!
      const terms = termsAt(price)
      const week: WeekForecast = unpricedWeek ?? forecastWeek(strategy, memory, lastAt, terms)
      if (!strategy.priced) unpricedWeek = week
      for (let hour = 0; hour < WEEK_HOURS; hour++) sums.hours[hour]! += weight * week.polls[hour]!
      const polls = weight * perDay(week.polls)
      if (week.forGoal) sums.goals += polls
      else {
        sums.others += weight * week.atAnyPrice
        sums.following += Math.max(0, polls - weight * week.atAnyPrice)
      }
      sums.entries += weight * week.entries
      sums.waitedMs += weight * week.entries * week.delayMs
    }
  }

  return {
    addFeed,
    result({ feeds, learnt, at }, pollsPerDay) {
      const atBudget = byPrice.find(({ following, others, goals }) => following + others + goals <= pollsPerDay)
      const { hours } = atBudget ?? byPrice.at(-1)!
      return {
        following: byPrice.map((sums) => roundToFourDigits(sums.following)),
        others: byPrice.map((sums) => roundToFourDigits(sums.others)),
        goals: byPrice.map((sums) => roundToFourDigits(sums.goals)),
        delaysMs: byPrice.flatMap(({ waitedMs, entries }) => (entries > 0 ? [Math.round(waitedMs / entries)] : [])),
        profile: scaleToMeanOne(hours),
        unpriced: totalWeight > 0 ? roundToFourDigits(unpriced / totalWeight) : 0,
        feeds,
        learnt,
        at,
      }
    },
  }
}

/** Scales to mean 1; uniform if there are no polls. */
function scaleToMeanOne(hours: Float64Array): number[] {
  const mean = hours.reduce((sum, polls) => sum + polls, 0) / WEEK_HOURS
  return Array.from(hours, (polls) => (mean > 0 ? roundToFourDigits(polls / mean) : 1))
}

/** To four digits: it is stored every minute. */
function roundToFourDigits(n: number): number {
  return Number(n.toPrecision(4))
}

/** By the strategy's own forecast or, without one, from the dates it proposes for a day. */
export function forecastWeek(strategy: Strategy, memory: Memory, lastAt: Instant, terms: Terms): WeekForecast {
  const { ranked: _, ...plainTerms } = terms
  const forecast = strategy.week?.(memory, lastAt, plainTerms)
  if (forecast) return forecast
  const { following, others } = expectedPolls(strategy, memory, lastAt, plainTerms)
  const polls = following + others
  return {
    polls: new Float64Array(WEEK_HOURS).fill(polls / 24),
    atAnyPrice: others,
    entries: 0, // not forecast
    delayMs: 0,
  }
}

/** Polls per day if the feed was last polled at `lastAt`. */
export function expectedPolls(
  strategy: Strategy,
  memory: Memory,
  lastAt: Instant,
  terms: Terms,
): { following: number; others: number } {
  const polls = { following: 0, others: 0 }
  for (const hour of QUARTERS) {
    const quarter = pollsInQuarter(strategy, memory, lastAt + hour * HOUR, terms)
    polls.following += quarter.following
    polls.others += quarter.others
  }
  return polls
}

/**
 * Polls in the quarter that starts with a poll at `from`; the last one, whose interval ends after the quarter, counts by its
 * share. A strategy that waits for a full hour polls often just before it, so its dates at a few instants would say little.
 */
function pollsInQuarter(strategy: Strategy, memory: Memory, from: Instant, terms: Terms) {
  const { minMs, maxMs } = terms.limits
  const polls = { following: 0, others: 0 }
  const until = from + QUARTER_MS
  let at = from
  for (let pollCount = 0; at < until && pollCount < MAX_POLLS_IN_QUARTER; pollCount++) {
    const waitMs = Math.min(maxMs, Math.max(minMs, strategy.next(memory, at, terms) - at))
    const share = Math.min(1, (until - at) / waitMs)
    if (followsPrice(strategy, memory, at, terms)) polls.following += share
    else polls.others += share
    at += waitMs
  }
  const scale = at < until ? QUARTER_MS / (at - from) : 1
  return { following: polls.following * scale, others: polls.others * scale }
}

/** The memory of a typical feed after a first poll at `at`. */
export function typicalMemory(strategy: Strategy, at: Instant): Memory {
  let publishedAt = at - DAY
  const window = TYPICAL_GAPS_DAYS.map((days) => {
    publishedAt -= days * DAY
    return Math.floor(publishedAt)
  }).reverse()
  return strategy.learn(strategy.begin(), { at, window, fresh: window.length })
}

/** Whether the survey is too old, or the feeds have changed too much since. */
export function isSurveyOutdated(demand: Demand | undefined, feeds: number, learnt: number, at: Instant): boolean {
  if (!demand) return feeds > 0
  const hasChanged = (now: number, before: number) => now > before * CHANGE_FACTOR || now * CHANGE_FACTOR < before
  return hasChanged(feeds, demand.feeds) || learnt > demand.learnt * CHANGE_FACTOR || at - demand.at >= STALE_AFTER_MS
}

/** Interpolates a curve over `PRICES` at this price, by powers. */
export function interpolateCurve(curve: readonly number[], price: Millis): number {
  const position = Math.min(PRICES.length - 1, Math.max(0, Math.log(price / MIN_PRICE) / Math.log(PRICE_STEP)))
  const low = Math.min(PRICES.length - 2, Math.floor(position))
  const [a, b] = [curve[low] ?? 0, curve[low + 1] ?? 0]
  const fraction = position - low
  return a > 0 && b > 0 ? a * (b / a) ** fraction : a + fraction * (b - a)
}

/** The price at which a falling curve over `PRICES` reaches `polls`; within the grid. */
export function priceForPolls(curve: readonly number[], polls: number): Millis {
  const after = curve.findIndex((pollsAtPrice) => pollsAtPrice <= polls)
  if (after === 0) return PRICES[0]!
  if (after < 0) return PRICES.at(-1)!
  const [a, b] = [curve[after - 1]!, curve[after]!]
  const isPower = b > 0 && polls > 0
  const fraction = isPower ? Math.log(a / polls) / Math.log(a / b) : (a - polls) / (a - b)
  return PRICES[after - 1]! * PRICE_STEP ** Math.min(1, Math.max(0, fraction))
}

export function hourOfWeek(at: Instant): number {
  const hour = Math.floor((at - MONDAY) / HOUR) % WEEK_HOURS
  return hour < 0 ? hour + WEEK_HOURS : hour
}

function perDay(hours: Float64Array): number {
  let sum = 0
  for (let hour = 0; hour < hours.length; hour++) sum += hours[hour]!
  return sum / 7
}
