/**
 * A run in figures, averaged in the two ways of Urbansky et al. (2011), Table 1: by feeds, each of which counts alike, and
 * by polls, where busy feeds count for more. The error is their equation 4, delay times polls per item, in minutes.
 */
import { MINUTE, type Millis } from '../model/index.ts'
import { type AggregatedTally, type FeedTally, quantileMs } from './tally.ts'

export interface FreshnessScore {
  polls: number
  items: number
  missed: number
  unseen: number
  bytes: number
  byFeeds: Averages
  byPolls: Averages
}

/** Delays that half, nine tenths and all but a hundredth of the items do not exceed. */
export interface Quantiles {
  half: Millis
  nineTenths: Millis
  ninetyNine: Millis
}

export interface Averages {
  delayMs: Millis
  pollsPerItem: number
  error: number
}

/** Over the feeds that `counts` names, in the order of the traces; all of them if it is not given. */
export function freshnessScore(tallies: readonly FeedTally[], counts?: readonly boolean[]): FreshnessScore {
  const chosen = counts ? tallies.filter((_, i) => counts[i]) : tallies
  const withItems = chosen.filter(({ items }) => items > 0)
  const sum = (of: (tally: FeedTally) => number, some = chosen) => some.reduce((total, tally) => total + of(tally), 0)
  const polls = sum((tally) => tally.polls)
  const items = sum((tally) => tally.items)
  const delayMs = sum((tally) => tally.delayMs)
  const feeds = withItems.length
  return {
    polls,
    items,
    missed: sum((tally) => tally.missed),
    unseen: sum((tally) => tally.unseen),
    bytes: sum((tally) => tally.bytes),
    byFeeds: averages(
      ratio(
        sum((tally) => tally.delayMs / tally.items, withItems),
        feeds,
      ),
      ratio(
        sum((tally) => tally.polls / tally.items, withItems),
        feeds,
      ),
    ),
    byPolls: averages(ratio(delayMs, items), ratio(polls, items)),
  }
}

export function computeQuantiles({ delays }: AggregatedTally): Quantiles {
  return {
    half: quantileMs(delays, 0.5),
    nineTenths: quantileMs(delays, 0.9),
    ninetyNine: quantileMs(delays, 0.99),
  }
}

function averages(delayMs: Millis, pollsPerItem: number): Averages {
  return { delayMs, pollsPerItem, error: (delayMs / MINUTE) * pollsPerItem }
}

function ratio(a: number, b: number): number {
  return b === 0 ? 0 : a / b
}
