/**
 * The experiments of Adam et al. (2010), 4.B: in each round the crawler retrieves the k sources that the strategy
 * ranks highest, among those not retrieved recently. Measured after each round: articles pending, that is published
 * and not retrieved, in all sources and in the worst one.
 *
 * Unlike elsewhere in the lab, the strategy proposes no date: only the ranking decides, as in the paper.
 */
import {
  type Feed,
  type FeedId,
  HOUR,
  type Instant,
  type Memory,
  type Millis,
  type ScheduledFeed,
  webAddress,
} from '../model/index.ts'
import { sortByUrgency, strategyNamed } from '../scheduling/index.ts'
import type { AlignedTrace, ReplayPlan } from './aligned-trace.ts'
import { countUpTo, wholeSecond } from './instants.ts'

export interface RankedRounds {
  alignedTraces: AlignedTrace[]
  plan: ReplayPlan
  /** Retrievals a round. */
  k: number
  everyMs: Millis
  /** Minimum time between two retrievals of a source. */
  gapMs: Millis
}

/** Means over the days after the warm-up, by hour of day. */
export interface Pending {
  total: number[]
  worst: number[]
  retrievals: number
  /** Mean delay of the articles that were retrieved. */
  delayMs: Millis
}

interface Followed {
  alignedTrace: AlignedTrace
  memory: Memory
  seen: number
  /** Number published by now. */
  upTo: number
  polledAt: Instant
}

export function replayRounds(strategyName: string, { alignedTraces, plan, k, everyMs, gapMs }: RankedRounds): Pending {
  const strategy = strategyNamed(strategyName)
  const sources = alignedTraces.map((alignedTrace): Followed => {
    const source = { alignedTrace, memory: strategy.begin(), seen: 0, upTo: 0, polledAt: Number.NEGATIVE_INFINITY }
    retrieve(source, plan.startAt)
    return source
  })
  const total = new Float64Array(24)
  const worst = new Float64Array(24)
  const measured = new Float64Array(24)
  const found = { retrievals: 0, items: 0, delayMs: 0 }

  function retrieve(source: Followed, at: Instant): void {
    const { published, window } = source.alignedTrace
    source.upTo = countUpTo(published, at)
    const fresh = Math.min(window, source.upTo - source.seen)
    if (at >= plan.scoreAt) {
      found.retrievals++
      for (let i = source.seen; i < source.upTo; i++) {
        if (published[i]! < plan.scoreAt) continue
        found.items++
        found.delayMs += at - published[i]!
      }
    }
    const shown =
      fresh === 0 ? [] : Array.from(published.slice(Math.max(0, source.upTo - window), source.upTo), wholeSecond)
    source.memory = strategy.learn(source.memory, { at, window: shown, fresh })
    source.seen = source.upTo
    source.polledAt = at
  }

  for (let at = plan.startAt + everyMs; at < plan.endAt; at += everyMs) {
    const ready = sources.filter(({ polledAt }) => at - polledAt >= gapMs)
    for (const source of highestRanked(ready, at, strategyName).slice(0, k)) retrieve(source, at)
    if (at < plan.scoreAt) continue
    let sum = 0
    let most = 0
    for (const source of sources) {
      const { published } = source.alignedTrace
      while (source.upTo < published.length && published[source.upTo]! <= at) source.upTo++
      const pending = source.upTo - source.seen
      sum += pending
      if (pending > most) most = pending
    }
    const hour = Math.floor(at / HOUR) % 24
    total[hour]! += sum
    worst[hour]! += most
    measured[hour]!++
  }
  const means = (sums: Float64Array) => Array.from(sums, (sum, hour) => sum / Math.max(1, measured[hour]!))
  return {
    total: means(total),
    worst: means(worst),
    retrievals: found.retrievals,
    delayMs: found.items > 0 ? found.delayMs / found.items : 0,
  }
}

/** Uses the ranking of the crawl. A source has been due since its last retrieval. */
function highestRanked(sources: Followed[], at: Instant, strategy: string): Followed[] {
  const scheduled = sources.map((source, i): ScheduledFeed => {
    const { memory, polledAt } = source
    return {
      feed: { ...UNKNOWN, id: i as FeedId },
      schedule: { strategy, memory, dueAt: polledAt, failures: 0, polledAt },
      revision: 0,
    }
  })
  return sortByUrgency(scheduled, at, strategyNamed).map(({ feed }) => sources[feed.id]!)
}

const UNKNOWN: Feed = {
  id: 0 as FeedId,
  url: webAddress('http://unknown.example/')!,
  root: 'unknown.example',
  title: '',
  validators: {},
  subscribers: 1,
  state: 'active',
  addedAt: 0,
}
