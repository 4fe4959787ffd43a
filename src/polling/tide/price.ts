/**
 * What a look at one feed costs: the price that all pay,
 *
 *   as many times as its answers are larger than usual (../poll-bytes.ts);
 *   by what the waiting of its entries counts for, each 1 - alpha for itself and alpha / n for the feed, if it is one of n
 *     within the horizon: alpha = 0 makes the mean delay of entries least, alpha = 1 the mean of what each feed has;
 *   by readers^readers: what more people wait for is worth more (Adam et al. 2010, eq. 6, weighs linearly: readers = 1);
 *   at most rate * goal^2 / 2, so that intervals are no longer than the goal while entries come, and nights stay quiet. Where the
 *     budget is too small for all goals, the market makes all goals longer alike.
 */
import { DAY, type Millis } from '../../model/index.ts'
import { ownPrice, type Terms } from '../strategy.ts'
import type { Outlook } from './outlook.ts'
import { densityOf } from './profile.ts'

export interface PriceWeights {
  alpha: number
  readers: number
  /** Over how long the mean of what a feed has is taken. */
  horizon: Millis
}

export function priceOf(
  { rate, profile }: Pick<Outlook, 'rate' | 'profile'>,
  { subscribers, goalMs, ...terms }: Pick<Terms, 'price' | 'cost' | 'subscribers' | 'goalMs'>,
  { alpha, readers, horizon }: PriceWeights,
): Millis {
  const own = ownPrice(terms) / (weightOf(rate.slow, alpha, horizon) * Math.max(1, subscribers) ** readers)
  if (goalMs === undefined) return own
  const wanted = (rate.slow * densityOf(profile) * goalMs ** 2) / 2
  return Math.min(own, wanted)
}

/** What the waiting of an entry counts for, where it is 1 for those of a feed that has one a day. */
function weightOf(rate: number, alpha: number, horizon: Millis): number {
  return weighed(rate * horizon, alpha) / weighed(horizon / DAY, alpha)
}

/** Of n entries each counts 1/n for its feed. If n is chance, all of them together count as much as it is likely that there is one. */
function weighed(mean: number, alpha: number): number {
  return 1 - alpha + (alpha * -Math.expm1(-mean)) / mean
}
