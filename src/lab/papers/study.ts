/**
 * Runs all experiments of the papers, with the production strategies at the paces of their authors; and, where the
 * order differs from ours, the experiments that explain it (paper-mix.ts, and sources of one pace for the ranking).
 */
import { DAY, type Millis } from '../../model/index.ts'
import type { Limits } from '../../scheduling/index.ts'
import { type AlignedTrace, alignTrace, planOf, type ReplayPlan, toSharedMemory } from '../aligned-trace.ts'
import {
  computeHeatMap,
  computePending,
  computeTimeliness,
  type HeatMap,
  type PendingFindings,
  replayPaperRounds,
  type Timeliness,
} from '../paper-experiments.ts'
import { type FreshnessScore, freshnessScore } from '../score.ts'
import type { FeedTally } from '../tally.ts'
import type { Trace } from '../traces/trace.ts'
import { createTrialWorkers, type TrialResults, type WorkersOptions } from '../trial-workers.ts'
import { seededRandom } from '../village/seeded-random.ts'
import { type Adaptation, adaptations, type Latencies, latencies, ratePerDay } from './adaptation.ts'
import { SAYS_NOT_MODIFIED } from './figures.ts'
import { countFinds, type Finds, isBusy, sampleInPaperMix, trafficWith, withBusyFeeds } from './paper-mix.ts'
import { type RoundTimes, roundTimes } from './round-time.ts'

export interface PaperStudy {
  feeds: number
  items: number
  warmupDays: number
  days: number
  seed: number
  /** Number of busy feeds, in each mix that has some. */
  busyFeeds: number[]
  /** Urbansky et al. (2011), Table 1. */
  table: PaperRow[]
  /** Mean delay per item by the pace of feeds, in order of the strategies. */
  byPace: { pace: string; feeds: number; delayMs: Millis[] }[]
  /** Bytes per day, by the share of servers that do not support conditional requests. */
  traffic: { shares: number[]; rows: { strategy: string; perDay: number[] }[] }
  timeliness: { strategy: string; curve: Timeliness }[]
  intervals: { strategy: string; map: HeatMap }[]
  /** Adam et al. (2010): for all sources, and for sources of one pace. */
  pending: PendingFindings
  similarSources: PendingFindings
  adaptations: Adaptation[]
  latencies: Latencies
  rounds: RoundTimes
}

export interface PaperRow {
  strategy: string
  ours: FreshnessScore
  /** The same number of feeds in the paper's mix of rates. */
  mixed: FreshnessScore
  /** In that mix, counting each poll with news once. */
  finds: Finds
  /** The same with busy feeds, by their number; and for busy feeds only. */
  busyFinds: Finds[]
  busiestFinds: Finds
}

export interface StudyOptions {
  seed: number
  limits: Limits
  warmupMs: Millis
  scoreMs: Millis
  /** The round-time measurement takes half a minute of real time. */
  rounds?: (share: number) => Promise<RoundTimes>
}

const STRATEGIES = ['fixed', 'fixed:1d', 'fix-learned', 'post-rate', 'moving-average']
/** Number of busy feeds relative to the paper's figures. */
const BUSY_FEED_FACTORS = [1, 2]
const RANKED = ['posting-history:training=0', 'min-delay', 'round-robin']
const SHARES = [0, 1 - SAYS_NOT_MODIFIED, 1]
/** Adam et al. (2009): number of feeds, which had 2,500 articles a day. */
const CRAWLED_FEEDS = 793
const SIMILAR_RATES = { least: 1, most: 10 }
const ROUNDS_A_DAY = 180

export async function studyPapers(
  traces: Trace[],
  options: StudyOptions,
  workersOptions: WorkersOptions,
): Promise<PaperStudy> {
  const { seed, limits, warmupMs, scoreMs } = options
  const plan = planOf(warmupMs, scoreMs)
  const feeds = toSharedMemory(traces.flatMap((trace) => alignTrace(trace, plan, seed) ?? []))
  const ours = await tryOn(feeds, plan)
  const mix = sampleInPaperMix(feeds, plan, seed)
  const mixed = await tryOn(mix, plan)
  const busier = BUSY_FEED_FACTORS.map((times) => withBusyFeeds(mix, feeds, plan, times))
  const news = newsLike(feeds, plan, seed)
  const late = latencies(news, plan, limits)
  const perRound = late.polls.reduce((sum, pace) => sum + pace.feeds * pace.perDay, 0) / ROUNDS_A_DAY

  async function tryOn(tracesToTry: AlignedTrace[], on: ReplayPlan): Promise<Map<string, TrialResults>> {
    const workers = createTrialWorkers({ alignedTraces: tracesToTry, plan: on, limits }, workersOptions)
    try {
      const trials = STRATEGIES.map((strategy) => workers.try({ strategy, price: 0, scale: 1 }))
      return new Map((await Promise.all(trials)).map((results) => [results.trial.strategy, results]))
    } finally {
      await workers.close()
    }
  }

  async function pendingIn(sourceTraces: Trace[]): Promise<PendingFindings> {
    const workers = createTrialWorkers({ alignedTraces: [], plan, limits }, { ...workersOptions, workerCount: 0 })
    return computePending(workers, RANKED, replayPaperRounds(sourceTraces, plan, seed))
  }

  return {
    feeds: feeds.length,
    items: freshnessScore(ours.get('fixed')?.tallies ?? []).items,
    warmupDays: warmupMs / DAY,
    days: scoreMs / DAY,
    seed,
    busyFeeds: busier.map((mixFeeds) => mixFeeds.filter(isBusy).length),
    table: STRATEGIES.map((strategy) => ({
      strategy,
      ours: freshnessScore(ours.get(strategy)?.tallies ?? []),
      mixed: freshnessScore(mixed.get(strategy)?.tallies ?? []),
      finds: countFinds(mix, strategy, plan, limits),
      busyFinds: busier.map((mixFeeds) => countFinds(mixFeeds, strategy, plan, limits)),
      busiestFinds: countFinds(busier[0]!.filter(isBusy), strategy, plan, limits),
    })),
    byPace: delaysByPace(
      feeds,
      STRATEGIES.map((strategy) => ours.get(strategy)?.tallies ?? []),
      plan,
    ),
    traffic: {
      shares: SHARES,
      rows: [...ours].map(([strategy, { tallies }]) => ({
        strategy,
        perDay: SHARES.map((share) => trafficWith(share, feeds, tallies, plan, seed)),
      })),
    },
    timeliness: [...ours].map(([strategy, run]) => ({ strategy, curve: computeTimeliness(run) })),
    intervals: [...ours].map(([strategy, run]) => ({ strategy, map: computeHeatMap(feeds, plan, run) })),
    pending: await pendingIn(traces),
    similarSources: await pendingIn(traces.filter(isAlike)),
    adaptations: adaptations(news, plan, limits),
    latencies: late,
    rounds: await (options.rounds ?? roundTimes)(perRound / Math.max(1, news.length)),
  }
}

const PACES = [
  { pace: 'less than one entry a day', least: 0, most: 1 },
  { pace: 'one to ten', least: 1, most: 10 },
  { pace: 'ten to fifty', least: 10, most: 50 },
  { pace: 'fifty and more', least: 50, most: Number.POSITIVE_INFINITY },
]

function delaysByPace(feeds: AlignedTrace[], tallies: FeedTally[][], plan: ReplayPlan): PaperStudy['byPace'] {
  return PACES.map(({ pace, least, most }) => {
    const counts = feeds.map((feed) => ratePerDay(feed, plan) >= least && ratePerDay(feed, plan) < most)
    return {
      pace,
      feeds: counts.filter(Boolean).length,
      delayMs: tallies.map((mixTallies) => freshnessScore(mixTallies, counts).byPolls.delayMs),
    }
  })
}

/** A random sample, of the paper's size, of feeds that post like its portals and blogs. */
function newsLike(feeds: AlignedTrace[], plan: ReplayPlan, seed: number): AlignedTrace[] {
  const news = feeds.filter(({ kind }) => kind === 'news')
  const candidates = news.length >= Math.min(CRAWLED_FEEDS, feeds.length / 4) ? news : feeds
  return candidates
    .filter((feed) => ratePerDay(feed, plan) > 0)
    .map((feed) => ({ feed, lot: seededRandom(seed, 'crawled', feed.feed).next() }))
    .toSorted((a, b) => a.lot - b.lot)
    .slice(0, CRAWLED_FEEDS)
    .map(({ feed }) => feed)
}

function isAlike({ published }: Trace): boolean {
  const days = ((published.at(-1) ?? 0) - (published[0] ?? 0)) / DAY
  const perDay = published.length / Math.max(1, days)
  return perDay >= SIMILAR_RATES.least && perDay < SIMILAR_RATES.most
}
