/**
 * Moving Average (Urbansky et al. 2011, 3.3). The next entry is expected one mean gap after the last poll, the mean taken
 * over the feed's window (eq. 1):
 *
 *   u = (i_(w-1) - i_0) / (w - 1)
 *
 * A poll that finds nothing means that we came too early: we pretend that an entry was published at that moment p and
 * forget the oldest one, so that the mean grows while the feed is silent (eq. 2):
 *
 *   u_n = u_(n-1) - (i_1 - i_0)/(w - 1) + (p - i_(w-1))/(w - 1)
 *
 * Keeping the timeline, virtual entries included, and taking eq. 1 of it gives the same number and cannot drift.
 */
import { HOUR, type Instant } from '../../model/index.ts'
import type { Strategy } from '../strategy.ts'

type Memory = { timeline: Instant[] }

const LONGEST_TIMELINE = 100 // ours: a feed that shows ten thousand entries shall not weigh more than others
const FIRST_GUESS_MS = HOUR // ours: of a feed with fewer than two entries there is no mean

export const movingAverage: Strategy<Memory> = {
  summary: 'Waits the mean gap between the entries that the feed shows; silence lengthens it (Urbansky et al. 2011).',
  begin: () => ({ timeline: [] }),

  learn({ timeline }, { at, window, fresh }) {
    if (fresh > 0 || (timeline.length === 0 && window.length > 0)) return { timeline: window.slice(-LONGEST_TIMELINE) }
    if (timeline.length === 0) return { timeline }
    return { timeline: [...(timeline.length > 1 ? timeline.slice(1) : timeline), at] }
  },

  next({ timeline }, lastAt) {
    const first = timeline.at(0)
    const last = timeline.at(-1)
    if (first === undefined || last === undefined || timeline.length < 2) return lastAt + FIRST_GUESS_MS
    return lastAt + (last - first) / (timeline.length - 1)
  },
}
