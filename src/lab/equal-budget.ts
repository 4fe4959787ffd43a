/**
 * Every strategy with the same number of polls: whoever polls less has a longer delay, so only then can delays be compared.
 * A strategy that goes by the price is given the price at which it makes so many polls, any other has all its intervals
 * stretched or shortened. That is found in hindsight, to within three in a thousand; how the crawl finds it as it goes,
 * without hindsight, is in market-replay.ts. One that ranks is simply given as many polls, in equal parts to every round.
 */
import { DAY, HOUR } from '../model/index.ts'
import { strategyNamed } from '../scheduling/index.ts'
import type { ReplayPlan } from './aligned-trace.ts'
import type { Trial } from './trial-runner.ts'
import type { TrialResults, TrialWorkers } from './trial-workers.ts'

export interface Solved extends TrialResults {
  polls: number
  /** Whether the polls are what was asked for, to within a hundredth. Limits may not allow it. */
  met: boolean
}

/** All runs of one strategy; no run is made twice. */
export interface Runs {
  /** As the strategy would do without a budget, or at an ordinary price. */
  own(): Promise<Solved>
  /** To within three in a thousand, or as close as is asked for. */
  withPolls(polls: number, close?: number): Promise<Solved>
  /** Every run so far, those with the fewest polls first. */
  all(): Solved[]
}

const CLOSE = 0.003
const MET = 0.01
const MOST_RUNS = 20
const NEUTRAL_PRICE = HOUR
/** No knob is turned further than this, down or up. */
const FURTHEST = 1e9
/**
 * Where the polls jump over what is wanted. A strategy that goes by few past intervals is so jagged that another knob of
 * those around it may well meet it: they are tried in an order that leaves no gap.
 */
const BESIDE = 0.2
const GOLDEN = 0.618

export function createRuns(workers: Pick<TrialWorkers, 'try' | 'tryRanked'>, strategy: string, plan: ReplayPlan): Runs {
  const { priced, rounds } = strategyNamed(strategy)
  if (rounds) return createRankedRuns(workers, strategy, plan)
  const made = new Map<number, Promise<Solved>>()
  const done: Solved[] = []

  /** `knob` is a multiple of the neutral price, or of the intervals; the more, the fewer the polls. */
  function at(knob: number): Promise<Solved> {
    const trial: Trial = { strategy, price: NEUTRAL_PRICE * (priced ? knob : 1), scale: priced ? 1 : knob }
    const there = made.get(knob)
    if (there) return there
    const run = workers.try(trial).then((tried) => {
      const solved = { ...tried, polls: pollsIn(tried), met: true }
      done.push(solved)
      return solved
    })
    made.set(knob, run)
    return run
  }

  const knobOf = ({ trial }: Solved) => (priced ? trial.price / NEUTRAL_PRICE : trial.scale)

  /** Secants in the logarithms of knob and polls, kept between the closest runs on either side. */
  async function withPolls(wanted: number, close = CLOSE): Promise<Solved> {
    await at(1)
    for (let runs = 0; runs < MOST_RUNS; runs++) {
      const [more, fewer] = neighbours(done, wanted)
      const closest = closestTo(wanted, [more, fewer])
      if (closest && off(closest, wanted) <= close) return closest
      const knob = nextKnob(more, fewer, wanted)
      if (knob === undefined) break
      await at(knob)
    }
    const closest = closestTo(wanted, done)
    if (!closest) throw new Error('no run was made')
    return { ...closest, met: off(closest, wanted) <= MET }
  }

  function nextKnob(more: Solved | undefined, fewer: Solved | undefined, wanted: number): number | undefined {
    const slope = priced ? -0.5 : -1 // polls go with the price to the power of -1/2, with a stretch to that of -1
    if (more && fewer) {
      const [low, high] = [Math.log(knobOf(more)), Math.log(knobOf(fewer))]
      const share = (Math.log(more.polls) - Math.log(wanted)) / (Math.log(more.polls) - Math.log(fewer.polls))
      const between = Math.exp(low + (high - low) * Math.min(0.95, Math.max(0.05, share)))
      const isJump = made.has(between) || Math.abs(high - low) < 1e-4
      return isJump ? between * Math.exp(BESIDE * (((made.size * GOLDEN) % 1) - 0.5)) : between
    }
    const end = more ?? fewer
    if (!end) return 1
    const knob = knobOf(end) * Math.max(1e-3, Math.min(1e3, (wanted / Math.max(1, end.polls)) ** (1 / slope)))
    const step = end === more ? Math.max(knob, knobOf(end) * 1.05) : Math.min(knob, knobOf(end) / 1.05)
    return step > 1 / FURTHEST && step < FURTHEST ? step : undefined
  }

  return { own: () => at(1), withPolls, all: () => done.toSorted((a, b) => a.polls - b.polls) }
}

/** Polls beyond the rounds', of feeds that have waited as long as they may, are made up for by another run. */
const MOST_RANKED_RUNS = 3

function createRankedRuns(
  workers: Pick<TrialWorkers, 'try' | 'tryRanked'>,
  strategy: string,
  { scoreAt, endAt }: ReplayPlan,
): Runs {
  const days = (endAt - scoreAt) / DAY
  const done: Solved[] = []
  let own: Promise<Solved> | undefined

  async function withPolls(wanted: number, close = CLOSE): Promise<Solved> {
    let perDay = wanted / days
    for (let runs = 0; runs < MOST_RANKED_RUNS; runs++) {
      const there = done.find((run) => off(run, wanted) <= close)
      if (there) return there
      const tried = await workers.tryRanked(strategy, perDay)
      const solved = { ...tried, polls: pollsIn(tried), met: true }
      done.push(solved)
      perDay *= wanted / Math.max(1, solved.polls)
    }
    const closest = closestTo(wanted, done)
    if (!closest) throw new Error('no run was made')
    return { ...closest, met: off(closest, wanted) <= MET }
  }

  /** With as many polls as pass a threshold at the ordinary price. */
  async function atOrdinaryPrice(): Promise<Solved> {
    return withPolls(pollsIn(await workers.try({ strategy, price: NEUTRAL_PRICE, scale: 1 })))
  }

  return {
    own: () => (own ??= atOrdinaryPrice()),
    withPolls,
    all: () => done.toSorted((a, b) => a.polls - b.polls),
  }
}

function pollsIn({ tallies }: TrialResults): number {
  return tallies.reduce((sum, tally) => sum + tally.polls, 0)
}

/** The runs with the least polls above, and the most below. */
function neighbours(runs: Solved[], wanted: number): [Solved | undefined, Solved | undefined] {
  let more: Solved | undefined
  let fewer: Solved | undefined
  for (const run of runs) {
    if (run.polls >= wanted && (!more || run.polls < more.polls)) more = run
    if (run.polls < wanted && (!fewer || run.polls > fewer.polls)) fewer = run
  }
  return [more, fewer]
}

function closestTo(wanted: number, runs: (Solved | undefined)[]): Solved | undefined {
  return runs
    .filter((run) => run !== undefined)
    .toSorted((a, b) => off(a, wanted) - off(b, wanted))
    .at(0)
}

function off({ polls }: Solved, wanted: number): number {
  return Math.abs(polls / wanted - 1)
}
