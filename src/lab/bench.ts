/**
 * Where runs are made: a set of feeds and the requests that can be made of them, all of them plain data, so that a bench
 * can stand in this thread or in another. What a request gives does not depend on where it is answered.
 */
import type { Instant, Millis } from '../model/index.ts'
import { type Limits, type Spent, strategyStretched } from '../polling/index.ts'
import type { AlignedTrace, ReplayPlan } from './aligned-trace.ts'
import { type Pending, type RankedRounds, replayRounds } from './ranked-rounds.ts'
import { createRun, type Run } from './replay.ts'
import { type Counter, createCounter, type FeedTally, type Gathered, newGathering } from './tally.ts'

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
}

export type Request =
  /** A run of the feeds `from` up to `upTo`, from the first poll to the end. */
  | { kind: 'try'; trial: Trial; from: number; upTo: number }
  /** Begins a run of every so many feeds, that stops and goes on at another price. */
  | { kind: 'begin'; session: number; strategy: string; from: number; every: number }
  | { kind: 'advance'; session: number; until: Instant; price: Millis }
  /** Of every so many feeds, counted over all benches: what they expect, and how many of all have been polled. */
  | { kind: 'expect'; session: number; at: Instant; price: Millis; askedEvery: number }
  | { kind: 'end'; session: number }
  /** A run in rounds, of feeds of its own. */
  | { kind: 'rounds'; strategy: string; rounds: RankedRounds }

/** By the kind of the request. */
export interface Answers {
  try: { tallies: FeedTally[]; gathered: Gathered }
  begin: null
  advance: Spent
  expect: Spent & { learnt: number }
  end: FeedTally[]
  rounds: Pending
}

export type AnswerTo<R extends Request> = Answers[R['kind']]

export interface Bench {
  answer<R extends Request>(request: R): AnswerTo<R>
}

interface Session {
  /** The numbers of its feeds among all. */
  numbers: number[]
  runs: Run[]
  counters: Counter[]
  gathered: Gathered
}

export function createBench({ alignedTraces, plan, limits }: Assignment): Bench {
  const sessions = new Map<number, Session>()

  function sessionOf(some: AlignedTrace[], strategyName: string, scale = 1): Session {
    const strategy = strategyStretched(strategyName, scale)
    const gathered = newGathering()
    const counters = some.map((alignedTrace) => createCounter(alignedTrace, plan, gathered))
    const runs = some.map((alignedTrace, i) => {
      const { onPoll } = counters[i]!
      return createRun(alignedTrace, { strategy, limits, firstAt: alignedTrace.firstAt, onPoll })
    })
    return { runs, counters, gathered, numbers: [] }
  }

  function ended({ counters, gathered }: Session): { tallies: FeedTally[]; gathered: Gathered } {
    for (const counter of counters) counter.end()
    return { tallies: counters.map(({ tally }) => tally), gathered }
  }

  function known(id: number): Session {
    const session = sessions.get(id)
    if (!session) throw new Error(`the bench has no session ${id}`)
    return session
  }

  function answer(request: Request): Answers[keyof Answers] {
    switch (request.kind) {
      case 'try': {
        const { trial, from, upTo } = request
        const session = sessionOf(alignedTraces.slice(from, upTo), trial.strategy, trial.scale)
        for (const run of session.runs) run.advance(plan.endAt, trial.price)
        return ended(session)
      }
      case 'begin': {
        const numbers = [...alignedTraces.keys()].filter((i) => i % request.every === request.from)
        const mine = numbers.map((i) => alignedTraces[i]!)
        sessions.set(request.session, { ...sessionOf(mine, request.strategy), numbers })
        return null
      }
      case 'expect': {
        const { runs, numbers } = known(request.session)
        const asked = runs.filter((_, i) => numbers[i]! % request.askedEvery === 0)
        const learnt = runs.filter((run) => run.isLearnt()).length
        return { ...sumOf(asked.map((run) => run.expected(request.at, request.price))), learnt }
      }
      case 'advance':
        return sumOf(known(request.session).runs.map((run) => run.advance(request.until, request.price)))
      case 'end': {
        const session = known(request.session)
        sessions.delete(request.session)
        return ended(session).tallies
      }
      case 'rounds':
        return replayRounds(request.strategy, request.rounds)
    }
  }

  return { answer: answer as Bench['answer'] }
}

export function sumOf(all: readonly Spent[]): Spent {
  let following = 0
  let others = 0
  for (const one of all) {
    following += one.following
    others += one.others
  }
  return { following, others }
}
