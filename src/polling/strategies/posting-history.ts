/**
 * advaRSS with its posting history (Adam et al. 2010, III.B). For four weeks the feed is polled as in the training phase (see
 * rounds.ts) while its hourly rates are learnt; from then on by what is expected to wait there:
 *
 *   articles(t) = integral from the last poll to t of posting_rate / 3600      (5)
 *   rank(f, t)  = articles_f(t) (1 + c subscribers(f))                         (6)
 *
 * The paper takes the k feeds of highest rank in every round. Ranks only grow between polls, so that is the same as to
 * poll a feed when its rank passes a threshold, if the threshold is such that k feeds a round do: the market's price is
 * that threshold, and nobody has to look through all feeds. One hour of price is one expected article.
 */
import { DAY, formatDuration, HOUR, type Instant, type Memory, MINUTE } from '../../model/index.ts'
import { amount } from '../amount.ts'
import { NOTHING } from '../packing.ts'
import { hourlyRates, packedPattern, patternAfter, patternIn, walkHours } from '../posting-pattern.ts'
import { createRounds, ROUND_SETTINGS, roundsToWait } from '../rounds.ts'
import { recipe } from '../strategy-settings.ts'

export const postingHistory = recipe(
  'Trains for four weeks, then polls where most new articles are expected (Adam, Bouras, Poulopoulos 2010).',
  {
    training: { kind: 'duration', default: 28 * DAY, least: 0, most: 366 * DAY, sentence: 'How long it trains.' },
    c: { kind: 'number', default: 0, least: 0, most: 1000, sentence: 'How much a subscriber weighs (eq. 6).' },
    gap: { kind: 'duration', default: 10 * MINUTE, least: 0, most: DAY, sentence: 'The least time between two polls.' },
    floor: { kind: 'number', default: 0.002, least: 1e-9, most: 1, sentence: 'The least rate, in articles an hour.' },
    ...ROUND_SETTINGS,
  },
  ({ training, c, gap, floor, ...settings }) => {
    const rounds = createRounds(settings)

    /** Memories of earlier versions end with the date. */
    const read = (memory: Memory) => {
      const known = patternIn(memory, 5) ?? patternIn(memory, 3)
      const [median = 0, timer = 0, beganAt = 0, most = rounds.first.most, late = 0] = known?.rest ?? []
      return known && { pattern: known.pattern, timer: { median, timer, most }, beganAt, late }
    }

    const isTraining = (beganAt: Instant, at: Instant) => at - beganAt < training

    return {
      priced: true,
      begin: () => NOTHING,

      learn(memory, look) {
        const known = read(memory)
        const { median, timer, most } = rounds.after(known?.timer ?? rounds.first, !known || look.fresh > 0)
        const late = known ? 0 : rounds.firstToE(look.at)
        return packedPattern(patternAfter(known?.pattern, look), [median, timer, known?.beganAt ?? look.at, most, late])
      },

      trains: (memory, at) => training > 0 && isTraining(read(memory)?.beganAt ?? at, at),

      next(memory, lastAt, { price, subscribers, limits }) {
        const known = read(memory)
        if (!known) return lastAt + HOUR
        if (isTraining(known.beganAt, lastAt)) {
          return rounds.endOf(roundsToWait(known.timer) + known.late, lastAt)
        }
        const weight = 1 + c * subscribers
        let wanting = price / HOUR
        const at = walkHours(hourlyRates(known.pattern, floor), lastAt, lastAt + limits.maxMs, (rate, lengthMs) => {
          const brings = rate * weight * lengthMs
          if (brings >= wanting) return wanting / (rate * weight)
          wanting -= brings
          return undefined
        })
        return Math.max(at, lastAt + gap)
      },

      reason(memory, lastAt, { price, subscribers }) {
        const known = read(memory)
        if (!known) return { words: 'nothing is known of it yet', figures: {} }
        if (isTraining(known.beganAt, lastAt)) {
          const { words, figures } = rounds.reason(known.timer, known.late)
          const left = formatDuration(known.beganAt + training - lastAt)
          return { words: `it trains for another ${left}; ${words}`, figures }
        }
        const rank = price / HOUR
        const weight = 1 + c * subscribers
        const perDay = hourlyRates(known.pattern, floor).reduce((sum, rate) => sum + rate, 0)
        const counted = weight === 1 ? '' : `, each weighing ${amount(weight)}`
        return {
          words: `by its hours it posts ${amount(perDay)} articles a day, and is looked at when ${amount(rank)} of them are expected to wait${counted}`,
          figures: { articlesPerDay: perDay, rank },
        }
      },

      urgency(memory, now, { subscribers }) {
        const known = read(memory)
        if (!known) return Number.POSITIVE_INFINITY
        let articles = 0
        walkHours(hourlyRates(known.pattern, floor), known.pattern.lastAt, now, (rate, lengthMs) => {
          articles += rate * lengthMs
          return undefined
        })
        return articles * (1 + c * subscribers)
      },
    }
  },
)
