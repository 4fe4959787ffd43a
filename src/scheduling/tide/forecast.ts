/**
 * Forecasts a feed's entries from now on, on a grid of instants: its rate, which returns to the long-run rate, times its
 * profile and the probability that the feed is active, plus what remains of a burst.
 */
import { type Instant, type Millis, SECOND } from '../../model/index.ts'
import { burstBetween } from './burst.ts'
import type { Grid } from './plan.ts'
import { tideAt } from './profile.ts'
import { ratePerTide, type TideState } from './tide-state.ts'

const POINTS = 128
/** Each step is longer than the previous one by this factor: distant instants need less precision. */
const GROWTH = 1.02
const STEPS_PER_INTERVAL = 32
const MIN_STEP_MS: Millis = 30 * SECOND

/** Reused for every forecast: allocating new arrays would cost as much as filling them. */
const GRID: Grid = {
  at: new Float64Array(POINTS + 1),
  entries: new Float64Array(POINTS + 1),
  moments: new Float64Array(POINTS + 1),
}

/**
 * Valid until the next call. Fine enough for intervals of `typicalMs`; no instant except the first is earlier than `leastMs`
 * from now.
 */
export function forecast(state: TideState, now: Instant, typicalMs: Millis, leastMs: Millis): Grid {
  const { at, entries, moments } = GRID
  let step = Math.max(MIN_STEP_MS, typicalMs / STEPS_PER_INTERVAL)
  let before = tideAt(state.profile, now)
  for (let i = 1; i <= POINTS; i++) {
    at[i] = Math.max(at[i - 1]! + step, leastMs)
    const middle = (at[i - 1]! + at[i]!) / 2
    const after = tideAt(state.profile, now + at[i]!)
    const expected = ratePerTide(state, middle) * (after - before) + burstBetween(state.burst, at[i - 1]!, at[i]!)
    entries[i] = entries[i - 1]! + expected
    moments[i] = moments[i - 1]! + expected * middle
    before = after
    step *= GROWTH
  }
  return GRID
}
