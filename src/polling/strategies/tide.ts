/**
 * Tide: looks when entries are expected, as often as they are worth it. Ours.
 *
 *   rate(t) = r(t) * W(hour of week) * M(minute of hour)        entries a millisecond: tide/rate.ts, tide/profile.ts
 *
 * is learnt from what each look shows, and from silence (tide/learning.ts). The next look is the first of the cheapest plan
 * (tide/plan.ts), where an entry's waiting costs its time, and a look its price; one price for all feeds, set so that the
 * budget is met (market.ts), makes looks go where they save most waiting. At a constant rate a feed is looked at every
 * sqrt(2 price / rate). The window is guarded apart (tide/guard.ts).
 *
 * The price of a look at this feed is the common one
 *   times (entries a day)^alpha: 0 makes the mean delay of entries least, 1 treats all feeds alike, whatever they publish;
 *   by readers^readers: what more people wait for is worth more (Adam et al. 2010, eq. 6, weighs linearly: readers = 1);
 *   at most rate * goal^2 / 2, so that intervals are no longer than the goal while entries come, and nights stay quiet.
 */
import { DAY, type Instant, type Memory, type Millis } from '../../model/index.ts'
import { NOTHING } from '../packing.ts'
import { recipe } from '../recipe.ts'
import type { Terms } from '../strategy.ts'
import { forecast } from '../tide/forecast.ts'
import { burstFillsAfter, windowFillsAfter } from '../tide/guard.ts'
import { type Knowledge, newKnowledge, packed, unpacked } from '../tide/knowledge.ts'
import { learnt } from '../tide/learning.ts'
import { firstLook } from '../tide/plan.ts'
import { profileOf } from '../tide/profile.ts'
import { type Rate, rateOf } from '../tide/rate.ts'

export const tide = recipe(
  'Learns at what hours a feed publishes and how much, and looks when that is worth the price of a poll.',
  {
    alpha: {
      kind: 'number',
      default: 0.12,
      least: 0,
      most: 1,
      sentence:
        'From the least mean delay of entries (0) to the same care for all feeds, however rarely they publish (1).',
    },
    readers: {
      kind: 'number',
      default: 0.5,
      least: 0,
      most: 1,
      sentence: 'How much the number of readers weighs: not at all (0) to in proportion (1).',
    },
  },
  ({ alpha, readers }) => {
    function priceOf(rate: Rate, { price, subscribers }: Terms): Millis {
      return (price * (rate.slow * DAY) ** alpha) / Math.max(1, subscribers) ** readers
    }

    function decide(knowledge: Knowledge, lastAt: Instant, terms: Terms): Millis {
      const { minMs, maxMs } = terms.limits
      const rate = rateOf(knowledge)
      const price = priceOf(rate, terms)
      const typicalMs = Math.min(maxMs, Math.sqrt((4 * price) / (rate.now + rate.slow)))
      const grid = forecast(rate, profileOf(knowledge), lastAt, typicalMs, minMs)
      const planned = grid.at[firstLook(grid, price)]!
      return Math.min(planned, windowFillsAfter(grid, knowledge), burstFillsAfter(knowledge))
    }

    return {
      priced: true,
      begin: () => NOTHING,
      learn: (memory: Memory, look) => packed(learnt(unpacked(memory) ?? newKnowledge(), look)),
      next: (memory, lastAt, terms) => lastAt + decide(unpacked(memory) ?? newKnowledge(), lastAt, terms),
    }
  },
)
