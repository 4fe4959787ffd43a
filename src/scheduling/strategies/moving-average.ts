/**
 * Moving Average (Urbansky et al. 2011, 3.3). The next entry is expected one mean gap after the last poll, where the mean is
 * taken over the feed's window (eq. 1):
 *
 *   u = (i_(w-1) - i_0) / (w - 1)
 *
 * A poll that finds nothing came too early: pretend that an entry was published at that moment p and forget the oldest one,
 * so that the mean grows while the feed is silent (eq. 2):
 *
 *   u_n = u_(n-1) - (i_1 - i_0)/(w - 1) + (p - i_(w-1))/(w - 1)
 *
 * Taken literally, eq. 2 is recursive: virtual entries stay until real ones come. Keeping the timeline, virtual entries
 * included, and taking eq. 1 of it gives the same number and cannot drift. The authors' program applies one virtual entry to
 * the window that the feed shows, however many polls found nothing; that is `virtual=one`.
 *
 * With `stretch`, all intervals are multiplied. Virtual entries are then placed where polls would have been without it: if
 * they were placed at the actual polls, early polls that find nothing would shorten the mean and bring the next polls even
 * earlier.
 *
 * The paper does not define the gap of a feed with fewer than two entries. The authors' program waits half an hour, and so
 * does this one.
 */
import { DAY, formatDuration, type Instant, type Memory, MINUTE } from '../../model/index.ts'
import { LIMITS, type Limits } from '../due-date.ts'
import { decodeDoubles, EMPTY_MEMORY, encodeDoubles } from '../memory-encoding.ts'
import { meanGap } from '../observation.ts'
import { defineStrategy } from '../strategy-settings.ts'

const MAX_TIMELINE = 100 // our limit: a feed that shows ten thousand entries must not need more memory than others
const MAX_POLLS = 100_000 // our limit: after a very long pause virtual polls are not all computed

export const movingAverage = defineStrategy(
  'Waits the mean gap between the entries that the feed shows; silence lengthens it (Urbansky et al. 2011).',
  {
    virtual: {
      kind: 'choice',
      default: 'all',
      choices: ['all', 'one'],
      description:
        'Whether every poll without news since the last entry counts as an entry (eq. 2), or only the last one.',
    },
    empty: {
      kind: 'duration',
      default: 30 * MINUTE,
      min: 0,
      max: 366 * DAY,
      description: 'Interval of a feed with fewer than two entries, within the limits.',
    },
    stretch: {
      kind: 'number',
      default: 1,
      min: 1e-9,
      max: 1e9,
      description: 'Factor for all intervals.',
    },
  },
  ({ virtual, empty, stretch }) => {
    const isOne = virtual === 'one'
    const ownWait = (timeline: readonly Instant[], { minMs, maxMs }: Limits) =>
      Math.min(maxMs, Math.max(minMs, meanGap(timeline) ?? empty))

    /**
     * The timeline, and the last poll without new entries (0: none) or, with `stretch`, the last poll at the unstretched
     * pace.
     */
    function read(memory: Memory): { timeline: Instant[]; polledAt: Instant } {
      const timeline = Array.from(decodeDoubles(memory) ?? [])
      const polledAt = isOne || stretch !== 1 ? (timeline.pop() ?? 0) : 0
      return { timeline, polledAt }
    }

    const packed = (timeline: readonly Instant[], polledAt: Instant) =>
      encodeDoubles(isOne || stretch !== 1 ? [...timeline, polledAt] : timeline)

    return {
      priced: false,
      begin: () => EMPTY_MEMORY,

      learn(memory, { at, window, fresh }) {
        if (fresh > 0 || (memory.length === 0 && window.length > 0))
          return packed(window.slice(-MAX_TIMELINE), isOne ? 0 : at)
        const { timeline, polledAt } = read(memory)
        if (timeline.length === 0) return memory
        if (isOne) return packed(timeline, at)
        if (stretch === 1) return packed(withVirtual(timeline, at), at)
        return packed(...atOwnPace(timeline, polledAt, at, (now) => ownWait(now, LIMITS)))
      },

      next(memory, lastAt, { limits }) {
        const { timeline, polledAt } = read(memory)
        const now = isOne && polledAt ? withVirtual(timeline, polledAt) : timeline
        if (stretch === 1) return lastAt + (meanGap(now) ?? empty)
        return lastAt + stretch * ownWait(now, limits)
      },

      reason(memory) {
        const { timeline, polledAt } = read(memory)
        const gapMs = meanGap(isOne && polledAt ? withVirtual(timeline, polledAt) : timeline)
        const times = stretch === 1 ? '' : `, and it waits ${stretch} times as long`
        if (gapMs === undefined)
          return { text: `with fewer than two entries it waits ${formatDuration(empty)}${times}`, figures: {} }
        const entries = timeline.length
        return {
          text: `the mean gap of its last ${entries} entries, including polls without news, is ${formatDuration(gapMs)}${times}`,
          figures: { gapMs, entries },
        }
      },
    }
  },
)

function withVirtual(timeline: readonly Instant[], at: Instant): Instant[] {
  return [...(timeline.length > 1 ? timeline.slice(1) : timeline), at]
}

/** Adds the virtual entries of all polls that would have been made up to `at`; also returns the date of the last of them. */
function atOwnPace(
  timeline: Instant[],
  polledAt: Instant,
  at: Instant,
  ownWait: (timeline: readonly Instant[]) => number,
): [Instant[], Instant] {
  let [now, last] = [timeline, polledAt]
  for (let polls = 0; polls < MAX_POLLS; polls++) {
    const next = last + ownWait(now)
    if (next > at) break
    now = withVirtual(now, next)
    last = next
  }
  return [now, last]
}
