/**
 * Polls all feeds in turn: a feed is polled again after all others (a baseline of Adam et al. 2010, IV.B). With a budget
 * that is one interval for all feeds, and the market finds it: the price itself.
 */
import { formatDuration } from '../../model/index.ts'
import { EMPTY_MEMORY } from '../memory-encoding.ts'
import { defineStrategy } from '../strategy-settings.ts'

export const roundRobin = defineStrategy(
  'Polls all feeds in turn, as often as the budget allows. Learns nothing (reference of Adam et al. 2010).',
  {},
  () => ({
    priced: true,
    begin: () => EMPTY_MEMORY,
    learn: () => EMPTY_MEMORY,
    next: (_memory, lastAt, { price }) => lastAt + price,
    reason: (_memory, _lastAt, { price }) => ({
      text: `all feeds are polled in turn; the budget allows one poll every ${formatDuration(price)}`,
      figures: { everyMs: price },
    }),
  }),
)
