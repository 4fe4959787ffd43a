/**
 * A feed that has been silent for much longer than its rate explains has fallen asleep: its author is away, or done with it.
 * If every so many acts it falls asleep once (one in 1 / delta), then after a silence in which x acts were expected it is awake
 * with a probability of
 *
 *   P = e^-(1+delta)x / [ e^-(1+delta)x + delta / (1+delta) (1 - e^-(1+delta)x) ]
 *
 * which is nearly 1 as long as silence is nothing special, and falls quickly where x passes ln(1 / delta). A sleeper may wake
 * at any time, and if it does it publishes as before: the further away an instant is, the less today's silence says of it.
 */
import { DAY, type Millis } from '../../model/index.ts'

const DELTA = 0.005
/** However long the silence, it may have ended just now. */
const LEAST_AWAKE = 0.1
const WAKING_HALF_LIFE: Millis = DAY
const WAKING = Math.LN2 / WAKING_HALF_LIFE
/** Less is not worth its exponentials. */
const NEGLIGIBLE = 1e-3

/** How sure it is that a feed sleeps, from 0 to 1, if it was silent while so many acts were expected. */
export function asleepAfter(acts: number): number {
  const silent = Math.exp(-(1 + DELTA) * Math.max(0, acts))
  const awake = silent / (silent + (DELTA / (1 + DELTA)) * (1 - silent))
  const asleep = (1 - LEAST_AWAKE) * (1 - awake)
  return asleep < NEGLIGIBLE ? 0 : asleep
}

/** How sure it is that it will be awake `u` milliseconds from now. */
export function awakeIn(u: Millis, asleep: number): number {
  return asleep === 0 ? 1 : 1 - asleep * Math.exp(-u * WAKING)
}
