/**
 * Plans the coming polls so that their total cost is least. A poll costs its price; between polls at x and y the entries
 * cost their waiting,
 *
 *   S(x, y) = integral of (y - u) rate(u) du = y (A(y) - A(x)) - (U(y) - U(x)),     A = integral of rate, U = integral of u rate
 *
 * On a grid of instants u_i, the least cost from i on is
 *
 *   V_i = price + min over j > i of [ S(u_i, u_j) + V_j ]
 *       = price + U_i + min over j > i of [ (u_j A_j - U_j + V_j) - u_j A_i ]
 *
 * For fixed j the bracket is a line in A_i with slope -u_j. Going backwards the slopes come in order and A_i falls, so the
 * lower envelope of the lines is a stack and the minimum is found in O(1): exact, in one pass. Only the first poll of the
 * plan is used (refine.ts adjusts it to the minute); after it, a new plan is made.
 */
import type { Millis } from '../../model/index.ts'

/** Instants from now, ascending from 0, and what is expected by then. */
export interface Grid {
  readonly at: Float64Array
  /** A: entries expected up to here. */
  readonly entries: Float64Array
  /** U: the same, each times its instant. */
  readonly moments: Float64Array
}

export interface PollPlan {
  /** Index in the grid of the first poll; never 0. */
  readonly first: number
  /** V: minimum cost of waiting and polls from each index on, after a poll there. */
  readonly costs: Float64Array
}

// reused for every plan, like the grid
/** u_j A_j - U_j + V_j, the intercept of line j. Nothing is paid beyond the end of the grid. */
let height = new Float64Array(0)
/** Lines that are lowest somewhere, furthest first. */
let envelope = new Int32Array(0)

/** Valid until the next call. */
export function cheapestPlan({ at, entries, moments }: Grid, price: Millis): PollPlan {
  const last = at.length - 1
  if (envelope.length <= last) {
    height = new Float64Array(last + 1)
    envelope = new Int32Array(last + 1)
  }
  height[last] = at[last]! * entries[last]! - moments[last]!
  envelope[0] = last
  let top = 0
  let lowest = 0
  let best = last
  for (let i = last - 1; i >= 0; i--) {
    const a = entries[i]!
    lowest = Math.min(lowest, top)
    best = envelope[lowest]!
    let least = height[best]! - at[best]! * a
    while (lowest < top) {
      const next = envelope[lowest + 1]!
      const cost = height[next]! - at[next]! * a
      if (cost > least) break
      lowest++
      best = next
      least = cost
    }
    height[i] = at[i]! * a + price + least
    while (top >= 1 && isAbove(envelope[top]!, envelope[top - 1]!, i)) top--
    envelope[++top] = i
  }
  for (let i = 0; i <= last; i++) height[i]! -= at[i]! * entries[i]! - moments[i]!
  return { first: best, costs: height }

  /** Whether line `b` is nowhere below both `c`, the line before it, and `i`, the new one. */
  function isAbove(b: number, c: number, i: number): boolean {
    return (height[i]! - height[c]!) * (at[c]! - at[b]!) <= (height[b]! - height[c]!) * (at[c]! - at[i]!)
  }
}
