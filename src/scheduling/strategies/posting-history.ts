/**
 * advaRSS with its posting history (Adam et al. 2010, III.B). For four weeks the feed is polled as in the training phase
 * (see rounds.ts) while its rates by hour and weekday are learned; then by the number of articles expected to wait:
 *
 *   articles(t) = integral from the last poll to t of posting_rate / 3600      (5)
 *   rank(f, t)  = articles_f(t) (1 + c subscribers(f))                         (6)
 *
 * Every round polls the k feeds of highest rank; the budget sets k (ranking.ts). The paper also counts subscribers'
 * "activity on the system", without a formula: here a subscriber who reads twice as much as average counts as two.
 *
 * With `by=threshold` a feed is polled when its rank reaches a threshold set by the market: one hour of price is one
 * expected article. That avoids ranking all feeds in every round, but makes more polls by day than by night, and with
 * equally many polls articles wait a third longer.
 */
import { DAY, formatDuration, HOUR, type Instant, type Memory, MINUTE } from '../../model/index.ts'
import { formatAmount } from '../format-amount.ts'
import { EMPTY_MEMORY } from '../memory-encoding.ts'
import {
  cumulativeRates,
  decodePattern,
  encodePattern,
  entriesPerDay,
  expectedBetween,
  type PostingRates,
  postingRates,
  updatePattern,
  walkHours,
} from '../posting-pattern.ts'
import { createRounds, ROUND_SETTINGS, roundsToWait } from '../rounds.ts'
import { feedPrice, type Terms } from '../strategy.ts'
import { defineStrategy } from '../strategy-settings.ts'

/** Undefined for a feed that was never polled. Memories of earlier versions end with the date. */
export function decodeTrainingMemory(memory: Memory) {
  const known = decodePattern(memory, 5) ?? decodePattern(memory, 3)
  const [median = 0, timer = 0, beganAt = 0, most, late = 0] = known?.rest ?? []
  return known && { pattern: known.pattern, timer: { median, timer, most }, beganAt, late }
}

export const postingHistory = defineStrategy(
  'Trains for four weeks, then polls where most new articles are expected (Adam, Bouras, Poulopoulos 2010).',
  {
    training: { kind: 'duration', default: 28 * DAY, least: 0, most: 366 * DAY, sentence: 'How long it trains.' },
    c: { kind: 'number', default: 0, least: 0, most: 1000, sentence: 'How much a subscriber weighs (eq. 6).' },
    gap: { kind: 'duration', default: 10 * MINUTE, least: 0, most: DAY, sentence: 'The least time between two polls.' },
    floor: { kind: 'number', default: 0.002, least: 1e-9, most: 1, sentence: 'The least rate, in articles an hour.' },
    by: {
      kind: 'choice',
      default: 'rank',
      choices: ['rank', 'threshold'],
      sentence: 'Whether the highest ranks go in every round, or whoever passes a threshold.',
    },
    ...ROUND_SETTINGS,
  },
  ({ training, c, gap, floor, by, ...settings }) => {
    const rounds = createRounds(settings)

    const read = (memory: Memory) => {
      const known = decodeTrainingMemory(memory)
      return known && { ...known, timer: { ...known.timer, most: known.timer.most ?? rounds.first.most } }
    }

    /** Caches what ranks are computed from, as long as the memory is referenced. */
    const rankedBy = new WeakMap<Memory, { sums: PostingRates; lastAt: Instant }>()
    const ratesOf = (memory: Memory) => {
      const known = read(memory)
      return known && { sums: cumulativeRates(postingRates(known.pattern, floor)), lastAt: known.pattern.lastAt }
    }

    const weightOf = ({ subscribers, activity = 1 }: Pick<Terms, 'subscribers' | 'activity'>) =>
      1 + c * subscribers * activity

    const isTraining = (beganAt: Instant, at: Instant) => at - beganAt < training

    return {
      priced: true,
      ...(by === 'rank' && { rounds: { everyMs: settings.round, gapMs: gap } }),
      begin: () => EMPTY_MEMORY,

      learn(memory, observation) {
        const known = read(memory)
        const { median, timer, most } = rounds.after(known?.timer ?? rounds.first, !known || observation.fresh > 0)
        const late = known ? 0 : rounds.firstToE(observation.at)
        return encodePattern(updatePattern(known?.pattern, observation), [
          median,
          timer,
          known?.beganAt ?? observation.at,
          most,
          late,
        ])
      },

      trains: (memory, at) => training > 0 && isTraining(read(memory)?.beganAt ?? at, at),

      next(memory, lastAt, terms) {
        const { limits } = terms
        const known = read(memory)
        if (!known) return lastAt + HOUR
        if (isTraining(known.beganAt, lastAt)) {
          return rounds.endOf(roundsToWait(known.timer) + known.late, lastAt)
        }
        if (by === 'rank' && terms.ranked) return lastAt + limits.maxMs
        const weight = weightOf(terms)
        let wanting = feedPrice(terms) / HOUR
        const at = walkHours(postingRates(known.pattern, floor), lastAt, lastAt + limits.maxMs, (rate, lengthMs) => {
          const brings = rate * weight * lengthMs
          if (brings >= wanting) return wanting / (rate * weight)
          wanting -= brings
          return undefined
        })
        return Math.max(at, lastAt + gap)
      },

      reason(memory, lastAt, terms) {
        const known = read(memory)
        if (!known) return { words: 'nothing is known of it yet', figures: {} }
        if (isTraining(known.beganAt, lastAt)) {
          const { words, figures } = rounds.reason(known.timer, known.late)
          const left = formatDuration(known.beganAt + training - lastAt)
          return { words: `it trains for another ${left}; ${words}`, figures }
        }
        const weight = weightOf(terms)
        const perDay = entriesPerDay(postingRates(known.pattern, floor))
        const counted = weight === 1 ? '' : `, each weighing ${formatAmount(weight)}`
        const posts = `by its hours and weekdays it posts ${formatAmount(perDay)} articles a day`
        if (by === 'rank' && terms.ranked)
          return {
            words: `${posts}${counted}; in every round of ${formatDuration(settings.round)} those go where most are expected to wait`,
            figures: { articlesPerDay: perDay },
          }
        const rank = feedPrice(terms) / HOUR
        return {
          words: `${posts}, and is looked at when ${formatAmount(rank)} of them are expected to wait${counted}`,
          figures: { articlesPerDay: perDay, rank },
        }
      },

      urgency(memory, now, terms) {
        let ranked = rankedBy.get(memory)
        if (!ranked) {
          ranked = ratesOf(memory)
          if (!ranked) return Number.POSITIVE_INFINITY
          rankedBy.set(memory, ranked)
        }
        return expectedBetween(ranked.sums, ranked.lastAt, now) * weightOf(terms)
      },
    }
  },
)
