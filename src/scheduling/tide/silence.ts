/**
 * Detects feeds that have stopped publishing: silent for much longer than the rate explains, because the author is away or
 * has finished. If a feed falls asleep after one of every 1 / delta acts, then after a silence in which x acts were expected
 * it is awake with a probability of
 *
 *   P = e^-(1+delta)x / [ e^-(1+delta)x + delta / (1+delta) (1 - e^-(1+delta)x) ]
 *
 * which is nearly 1 while the silence is nothing unusual, and falls quickly where x exceeds ln(1 / delta). A sleeping feed
 * may wake at any time, and then publishes as before: the further away an instant is, the less today's silence says about
 * it.
 */
import { DAY, type Millis } from '../../model/index.ts'

const DELTA = 0.005
/** However long the silence, it may have ended just now. */
const MIN_AWAKE = 0.1
const WAKING_HALF_LIFE: Millis = DAY
const WAKING = Math.LN2 / WAKING_HALF_LIFE
/** Smaller values are not worth computing exponentials for. */
const NEGLIGIBLE = 1e-3

/** Probability that a feed is asleep if it was silent while this many acts were expected. */
export function asleepAfter(acts: number): number {
  const silent = Math.exp(-(1 + DELTA) * Math.max(0, acts))
  const awake = silent / (silent + (DELTA / (1 + DELTA)) * (1 - silent))
  const asleep = (1 - MIN_AWAKE) * (1 - awake)
  return asleep < NEGLIGIBLE ? 0 : asleep
}

/** Probability that it is awake `u` milliseconds from now. */
export function awakeIn(u: Millis, asleep: number): number {
  return asleep === 0 ? 1 : 1 - asleep * Math.exp(-u * WAKING)
}
