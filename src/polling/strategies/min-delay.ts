/**
 * The "minimum delay" policy that advaRSS is compared with (Adam et al. 2010, IV.B). It uses the same posting pattern, but
 * polls a feed when the delays of the articles expected to wait add up to the price of a poll:
 *
 *   integral from the last poll to t of posting_rate(x) (t - x) dx >= price
 *
 * At a constant rate r that is every sqrt(2 price / r).
 */
import { formatDuration, HOUR, type Memory, type Millis } from '../../model/index.ts'
import { amount } from '../amount.ts'
import { NOTHING } from '../packing.ts'
import {
  entriesPerDay,
  type PostingRates,
  packedPattern,
  patternAfter,
  patternIn,
  postingRates,
  walkHours,
} from '../posting-pattern.ts'
import { ownPrice } from '../strategy.ts'
import { recipe } from '../strategy-settings.ts'

const FLOOR = 0.002 // articles an hour, as in posting-history

export const minDelay = recipe(
  'Polls when the expected delays of waiting articles add up to the price of a poll (reference of Adam et al. 2010).',
  {},
  () => ({
    priced: true,
    begin: () => NOTHING,
    learn: (memory, look) => packedPattern(patternAfter(patternIn(memory, 0)?.pattern, look), []),

    next(memory, lastAt, { limits, ...terms }) {
      const price = ownPrice(terms)
      const rates = ratesIn(memory)
      if (!rates) return lastAt + HOUR
      const waiting = { articles: 0, delayMs: 0 }
      return walkHours(rates, lastAt, lastAt + limits.maxMs, (rate, lengthMs) => {
        const { articles, delayMs } = waiting
        // delay + articles x + rate x^2 / 2 = price
        const enough = (Math.sqrt(articles ** 2 + 2 * rate * (price - delayMs)) - articles) / rate
        if (enough <= lengthMs) return enough
        add(waiting, rate, lengthMs)
        return undefined
      })
    },

    reason(memory, _lastAt, terms) {
      const price = ownPrice(terms)
      const rates = ratesIn(memory)
      const articlesPerDay = rates ? entriesPerDay(rates) : 0
      return {
        words: `by its hours and weekdays it posts ${amount(articlesPerDay)} articles a day, and is looked at when they will have waited ${formatDuration(price)} together`,
        figures: { articlesPerDay, priceMs: price },
      }
    },

    urgency(memory, now) {
      const known = patternIn(memory, 0)
      if (!known) return Number.POSITIVE_INFINITY
      const waiting = { articles: 0, delayMs: 0 }
      walkHours(postingRates(known.pattern, FLOOR), known.pattern.lastAt, now, (rate, lengthMs) => {
        add(waiting, rate, lengthMs)
        return undefined
      })
      return waiting.delayMs
    },
  }),
)

function add(waiting: { articles: number; delayMs: Millis }, rate: number, lengthMs: Millis): void {
  waiting.delayMs += waiting.articles * lengthMs + (rate * lengthMs ** 2) / 2
  waiting.articles += rate * lengthMs
}

function ratesIn(memory: Memory): PostingRates | undefined {
  const known = patternIn(memory, 0)
  return known && postingRates(known.pattern, FLOOR)
}
