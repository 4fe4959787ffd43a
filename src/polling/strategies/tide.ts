/**
 * Tide: looks when entries are expected, as often as they are worth it. Ours.
 *
 *   rate(t) = r(t) * W(hour of week) * M(minute of hour)        entries a millisecond: tide/rate.ts, tide/profile.ts
 *
 * is learnt from what each look shows, and from silence (tide/learning.ts). Feeds that have fallen asleep are told from those
 * that pause (tide/silence.ts), and bursts feed themselves (tide/burst.ts). The next look is the first of the cheapest plan
 * (tide/plan.ts), where an entry's waiting costs its time, and a look its price; one price for all feeds, set so that the
 * budget is met (market.ts), makes looks go where they save most waiting. At a constant rate a feed is looked at every
 * sqrt(2 price / rate). The window is guarded apart (tide/guard.ts).
 *
 * The price of a look at this feed is the common one
 *   by what the waiting of its entries counts for: each 1 - alpha for itself and alpha / n for the feed, if it is one of n in
 *     three weeks. So alpha = 0 makes the mean delay of entries least and alpha = 1 the mean over feeds of their delays;
 *   by readers^readers: what more people wait for is worth more (Adam et al. 2010, eq. 6, weighs linearly: readers = 1);
 *   at most rate * goal^2 / 2, so that intervals are no longer than the goal while entries come, and nights stay quiet.
 */
import { DAY, type Instant, type Memory, type Millis } from '../../model/index.ts'
import type { Limits } from '../due.ts'
import { NOTHING } from '../packing.ts'
import { recipe } from '../recipe.ts'
import type { Expectation, Terms } from '../strategy.ts'
import { burstNow, burstOf, comesBetween } from '../tide/burst.ts'
import { forecast, type Outlook } from '../tide/forecast.ts'
import { burstFillsAfter, windowFillsAfter } from '../tide/guard.ts'
import { type Knowledge, newKnowledge, packed, unpacked } from '../tide/knowledge.ts'
import { learn } from '../tide/learning.ts'
import { cheapestPlan, type Grid } from '../tide/plan.ts'
import { densityOf, margins, type Profile, profileOf, tideAt } from '../tide/profile.ts'
import { type Rate, rateOf, slowActs } from '../tide/rate.ts'
import { refined } from '../tide/refine.ts'
import { asleepAfter } from '../tide/silence.ts'

export const tide = recipe(
  'Learns at what hours a feed publishes and how much, and looks when that is worth the price of a poll.',
  {
    alpha: {
      kind: 'number',
      default: 0.65,
      least: 0,
      most: 1,
      sentence:
        'From the least mean delay of entries (0) to the least mean of all feeds, however rarely they publish (1).',
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
    /** What a look at this feed is worth; a goal makes it cheaper, though not for nothing. */
    function priceOf(rate: Rate, profile: Profile, { price, subscribers, goalMs }: Terms): Millis {
      const weight = weightOf(rate.slow * DAY, alpha) * Math.max(1, subscribers) ** readers
      const own = price / weight
      if (goalMs === undefined) return own
      const wanted = (rate.slow * densityOf(profile) * goalMs ** 2) / 2
      return Math.min(own, Math.max(wanted, own / GOAL_DISCOUNT))
    }

    function decide({ knowledge, profile }: Known, lastAt: Instant, terms: Terms): Decision {
      const { minMs, maxMs } = terms.limits
      const outlook = outlookOf(knowledge, profile, lastAt)
      const price = priceOf(outlook.rate, profile, terms)
      const grid = forecast(outlook, lastAt, Math.min(maxMs, typicalWait(outlook, price)), minMs)
      const planned = refined(grid, cheapestPlan(grid, price), outlook, lastAt, minMs)
      const window = windowFillsAfter(grid, knowledge)
      const burst = burstFillsAfter(outlook.burst, knowledge)
      return { waitMs: Math.min(planned, window, burst), window, burst, grid, outlook, price }
    }

    /** What was learnt last: whoever learns asks for the next date right away, and a profile costs more than a plan. */
    let latest: Known | undefined

    function known(memory: Memory): Known {
      if (latest?.memory === memory) return latest
      const knowledge = unpacked(memory) ?? newKnowledge()
      return { memory, knowledge, profile: profileOf(knowledge) }
    }

    return {
      priced: true,
      begin: (siblings = []) => likeSiblings(siblings),
      learn(memory, look) {
        const knowledge = unpacked(memory) ?? newKnowledge()
        const profile = learn(knowledge, look)
        latest = { memory: packed(knowledge), knowledge, profile }
        return latest.memory
      },
      next: (memory, lastAt, terms) => lastAt + decide(known(memory), lastAt, terms).waitMs,

      expect(memory, lastAt, until, terms) {
        const decision = decide(known(memory), lastAt, terms)
        const { grid, outlook, price } = decision
        const { rate, profile } = outlook
        const { hours, weekdays } = margins(profile.week)
        const isGoal = terms.goalMs !== undefined && price < priceOf(rate, profile, { ...terms, goalMs: LONG_MS })
        const decided = whoDecided(decision) ?? (isGoal ? 'goal' : undefined)
        return {
          perDay: rate.slow * DAY,
          pending: expectedBy(grid, until - lastAt),
          pollsPerDay: looksPerDay(outlook, price, terms.limits),
          ...(decided && { decided }),
          hours: Array.from(hours, (share) => share / 24),
          weekdays: Array.from(weekdays, (share) => share / 7),
        }
      },
    }
  },
)

/** A goal buys looks at a hundredth of what others pay, and no cheaper: where a budget is too small for all goals, all give way. */
const GOAL_DISCOUNT = 100
const LONG_MS: Millis = 366 * DAY

interface Known {
  memory: Memory
  knowledge: Knowledge
  profile: Profile
}

interface Decision {
  waitMs: Millis
  /** When the guards want a look. */
  window: Millis
  burst: Millis
  grid: Grid
  outlook: Outlook
  price: Millis
}

function outlookOf(knowledge: Knowledge, profile: Profile, now: Instant): Outlook {
  const rate = rateOf(knowledge)
  const { newestAt } = knowledge
  const silentMs = newestAt === 0 ? 0 : tideAt(profile, now) - tideAt(profile, newestAt)
  const asleep = asleepAfter(silentMs * slowActs(knowledge))
  return { rate, profile, asleep, burst: burstOf(knowledge, rate, profile, now) }
}

/** The best wait at a constant rate, between the one of now and the one of the long run. */
function typicalWait({ rate, asleep, burst }: Outlook, price: Millis): Millis {
  return Math.sqrt((4 * price) / ((rate.now + rate.slow) * (1 - asleep) + 2 * burstNow(burst)))
}

const HORIZON_DAYS = 21

/** What the waiting of an entry counts for, where it is 1 for those of a feed that has one a day. */
function weightOf(perDay: number, alpha: number): number {
  return weighed(perDay, alpha) / weighed(1, alpha)
}

/** Of n entries (as many as chance has it) each counts 1/n for its feed: together (1 - e^-mean), the chance that there is one. */
function weighed(perDay: number, alpha: number): number {
  const mean = perDay * HORIZON_DAYS
  return 1 - alpha + (alpha * -Math.expm1(-mean)) / mean
}

/** What made the wait shorter or longer than the usual forecast would. */
function whoDecided({ waitMs, window, burst, grid, outlook }: Decision): Expectation['decided'] {
  if (waitMs === burst || comesBetween(outlook.burst, 0, waitMs) > expectedBy(grid, waitMs) / 2) return 'burst'
  if (waitMs === window) return 'window'
  return outlook.asleep > 0.5 ? 'silence' : undefined
}

/** A feed's site has its hours, whichever of its feeds is looked at: so many acts are taken from there. */
const SIBLING_ACTS = 6

function likeSiblings(siblings: readonly Memory[]): Memory {
  const known = siblings.flatMap((memory) => unpacked(memory) ?? []).filter(({ hours }) => sumOf(hours) > 0)
  if (known.length === 0) return NOTHING
  const like = newKnowledge()
  for (const sibling of known)
    for (const name of ['hours', 'weekdays', 'minutes'] as const) {
      const share = SIBLING_ACTS / known.length / Math.max(1e-9, sumOf(sibling[name]))
      sibling[name].forEach((count, i) => {
        like[name][i]! += share * count
      })
    }
  return packed(like)
}

function sumOf(counts: Float32Array): number {
  return counts.reduce((sum, count) => sum + count, 0)
}

/** The share of the forecast that falls before `ms`. */
function expectedBy({ at, entries }: Grid, ms: Millis): number {
  const next = at.findIndex((one) => one >= ms)
  if (next <= 0) return next === 0 ? 0 : entries[entries.length - 1]!
  const part = (ms - at[next - 1]!) / (at[next]! - at[next - 1]!)
  return entries[next - 1]! + part * (entries[next]! - entries[next - 1]!)
}

/** At each hour of the week, the best interval for a constant rate; within the limits. */
function looksPerDay({ rate, profile, asleep }: Outlook, price: Millis, { minMs, maxMs }: Limits): number {
  const { week } = profile
  const looks = Array.from(week, (density) => Math.sqrt((rate.slow * (1 - asleep) * density) / (2 * price)))
  const perMs = looks.reduce((sum, one) => sum + Math.min(1 / minMs, Math.max(1 / maxMs, one)), 0) / week.length
  return perMs * DAY
}
