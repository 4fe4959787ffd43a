/**
 * Runs strategies with equal numbers of polls, because delays are only comparable then. Strategies that follow the
 * price run at the price that gives this number; other strategies have their intervals stretched or shortened. The
 * value is found in hindsight, to within 0.3%; market-replay.ts measures how the crawl finds it without hindsight.
 * Ranking strategies get the number of polls directly, in equal parts per round.
 */
import { DAY, HOUR } from '../model/index.ts'
import { strategyNamed } from '../scheduling/index.ts'
import type { ReplayPlan } from './aligned-trace.ts'
import type { Trial } from './trial-runner.ts'
import type { TrialResults, TrialWorkers } from './trial-workers.ts'

export interface SolvedRun extends TrialResults {
  polls: number
  /** Whether the number of polls is met to within 1%. Limits may prevent that. */
  met: boolean
}

/** All runs of one strategy; no run is repeated. */
export interface StrategyRuns {
  /** The run without a budget, or at a normal price. */
  atOwnPace(): Promise<SolvedRun>
  /** To within 0.3%, or the given tolerance. */
  withPolls(polls: number, close?: number): Promise<SolvedRun>
  /** All runs so far, by ascending number of polls. */
  all(): SolvedRun[]
}

const TOLERANCE = 0.003
const MET_TOLERANCE = 0.01
const MAX_RUNS = 20
const NEUTRAL_PRICE = HOUR
/** Limits of the knob, down and up. */
const MAX_KNOB = 1e9
/**
 * Spread of values to try when the number of polls jumps over the target. Strategies based on few past intervals are
 * so discontinuous that a nearby value may meet it; the values cover the surroundings evenly.
 */
const JUMP_SPREAD = 0.2
const GOLDEN = 0.618

export function createRuns(
  workers: Pick<TrialWorkers, 'try' | 'tryRanked'>,
  strategy: string,
  plan: ReplayPlan,
): StrategyRuns {
  const { priced, rounds } = strategyNamed(strategy)
  if (rounds) return createRankedRuns(workers, strategy, plan)
  const runsByKnob = new Map<number, Promise<SolvedRun>>()
  const done: SolvedRun[] = []

  /** `knob`: multiple of the neutral price or of the intervals; a larger value means fewer polls. */
  function at(knob: number): Promise<SolvedRun> {
    const trial: Trial = { strategy, price: NEUTRAL_PRICE * (priced ? knob : 1), scale: priced ? 1 : knob }
    const existing = runsByKnob.get(knob)
    if (existing) return existing
    const run = workers.try(trial).then((results) => {
      const solved = { ...results, polls: pollsIn(results), met: true }
      done.push(solved)
      return solved
    })
    runsByKnob.set(knob, run)
    return run
  }

  const knobOf = ({ trial }: SolvedRun) => (priced ? trial.price / NEUTRAL_PRICE : trial.scale)

  /** Uses the secant method on the logarithms of knob and polls, bracketed by the closest runs on either side. */
  async function withPolls(targetPolls: number, close = TOLERANCE): Promise<SolvedRun> {
    await at(1)
    for (let runs = 0; runs < MAX_RUNS; runs++) {
      const [above, below] = neighbours(done, targetPolls)
      const closest = closestTo(targetPolls, [above, below])
      if (closest && deviation(closest, targetPolls) <= close) return closest
      const knob = nextKnob(above, below, targetPolls)
      if (knob === undefined) break
      await at(knob)
    }
    const closest = closestTo(targetPolls, done)
    if (!closest) throw new Error('no run was made')
    return { ...closest, met: deviation(closest, targetPolls) <= MET_TOLERANCE }
  }

  function nextKnob(
    above: SolvedRun | undefined,
    below: SolvedRun | undefined,
    targetPolls: number,
  ): number | undefined {
    const slope = priced ? -0.5 : -1 // polls are proportional to price^(-1/2), and to 1/stretch
    if (above && below) {
      const [low, high] = [Math.log(knobOf(above)), Math.log(knobOf(below))]
      const share = (Math.log(above.polls) - Math.log(targetPolls)) / (Math.log(above.polls) - Math.log(below.polls))
      const between = Math.exp(low + (high - low) * Math.min(0.95, Math.max(0.05, share)))
      const isJump = runsByKnob.has(between) || Math.abs(high - low) < 1e-4
      return isJump ? between * Math.exp(JUMP_SPREAD * (((runsByKnob.size * GOLDEN) % 1) - 0.5)) : between
    }
    const end = above ?? below
    if (!end) return 1
    const knob = knobOf(end) * Math.max(1e-3, Math.min(1e3, (targetPolls / Math.max(1, end.polls)) ** (1 / slope)))
    const step = end === above ? Math.max(knob, knobOf(end) * 1.05) : Math.min(knob, knobOf(end) / 1.05)
    return step > 1 / MAX_KNOB && step < MAX_KNOB ? step : undefined
  }

  return { atOwnPace: () => at(1), withPolls, all: () => done.toSorted((a, b) => a.polls - b.polls) }
}

/** Feeds at their maximum interval add polls to those of the rounds; further runs correct for that. */
const MAX_RANKED_RUNS = 3

function createRankedRuns(
  workers: Pick<TrialWorkers, 'try' | 'tryRanked'>,
  strategy: string,
  { scoreAt, endAt }: ReplayPlan,
): StrategyRuns {
  const days = (endAt - scoreAt) / DAY
  const done: SolvedRun[] = []
  let ownRun: Promise<SolvedRun> | undefined

  async function withPolls(targetPolls: number, close = TOLERANCE): Promise<SolvedRun> {
    let perDay = targetPolls / days
    for (let runs = 0; runs < MAX_RANKED_RUNS; runs++) {
      const existing = done.find((run) => deviation(run, targetPolls) <= close)
      if (existing) return existing
      const results = await workers.tryRanked(strategy, perDay)
      const solved = { ...results, polls: pollsIn(results), met: true }
      done.push(solved)
      perDay *= targetPolls / Math.max(1, solved.polls)
    }
    const closest = closestTo(targetPolls, done)
    if (!closest) throw new Error('no run was made')
    return { ...closest, met: deviation(closest, targetPolls) <= MET_TOLERANCE }
  }

  /** Uses the number of polls that exceed a threshold at the normal price. */
  async function atOrdinaryPrice(): Promise<SolvedRun> {
    return withPolls(pollsIn(await workers.try({ strategy, price: NEUTRAL_PRICE, scale: 1 })))
  }

  return {
    atOwnPace: () => (ownRun ??= atOrdinaryPrice()),
    withPolls,
    all: () => done.toSorted((a, b) => a.polls - b.polls),
  }
}

function pollsIn({ tallies }: TrialResults): number {
  return tallies.reduce((sum, tally) => sum + tally.polls, 0)
}

/** The runs closest to the target, above and below. */
function neighbours(runs: SolvedRun[], targetPolls: number): [SolvedRun | undefined, SolvedRun | undefined] {
  let above: SolvedRun | undefined
  let below: SolvedRun | undefined
  for (const run of runs) {
    if (run.polls >= targetPolls && (!above || run.polls < above.polls)) above = run
    if (run.polls < targetPolls && (!below || run.polls > below.polls)) below = run
  }
  return [above, below]
}

function closestTo(targetPolls: number, runs: (SolvedRun | undefined)[]): SolvedRun | undefined {
  return runs
    .filter((run) => run !== undefined)
    .toSorted((a, b) => deviation(a, targetPolls) - deviation(b, targetPolls))
    .at(0)
}

function deviation({ polls }: SolvedRun, targetPolls: number): number {
  return Math.abs(polls / targetPolls - 1)
}
