/**
 * Executes runs: a set of feeds and the requests for them, all plain data, so that a runner can be in this thread or
 * in another. Results do not depend on where they are computed.
 */
import type { Millis } from '../model/index.ts'
import { type Limits, stretchedStrategy } from '../scheduling/index.ts'
import type { AlignedTrace, ReplayPlan } from './aligned-trace.ts'
import { type MarketReplay, replayMarket } from './market-replay.ts'
import { type Pending, type RankedRounds, replayRounds } from './ranked-rounds.ts'
import { runAlone } from './replay.ts'
import { type AggregatedTally, createCounter, type FeedTally, newAggregate } from './tally.ts'

/** Input shared by all runners of a replay. */
export interface Assignment {
  alignedTraces: AlignedTrace[]
  plan: ReplayPlan
  limits: Limits
}

/** A strategy at a price, or with stretched intervals. */
export interface Trial {
  strategy: string
  price: Millis
  scale: number
  /** For ranking strategies: this number of feeds per day in rounds, whatever the price. */
  pollsPerDay?: number
}

export type Request =
  /** A run of the feeds from index `from` to `upTo`, from the first poll to the end. */
  | { kind: 'try'; trial: Trial; from: number; upTo: number }
  /** All feeds under one budget. */
  | { kind: 'market'; strategy: string; pollsPerDay: number | 'auto' }
  /** A run in rounds, of feeds of its own. */
  | { kind: 'rounds'; strategy: string; rounds: RankedRounds }

/** Answers by kind of request. */
export interface Answers {
  try: { tallies: FeedTally[]; gathered: AggregatedTally }
  market: MarketReplay
  rounds: Pending
}

export type AnswerTo<R extends Request> = Answers[R['kind']]

export interface TrialRunner {
  answer<R extends Request>(request: R): AnswerTo<R>
}

export function createTrialRunner(assignment: Assignment): TrialRunner {
  const { alignedTraces, plan, limits } = assignment

  function runTrial({ strategy: name, scale, price }: Trial, traces: AlignedTrace[]): Answers['try'] {
    const strategy = stretchedStrategy(name, scale)
    const gathered = newAggregate()
    const tallies = traces.map((trace) => {
      const counter = createCounter(trace, plan, gathered)
      runAlone(trace, { strategy, limits, firstAt: trace.firstAt, onPoll: counter.onPoll }, plan.endAt, price)
      counter.end()
      return counter.tally
    })
    return { tallies, gathered }
  }

  function answer(request: Request): Answers[keyof Answers] {
    switch (request.kind) {
      case 'try':
        return runTrial(request.trial, alignedTraces.slice(request.from, request.upTo))
      case 'market':
        return replayMarket(assignment, request.strategy, request.pollsPerDay)
      case 'rounds':
        return replayRounds(request.strategy, request.rounds)
    }
  }

  return { answer: answer as TrialRunner['answer'] }
}
