/**
 * How much a feed publishes: acts per millisecond of tide time, on three levels with half-lives of 180, 10 and 2 days. Each
 * level is a discounted Gamma-Poisson estimate whose prior is the next slower one:
 *
 *   r_0 = (n_0 + 0.6) / (T_0 + 5 d)          r_l = (n_l + 3) / (T_l + 3 / r_(l-1))
 *
 * so that a feed with few entries in the last two days is assumed to go on as before. The deviation from the slow level
 * decays with the half-life of its level: at u from now the feed publishes
 *
 *   r(u) = r_0 + sum (r_l - r_(l-1)) 2^(-u / h_l)
 *
 * if it is awake (silence.ts); entries of a burst are added to that (burst.ts).
 */
import { DAY, type Millis } from '../../model/index.ts'
import { ACTS, ENTRIES, type Knowledge, PROFILE_LEVELS } from './knowledge.ts'

export const HALF_LIVES: readonly Millis[] = [180 * DAY, 10 * DAY, 2 * DAY]
/** As exponents: `Math.exp` is twice as fast as a power of two. */
const DECAYS: readonly number[] = HALF_LIVES.map((ms) => Math.LN2 / ms)
const PRIOR = { acts: 0.6, exposureMs: 5 * DAY }
/** Prior weight of the slower level, in acts. */
const LEVEL_PRIOR = 3
/** Acts of a single entry assumed of every feed. */
const PRIOR_SINGLES = 4

/** Entries per millisecond of tide time. */
export interface Rate {
  /** In the long run. */
  slow: number
  /** Right now. */
  now: number
  /** What each level adds to the slower one, now. */
  above: readonly number[]
}

export function estimateRate(knowledge: Knowledge): Rate {
  const { acts, exposure } = knowledge
  const perAct = entriesPerAct(knowledge)
  let before = longRunActs(knowledge)
  const slow = before * perAct
  const above: number[] = []
  for (let level = 1; level < PROFILE_LEVELS; level++) {
    const here = (acts[level]! + LEVEL_PRIOR) / (exposure[level]! + LEVEL_PRIOR / before)
    above.push((here - before) * perAct)
    before = here
  }
  return { slow, now: before * perAct, above }
}

/** The rate `u` milliseconds from now, without the profile. */
export function rateAfter({ slow, above }: Rate, u: Millis): number {
  let rate = slow
  for (let i = 0; i < above.length; i++) rate += above[i]! * Math.exp(-u * DECAYS[i + 1]!)
  return Math.max(0, rate)
}

/** Long-run rate of acts, as if `more` further ones had come in `moreMs`. */
export function longRunActs({ acts, exposure }: Knowledge, extraActs = 0, extraMs: Millis = 0): number {
  return (acts[0]! + extraActs + PRIOR.acts) / (exposure[0]! + extraMs + PRIOR.exposureMs)
}

export function entriesPerAct({ sums }: Knowledge): number {
  return (sums[ENTRIES]! + PRIOR_SINGLES) / (sums[ACTS]! + PRIOR_SINGLES)
}

/**
 * Observed entries per day, without the prior, and their uncertainty (two standard deviations of a Poisson count). For
 * users: the prior makes polls of a new feed careful, but after two days it hides two thirds of the rate.
 */
export function observedPerDay(knowledge: Knowledge): { perDay: number; between: [number, number] } | undefined {
  const [acts = 0, days = 0] = [knowledge.acts[0], knowledge.exposure[0]! / DAY]
  if (acts < 1 || days <= 0) return undefined
  const perAct = entriesPerAct(knowledge)
  const [low, high] = [Math.max(0, acts - 2 * Math.sqrt(acts)), acts + 2 * Math.sqrt(acts + 1)]
  return { perDay: (acts * perAct) / days, between: [(low * perAct) / days, (high * perAct) / days] }
}
