/**
 * The papers' own experiments, beside their tables: how timely a strategy becomes over its first finds and how well it
 * guesses intervals (Urbansky et al. 2011, 4.2 and 4.3), and what is pending when the crawler may retrieve only so many
 * sources a round (Adam et al. 2010, 4.B).
 */
import { DAY, MINUTE, type Millis } from '../model/index.ts'
import { strategies, strategyNamed } from '../scheduling/index.ts'
import { type AlignedTrace, alignTrace, planOf, type ReplayPlan, toSharedMemory } from './aligned-trace.ts'
import type { Pending, RankedRounds } from './ranked-rounds.ts'
import type { Trace } from './traces/trace.ts'
import type { TrialResults, TrialWorkers } from './trial-workers.ts'
import { seededRandom } from './village/seeded-random.ts'

/** Predicted against real intervals: how many feeds lie in each cell; rows and columns are equal steps of the logarithm. */
export interface HeatMap {
  edgesMs: Millis[]
  /** cells[predicted][real] */
  cells: number[][]
}

export interface Timeliness {
  /** Mean delay at the first find, the second, …; as far as there were feeds that had so many. */
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
const SHORTEST: Millis = MINUTE
const LONGEST: Millis = 64 * DAY

export function computeHeatMap(
  alignedTraces: AlignedTrace[],
  plan: ReplayPlan,
  { tallies }: Pick<TrialResults, 'tallies'>,
): HeatMap {
  const ratio = LONGEST / SHORTEST
  const edgesMs = Array.from({ length: STEPS + 1 }, (_, i) => SHORTEST * ratio ** (i / STEPS))
  const cells = Array.from({ length: STEPS }, () => new Array<number>(STEPS).fill(0))
  const stepOf = (ms: Millis) =>
    Math.min(STEPS - 1, Math.max(0, Math.floor((Math.log(ms / SHORTEST) / Math.log(ratio)) * STEPS)))
  for (const [i, { published, known, firstAt }] of alignedTraces.entries()) {
    const tally = tallies[i]
    const items = published.length - known
    if (!tally || tally.polls === 0) continue
    const real = items === 0 ? LONGEST : (plan.endAt - firstAt) / items
    cells[stepOf(tally.waitMs / tally.polls)]![stepOf(real)]!++
  }
  return { edgesMs, cells }
}

export function computeTimeliness({ gathered: { timeliness } }: Pick<TrialResults, 'gathered'>): Timeliness {
  const feeds = Array.from(timeliness.feeds)
  const reached = feeds.indexOf(0)
  const finds = reached < 0 ? feeds.length : reached
  return {
    delayMs: feeds.slice(0, finds).map((n, i) => timeliness.delayMs[i]! / n),
    feeds: feeds.slice(0, finds),
  }
}

/** As in the paper: 460 sources, of which 15 are retrieved a round; 90 days, the first 28 of them for training. */
const SOURCES = 460
const RETRIEVALS = 15
const ROUND_MS = 8 * MINUTE // 6 to 10, by the paper
const GAP_MS = 10 * MINUTE
const PAPERS_PLAN = planOf(28 * DAY, 62 * DAY)

/** Those of the paper first, unless they are wished for with settings; then all others that rank. */
export function ranking(names: string[]): string[] {
  const first = ['posting-history', 'min-delay', 'round-robin'].filter(
    (name) => Object.hasOwn(strategies, name) && !names.some((one) => one.split(':', 1)[0] === name),
  )
  return [...first, ...names]
    .filter((name) => strategyNamed(name).urgency !== undefined || name === 'round-robin')
    .filter((name) => !name.includes('by=threshold')) // where ranks decide, it is the same again
}

/** Where the histories are too short for the paper's 90 days, those of `plan` are taken. */
export function replayPaperRounds(traces: Trace[], plan: ReplayPlan, seed: number): RankedRounds {
  const long = traces.flatMap((trace) => alignTrace(trace, PAPERS_PLAN, seed) ?? [])
  const enough = long.length >= Math.min(SOURCES, traces.length / 2)
  const all = enough ? long : traces.flatMap((trace) => alignTrace(trace, plan, seed) ?? [])
  const drawn = all
    .map((alignedTrace) => ({ alignedTrace, lot: seededRandom(seed, 'source', alignedTrace.feed).next() }))
    .toSorted((a, b) => a.lot - b.lot)
    .slice(0, SOURCES)
    .map(({ alignedTrace }) => alignedTrace)
  const k = Math.max(1, Math.round((RETRIEVALS * drawn.length) / SOURCES))
  return {
    alignedTraces: toSharedMemory(drawn),
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
