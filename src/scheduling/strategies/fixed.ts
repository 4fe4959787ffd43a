/** Polls at a fixed interval and learns nothing: the baseline for the others (Urbansky et al. 2011, 3.1). */
import { DAY, formatDuration, HOUR, SECOND } from '../../model/index.ts'
import { EMPTY_MEMORY } from '../memory-encoding.ts'
import { defineStrategy } from '../strategy-settings.ts'

export const fixed = defineStrategy(
  'Polls every feed once an hour, or as often as you say, and learns nothing.',
  {
    every: {
      kind: 'duration',
      default: HOUR,
      least: SECOND,
      most: 366 * DAY,
      sentence: 'The time between two polls.',
    },
  },
  ({ every }) => ({
    priced: false,
    begin: () => EMPTY_MEMORY,
    learn: () => EMPTY_MEMORY,
    next: (_memory, lastAt) => lastAt + every,
    reason: () => ({
      words: `it is polled every ${formatDuration(every)}, whatever it does`,
      figures: { everyMs: every },
    }),
  }),
)
