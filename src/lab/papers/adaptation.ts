/**
 * What advaRSS's papers show of single feeds: M, T and ToE over time (2009, figures 4 to 6; 2010, figures 4 and 5), when in the
 * day articles come (2009, figure 2; 2010, figures 2 and 3), the ten worst latencies and how often feeds are polled a day.
 */
import { DAY, HOUR, type Instant, type Memory, MINUTE, type Millis } from '../../model/index.ts'
import { type Limits, strategyNamed } from '../../scheduling/index.ts'
import type { AlignedTrace, ReplayPlan } from '../aligned-trace.ts'
import { type ReplayedPoll, type RunOptions, runAlone } from '../replay.ts'

const STRATEGY = 'adva-rss'

/** One poll, and what was made of it. */
export interface AdaptationRun {
  at: Instant
  fresh: number
  M: number
  T: number
  ToE: number
}

/** Of one feed that stands for those of its pace. */
export interface Adaptation {
  pace: string
  entriesPerDay: number
  pollsPerDay: number
  /** Of the first two days that count. */
  polls: AdaptationRun[]
  /** How much of its entries comes in each hour of the day, UTC; and how many, in the mean. */
  hours: { share: number; entries: number }[]
}

export interface Latencies {
  feeds: number
  items: number
  meanMs: Millis
  /** Longest first. */
  worstMs: Millis[]
  /** Share of articles that were here within half an hour, the papers' aim. */
  withinAim: number
  /** Polls a day of feeds that post often, and of others. */
  polls: { pace: string; feeds: number; perDay: number }[]
}

const PACES: { pace: string; perDay: number }[] = [
  { pace: 'often in a day', perDay: 20 },
  { pace: 'daily', perDay: 1.5 },
  { pace: 'weekly', perDay: 1 / 7 },
]
const SHOWN_MS: Millis = 2 * DAY
const WORST = 10
const AIM_MS: Millis = 30 * MINUTE

/** Who posts three times as often, or as seldom, stands for another pace. */
const FARTHEST = Math.log(3)

export const PACE_NAMES = PACES.map(({ pace }) => pace)

/** The feed nearest to each pace, where there is one near to it. */
export function adaptations(feeds: readonly AlignedTrace[], plan: ReplayPlan, limits: Limits): Adaptation[] {
  return PACES.flatMap(({ pace, perDay }) => {
    const far = (feed: AlignedTrace) => Math.abs(Math.log(Math.max(1e-6, ratePerDay(feed, plan)) / perDay))
    const [nearest] = feeds.toSorted((a, b) => far(a) - far(b))
    return nearest && far(nearest) <= FARTHEST ? [{ pace, ...adaptationOf(nearest, plan, limits) }] : []
  })
}

export function ratePerDay({ published, known, firstAt }: AlignedTrace, { endAt }: ReplayPlan): number {
  return ((published.length - known) * DAY) / (endAt - firstAt)
}

function adaptationOf(feed: AlignedTrace, plan: ReplayPlan, limits: Limits): Omit<Adaptation, 'pace'> {
  const polls: AdaptationRun[] = []
  let all = 0
  watched(feed, plan, limits, ({ at, seen, upTo }, { M = 0, T = 0, ToE = 0 }) => {
    if (at < plan.scoreAt) return
    all++
    if (at < plan.scoreAt + SHOWN_MS) polls.push({ at, fresh: upTo - seen, M, T, ToE })
  })
  const days = (plan.endAt - plan.scoreAt) / DAY
  return { entriesPerDay: ratePerDay(feed, plan), pollsPerDay: all / days, polls, hours: hoursOf(feed, plan) }
}

function hoursOf({ published, known, firstAt }: AlignedTrace, { endAt }: ReplayPlan): Adaptation['hours'] {
  const counts = new Array<number>(24).fill(0)
  for (const at of published.slice(known)) counts[Math.floor((at % DAY) / HOUR)]!++
  const all = Math.max(1, published.length - known)
  return counts.map((n) => ({ share: n / all, entries: (n * DAY) / (endAt - firstAt) }))
}

/** Of all articles that the crawler added, as the paper cross-checked them. */
export function latencies(feeds: readonly AlignedTrace[], plan: ReplayPlan, limits: Limits): Latencies {
  const days = (plan.endAt - plan.scoreAt) / DAY
  const waited: Millis[] = []
  const paces = [
    { pace: 'more than ten entries a day', least: 10, most: Number.POSITIVE_INFINITY },
    { pace: 'one to ten', least: 1, most: 10 },
    { pace: 'less than one', least: 0, most: 1 },
  ].map((one) => ({ ...one, feeds: 0, polls: 0 }))
  for (const feed of feeds) {
    const rate = ratePerDay(feed, plan)
    const pace = paces.find(({ least, most }) => rate >= least && rate < most)
    if (pace) pace.feeds++
    watched(feed, plan, limits, ({ at, seen, upTo, first }) => {
      if (at < plan.scoreAt) return
      if (pace) pace.polls++
      if (first) return
      for (let i = seen; i < upTo; i++) if (feed.published[i]! >= plan.scoreAt) waited.push(at - feed.published[i]!)
    })
  }
  waited.sort((a, b) => b - a)
  return {
    feeds: feeds.length,
    items: waited.length,
    meanMs: waited.reduce((sum, ms) => sum + ms, 0) / Math.max(1, waited.length),
    worstMs: waited.slice(0, WORST),
    withinAim: waited.filter((ms) => ms <= AIM_MS).length / Math.max(1, waited.length),
    polls: paces.map(({ pace, feeds: some, polls }) => ({
      pace,
      feeds: some,
      perDay: polls / days / Math.max(1, some),
    })),
  }
}

/** Takes the strategy of production through a feed, and tells of every poll what it then went by. */
function watched(
  feed: AlignedTrace,
  plan: ReplayPlan,
  limits: Limits,
  tell: (encounter: ReplayedPoll, figures: Readonly<Record<string, number>>) => void,
): void {
  const strategy = strategyNamed(STRATEGY)
  const terms = { price: HOUR, limits, subscribers: 1 }
  let memory: Memory = strategy.begin()
  const options: RunOptions = {
    strategy: {
      ...strategy,
      learn(before, look) {
        memory = strategy.learn(before, look)
        return memory
      },
    },
    limits,
    firstAt: feed.firstAt,
    onPoll: (encounter) => tell(encounter, strategy.reason?.(memory, encounter.at, terms).figures ?? {}),
  }
  runAlone(feed, options, plan.endAt, terms.price)
}
