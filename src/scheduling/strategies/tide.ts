/**
 * Tide, our strategy: polls when entries are expected, as often as they are worth it.
 *
 *   rate(t) = r(t) * W(hour of week) * M(minute of hour)        entries per millisecond: tide/rate.ts, tide/profile.ts
 *
 * is learned from what polls show, and from silence (tide/learning.ts). It distinguishes feeds that have stopped publishing
 * from those that pause (tide/silence.ts), and expects bursts to continue (tide/burst.ts). The next poll is the first of the
 * cheapest plan (tide/plan.ts), where waiting entries cost their time and polls their price (tide/price.ts). One price for
 * all feeds, set so that the budget is met (market.ts), puts polls where they save most waiting. At a constant rate a feed
 * is polled every sqrt(2 price / rate). A separate guard prevents the window from overflowing (tide/window-guard.ts).
 */
import { DAY, type Instant, type Memory, type Millis } from '../../model/index.ts'
import type { Expectation, Terms } from '../strategy.ts'
import { defineStrategy } from '../strategy-settings.ts'
import { burstBetween } from '../tide/burst.ts'
import { forecast } from '../tide/forecast.ts'
import { decodeKnowledge, encodeKnowledge, type Knowledge, newKnowledge } from '../tide/knowledge.ts'
import { learn } from '../tide/learning.ts'
import { cheapestPlan, type Grid } from '../tide/plan.ts'
import { weightedPrice } from '../tide/price.ts'
import { computeProfile, marginalMeans, type Profile, tideAt } from '../tide/profile.ts'
import { observedPerDay } from '../tide/rate.ts'
import { refineFirstPoll } from '../tide/refine.ts'
import { memoryFromSiblings } from '../tide/siblings.ts'
import { ratePerTide, type TideState, tideState, typicalInterval } from '../tide/tide-state.ts'
import { tideWeek } from '../tide/week-forecast.ts'
import { burstFillsAfter, windowFillsAfter } from '../tide/window-guard.ts'

export const tide = defineStrategy(
  'Learns how much a feed publishes and at what hours, and polls when that is worth the price of a poll.',
  {
    alpha: {
      kind: 'number',
      default: 0.65,
      min: 0,
      max: 1,
      description:
        'From the minimum mean delay of entries (0) to the minimum mean over feeds, however rarely they publish (1).',
    },
    readers: {
      kind: 'number',
      default: 0.5,
      min: 0,
      max: 1,
      description: 'Weight of the number of readers: none (0) to proportional (1).',
    },
    horizon: {
      kind: 'duration',
      default: 21 * DAY,
      min: DAY,
      max: 366 * DAY,
      description: 'Period for the mean delay of a feed; rarer feeds count as if they had one entry in it.',
    },
  },
  (weights) => {
    function decide({ knowledge, profile }: LearnedState, lastAt: Instant, terms: Terms): Decision {
      const { minMs, maxMs } = terms.limits
      const outlook = tideState(knowledge, profile, lastAt)
      const price = weightedPrice(outlook, terms, weights)
      const grid = forecast(outlook, lastAt, Math.min(maxMs, typicalInterval(outlook, price)), minMs)
      const planned = refineFirstPoll(grid, cheapestPlan(grid, price), outlook, lastAt, minMs)
      const stretch = terms.stretch ?? 1
      const window = windowFillsAfter(grid, knowledge) * stretch
      const burst = burstFillsAfter(outlook.burst, knowledge) * stretch
      return { waitMs: Math.min(planned, window, burst), window, burst, grid, outlook, price }
    }

    /** Cache: `next` is usually called right after `learn`, and a profile is more expensive to compute than a plan. */
    let latest: LearnedState | undefined

    /** Cache: whether a guard or a goal decided in the last call of `next`. */
    let unpriced: { memory: Memory; lastAt: Instant; terms: Terms; is: boolean } | undefined

    const isUnpriced = ({ waitMs, window, burst, outlook, price }: Decision, terms: Terms) =>
      waitMs === Math.min(window, burst) || isForGoal(outlook, price, terms)

    /** Whether the goal makes polls cheaper than the price does. */
    const isForGoal = (outlook: TideState, price: Millis, { goalMs, ...terms }: Terms) =>
      goalMs !== undefined && price < weightedPrice(outlook, terms, weights)

    function decodeState(memory: Memory): LearnedState {
      if (latest?.memory === memory) return latest
      const knowledge = decodeKnowledge(memory) ?? newKnowledge()
      return { memory, knowledge, profile: computeProfile(knowledge) }
    }

    return {
      priced: true,
      begin: (siblings = []) => memoryFromSiblings(siblings),
      learn(memory, observation) {
        const knowledge = decodeKnowledge(memory) ?? newKnowledge()
        const profile = learn(knowledge, observation)
        latest = { memory: encodeKnowledge(knowledge), knowledge, profile }
        return latest.memory
      },
      next(memory, lastAt, terms) {
        const decision = decide(decodeState(memory), lastAt, terms)
        unpriced = { memory, lastAt, terms, is: isUnpriced(decision, terms) }
        return lastAt + decision.waitMs
      },

      atAnyPrice(memory, lastAt, terms) {
        if (unpriced?.memory === memory && unpriced.lastAt === lastAt && unpriced.terms === terms) return unpriced.is
        return isUnpriced(decide(decodeState(memory), lastAt, terms), terms)
      },

      week(memory, lastAt, terms) {
        const { knowledge, profile } = decodeState(memory)
        const outlook = tideState(knowledge, profile, lastAt)
        const price = weightedPrice(outlook, terms, weights)
        return { ...tideWeek(outlook, knowledge, price, terms), forGoal: isForGoal(outlook, price, terms) }
      },

      urgency(memory, now, { subscribers }) {
        const { knowledge, profile } = decodeState(memory)
        if (knowledge.lastPollAt === 0) return Number.POSITIVE_INFINITY
        const outlook = tideState(knowledge, profile, knowledge.lastPollAt)
        const waiting = ratePerTide(outlook, 0) * (tideAt(profile, now) - tideAt(profile, knowledge.lastPollAt))
        return waiting / weightedPrice(outlook, { price: 1, subscribers }, weights)
      },

      expect(memory, lastAt, until, terms) {
        const state = decodeState(memory)
        const { knowledge } = state
        const decision = decide(state, lastAt, terms)
        const { grid, outlook, price } = decision
        const { rate, profile } = outlook
        const { hours, weekdays } = marginalMeans(profile.week)
        const decided = decidingFactor(decision) ?? (isForGoal(outlook, price, terms) ? 'goal' : undefined)
        const { polls } = tideWeek(outlook, knowledge, price, terms)
        return {
          ...(observedPerDay(knowledge) ?? { perDay: rate.slow * DAY }),
          pending: expectedBy(grid, until - lastAt),
          pollsPerDay: polls.reduce((sum, hourly) => sum + hourly, 0) / 7,
          ...(decided && { decided }),
          hours: Array.from(hours, (share) => share / 24),
          weekdays: Array.from(weekdays, (share) => share / 7),
        }
      },
    }
  },
)

interface LearnedState {
  memory: Memory
  knowledge: Knowledge
  profile: Profile
}

interface Decision {
  waitMs: Millis
  /** When the window guard and the burst guard require a poll. */
  window: Millis
  burst: Millis
  grid: Grid
  outlook: TideState
  price: Millis
}

/** Why the wait differs from that of the usual forecast. */
function decidingFactor({ waitMs, window, burst, grid, outlook }: Decision): Expectation['decided'] {
  if (waitMs === burst || burstBetween(outlook.burst, 0, waitMs) > expectedBy(grid, waitMs) / 2) return 'burst'
  if (waitMs === window) return 'window'
  return outlook.asleep > 0.5 ? 'silence' : undefined
}

/** Entries that the forecast expects before `ms`. */
function expectedBy({ at, entries }: Grid, ms: Millis): number {
  const next = at.findIndex((instant) => instant >= ms)
  if (next <= 0) return next === 0 ? 0 : entries[entries.length - 1]!
  const fraction = (ms - at[next - 1]!) / (at[next]! - at[next - 1]!)
  return entries[next - 1]! + fraction * (entries[next]! - entries[next - 1]!)
}
