/**
 * Spreads a budget over a week. The profile is how feeds would spend at one price, by the survey and by what was counted in
 * each hour of the day and day of the week; the plan is the profile with no day above 1.4 times the mean. What was spent in
 * each hour of the last week is stored beside what the plan had for it.
 */
import { DAY, HOUR, type Instant, type Market, type Millis } from '../model/index.ts'
import { hourOfWeek, PRICES, WEEK_HOURS } from './demand.ts'

/** Maximum correction of the plan by its error over the last week. */
const MAX_SCALE = 1.05
const MIN_HOURS_PLANNED = 12
/** Of the mean; the day's bound is higher, to leave room for chance. */
const MAX_DAY_FACTOR = 1.4
/** Half-life of the counts by hour and weekday; the survey counts for this many polls each as a prior. */
const HOURS_HALF_LIFE: Millis = 21 * DAY
const HOURS_PRIOR = 12

/** Adds the polls of the `ranMs` since `from` to the counts by hour and weekday, beside what the forecast expected. */
export function countByHour(
  { demand, hours = emptyCounts(24), weekdays = emptyCounts(7) }: Market,
  from: Instant,
  ranMs: Millis,
  polls: number,
  perDay: number,
): Pick<Market, 'hours' | 'weekdays'> {
  const weight = 2 ** (-ranMs / HOURS_HALF_LIFE)
  const decayed = (counts: NonNullable<Market['hours']>) => ({
    counted: counts.counted.map((n) => n * weight),
    expected: counts.expected.map((n) => n * weight),
  })
  const [ofDay, ofWeek] = [decayed(hours), decayed(weekdays)]
  for (let at = from; at < from + ranMs; ) {
    const end = Math.min(from + ranMs, (Math.floor(at / HOUR) + 1) * HOUR)
    const hour = hourOfWeek(at)
    const expected = (perDay * (demand?.profile[hour] ?? 1) * (end - at)) / DAY
    const counted = (polls * (end - at)) / ranMs
    ofDay.counted[hour % 24]! += counted
    ofDay.expected[hour % 24]! += expected
    ofWeek.counted[Math.floor(hour / 24)]! += counted
    ofWeek.expected[Math.floor(hour / 24)]! += expected
    at = end
  }
  return { hours: ofDay, weekdays: ofWeek }
}

function emptyCounts(length: number): NonNullable<Market['hours']> {
  return { counted: new Array<number>(length).fill(0), expected: new Array<number>(length).fill(0) }
}

const EVEN: readonly number[] = new Array<number>(WEEK_HOURS).fill(1)
const profiles = new WeakMap<readonly number[], { of: Market['hours'] | undefined; profile: readonly number[] }>()

/** How polls spread over the week, by the forecast and by what was counted; of mean 1. */
export function spendingProfile({
  demand,
  hours,
  weekdays,
}: Pick<Market, 'demand' | 'hours' | 'weekdays'>): readonly number[] {
  if (!demand) return EVEN
  if (!hours || !weekdays) return demand.profile
  const cached = profiles.get(demand.profile)
  if (cached?.of === hours) return cached.profile
  const [ofDay, ofWeek] = [ratios(hours), ratios(weekdays)]
  const times = demand.profile.map((n, hour) => n * ofDay[hour % 24]! * ofWeek[Math.floor(hour / 24)]!)
  const mean = times.reduce((sum, n) => sum + n, 0) / WEEK_HOURS
  const profile = mean > 0 ? times.map((n) => n / mean) : EVEN
  profiles.set(demand.profile, { of: hours, profile })
  return profile
}

/** Ratios of counted to expected polls, scaled so that the totals agree. */
function ratios({ counted: polls, expected }: NonNullable<Market['hours']>): number[] {
  const sum = (numbers: number[]) => numbers.reduce((a, b) => a + b, 0)
  const overall = sum(expected) > 0 ? sum(polls) / sum(expected) : 1
  return polls.map((n, i) => (n + HOURS_PRIOR) / (expected[i]! * overall + HOURS_PRIOR))
}

/** Each hour of the week is overwritten when it comes again. */
export function updateWeek(
  { week, following, others }: Market,
  plan: readonly number[],
  from: Instant,
  ranMs: Millis,
): Market['week'] {
  const [polls, planned] = [fillWeek(week.polls), fillWeek(week.planned)]
  for (let at = from; at < from + ranMs; ) {
    const end = Math.min(from + ranMs, (Math.floor(at / HOUR) + 1) * HOUR)
    const hour = hourOfWeek(at)
    const isNew = at % HOUR === 0 || (at === from && Math.floor(at / HOUR) > Math.floor((at - 1) / HOUR))
    if (isNew || at === week.since) polls[hour] = planned[hour] = 0
    polls[hour]! += ((following + others) * (end - at)) / ranMs
    planned[hour]! += (plan[hour]! * (end - at)) / HOUR
    at = end
  }
  return { ...week, polls: polls.map(roundToThreeDecimals), planned: planned.map(roundToThreeDecimals) }
}

/** Polls since midnight, UTC. */
export function pollsToday({ week, following, others, settledAt }: Market, now: Instant): number {
  let polls = Math.floor(settledAt / DAY) === Math.floor(now / DAY) ? following + others : 0
  const midnight = Math.floor(now / DAY) * DAY
  for (let at = midnight; at < Math.min(now, settledAt); at += HOUR) polls += week.polls[hourOfWeek(at)] ?? 0
  return Math.round(polls)
}

function fillWeek(hours: readonly number[]): number[] {
  return Array.from({ length: WEEK_HOURS }, (_, hour) => hours[hour] ?? 0)
}

/** To three decimal places: it is stored every minute. */
function roundToThreeDecimals(n: number): number {
  return Math.round(n * 1000) / 1000
}

/**
 * Correction of the plan's total. While hours are being learned, the plan is never quite the one of the week it is made for:
 * compares what it had for the hours of the last week with what it would have for them now.
 */
export function planShortfall({ week }: Market, plan: readonly number[]): number {
  let planned = 0
  let now = 0
  for (const [hour, hadPlanned] of week.planned.entries()) {
    if (hadPlanned === 0) continue
    planned += hadPlanned
    now += plan[hour]!
  }
  return planned < MIN_HOURS_PLANNED ? 1 : Math.min(MAX_SCALE, Math.max(1 / MAX_SCALE, now / planned))
}

export function dayPriceFactor(profile: readonly number[], at: Instant): number {
  const plan = spendingPlan(profile)
  if (plan === profile) return 1
  const times = meanOfDay(profile, at) / Math.max(1e-3, meanOfDay(plan, at))
  return Math.min(PRICES.at(-1)! / PRICES[0]!, Math.max(1 / 4, times)) ** 2
}

const plans = new WeakMap<readonly number[], readonly number[]>()

/** The profile with days capped at the maximum; the excess is distributed over the other days, in proportion. */
export function spendingPlan(profile: readonly number[]): readonly number[] {
  const cached = plans.get(profile)
  if (cached) return cached
  const days = Array.from({ length: 7 }, (_, day) => dayMean(profile, day))
  let plan = profile
  if (days.some((mean) => mean > MAX_DAY_FACTOR)) {
    const capped = capDays(days)
    plan = profile.map((n, hour) => {
      const day = Math.floor(hour / 24)
      return days[day]! > 0 ? (n * capped[day]!) / days[day]! : capped[day]!
    })
  }
  plans.set(profile, plan)
  return plan
}

function capDays(days: readonly number[]): number[] {
  const capped = [...days]
  for (let round = 0; round < 7; round++) {
    const excess = capped.reduce((sum, mean) => sum + Math.max(0, mean - MAX_DAY_FACTOR), 0)
    if (excess < 1e-9) break
    const isFree = capped.map((mean) => mean < MAX_DAY_FACTOR)
    const freeTotal = capped.reduce((sum, mean, day) => sum + (isFree[day] ? mean + 0.05 : 0), 0)
    for (const [day, mean] of capped.entries())
      capped[day] = isFree[day] ? mean + (excess * (mean + 0.05)) / freeTotal : Math.min(mean, MAX_DAY_FACTOR)
  }
  return capped
}

/** Mean of the day's hours. */
export function meanOfDay(profile: readonly number[], at: Instant): number {
  return dayMean(profile, Math.floor(hourOfWeek(at) / 24))
}

function dayMean(profile: readonly number[], day: number): number {
  let sum = 0
  for (let hour = 24 * day; hour < 24 * day + 24; hour++) sum += profile[hour] ?? 1
  return sum / 24
}

/** Mean of the profile over a time span. */
export function meanBetween(profile: readonly number[], from: Instant, ms: Millis): number {
  let sum = 0
  for (let at = from; at < from + ms; ) {
    const end = Math.min(from + ms, (Math.floor(at / HOUR) + 1) * HOUR)
    sum += (profile[hourOfWeek(at) % WEEK_HOURS] ?? 1) * (end - at)
    at = end
  }
  return ms > 0 ? sum / ms : 1
}
