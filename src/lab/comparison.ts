/**
 * Strategies compared on a set of traces: first each at its own pace, then all of them at the same budgets, in hindsight
 * and as the market would have met them.
 */
import { DAY, type Millis } from '../model/index.ts'
import { type Limits, strategyNamed } from '../scheduling/index.ts'
import type { AlignedTrace, ReplayPlan } from './aligned-trace.ts'
import { createRuns, type Runs, type Solved } from './equal-budget.ts'
import type { BudgetFindings, Findings, OnlineRow, Point, Row } from './findings.ts'
import { createOracle } from './oracle.ts'
import { computeHeatMap, computeTimeliness } from './paper-experiments.ts'
import { computeQuantiles, type FreshnessScore, freshnessScore } from './score.ts'
import { binEndMs, type FeedTally } from './tally.ts'
import type { Trial } from './trial-runner.ts'
import type { TrialWorkers } from './trial-workers.ts'

/** So many polls a day, or as many as another strategy makes at its own pace. */
export type BudgetArgument = { kind: 'polls'; perDay: number } | { kind: 'match'; strategy: string }

export interface ComparisonOptions {
  strategies: string[]
  budgets: BudgetArgument[]
  seed: number
  limits: Limits
  /** Also the experiments of the papers, and runs at further budgets, so that curves can be drawn. */
  thorough: boolean
}

export type Comparison = Omit<Findings, 'traces' | 'today'>

/** Of so many entries known at the start one can say that a strategy had something to go by. */
export const KNOWN_FROM = 5
const SHARES = [1, 1 / 2, 1 / 4]
/** For curves: these multiples of the smallest budget, and these of the largest, more or less. */
const BELOW = [1 / 3]
const ABOVE = [2.5]
const ROUGHLY = 0.25
const ORACLE_POINTS = 12

export async function compare(
  workers: TrialWorkers,
  alignedTraces: AlignedTrace[],
  plan: ReplayPlan,
  options: ComparisonOptions,
): Promise<Comparison> {
  const judge = createJudge(alignedTraces, plan)
  const runs = new Map(options.strategies.map((name) => [name, createRuns(workers, name, plan)]))
  const own = await eachOf(runs, (one) => one.own())
  const budgets: BudgetFindings[] = []
  for (const asked of options.budgets) {
    const matched =
      asked.kind === 'match' ? (runs.get(asked.strategy) ?? createRuns(workers, asked.strategy, plan)) : undefined
    const polls = asked.kind === 'polls' ? asked.perDay * judge.days : ((await matched?.own())?.polls ?? 0)
    const name = asked.kind === 'polls' ? `${asked.perDay.toFixed(0)}/d` : `the polls of ${asked.strategy}`
    if (polls >= 1) budgets.push(await atBudget(name, polls))
  }
  if (options.thorough && budgets.length > 0) await goFurther(budgets.map(({ polls }) => polls))
  const frontier = [...distinct()].map(([strategy, one]) => ({ strategy, points: one.all().map(judge.point) }))

  /** Stretched to the same budget, all fixed intervals are one. */
  function distinct(): Map<string, Runs> {
    const isSame = (a: string, b: string) => a === b || (a.startsWith('fixed') && b.startsWith('fixed'))
    const names = options.strategies
    return new Map([...runs].filter(([strategy]) => names.find((one) => isSame(one, strategy)) === strategy))
  }

  async function atBudget(name: string, polls: number): Promise<BudgetFindings> {
    const solved = await eachOf(distinct(), (one) => one.withPolls(polls))
    const pollsPerDay = polls / judge.days
    const online = [...distinct().keys()].map(async (strategy): Promise<OnlineRow> => {
      const { tallies, gathered: _, ...met } = await workers.market(strategy, pollsPerDay)
      return { strategy, ...judge.scores(tallies), ...met }
    })
    return {
      name,
      polls,
      pollsPerDay,
      rows: solved.map(({ strategy, run }) => judge.row(strategy, run)),
      oracle: SHARES.map((share) => ({ share, delayMs: judge.leastDelayMs(polls * share) })),
      online: await Promise.all(online),
    }
  }

  async function goFurther(polls: number[]): Promise<void> {
    const [fewest, most] = [Math.min(...polls), Math.max(...polls)]
    await eachOf(distinct(), async (one) => {
      for (const share of BELOW) await one.withPolls(share * fewest, ROUGHLY)
      for (const share of ABOVE) await one.withPolls(share * most, ROUGHLY)
      return one.own()
    })
  }

  return {
    protocol: { ...plan, seed: options.seed, limits: options.limits, knownFrom: KNOWN_FROM },
    own: own.map(({ strategy, run }) => judge.row(strategy, run)),
    budgets,
    frontier,
    oracle: judge.oracleFrom(Math.min(...frontier.flatMap(({ points }) => points.map((point) => point.pollsPerDay)))),
    delayEndsMs: Array.from(own[0]?.run.gathered.delays ?? [], (_, bin) => binEndMs(bin)),
    ...(options.thorough && {
      papers: {
        timeliness: own.map(({ strategy, run }) => ({ strategy, curve: computeTimeliness(run) })),
        intervals: own.map(({ strategy, run }) => ({ strategy, map: computeHeatMap(alignedTraces, plan, run) })),
      },
    }),
  }
}

async function eachOf(
  runs: Map<string, Runs>,
  make: (runs: Runs) => Promise<Solved>,
): Promise<{ strategy: string; run: Solved }[]> {
  return Promise.all([...runs].map(async ([strategy, one]) => ({ strategy, run: await make(one) })))
}

/** How runs become figures. */
interface Judge {
  days: number
  scores(tallies: FeedTally[]): { all: FreshnessScore; known: FreshnessScore }
  row(strategy: string, run: Solved): Row
  point(run: Solved): Point
  /** The least mean delay per item that so many polls can have. */
  leastDelayMs(polls: number): Millis
  /** The same from so few polls a day to one for every item, beyond which there is no delay. */
  oracleFrom(fewest: number): Point[]
}

function knobOf({ strategy, price, scale, pollsPerDay }: Trial): Row['knob'] {
  const { priced, rounds } = strategyNamed(strategy)
  if (rounds && pollsPerDay !== undefined)
    return { kind: 'rounds', k: (pollsPerDay * rounds.everyMs) / DAY, everyMs: rounds.everyMs }
  return priced ? { kind: 'price', priceMs: price } : { kind: 'stretch', by: scale }
}

function createJudge(alignedTraces: AlignedTrace[], plan: ReplayPlan): Judge {
  const days = (plan.endAt - plan.scoreAt) / DAY
  const counts = alignedTraces.map(({ known }) => known >= KNOWN_FROM)
  const items = alignedTraces.reduce(
    (sum, { published }) => sum + published.filter((at) => at >= plan.scoreAt).length,
    0,
  )
  const oracle = createOracle(alignedTraces, plan)
  const least = (polls: number) => oracle.leastDelayMs(polls) / Math.max(1, items)
  const scores: Judge['scores'] = (tallies) => ({
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
