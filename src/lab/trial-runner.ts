/**
 * Where runs are made: a set of feeds and the requests that can be made of them, all of them plain data, so that a bench
 * can stand in this thread or in another. What a request gives does not depend on where it is answered.
 */
import type { Millis } from '../model/index.ts'
import { type Limits, stretchedStrategy } from '../scheduling/index.ts'
import type { AlignedTrace, ReplayPlan } from './aligned-trace.ts'
import { type MarketReplay, replayMarket } from './market-replay.ts'
import { type Pending, type RankedRounds, replayRounds } from './ranked-rounds.ts'
import { runAlone } from './replay.ts'
import { type AggregatedTally, createCounter, type FeedTally, newAggregate } from './tally.ts'

/** What all benches of a replay have in common. */
export interface Assignment {
  alignedTraces: AlignedTrace[]
  plan: ReplayPlan
  limits: Limits
}

/** A strategy at a price, or with its intervals stretched. */
export interface Trial {
  strategy: string
  price: Millis
  scale: number
  /** Of a strategy that ranks: so many go in rounds, whatever the price. */
  pollsPerDay?: number
}

export type Request =
  /** A run of the feeds `from` up to `upTo`, from the first poll to the end. */
  | { kind: 'try'; trial: Trial; from: number; upTo: number }
  /** All feeds under one budget. */
  | { kind: 'market'; strategy: string; pollsPerDay: number | 'auto' }
  /** A run in rounds, of feeds of its own. */
  | { kind: 'rounds'; strategy: string; rounds: RankedRounds }

/** By the kind of the request. */
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

  function tried({ strategy: name, scale, price }: Trial, traces: AlignedTrace[]): Answers['try'] {
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
        return tried(request.trial, alignedTraces.slice(request.from, request.upTo))
      case 'market':
        return replayMarket(assignment, request.strategy, request.pollsPerDay)
      case 'rounds':
        return replayRounds(request.strategy, request.rounds)
    }
  }

  return { answer: answer as TrialRunner['answer'] }
}
