/**
 * The results of the advaRSS papers for single feeds: M, T and ToE over time (2009, figures 4 to 6; 2010, figures 4
 * and 5), the hours of publication (2009, figure 2; 2010, figures 2 and 3), the ten worst latencies, and polls per
 * day.
 */
import { DAY, HOUR, type Instant, type Memory, MINUTE, type Millis } from '../../model/index.ts'
import { type Limits, strategyNamed } from '../../scheduling/index.ts'
import type { AlignedTrace, ReplayPlan } from '../aligned-trace.ts'
import { type ReplayedPoll, type RunOptions, runAlone } from '../replay.ts'

const STRATEGY = 'adva-rss'

/** One poll, and the state after it. */
export interface AdaptationRun {
  at: Instant
  fresh: number
  M: number
  T: number
  ToE: number
}

/** The history of a feed that represents its pace. */
export interface Adaptation {
  pace: string
  entriesPerDay: number
  pollsPerDay: number
  /** Polls of the first two scored days. */
  polls: AdaptationRun[]
  /** Share of its entries per hour of the day, UTC, and their mean number. */
  hours: { share: number; entries: number }[]
}

export interface Latencies {
  feeds: number
  items: number
  meanMs: Millis
  /** Longest first. */
  worstMs: Millis[]
  /** Share of articles found within half an hour, the target of the papers. */
  withinAim: number
  /** Polls per day of feeds by pace. */
  polls: { pace: string; feeds: number; perDay: number }[]
}

const PACES: { pace: string; perDay: number }[] = [
  { pace: 'often in a day', perDay: 20 },
  { pace: 'daily', perDay: 1.5 },
  { pace: 'weekly', perDay: 1 / 7 },
]
const SHOWN_MS: Millis = 2 * DAY
const WORST_COUNT = 10
const AIM_MS: Millis = 30 * MINUTE

/** Feeds that post three times as often, or a third as often, belong to another pace. */
const MAX_DISTANCE = Math.log(3)

export const PACE_NAMES = PACES.map(({ pace }) => pace)

/** The feed closest to each pace, if there is one near it. */
export function adaptations(feeds: readonly AlignedTrace[], plan: ReplayPlan, limits: Limits): Adaptation[] {
  return PACES.flatMap(({ pace, perDay }) => {
    const distanceOf = (feed: AlignedTrace) => Math.abs(Math.log(Math.max(1e-6, ratePerDay(feed, plan)) / perDay))
    const [nearest] = feeds.toSorted((a, b) => distanceOf(a) - distanceOf(b))
    return nearest && distanceOf(nearest) <= MAX_DISTANCE ? [{ pace, ...adaptationOf(nearest, plan, limits) }] : []
  })
}

export function ratePerDay({ published, known, firstAt }: AlignedTrace, { endAt }: ReplayPlan): number {
  return ((published.length - known) * DAY) / (endAt - firstAt)
}

function adaptationOf(feed: AlignedTrace, plan: ReplayPlan, limits: Limits): Omit<Adaptation, 'pace'> {
  const polls: AdaptationRun[] = []
  let total = 0
  observed(feed, plan, limits, ({ at, seen, upTo }, { M = 0, T = 0, ToE = 0 }) => {
    if (at < plan.scoreAt) return
    total++
    if (at < plan.scoreAt + SHOWN_MS) polls.push({ at, fresh: upTo - seen, M, T, ToE })
  })
  const days = (plan.endAt - plan.scoreAt) / DAY
  return { entriesPerDay: ratePerDay(feed, plan), pollsPerDay: total / days, polls, hours: hoursOf(feed, plan) }
}

function hoursOf({ published, known, firstAt }: AlignedTrace, { endAt }: ReplayPlan): Adaptation['hours'] {
  const counts = new Array<number>(24).fill(0)
  for (const at of published.slice(known)) counts[Math.floor((at % DAY) / HOUR)]!++
  const total = Math.max(1, published.length - known)
  return counts.map((n) => ({ share: n / total, entries: (n * DAY) / (endAt - firstAt) }))
}

/** Counts all articles that the crawler found, as cross-checked in the paper. */
export function latencies(feeds: readonly AlignedTrace[], plan: ReplayPlan, limits: Limits): Latencies {
  const days = (plan.endAt - plan.scoreAt) / DAY
  const waited: Millis[] = []
  const paces = [
    { pace: 'more than ten entries a day', least: 10, most: Number.POSITIVE_INFINITY },
    { pace: 'one to ten', least: 1, most: 10 },
    { pace: 'less than one', least: 0, most: 1 },
  ].map((paceSpec) => ({ ...paceSpec, feeds: 0, polls: 0 }))
  for (const feed of feeds) {
    const rate = ratePerDay(feed, plan)
    const pace = paces.find(({ least, most }) => rate >= least && rate < most)
    if (pace) pace.feeds++
    observed(feed, plan, limits, ({ at, seen, upTo, first }) => {
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
    worstMs: waited.slice(0, WORST_COUNT),
    withinAim: waited.filter((ms) => ms <= AIM_MS).length / Math.max(1, waited.length),
    polls: paces.map(({ pace, feeds: feedCount, polls }) => ({
      pace,
      feeds: feedCount,
      perDay: polls / days / Math.max(1, feedCount),
    })),
  }
}

/** Runs the production strategy on a feed, and reports its figures for each poll. */
function observed(
  feed: AlignedTrace,
  plan: ReplayPlan,
  limits: Limits,
  onPoll: (encounter: ReplayedPoll, figures: Readonly<Record<string, number>>) => void,
): void {
  const strategy = strategyNamed(STRATEGY)
  const terms = { price: HOUR, limits, subscribers: 1 }
  let memory: Memory = strategy.begin()
  const options: RunOptions = {
    strategy: {
      ...strategy,
      learn(before, observation) {
        memory = strategy.learn(before, observation)
        return memory
      },
    },
    limits,
    firstAt: feed.firstAt,
    onPoll: (encounter) => onPoll(encounter, strategy.reason?.(memory, encounter.at, terms).figures ?? {}),
  }
  runAlone(feed, options, plan.endAt, terms.price)
}
