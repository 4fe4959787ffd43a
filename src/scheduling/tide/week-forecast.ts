/**
 * Forecast of an average week of polls: at each hour of the week the best interval for a constant rate, sqrt(2 price /
 * rate), where the rate is the mean over such an interval: the hours hardly matter for a feed that is polled every two days.
 */
import { HOUR, type Millis } from '../../model/index.ts'
import type { Terms, WeekForecast } from '../strategy.ts'
import { CAPACITY, type Knowledge } from './knowledge.ts'
import type { Profile } from './profile.ts'
import type { TideState } from './tide-state.ts'
import { FORECAST_SHARE } from './window-guard.ts'

const WEEK_HOURS = 168

export function tideWeek(
  { rate, profile, asleep }: TideState,
  { sums }: Pick<Knowledge, 'sums'>,
  price: Millis,
  { limits, stretch = 1 }: Pick<Terms, 'limits' | 'stretch'>,
): WeekForecast {
  const perMs = ((rate.slow + rate.now) / 2) * (1 - asleep)
  const usualHours = Math.sqrt((2 * price) / perMs) / HOUR
  const capacity = sums[CAPACITY]!
  const polls = new Float64Array(WEEK_HOURS)
  let atAnyPrice = 0
  let waitedMs = 0
  for (let hour = 0; hour < WEEK_HOURS; hour++) {
    const rateHere = perMs * meanAround(profile, hour, usualHours)
    const unguarded = Math.sqrt(rateHere / (2 * price))
    const guarded = capacity > 0 ? rateHere / (FORECAST_SHARE * capacity * stretch) : 0
    const pollRate = Math.min(1 / limits.minMs, Math.max(1 / limits.maxMs, unguarded, guarded))
    polls[hour] = pollRate * HOUR
    if (guarded > unguarded) atAnyPrice += pollRate * HOUR
    waitedMs += profile.week[hour]! / pollRate / 2
  }
  return {
    polls,
    atAnyPrice: atAnyPrice / 7,
    entries: perMs * 24 * HOUR,
    delayMs: waitedMs / WEEK_HOURS,
  }
}

/** Mean density of the `hours` around the middle of this hour; at least that of the hour itself. */
function meanAround({ weekSum }: Profile, hour: number, hours: number): number {
  if (hours <= 1) return weekSum[hour + 1]! - weekSum[hour]!
  if (hours >= WEEK_HOURS) return 1
  const from = hour + 0.5 - hours / 2
  return (upTo(weekSum, from + hours) - upTo(weekSum, from)) / hours
}

/** Cumulative density up to an hour, which may lie in the week before or after. */
function upTo(weekSum: Float64Array, hours: number): number {
  const weeks = Math.floor(hours / WEEK_HOURS)
  const inWeek = hours - weeks * WEEK_HOURS
  const whole = Math.min(WEEK_HOURS - 1, Math.floor(inWeek))
  return weeks * WEEK_HOURS + weekSum[whole]! + (inWeek - whole) * (weekSum[whole + 1]! - weekSum[whole]!)
}
