/** Polls at a fixed interval and learns nothing: the baseline for the others (Urbansky et al. 2011, 3.1). */
import { DAY, formatDuration, HOUR, SECOND } from '../../model/index.ts'
import { EMPTY_MEMORY } from '../memory-encoding.ts'
import { defineStrategy } from '../strategy-settings.ts'

export const fixed = defineStrategy(
  'Polls every feed at a fixed interval, one hour by default. Learns nothing.',
  {
    every: {
      kind: 'duration',
      default: HOUR,
      min: SECOND,
      max: 366 * DAY,
      description: 'Interval between two polls.',
    },
  },
  ({ every }) => ({
    priced: false,
    begin: () => EMPTY_MEMORY,
    learn: () => EMPTY_MEMORY,
    next: (_memory, lastAt) => lastAt + every,
    reason: () => ({
      text: `it is polled every ${formatDuration(every)}`,
      figures: { everyMs: every },
    }),
  }),
)
