/**
 * The minimum delay that any number of polls can have, with full knowledge of the future. With a price per poll, the
 * best polls of a feed partition its items t_1 <= … <= t_n into groups, each polled at the instant of its last item:
 *
 *     F(m) = min over j < m of  F(j) + price + sum over i in (j, m] of (t_m - t_i)
 *
 * or leave the last items unseen until the end. With P the running sum of t, the sum is (m - j) t_m - P_m + P_j, so
 * each j is a line in t_m with slope -j and intercept F(j) + P(j). Slopes fall and t_m rises: a lower envelope that is
 * only extended at one end and read at the other, O(n) in total.
 *
 * The feeds share one price, and the bound for a budget of B polls is Lagrange's: for every price, the cost at that
 * price minus price * B is a lower bound of the delay, and the highest of these bounds is the best. No limits apply to
 * the oracle.
 */
import type { Instant, Millis } from '../model/index.ts'
import type { AlignedTrace, ReplayPlan } from './aligned-trace.ts'
import { countUpTo } from './instants.ts'

interface Cost {
  polls: number
  delayMs: Millis
}

export interface Oracle {
  /** The minimum total delay for this number of polls, over all items after the warm-up. */
  leastDelayMs(polls: number): Millis
}

/** Tolerance of the price: the bound is flat around its maximum. */
const TOLERANCE = 1.01

export function createOracle(alignedTraces: AlignedTrace[], plan: ReplayPlan): Oracle {
  const scored = alignedTraces.map(({ published }) => published.subarray(countUpTo(published, plan.scoreAt - 1)))
  const costs = new Map<Millis, Cost>()

  function costAt(price: Millis): Cost {
    const cached = costs.get(price)
    if (cached) return cached
    const total: Cost = { polls: 0, delayMs: 0 }
    for (const items of scored) {
      const feedCost = leastCost(items, plan.endAt, price)
      total.polls += feedCost.polls
      total.delayMs += feedCost.delayMs
    }
    costs.set(price, total)
    return total
  }

  return {
    leastDelayMs(polls) {
      let low = 1
      let high = 2 * (plan.endAt - plan.scoreAt)
      let bound = 0
      while (high / low > TOLERANCE) {
        const price = Math.sqrt(low * high)
        const { polls: bought, delayMs } = costAt(price)
        bound = Math.max(bound, delayMs + price * (bought - polls))
        if (bought > polls) low = price
        else high = price
      }
      return Math.floor(bound)
    },
  }
}

/** The minimum cost of one feed at a price. */
export function leastCost(items: ArrayLike<Instant>, endAt: Instant, price: Millis): Cost {
  const n = items.length
  if (n === 0) return { polls: 0, delayMs: 0 }
  const origin = items[0]! // small numbers keep their precision
  const cost = new Float64Array(n + 1)
  const polls = new Int32Array(n + 1)
  const sums = new Float64Array(n + 1)
  for (let i = 0; i < n; i++) sums[i + 1] = sums[i]! + (items[i]! - origin)
  const intercept = (j: number) => cost[j]! + sums[j]!
  const valueAt = (j: number, t: number) => intercept(j) - j * t
  const hull = new Int32Array(n + 1)
  let size = 1
  let at = 0
  for (let m = 1; m <= n; m++) {
    const t = items[m - 1]! - origin
    while (at + 1 < size && valueAt(hull[at + 1]!, t) <= valueAt(hull[at]!, t)) at++
    const j = hull[at]!
    cost[m] = m * t - sums[m]! + price + valueAt(j, t)
    polls[m] = polls[j]! + 1
    while (size >= 2) {
      const b = hull[size - 1]!
      const a = hull[size - 2]!
      if ((intercept(m) - intercept(a)) * (b - a) > (intercept(b) - intercept(a)) * (m - a)) break
      size--
    }
    hull[size++] = m
    if (at >= size) at = size - 1
  }
  let best = 0
  let least = Number.POSITIVE_INFINITY
  for (let m = 0; m <= n; m++) {
    const total = cost[m]! + (n - m) * (endAt - origin) - (sums[n]! - sums[m]!)
    if (total < least) {
      least = total
      best = m
    }
  }
  return { polls: polls[best]!, delayMs: least - price * polls[best]! }
}
