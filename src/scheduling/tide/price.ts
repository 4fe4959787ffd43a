/**
 * The price of a poll of one feed: the common price
 *
 *   times the cost of its response size (../poll-bytes.ts);
 *   divided by the weight of its entries' waiting. Each entry weighs 1 - alpha for itself and alpha / n for the feed, if it is one
 *     of n within the horizon: alpha = 0 minimizes the mean delay of entries, alpha = 1 the mean over feeds of their delays;
 *   divided by subscribers^readers: what more people wait for is worth more (Adam et al. 2010, eq. 6, weighs linearly: readers = 1);
 *   at most rate * goal^2 / 2, so that intervals are no longer than the goal while entries come, and nights stay quiet. Where the
 *     budget is too small for all goals, the market extends all goals by the same factor.
 */
import { DAY, type Millis } from '../../model/index.ts'
import { feedPrice, type Terms } from '../strategy.ts'
import { meanDensity } from './profile.ts'
import type { TideState } from './tide-state.ts'

export interface PriceWeights {
  alpha: number
  readers: number
  /** Period over which a feed's entries are counted for its mean. */
  horizon: Millis
}

export function weightedPrice(
  { rate, profile }: Pick<TideState, 'rate' | 'profile'>,
  { subscribers, goalMs, ...terms }: Pick<Terms, 'price' | 'cost' | 'subscribers' | 'goalMs'>,
  { alpha, readers, horizon }: PriceWeights,
): Millis {
  const ownPrice = feedPrice(terms) / (weightOf(rate.slow, alpha, horizon) * Math.max(1, subscribers) ** readers)
  if (goalMs === undefined) return ownPrice
  const goalPrice = (rate.slow * meanDensity(profile) * goalMs ** 2) / 2
  return Math.min(ownPrice, goalPrice)
}

/** Weight of an entry's waiting; 1 for a feed with one entry per day. */
function weightOf(rate: number, alpha: number, horizon: Millis): number {
  return feedWeight(rate * horizon, alpha) / feedWeight(horizon / DAY, alpha)
}

/**
 * Each of n entries counts 1/n for its feed. If n is random, all of them together count as much as the probability that
 * there is one.
 */
function feedWeight(mean: number, alpha: number): number {
  return 1 - alpha + (alpha * -Math.expm1(-mean)) / mean
}
