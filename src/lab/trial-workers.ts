/**
 * Benches on all cores. Feeds do not know of each other, so a run is cut into pieces, and whoever has nothing to do takes
 * the next one; pieces are always the same and are put together in their order, so the result does not depend on how many
 * hands there were. Where feeds share a budget, one thread has them all.
 */
import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'
import type { MarketReplay } from './market-replay.ts'
import type { Pending, RankedRounds } from './ranked-rounds.ts'
import { type AggregatedTally, addToAggregate, type FeedTally, newAggregate } from './tally.ts'
import { type AnswerTo, type Assignment, createTrialRunner, type Request, type Trial } from './trial-runner.ts'

/** What came of a run, feed by feed in the order of the traces. */
export interface TrialResults {
  trial: Trial
  tallies: FeedTally[]
  gathered: AggregatedTally
}

export interface TrialWorkers {
  try(trial: Trial): Promise<TrialResults>
  /** A strategy that ranks, with so many polls a day. */
  tryRanked(strategy: string, pollsPerDay: number): Promise<TrialResults>
  /** All feeds under one budget, in one thread: each poll is made on the terms of its moment. */
  market(strategy: string, pollsPerDay: number | 'auto'): Promise<MarketReplay>
  rounds(strategy: string, rounds: RankedRounds): Promise<Pending>
  close(): Promise<void>
}

export interface WorkersOptions {
  /** 0: all in this thread. */
  hands?: number
  /** How many pieces of work are done, of those that are known so far. */
  tell?: (done: number, of: number) => void
  signal?: AbortSignal
}

const PIECE = 64 // feeds

/** One who answers requests, one after the other. */
interface Hand {
  ask<R extends Request>(request: R): Promise<AnswerTo<R>>
  close(): Promise<void>
}

export function createTrialWorkers(
  assignment: Assignment,
  { hands: wanted, tell = () => {}, signal }: WorkersOptions = {},
): TrialWorkers {
  const { alignedTraces } = assignment
  const count = wanted ?? Math.min(availableParallelism(), Math.ceil(alignedTraces.length / PIECE))
  const hands =
    wanted === 0 || count <= 1 ? [handHere(assignment)] : Array.from({ length: count }, () => handAway(assignment))
  const free = [...hands]
  const waiting: ((hand: Hand) => void)[] = []
  const progress = { done: 0, of: 0 }
  const close = async () => void (await Promise.all(hands.map((hand) => hand.close())))
  signal?.addEventListener('abort', close, { once: true }) // what is under way in other threads ends at once

  async function withHand<T>(work: (hand: Hand) => Promise<T>): Promise<T> {
    progress.of++
    const hand = free.pop() ?? (await new Promise<Hand>((resolve) => waiting.push(resolve)))
    try {
      signal?.throwIfAborted()
      return await work(hand)
    } finally {
      progress.done++
      tell(progress.done, progress.of)
      const next = waiting.shift()
      if (next) next(hand)
      else free.push(hand)
    }
  }

  const market: TrialWorkers['market'] = (strategy, pollsPerDay) =>
    withHand((hand) => hand.ask({ kind: 'market', strategy, pollsPerDay }))

  return {
    async try(trial) {
      const pieces = Array.from({ length: Math.ceil(alignedTraces.length / PIECE) }, (_, i) => {
        const request = { kind: 'try', trial, from: i * PIECE, upTo: (i + 1) * PIECE } as const
        return withHand((hand) => hand.ask(request))
      })
      const gathered = newAggregate()
      const tallies: FeedTally[] = []
      for (const piece of await Promise.all(pieces)) {
        tallies.push(...piece.tallies)
        addToAggregate(gathered, piece.gathered)
      }
      return { trial, tallies, gathered }
    },

    async tryRanked(strategy, pollsPerDay) {
      const { tallies, gathered } = await market(strategy, pollsPerDay)
      return { trial: { strategy, price: 0, scale: 1, pollsPerDay }, tallies, gathered }
    },

    market,

    rounds: (strategy, rounds) => withHand((hand) => hand.ask({ kind: 'rounds', strategy, rounds })),

    async close() {
      signal?.removeEventListener('abort', close)
      await close()
    },
  }
}

/** In this thread; others get their turn between two requests. */
function handHere(assignment: Assignment): Hand {
  const bench = createTrialRunner(assignment)
  return {
    async ask(request) {
      await new Promise((resolve) => setImmediate(resolve))
      return bench.answer(request)
    },
    close: async () => {},
  }
}

/** In a thread of its own, which answers in the order of the requests. */
function handAway(assignment: Assignment): Hand {
  const file = import.meta.url.endsWith('.ts') ? './trial-worker.ts' : './trial-worker.js'
  const worker = new Worker(new URL(file, import.meta.url), { workerData: assignment })
  const asked: { resolve: (answer: never) => void; reject: (error: unknown) => void }[] = []
  let ended: unknown
  const end = (error: unknown) => {
    ended ??= error
    for (const { reject } of asked.splice(0)) reject(ended)
  }
  worker.on('message', ({ answer, error }: { answer?: never; error?: unknown }) => {
    const question = asked.shift()
    if (error === undefined) question?.resolve(answer as never)
    else question?.reject(error)
  })
  worker.on('error', end)
  worker.on('exit', () => end(new Error('a thread of the lab has ended early')))
  return {
    ask: (request) =>
      new Promise((resolve, reject) => {
        if (ended !== undefined) return reject(ended)
        asked.push({ resolve, reject })
        worker.postMessage(request)
      }),
    async close() {
      end(new Error('the lab was closed'))
      await worker.terminate()
    },
  }
}
