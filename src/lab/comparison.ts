/**
 * Compares strategies on a set of traces: first each at its own pace, then all at equal budgets, both in hindsight and
 * as the market would have met them.
 */
import { DAY, type Millis } from '../model/index.ts'
import { type Limits, strategyNamed } from '../scheduling/index.ts'
import type { AlignedTrace, ReplayPlan } from './aligned-trace.ts'
import { createRuns, type SolvedRun, type StrategyRuns } from './equal-budget.ts'
import type { BudgetFindings, Findings, OnlineRow, Point, Row } from './findings.ts'
import { createOracle } from './oracle.ts'
import { computeHeatMap, computeTimeliness } from './paper-experiments.ts'
import { computeQuantiles, type FreshnessScore, freshnessScore } from './score.ts'
import { binEndMs, type FeedTally } from './tally.ts'
import type { Trial } from './trial-runner.ts'
import type { TrialWorkers } from './trial-workers.ts'

/** A number of polls per day, or the polls of another strategy at its own pace. */
export type BudgetArgument = { kind: 'polls'; perDay: number } | { kind: 'match'; strategy: string }

export interface ComparisonOptions {
  strategies: string[]
  budgets: BudgetArgument[]
  seed: number
  limits: Limits
  /** Adds the experiments of the papers, and runs at further budgets for curves. */
  thorough: boolean
}

export type Comparison = Omit<Findings, 'traces' | 'today'>

/** Minimum number of entries known at the start for a feed to count as known. */
export const KNOWN_FROM = 5
const SHARES = [1, 1 / 2, 1 / 4]
/** For curves: approximate multiples of the smallest and of the largest budget. */
const FACTORS_BELOW = [1 / 3]
const FACTORS_ABOVE = [2.5]
const ROUGH_TOLERANCE = 0.25
const ORACLE_POINTS = 12

export async function compare(
  workers: TrialWorkers,
  alignedTraces: AlignedTrace[],
  plan: ReplayPlan,
  options: ComparisonOptions,
): Promise<Comparison> {
  const scorer = createScorer(alignedTraces, plan)
  const runs = new Map(options.strategies.map((name) => [name, createRuns(workers, name, plan)]))
  const ownRuns = await eachOf(runs, (strategyRuns) => strategyRuns.atOwnPace())
  const budgets: BudgetFindings[] = []
  for (const budgetArgument of options.budgets) {
    const matched =
      budgetArgument.kind === 'match'
        ? (runs.get(budgetArgument.strategy) ?? createRuns(workers, budgetArgument.strategy, plan))
        : undefined
    const polls =
      budgetArgument.kind === 'polls' ? budgetArgument.perDay * scorer.days : ((await matched?.atOwnPace())?.polls ?? 0)
    const name =
      budgetArgument.kind === 'polls'
        ? `${budgetArgument.perDay.toFixed(0)}/d`
        : `the polls of ${budgetArgument.strategy}`
    if (polls >= 1) budgets.push(await atBudget(name, polls))
  }
  if (options.thorough && budgets.length > 0) await runFurtherBudgets(budgets.map(({ polls }) => polls))
  const frontier = [...distinct()].map(([strategy, strategyRuns]) => ({
    strategy,
    points: strategyRuns.all().map(scorer.point),
  }))

  /** All fixed intervals are equal once stretched to the same budget. */
  function distinct(): Map<string, StrategyRuns> {
    const isSame = (a: string, b: string) => a === b || (a.startsWith('fixed') && b.startsWith('fixed'))
    const names = options.strategies
    return new Map([...runs].filter(([strategy]) => names.find((name) => isSame(name, strategy)) === strategy))
  }

  async function atBudget(name: string, polls: number): Promise<BudgetFindings> {
    const solved = await eachOf(distinct(), (strategyRuns) => strategyRuns.withPolls(polls))
    const pollsPerDay = polls / scorer.days
    const online = [...distinct().keys()].map(async (strategy): Promise<OnlineRow> => {
      const { tallies, gathered: _, ...met } = await workers.market(strategy, pollsPerDay)
      return { strategy, ...scorer.scores(tallies), ...met }
    })
    return {
      name,
      polls,
      pollsPerDay,
      rows: solved.map(({ strategy, run }) => scorer.row(strategy, run)),
      oracle: SHARES.map((share) => ({ share, delayMs: scorer.leastDelayMs(polls * share) })),
      online: await Promise.all(online),
    }
  }

  async function runFurtherBudgets(polls: number[]): Promise<void> {
    const [fewest, most] = [Math.min(...polls), Math.max(...polls)]
    await eachOf(distinct(), async (strategyRuns) => {
      for (const share of FACTORS_BELOW) await strategyRuns.withPolls(share * fewest, ROUGH_TOLERANCE)
      for (const share of FACTORS_ABOVE) await strategyRuns.withPolls(share * most, ROUGH_TOLERANCE)
      return strategyRuns.atOwnPace()
    })
  }

  return {
    protocol: { ...plan, seed: options.seed, limits: options.limits, knownFrom: KNOWN_FROM },
    own: ownRuns.map(({ strategy, run }) => scorer.row(strategy, run)),
    budgets,
    frontier,
    oracle: scorer.oracleFrom(Math.min(...frontier.flatMap(({ points }) => points.map((point) => point.pollsPerDay)))),
    delayEndsMs: Array.from(ownRuns[0]?.run.gathered.delays ?? [], (_, bin) => binEndMs(bin)),
    ...(options.thorough && {
      papers: {
        timeliness: ownRuns.map(({ strategy, run }) => ({ strategy, curve: computeTimeliness(run) })),
        intervals: ownRuns.map(({ strategy, run }) => ({ strategy, map: computeHeatMap(alignedTraces, plan, run) })),
      },
    }),
  }
}

async function eachOf(
  runs: Map<string, StrategyRuns>,
  make: (runs: StrategyRuns) => Promise<SolvedRun>,
): Promise<{ strategy: string; run: SolvedRun }[]> {
  return Promise.all([...runs].map(async ([strategy, strategyRuns]) => ({ strategy, run: await make(strategyRuns) })))
}

/** Converts runs to scores. */
interface Scorer {
  days: number
  scores(tallies: FeedTally[]): { all: FreshnessScore; known: FreshnessScore }
  row(strategy: string, run: SolvedRun): Row
  point(run: SolvedRun): Point
  /** The minimum mean delay per item for this number of polls. */
  leastDelayMs(polls: number): Millis
  /** The same for increasing numbers of polls, up to one per item, where the delay is zero. */
  oracleFrom(fewest: number): Point[]
}

function knobOf({ strategy, price, scale, pollsPerDay }: Trial): Row['knob'] {
  const { priced, rounds } = strategyNamed(strategy)
  if (rounds && pollsPerDay !== undefined)
    return { kind: 'rounds', k: (pollsPerDay * rounds.everyMs) / DAY, everyMs: rounds.everyMs }
  return priced ? { kind: 'price', priceMs: price } : { kind: 'stretch', by: scale }
}

function createScorer(alignedTraces: AlignedTrace[], plan: ReplayPlan): Scorer {
  const days = (plan.endAt - plan.scoreAt) / DAY
  const counts = alignedTraces.map(({ known }) => known >= KNOWN_FROM)
  const items = alignedTraces.reduce(
    (sum, { published }) => sum + published.filter((at) => at >= plan.scoreAt).length,
    0,
  )
  const oracle = createOracle(alignedTraces, plan)
  const least = (polls: number) => oracle.leastDelayMs(polls) / Math.max(1, items)
  const scores: Scorer['scores'] = (tallies) => ({
    all: freshnessScore(tallies),
    known: freshnessScore(tallies, counts),
  })
  return {
    days,
    scores,
    leastDelayMs: least,
    row(strategy, run) {
      return {
        strategy,
        knob: knobOf(run.trial),
        met: run.met,
        ...scores(run.tallies),
        quantiles: computeQuantiles(run.gathered),
        delays: Array.from(run.gathered.delays),
      }
    },
    point(run) {
      const { byPolls, byFeeds } = freshnessScore(run.tallies)
      const isOwn = !strategyNamed(run.trial.strategy).priced && run.trial.scale === 1
      return {
        pollsPerDay: run.polls / days,
        itemDelayMs: byPolls.delayMs,
        feedDelayMs: byFeeds.delayMs,
        ...(isOwn && { own: true }),
      }
    },
    oracleFrom(fewest) {
      const most = items / days
      if (items === 0 || fewest >= most) return []
      const steps = Array.from({ length: ORACLE_POINTS }, (_, i) => fewest * (most / fewest) ** (i / ORACLE_POINTS))
      return steps.map((perDay) => ({ pollsPerDay: perDay, itemDelayMs: least(perDay * days) }))
    },
  }
}
