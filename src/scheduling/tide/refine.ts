/**
 * Moves the first poll of the plan between the instants of the grid. Within a span of the hour entries come evenly, so only
 * the ends of spans are worth moving to: those around the planned poll are tried. V between two grid instants is
 * interpolated, linear in A, because what a poll leaves to the next one are the entries after it.
 */
import { type Instant, MINUTE, type Millis } from '../../model/index.ts'
import { burstBetween } from './burst.ts'
import { endOfSpan } from './hour-spans.ts'
import type { Grid, PollPlan } from './plan.ts'
import { tideAt } from './profile.ts'
import { ratePerTide, type TideState } from './tide-state.ts'

const MAX_SHIFT: Millis = 30 * MINUTE

/** From now, and not earlier than `leastMs`. */
export function refineFirstPoll(
  { at, entries, moments }: Grid,
  { first, costs }: PollPlan,
  state: TideState,
  now: Instant,
  leastMs: Millis,
): Millis {
  const planned = at[first]!
  const earliest = Math.max(leastMs, planned - MAX_SHIFT)
  const latest = Math.min(at[Math.min(first + 1, at.length - 1)]!, planned + MAX_SHIFT)
  let best = planned
  let least = Number.POSITIVE_INFINITY
  let cell = first - 1
  let x = at[cell]!
  let a = entries[cell]!
  let u = moments[cell]!
  let tide = tideAt(state.profile, now + x)
  while (x < latest) {
    if (x >= planned) cell = first
    const end = cell === first ? latest : planned
    const to = Math.min(end, x < earliest ? earliest : endOfSpan(now + x) - now)
    const tideThen = tideAt(state.profile, now + to)
    const perTideNow = ratePerTide(state, (at[cell]! + at[cell + 1]!) / 2)
    const extra = perTideNow * (tideThen - tide) + burstBetween(state.burst, x, to)
    a += extra
    u += (extra * (x + to)) / 2
    tide = tideThen
    x = to
    if (x < earliest) continue
    const between = entries[cell + 1]! - entries[cell]!
    const share = between > 0 ? (a - entries[cell]!) / between : 1
    const cost = x * a - u + costs[cell]! + share * (costs[cell + 1]! - costs[cell]!)
    if (cost >= least) continue
    least = cost
    best = x
  }
  return best
}
