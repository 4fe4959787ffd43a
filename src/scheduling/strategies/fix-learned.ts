/**
 * Fix Learned (Urbansky et al. 2011, 3.2). The mean gap between the entries of the first poll (eq. 1) is the interval from
 * then on; one hour if there is no gap.
 */
import { formatDuration, HOUR, type Memory, type Millis } from '../../model/index.ts'
import { decodeDoubles, EMPTY_MEMORY, encodeDoubles } from '../memory-encoding.ts'
import { meanGap } from '../observation.ts'
import { defineStrategy } from '../strategy-settings.ts'

export const fixLearned = defineStrategy(
  'Learns the mean gap between entries at the first poll, and keeps it (Urbansky et al. 2011).',
  {},
  () => ({
    priced: false,
    begin: () => EMPTY_MEMORY,
    learn: (memory, { window }) => (memory.length > 0 ? memory : encodeDoubles([meanGap(window) ?? HOUR])),
    next: (memory, lastAt) => lastAt + gapIn(memory),
    reason(memory) {
      const gapMs = gapIn(memory)
      return {
        text: `the mean gap between entries was ${formatDuration(gapMs)} at the first poll`,
        figures: { gapMs },
      }
    },
  }),
)

function gapIn(memory: Memory): Millis {
  return decodeDoubles(memory)?.[0] ?? HOUR
}
