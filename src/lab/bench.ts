/**
 * Where runs are made: a set of feeds and the requests that can be made of them, all of them plain data, so that a bench
 * can stand in this thread or in another. What a request gives does not depend on where it is answered.
 */
import type { Instant, Millis } from '../model/index.ts'
import {
  createHighest,
  type Limits,
  nextRoundAt,
  pollsBetween,
  type Spent,
  type Strategy,
  strategyNamed,
  strategyStretched,
} from '../polling/index.ts'
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
  /** Of a strategy that ranks: so many go in rounds, whatever the price. */
  pollsPerDay?: number
}

export type Request =
  /** A run of the feeds `from` up to `upTo`, from the first poll to the end. */
  | { kind: 'try'; trial: Trial; from: number; upTo: number }
  /** Begins a run of every so many feeds, that stops and goes on at another price. */
  | { kind: 'begin'; session: number; strategy: string; from: number; every: number }
  | { kind: 'advance'; session: number; until: Instant; price: Millis; pollsPerDay: number }
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
  end: { tallies: FeedTally[]; gathered: Gathered }
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
  /** Of strategies that choose by rank. */
  roundAt: Instant
  everyMs: Millis | undefined
}

export function createBench({ alignedTraces, plan, limits }: Assignment): Bench {
  const sessions = new Map<number, Session>()

  function sessionOf(some: AlignedTrace[], strategy: Strategy, ranked: boolean): Session {
    const gathered = newGathering()
    const counters = some.map((alignedTrace) => createCounter(alignedTrace, plan, gathered))
    const runs = some.map((alignedTrace, i) => {
      const { onPoll } = counters[i]!
      return createRun(alignedTrace, { strategy, limits, firstAt: alignedTrace.firstAt, ranked, onPoll })
    })
    const everyMs = ranked ? strategy.rounds?.everyMs : undefined
    return { runs, counters, gathered, numbers: [], roundAt: plan.startAt, everyMs }
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
        const strategy = strategyStretched(trial.strategy, trial.scale)
        const session = sessionOf(alignedTraces.slice(from, upTo), strategy, false)
        for (const run of session.runs) run.advance(plan.endAt, trial.price)
        return ended(session)
      }
      case 'begin': {
        const numbers = [...alignedTraces.keys()].filter((i) => i % request.every === request.from)
        const mine = numbers.map((i) => alignedTraces[i]!)
        const strategy = strategyNamed(request.strategy)
        sessions.set(request.session, { ...sessionOf(mine, strategy, strategy.rounds !== undefined), numbers })
        return null
      }
      case 'expect': {
        const { runs, numbers } = known(request.session)
        const asked = runs.filter((_, i) => numbers[i]! % request.askedEvery === 0)
        const learnt = runs.filter((run) => run.isLearnt()).length
        return { ...sumOf(asked.map((run) => run.expected(request.at, request.price))), learnt }
      }
      case 'advance': {
        const { session, until, price, pollsPerDay } = request
        return sumOf([...inRounds(known(session), until, price, pollsPerDay), ...upTo(known(session), until, price)])
      }
      case 'end': {
        const session = known(request.session)
        sessions.delete(request.session)
        return ended(session)
      }
      case 'rounds':
        return replayRounds(request.strategy, request.rounds)
    }
  }

  return { answer: answer as Bench['answer'] }
}

function upTo({ runs }: Session, until: Instant, price: Millis): Spent[] {
  return runs.map((run) => run.advance(until, price))
}

/** As in crawl/dispatch/rank-rounds.ts: those of highest rank become due, as many as the time since the last round has earned. */
function* inRounds(session: Session, until: Instant, price: Millis, pollsPerDay: number): Generator<Spent> {
  const { runs, everyMs } = session
  if (everyMs === undefined) return
  for (let at = nextRoundAt(session.roundAt, everyMs); at < until; at = nextRoundAt(at, everyMs)) {
    yield sumOf(upTo(session, at, price))
    const polls = pollsBetween(pollsPerDay, session.roundAt, at)
    const highest = createHighest<Run>(polls)
    let waiting = 0
    for (const run of runs) {
      if (run.dueAt() <= at) waiting += run.isLearnt() ? 1 : 0
      else {
        const rank = run.rankAt(at)
        if (rank !== undefined) highest.offer(run, rank)
      }
    }
    for (const run of highest.first(polls - waiting)) run.makeDue(at)
    session.roundAt = at
  }
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
