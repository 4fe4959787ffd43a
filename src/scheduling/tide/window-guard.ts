/**
 * Entries that fall out of the window between two polls are lost. So a feed is polled before the forecast fills most of its
 * window; and, since bursts vary in length far more than their mean says, before a continuing burst fills a small part of
 * it.
 */
import type { Millis } from '../../model/index.ts'
import { type Burst, PACE_SPAN } from './burst.ts'
import { CAPACITY, type Knowledge } from './knowledge.ts'
import type { Grid } from './plan.ts'

export const FORECAST_SHARE = 0.6
const BURST_SHARE = 0.1
/** One entry more than usual is no burst. */
const MIN_BURST = 1

/** When the forecast has filled its share of the window. */
export function windowFillsAfter({ at, entries }: Grid, { sums }: Knowledge): Millis {
  const capacity = sums[CAPACITY]!
  if (capacity > 0) for (let i = 1; i < at.length; i++) if (entries[i]! > FORECAST_SHARE * capacity) return at[i]!
  return Number.POSITIVE_INFINITY
}

/** When the excess of the last hour would have filled its share, if it continued. */
export function burstFillsAfter({ excess }: Burst, { sums }: Knowledge): Millis {
  if (excess <= MIN_BURST || sums[CAPACITY] === 0) return Number.POSITIVE_INFINITY
  return (BURST_SHARE * sums[CAPACITY]! * PACE_SPAN) / excess
}
