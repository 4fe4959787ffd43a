/**
 * The strongest simple baseline. At a constant rate r, entries wait r u^2 / 2 in total between polls every u; with a price
 * per poll the cheapest interval is u = sqrt(2 price / r): polls are proportional to the square root of the rate (Sia, Cho
 * and Cho 2007 allot a budget so). The rate is entries over time, plus half an entry for feeds that never had one.
 */
import { DAY, formatDuration, type Memory } from '../../model/index.ts'
import { formatAmount } from '../format-amount.ts'
import { decodeDoubles, EMPTY_MEMORY, encodeDoubles } from '../memory-encoding.ts'
import { feedPrice } from '../strategy.ts'
import { defineStrategy } from '../strategy-settings.ts'

const HALF = 0.5

export const sqrtRate = defineStrategy(
  'Polls in proportion to the square root of how often a feed posts, as the budget allows (after Sia et al. 2007).',
  {},
  () => {
    const read = (memory: Memory) => {
      const numbers = decodeDoubles(memory)
      return numbers?.length === 2 ? { entries: numbers[0]!, sinceAt: numbers[1]! } : undefined
    }
    return {
      priced: true,
      begin: () => EMPTY_MEMORY,
      learn(memory, { at, window, fresh }) {
        const rate = read(memory)
        if (rate) return encodeDoubles([rate.entries + fresh, rate.sinceAt])
        return encodeDoubles([window.length, Math.min(window[0] ?? at, at - DAY)])
      },
      next(memory, lastAt, terms) {
        const price = feedPrice(terms)
        const { entries, sinceAt } = read(memory) ?? { entries: 0, sinceAt: lastAt - DAY }
        return lastAt + Math.sqrt((2 * price * (lastAt - sinceAt)) / (entries + HALF))
      },
      reason(memory, lastAt, terms) {
        const price = feedPrice(terms)
        const { entries, sinceAt } = read(memory) ?? { entries: 0, sinceAt: lastAt - DAY }
        const entriesPerDay = ((entries + HALF) * DAY) / (lastAt - sinceAt)
        return {
          text: `it posted ${formatAmount(entriesPerDay)} entries a day, and a poll costs ${formatDuration(price)} of waiting`,
          figures: { entriesPerDay, priceMs: price },
        }
      },
    }
  },
)
