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
 * Read as it stands, eq. 2 is recursive: virtual entries stay until real ones come. Keeping the timeline, virtual entries
 * included, and taking eq. 1 of it gives the same number and cannot drift. The authors' own program applies one virtual
 * entry to the window that the feed shows, however many polls were in vain; that is `virtual=one`.
 *
 * A feed that shows fewer than two entries has no gap, and the paper says nothing of it. No entry in all the time that we
 * know of is a mean gap without end, so the feed waits as long as the limits allow: so did the program with which the
 * authors gathered their data. Their evaluation's waits half an hour, `empty=30m`.
 */
import { DAY, type Memory } from '../../model/index.ts'
import { meanGap } from '../look.ts'
import { doublesIn, NOTHING, packedDoubles } from '../packing.ts'
import { recipe } from '../strategy-settings.ts'

const LONGEST_TIMELINE = 100 // ours: a feed that shows ten thousand entries shall not weigh more than others
const AS_LONG_AS_IT_MAY = 366 * DAY

export const movingAverage = recipe(
  'Waits the mean gap between the entries that the feed shows; silence lengthens it (Urbansky et al. 2011).',
  {
    virtual: {
      kind: 'choice',
      default: 'all',
      choices: ['all', 'one'],
      sentence: 'Whether every poll in vain since the last entry counts as an entry (eq. 2), or only the last of them.',
    },
    empty: {
      kind: 'duration',
      default: AS_LONG_AS_IT_MAY,
      least: 0,
      most: AS_LONG_AS_IT_MAY,
      sentence: 'How long a feed with fewer than two entries waits, within the limits.',
    },
  },
  ({ virtual, empty }) => {
    /** Of `one`, the last number is the poll in vain, or 0. */
    const timelineOf = (memory: Memory) => Array.from(doublesIn(memory) ?? [])

    return {
      priced: false,
      begin: () => NOTHING,

      learn(memory, { at, window, fresh }) {
        if (fresh > 0 || (memory.length === 0 && window.length > 0)) {
          const shown = window.slice(-LONGEST_TIMELINE)
          return packedDoubles(virtual === 'one' ? [...shown, 0] : shown)
        }
        const timeline = timelineOf(memory)
        if (timeline.length === 0) return memory
        if (virtual === 'one') return packedDoubles([...timeline.slice(0, -1), at])
        return packedDoubles([...(timeline.length > 1 ? timeline.slice(1) : timeline), at])
      },

      next(memory, lastAt, { limits }) {
        let timeline = timelineOf(memory)
        if (virtual === 'one') {
          const inVain = timeline.pop()
          if (inVain) timeline = [...(timeline.length > 1 ? timeline.slice(1) : timeline), inVain]
        }
        return lastAt + (meanGap(timeline) ?? Math.min(empty, limits.maxMs))
      },
    }
  },
)
