/**
 * The experiments of the papers: how timely a strategy becomes over its first finds and how well it predicts intervals
 * (Urbansky et al. 2011, 4.2 and 4.3), and how much is pending when the crawler retrieves a limited number of sources
 * per round (Adam et al. 2010, 4.B).
 */
import { DAY, MINUTE, type Millis } from '../model/index.ts'
import { strategies, strategyNamed } from '../scheduling/index.ts'
import { type AlignedTrace, alignTrace, planOf, type ReplayPlan, toSharedMemory } from './aligned-trace.ts'
import type { Pending, RankedRounds } from './ranked-rounds.ts'
import type { Trace } from './traces/trace.ts'
import type { TrialResults, TrialWorkers } from './trial-workers.ts'
import { seededRandom } from './village/seeded-random.ts'

/** Predicted against actual intervals: number of feeds per cell; rows and columns are logarithmic. */
export interface HeatMap {
  edgesMs: Millis[]
  /** cells[predicted][real] */
  cells: number[][]
}

export interface Timeliness {
  /** Mean delay at the first find, the second, …, up to the number of finds that feeds had. */
  delayMs: Millis[]
  feeds: number[]
}

export interface PendingFindings {
  sources: number
  k: number
  everyMs: Millis
  days: number
  rows: ({ strategy: string } & Pending)[]
}

const STEPS = 28
const MIN_INTERVAL_MS: Millis = MINUTE
const MAX_INTERVAL_MS: Millis = 64 * DAY

export function computeHeatMap(
  alignedTraces: AlignedTrace[],
  plan: ReplayPlan,
  { tallies }: Pick<TrialResults, 'tallies'>,
): HeatMap {
  const ratio = MAX_INTERVAL_MS / MIN_INTERVAL_MS
  const edgesMs = Array.from({ length: STEPS + 1 }, (_, i) => MIN_INTERVAL_MS * ratio ** (i / STEPS))
  const cells = Array.from({ length: STEPS }, () => new Array<number>(STEPS).fill(0))
  const stepOf = (ms: Millis) =>
    Math.min(STEPS - 1, Math.max(0, Math.floor((Math.log(ms / MIN_INTERVAL_MS) / Math.log(ratio)) * STEPS)))
  for (const [i, { published, known, firstAt }] of alignedTraces.entries()) {
    const tally = tallies[i]
    const items = published.length - known
    if (!tally || tally.polls === 0) continue
    const real = items === 0 ? MAX_INTERVAL_MS : (plan.endAt - firstAt) / items
    cells[stepOf(tally.waitMs / tally.polls)]![stepOf(real)]!++
  }
  return { edgesMs, cells }
}

export function computeTimeliness({ gathered: { timeliness } }: Pick<TrialResults, 'gathered'>): Timeliness {
  const feeds = Array.from(timeliness.feeds)
  const reachedFinds = feeds.indexOf(0)
  const finds = reachedFinds < 0 ? feeds.length : reachedFinds
  return {
    delayMs: feeds.slice(0, finds).map((n, i) => timeliness.delayMs[i]! / n),
    feeds: feeds.slice(0, finds),
  }
}

/** As in the paper: 460 sources, 15 retrieved per round; 90 days, the first 28 for training. */
const SOURCES = 460
const RETRIEVALS = 15
const ROUND_MS = 8 * MINUTE // 6 to 10, by the paper
const GAP_MS = 10 * MINUTE
const PAPERS_PLAN = planOf(28 * DAY, 62 * DAY)

/** The strategies of the paper first, unless requested with settings; then all other ranking strategies. */
export function ranking(names: string[]): string[] {
  const first = ['posting-history', 'min-delay', 'round-robin'].filter(
    (name) => Object.hasOwn(strategies, name) && !names.some((other) => other.split(':', 1)[0] === name),
  )
  return [...first, ...names]
    .filter((name) => strategyNamed(name).urgency !== undefined || name === 'round-robin')
    .filter((name) => !name.includes('by=threshold')) // the same strategy if ranks decide
}

/** If the histories are too short for the paper's 90 days, uses those of `plan`. */
export function replayPaperRounds(traces: Trace[], plan: ReplayPlan, seed: number): RankedRounds {
  const long = traces.flatMap((trace) => alignTrace(trace, PAPERS_PLAN, seed) ?? [])
  const enough = long.length >= Math.min(SOURCES, traces.length / 2)
  const aligned = enough ? long : traces.flatMap((trace) => alignTrace(trace, plan, seed) ?? [])
  const sample = aligned
    .map((alignedTrace) => ({ alignedTrace, lot: seededRandom(seed, 'source', alignedTrace.feed).next() }))
    .toSorted((a, b) => a.lot - b.lot)
    .slice(0, SOURCES)
    .map(({ alignedTrace }) => alignedTrace)
  const k = Math.max(1, Math.round((RETRIEVALS * sample.length) / SOURCES))
  return {
    alignedTraces: toSharedMemory(sample),
    plan: enough ? PAPERS_PLAN : plan,
    k,
    everyMs: ROUND_MS,
    gapMs: GAP_MS,
  }
}

export async function computePending(
  workers: TrialWorkers,
  names: string[],
  rounds: RankedRounds,
): Promise<PendingFindings> {
  const rows = await Promise.all(
    names.map(async (strategy) => ({ strategy, ...(await workers.rounds(strategy, rounds)) })),
  )
  const { alignedTraces, k, everyMs, plan } = rounds
  return { sources: alignedTraces.length, k, everyMs, days: (plan.endAt - plan.scoreAt) / DAY, rows }
}
