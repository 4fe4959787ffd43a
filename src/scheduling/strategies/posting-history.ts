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
  const pattern = decodePattern(memory, 5) ?? decodePattern(memory, 3)
  const [median = 0, timer = 0, beganAt = 0, most, late = 0] = pattern?.rest ?? []
  return pattern && { pattern: pattern.pattern, timer: { median, timer, most }, beganAt, late }
}

export const postingHistory = defineStrategy(
  'Trains for four weeks, then polls the feeds with the most expected articles (Adam, Bouras, Poulopoulos 2010).',
  {
    training: {
      kind: 'duration',
      default: 28 * DAY,
      min: 0,
      max: 366 * DAY,
      description: 'Length of the training phase.',
    },
    c: { kind: 'number', default: 0, min: 0, max: 1000, description: 'Weight of a subscriber (eq. 6).' },
    gap: {
      kind: 'duration',
      default: 10 * MINUTE,
      min: 0,
      max: DAY,
      description: 'Minimum interval between two polls.',
    },
    floor: { kind: 'number', default: 0.002, min: 1e-9, max: 1, description: 'Minimum rate, in articles per hour.' },
    by: {
      kind: 'choice',
      default: 'rank',
      choices: ['rank', 'threshold'],
      description: 'Whether each round polls the highest ranks, or all feeds above a threshold.',
    },
    ...ROUND_SETTINGS,
  },
  ({ training, c, gap, floor, by, ...settings }) => {
    const rounds = createRounds(settings)

    const read = (memory: Memory) => {
      const trainingState = decodeTrainingMemory(memory)
      return (
        trainingState && {
          ...trainingState,
          timer: { ...trainingState.timer, most: trainingState.timer.most ?? rounds.first.most },
        }
      )
    }

    /** Caches what ranks are computed from, as long as the memory is referenced. */
    const rankedBy = new WeakMap<Memory, { sums: PostingRates; lastAt: Instant }>()
    const ratesOf = (memory: Memory) => {
      const state = read(memory)
      return state && { sums: cumulativeRates(postingRates(state.pattern, floor)), lastAt: state.pattern.lastAt }
    }

    const weightOf = ({ subscribers, activity = 1 }: Pick<Terms, 'subscribers' | 'activity'>) =>
      1 + c * subscribers * activity

    const isTraining = (beganAt: Instant, at: Instant) => at - beganAt < training

    return {
      priced: true,
      ...(by === 'rank' && { rounds: { everyMs: settings.round, gapMs: gap } }),
      begin: () => EMPTY_MEMORY,

      learn(memory, observation) {
        const state = read(memory)
        const { median, timer, most } = rounds.after(state?.timer ?? rounds.first, !state || observation.fresh > 0)
        const late = state ? 0 : rounds.firstToE(observation.at)
        return encodePattern(updatePattern(state?.pattern, observation), [
          median,
          timer,
          state?.beganAt ?? observation.at,
          most,
          late,
        ])
      },

      trains: (memory, at) => training > 0 && isTraining(read(memory)?.beganAt ?? at, at),

      next(memory, lastAt, terms) {
        const { limits } = terms
        const state = read(memory)
        if (!state) return lastAt + HOUR
        if (isTraining(state.beganAt, lastAt)) {
          return rounds.endOf(roundsToWait(state.timer) + state.late, lastAt)
        }
        if (by === 'rank' && terms.ranked) return lastAt + limits.maxMs
        const weight = weightOf(terms)
        let wanting = feedPrice(terms) / HOUR
        const at = walkHours(postingRates(state.pattern, floor), lastAt, lastAt + limits.maxMs, (rate, lengthMs) => {
          const brings = rate * weight * lengthMs
          if (brings >= wanting) return wanting / (rate * weight)
          wanting -= brings
          return undefined
        })
        return Math.max(at, lastAt + gap)
      },

      reason(memory, lastAt, terms) {
        const state = read(memory)
        if (!state) return { text: 'nothing is known about it yet', figures: {} }
        if (isTraining(state.beganAt, lastAt)) {
          const { text, figures } = rounds.reason(state.timer, state.late)
          const remaining = formatDuration(state.beganAt + training - lastAt)
          return { text: `the training phase lasts another ${remaining}; ${text}`, figures }
        }
        const weight = weightOf(terms)
        const perDay = entriesPerDay(postingRates(state.pattern, floor))
        const counted = weight === 1 ? '' : `, each weighing ${formatAmount(weight)}`
        const posts = `by its hours and weekdays it posts ${formatAmount(perDay)} articles a day`
        if (by === 'rank' && terms.ranked)
          return {
            text: `${posts}${counted}; each round of ${formatDuration(settings.round)} polls the feeds with the most expected articles`,
            figures: { articlesPerDay: perDay },
          }
        const rank = feedPrice(terms) / HOUR
        return {
          text: `${posts}, and is polled when ${formatAmount(rank)} of them are expected to be waiting${counted}`,
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
