/**
 * What a replay finds, as plain data: `--json` writes it, the tables and the report are drawn from it. First every strategy
 * at its own pace, then all of them at the same budgets, in hindsight and as the market would have met them.
 */
import { DAY, HintedError, type Instant, type Millis } from '../model/index.ts'
import { type Limits, strategyNamed } from '../polling/index.ts'
import { createRuns, type Runs, type Solved } from './budget.ts'
import { type Course, courseOf, type Plan, planOf, shared } from './course.ts'
import { type CrewOptions, createCrew } from './crew.ts'
import { replayOnline } from './online.ts'
import { leastDelayMs } from './oracle.ts'
import { type HeatMap, heatMapOf, type PendingFindings, pendingOf, ranking, roundsOf, type Timeliness, timelinessOf } from './papers.ts'
import { type Quantiles, quantilesOf, type Score, scoreOf } from './score.ts'
import { binEndMs } from './tally.ts'
import type { TraceFile, Traces } from './traces/read-traces.ts'

/** So many polls a day, or as many as another strategy makes at its own pace. */
export type BudgetWish = { kind: 'polls'; perDay: number } | { kind: 'match'; strategy: string }

export interface LabOptions {
  strategies: string[]
  budgets: BudgetWish[]
  warmupMs: Millis
  scoreMs: Millis
  seed: number
  limits: Limits
  /** Also the experiments of the papers, and runs at further budgets, so that curves can be drawn. */
  thorough: boolean
}

export interface Row {
  strategy: string
  /** At which price the polls were made, or by how much all intervals were stretched. */
  knob: { kind: 'price'; priceMs: Millis } | { kind: 'stretch'; by: number }
  /** Whether the budget could be met to within a hundredth. */
  met: boolean
  all: Score
  /** Only feeds of which at least five entries were known at the start. */
  known: Score
  quantiles: Quantiles
  /** How many items waited how long. */
  delays: number[]
}

export interface BudgetFindings {
  /** "polls of moving-average", "5000/d" */
  name: string
  polls: number
  pollsPerDay: number
  rows: Row[]
  /** The least mean delay per item that so many polls can have, and half and a quarter of them. */
  oracle: { share: number; delayMs: Millis }[]
  online: OnlineRow[]
}

export interface OnlineRow {
  strategy: string
  all: Score
  known: Score
  weeks: { polls: number; off: number }[]
  prices: { at: Instant; price: Millis }[]
}

export interface Findings {
  protocol: Plan & { seed: number; limits: Limits; knownFrom: number }
  traces: {
    files: TraceFile[]
    feeds: number
    /** Histories that are too short for the protocol. */
    short: number
    /** With at least five entries known at the start. */
    known: number
    items: number
    kinds: Record<string, number>
    words: string[]
  }
  own: Row[]
  budgets: BudgetFindings[]
  /** Every run that was made, those with the fewest polls first; of the oracle, too. */
  frontier: { strategy: string; points: Point[] }[]
  oracle: Point[]
  delayEndsMs: Millis[]
  papers?: {
    timeliness: { strategy: string; curve: Timeliness }[]
    intervals: { strategy: string; map: HeatMap }[]
    pending?: PendingFindings
  }
}

export interface Point {
  pollsPerDay: number
  itemDelayMs: Millis
  /** Of the oracle nobody knows: it minimises the other. */
  feedDelayMs?: Millis
  /** As the strategy would do without a budget. */
  own?: true
}

/** Of so many entries known at the start one can say that a strategy had something to go by. */
const KNOWN_FROM = 5
const SHARES = [1, 1 / 2, 1 / 4]
/** For curves: these multiples of the smallest budget, and these of the largest, more or less. */
const FURTHER = { below: [1 / 4, 1 / 2], above: [2, 4] }
const ROUGHLY = 0.25

export async function replayTraces(read: Traces, options: LabOptions, crewOptions: CrewOptions): Promise<Findings> {
  const plan = planOf(options.warmupMs, options.scoreMs)
  const courses = shared(read.traces.flatMap((trace) => courseOf(trace, plan, options.seed) ?? []))
  if (courses.length === 0) throw tooShort(read, plan)
  const crew = createCrew({ courses, plan, limits: options.limits }, crewOptions)
  try {
    const study = createStudy(courses, plan)
    const runs = new Map(options.strategies.map((name) => [name, createRuns(crew, name)]))
    const runsOf = (name: string) => runs.get(name) ?? createRuns(crew, name)
    const own = await eachOf(runs, (one) => one.own())
    const budgets: BudgetFindings[] = []
    for (const wish of options.budgets) {
      const polls = wish.kind === 'polls' ? wish.perDay * study.days : (await runsOf(wish.strategy).own()).polls
      if (polls < 1) continue
      const solved = await eachOf(runs, (one) => one.withPolls(polls))
      budgets.push({
        name: wish.kind === 'polls' ? `${wish.perDay}/d` : `polls of ${wish.strategy}`,
        polls,
        pollsPerDay: polls / study.days,
        rows: solved.map(({ strategy, run }) => study.row(strategy, run)),
        oracle: SHARES.map((share) => ({ share, delayMs: study.leastDelayMs(polls * share) })),
        online: await Promise.all(
          options.strategies
            .filter((name) => strategyNamed(name).priced)
            .map(async (strategy) => {
              const { tallies, weeks, prices } = await replayOnline(crew, strategy, plan, polls / study.days)
              return { strategy, ...study.scores(tallies), weeks, prices }
            }),
        ),
      })
    }
    if (options.thorough) await goFurther(runs, budgets)
    const frontier = [...runs].map(([strategy, one]) => ({ strategy, points: one.all().map(study.point) }))
    const rounds = roundsOf(read.traces, plan, options.seed)
    const names = ranking(options.strategies)
    return {
      protocol: { ...plan, seed: options.seed, limits: options.limits, knownFrom: KNOWN_FROM },
      traces: aboutTraces(read, courses),
      own: own.map(({ strategy, run }) => study.row(strategy, run)),
      budgets,
      frontier,
      oracle: study.oracleAlong(frontier.flatMap(({ points }) => points.map(({ pollsPerDay }) => pollsPerDay))),
      delayEndsMs: Array.from(own[0]?.run.gathered.delays ?? [], (_, bin) => binEndMs(bin)),
      ...(options.thorough && {
        papers: {
          timeliness: own.map(({ strategy, run }) => ({ strategy, curve: timelinessOf(run) })),
          intervals: own.map(({ strategy, run }) => ({ strategy, map: heatMapOf(courses, plan, run) })),
          ...(names.length > 0 && { pending: await pendingOf(crew, names, rounds) }),
        },
      }),
    }
  } finally {
    await crew.close()
  }
}

/** How runs become figures. */
function createStudy(courses: Course[], plan: Plan) {
  const days = (plan.endAt - plan.scoreAt) / DAY
  const counts = courses.map(({ known }) => known >= KNOWN_FROM)
  const items = courses.reduce((sum, { published }) => sum + published.filter((at) => at >= plan.scoreAt).length, 0)
  const scores = (tallies: Solved['tallies']) => ({ all: scoreOf(tallies), known: scoreOf(tallies, counts) })
  const least = (polls: number) => leastDelayMs(courses, plan, polls) / Math.max(1, items)
  return {
    days,
    scores,
    leastDelayMs: least,
    row(strategy: string, run: Solved): Row {
      const { price, scale } = run.trial
      return {
        strategy,
        knob: strategyNamed(strategy).priced ? { kind: 'price', priceMs: price } : { kind: 'stretch', by: scale },
        met: run.met,
        ...scores(run.tallies),
        quantiles: quantilesOf(run.gathered),
        delays: Array.from(run.gathered.delays),
      }
    },
    point(run: Solved): Point {
      const { byPolls, byFeeds } = scoreOf(run.tallies)
      const isOwn = !strategyNamed(run.trial.strategy).priced && run.trial.scale === 1
      return {
        pollsPerDay: run.polls / days,
        itemDelayMs: byPolls.delayMs,
        feedDelayMs: byFeeds.delayMs,
        ...(isOwn && { own: true }),
      }
    },
    /** From the fewest polls to one for every item, beyond which there is no delay. */
    oracleAlong(pollsPerDay: number[]): Point[] {
      const fewest = Math.max(1, Math.min(...pollsPerDay, items / days / 2))
      const most = items / days
      return Array.from({ length: 12 }, (_, i) => fewest * (most / fewest) ** (i / 12)).map((perDay) => ({
        pollsPerDay: perDay,
        itemDelayMs: least(perDay * days),
      }))
    },
  }
}

async function eachOf(
  runs: Map<string, Runs>,
  make: (runs: Runs) => Promise<Solved>,
): Promise<{ strategy: string; run: Solved }[]> {
  return Promise.all([...runs].map(async ([strategy, one]) => ({ strategy, run: await make(one) })))
}

async function goFurther(runs: Map<string, Runs>, budgets: BudgetFindings[]): Promise<void> {
  const polls = budgets.map((budget) => budget.polls)
  if (polls.length === 0) return
  const further = [
    ...FURTHER.below.map((share) => share * Math.min(...polls)),
    ...FURTHER.above.map((share) => share * Math.max(...polls)),
  ]
  await eachOf(runs, async (one) => {
    for (const wanted of further) await one.withPolls(wanted, ROUGHLY)
    return one.own()
  })
}

function aboutTraces({ traces, files, words }: Traces, courses: Course[]): Findings['traces'] {
  const kinds: Record<string, number> = {}
  for (const { kind } of courses) kinds[kind] = (kinds[kind] ?? 0) + 1
  return {
    files,
    feeds: courses.length,
    short: traces.length - courses.length,
    known: courses.filter(({ known }) => known >= KNOWN_FROM).length,
    items: traces.reduce((sum, { published }) => sum + published.length, 0),
    kinds,
    words,
  }
}

function tooShort({ traces }: Traces, { startAt, endAt }: Plan): HintedError {
  const longest = Math.max(...traces.map(({ published }) => published.at(-1)! - published[0]!))
  return new HintedError(
    `no history is as long as warm-up and score together, ${(endAt - startAt) / DAY} days`,
    `the longest has ${Math.floor(longest / DAY)} days: try a shorter --warmup and --score`,
  )
}
