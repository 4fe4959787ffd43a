/**
 * What falls out of the window before we look is lost. So we look before the forecast fills most of the window, and, while
 * entries come in a burst that no forecast knew of, before their pace fills a part of it.
 */
import type { Millis } from '../../model/index.ts'
import { CAPACITY, type Knowledge, PACE } from './knowledge.ts'
import { PACE_HALF_LIFE } from './learning.ts'
import type { Grid } from './plan.ts'

const FORECAST_SHARE = 0.6
const BURST_SHARE = 0.2
/** Fewer entries in half an hour are no burst. */
const BURST_LEAST = 3

/** By when the forecast has filled its share of the window. */
export function windowFillsAfter({ at, entries }: Grid, { sums }: Knowledge): Millis {
  const capacity = sums[CAPACITY]!
  if (capacity > 0) for (let i = 1; i < at.length; i++) if (entries[i]! > FORECAST_SHARE * capacity) return at[i]!
  return Number.POSITIVE_INFINITY
}

/** By when the pace of the last half hour would have filled its share. */
export function burstFillsAfter({ sums }: Knowledge): Millis {
  const pace = sums[PACE]!
  if (pace <= BURST_LEAST || sums[CAPACITY] === 0) return Number.POSITIVE_INFINITY
  return (BURST_SHARE * sums[CAPACITY]! * PACE_HALF_LIFE) / Math.LN2 / pace
}
