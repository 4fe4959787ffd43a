/**
 * Summarizes a run, averaged in the two ways of Urbansky et al. (2011), Table 1: by feeds, counting each equally, and
 * by polls, where busy feeds count more. The error is their equation 4: delay times polls per item, in minutes.
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

/** Delays that 50%, 90% and 99% of the items do not exceed. */
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

/** Over the feeds selected by `counts`, in order of the traces; all by default. */
export function freshnessScore(tallies: readonly FeedTally[], counts?: readonly boolean[]): FreshnessScore {
  const chosen = counts ? tallies.filter((_, i) => counts[i]) : tallies
  const withItems = chosen.filter(({ items }) => items > 0)
  const sum = (of: (tally: FeedTally) => number, counted = chosen) =>
    counted.reduce((total, tally) => total + of(tally), 0)
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
