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
import type { Limits } from '../due.ts'
import { NOTHING } from '../packing.ts'
import { recipe } from '../recipe.ts'
import type { Terms } from '../strategy.ts'
import { forecast } from '../tide/forecast.ts'
import { burstFillsAfter, windowFillsAfter } from '../tide/guard.ts'
import { type Knowledge, newKnowledge, packed, unpacked } from '../tide/knowledge.ts'
import { learn } from '../tide/learning.ts'
import { cheapestPlan, type Grid } from '../tide/plan.ts'
import { densityOf, margins, type Profile, profileOf } from '../tide/profile.ts'
import { type Rate, rateOf } from '../tide/rate.ts'
import { refined } from '../tide/refine.ts'

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
    /** What a look at this feed is worth; a goal makes it cheaper, though not for nothing. */
    function priceOf(rate: Rate, profile: Profile, { price, subscribers, goalMs }: Terms): Millis {
      const own = (price * (rate.slow * DAY) ** alpha) / Math.max(1, subscribers) ** readers
      if (goalMs === undefined) return own
      const wanted = (rate.slow * densityOf(profile) * goalMs ** 2) / 2
      return Math.min(own, Math.max(wanted, own / GOAL_DISCOUNT))
    }

    function decide({ knowledge, profile }: Known, lastAt: Instant, terms: Terms): Decision {
      const { minMs, maxMs } = terms.limits
      const rate = rateOf(knowledge)
      const price = priceOf(rate, profile, terms)
      const typicalMs = Math.min(maxMs, Math.sqrt((4 * price) / (rate.now + rate.slow)))
      const grid = forecast(rate, profile, lastAt, typicalMs, minMs)
      const planned = refined(grid, cheapestPlan(grid, price), rate, profile, lastAt, minMs)
      const window = windowFillsAfter(grid, knowledge)
      const burst = burstFillsAfter(knowledge)
      return { waitMs: Math.min(planned, window, burst), planned, window, burst, grid, rate, profile, price }
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
        const { waitMs, window, burst, grid, rate, profile, price } = decide(known(memory), lastAt, terms)
        const { hours, weekdays } = margins(profile.week)
        const isGoal = terms.goalMs !== undefined && price < priceOf(rate, profile, { ...terms, goalMs: LONG_MS })
        const decided = waitMs === burst ? 'burst' : waitMs === window ? 'window' : isGoal ? 'goal' : undefined
        return {
          perDay: rate.slow * DAY,
          pending: expectedBy(grid, until - lastAt),
          pollsPerDay: looksPerDay(rate, profile, price, terms.limits),
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
  planned: Millis
  window: Millis
  burst: Millis
  grid: Grid
  rate: Rate
  profile: Profile
  price: Millis
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
function looksPerDay({ slow }: Rate, { week }: Profile, price: Millis, { minMs, maxMs }: Limits): number {
  const looks = Array.from(week, (density) => Math.sqrt((slow * density) / (2 * price)))
  const perMs = looks.reduce((sum, one) => sum + Math.min(1 / minMs, Math.max(1 / maxMs, one)), 0) / week.length
  return perMs * DAY
}
