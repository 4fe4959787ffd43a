/**
 * The "minimum delay" policy that advaRSS is compared with (Adam et al. 2010, IV.B). It uses the same posting pattern, but
 * polls a feed when the delays of the articles expected to wait add up to the price of a poll:
 *
 *   integral from the last poll to t of posting_rate(x) (t - x) dx >= price
 *
 * At a constant rate r that is every sqrt(2 price / r).
 */
import { formatDuration, HOUR, type Memory, type Millis } from '../../model/index.ts'
import { formatAmount } from '../format-amount.ts'
import { EMPTY_MEMORY } from '../memory-encoding.ts'
import {
  decodePattern,
  encodePattern,
  entriesPerDay,
  type PostingRates,
  postingRates,
  updatePattern,
  walkHours,
} from '../posting-pattern.ts'
import { feedPrice } from '../strategy.ts'
import { defineStrategy } from '../strategy-settings.ts'

const FLOOR = 0.002 // articles an hour, as in posting-history

export const minDelay = defineStrategy(
  'Polls when the expected delays of waiting articles add up to the price of a poll (reference of Adam et al. 2010).',
  {},
  () => ({
    priced: true,
    begin: () => EMPTY_MEMORY,
    learn: (memory, observation) => encodePattern(updatePattern(decodePattern(memory, 0)?.pattern, observation), []),

    next(memory, lastAt, { limits, ...terms }) {
      const price = feedPrice(terms)
      const rates = ratesIn(memory)
      if (!rates) return lastAt + HOUR
      const waitingArticles = { articles: 0, delayMs: 0 }
      return walkHours(rates, lastAt, lastAt + limits.maxMs, (rate, lengthMs) => {
        const { articles, delayMs } = waitingArticles
        // delay + articles x + rate x^2 / 2 = price
        const target = (Math.sqrt(articles ** 2 + 2 * rate * (price - delayMs)) - articles) / rate
        if (target <= lengthMs) return target
        add(waitingArticles, rate, lengthMs)
        return undefined
      })
    },

    reason(memory, _lastAt, terms) {
      const price = feedPrice(terms)
      const rates = ratesIn(memory)
      const articlesPerDay = rates ? entriesPerDay(rates) : 0
      return {
        text: `by hour and weekday, it posts ${formatAmount(articlesPerDay)} articles a day, and is polled when their total waiting time reaches ${formatDuration(price)}`,
        figures: { articlesPerDay, priceMs: price },
      }
    },

    urgency(memory, now) {
      const pattern = decodePattern(memory, 0)
      if (!pattern) return Number.POSITIVE_INFINITY
      const waiting = { articles: 0, delayMs: 0 }
      walkHours(postingRates(pattern.pattern, FLOOR), pattern.pattern.lastAt, now, (rate, lengthMs) => {
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
  const pattern = decodePattern(memory, 0)
  return pattern && postingRates(pattern.pattern, FLOOR)
}
