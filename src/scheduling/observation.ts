/** What several strategies compute from an observation. */
import type { Instant, Millis } from '../model/index.ts'
import type { Observation } from './strategy.ts'

/** Publication dates of the new entries, none later than the poll. */
export function newEntryDates({ at, window, fresh }: Observation): Instant[] {
  return (fresh > 0 ? window.slice(-fresh) : []).map((publishedAt) => Math.min(publishedAt, at))
}

/** The mean gap between the entries of a window (Urbansky et al. 2011, eq. 1); undefined with fewer than two entries. */
export function meanGap(window: readonly Instant[]): Millis | undefined {
  const first = window.at(0)
  const last = window.at(-1)
  return first === undefined || last === undefined || window.length < 2
    ? undefined
    : (last - first) / (window.length - 1)
}
