/**
 * Runs trials on all cores. Feeds are independent, so a run is split into chunks, and idle workers take the next one;
 * chunks are fixed and merged in order, so the result does not depend on the number of workers. Feeds that share a
 * budget run in one thread.
 */
import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'
import type { MarketReplay } from './market-replay.ts'
import type { Pending, RankedRounds } from './ranked-rounds.ts'
import { type AggregatedTally, addToAggregate, type FeedTally, newAggregate } from './tally.ts'
import { type AnswerTo, type Assignment, createTrialRunner, type Request, type Trial } from './trial-runner.ts'

/** Results of a run by feed, in order of the traces. */
export interface TrialResults {
  trial: Trial
  tallies: FeedTally[]
  gathered: AggregatedTally
}

export interface TrialWorkers {
  try(trial: Trial): Promise<TrialResults>
  /** A ranking strategy with this number of polls per day. */
  tryRanked(strategy: string, pollsPerDay: number): Promise<TrialResults>
  /** All feeds under one budget, in one thread: each poll is made on its current terms. */
  market(strategy: string, pollsPerDay: number | 'auto'): Promise<MarketReplay>
  rounds(strategy: string, rounds: RankedRounds): Promise<Pending>
  close(): Promise<void>
}

export interface WorkersOptions {
  /** 0: run everything in this thread. */
  workerCount?: number
  /** How many chunks of work are done, of those that are known so far. */
  onProgress?: (done: number, of: number) => void
  signal?: AbortSignal
}

const CHUNK_FEEDS = 64 // feeds

/** Answers requests one after the other. */
interface TrialWorker {
  ask<R extends Request>(request: R): Promise<AnswerTo<R>>
  close(): Promise<void>
}

export function createTrialWorkers(
  assignment: Assignment,
  { workerCount: requestedCount, onProgress = () => {}, signal }: WorkersOptions = {},
): TrialWorkers {
  const { alignedTraces } = assignment
  const count = requestedCount ?? Math.min(availableParallelism(), Math.ceil(alignedTraces.length / CHUNK_FEEDS))
  const workers =
    requestedCount === 0 || count <= 1
      ? [createLocalWorker(assignment)]
      : Array.from({ length: count }, () => createThreadWorker(assignment))
  const free = [...workers]
  const waiting: ((trialWorker: TrialWorker) => void)[] = []
  const progress = { done: 0, of: 0 }
  const close = async () => void (await Promise.all(workers.map((trialWorker) => trialWorker.close())))
  signal?.addEventListener('abort', close, { once: true }) // aborts running work in other threads

  async function withWorker<T>(work: (trialWorker: TrialWorker) => Promise<T>): Promise<T> {
    progress.of++
    const trialWorker = free.pop() ?? (await new Promise<TrialWorker>((resolve) => waiting.push(resolve)))
    try {
      signal?.throwIfAborted()
      return await work(trialWorker)
    } finally {
      progress.done++
      onProgress(progress.done, progress.of)
      const next = waiting.shift()
      if (next) next(trialWorker)
      else free.push(trialWorker)
    }
  }

  const market: TrialWorkers['market'] = (strategy, pollsPerDay) =>
    withWorker((trialWorker) => trialWorker.ask({ kind: 'market', strategy, pollsPerDay }))

  return {
    async try(trial) {
      const chunks = Array.from({ length: Math.ceil(alignedTraces.length / CHUNK_FEEDS) }, (_, i) => {
        const request = { kind: 'try', trial, from: i * CHUNK_FEEDS, upTo: (i + 1) * CHUNK_FEEDS } as const
        return withWorker((trialWorker) => trialWorker.ask(request))
      })
      const gathered = newAggregate()
      const tallies: FeedTally[] = []
      for (const chunk of await Promise.all(chunks)) {
        tallies.push(...chunk.tallies)
        addToAggregate(gathered, chunk.gathered)
      }
      return { trial, tallies, gathered }
    },

    async tryRanked(strategy, pollsPerDay) {
      const { tallies, gathered } = await market(strategy, pollsPerDay)
      return { trial: { strategy, price: 0, scale: 1, pollsPerDay }, tallies, gathered }
    },

    market,

    rounds: (strategy, rounds) => withWorker((trialWorker) => trialWorker.ask({ kind: 'rounds', strategy, rounds })),

    async close() {
      signal?.removeEventListener('abort', close)
      await close()
    },
  }
}

/** In this thread; yields between two requests. */
function createLocalWorker(assignment: Assignment): TrialWorker {
  const bench = createTrialRunner(assignment)
  return {
    async ask(request) {
      await new Promise((resolve) => setImmediate(resolve))
      return bench.answer(request)
    },
    close: async () => {},
  }
}

/** In a worker thread, which answers in order of the requests. */
function createThreadWorker(assignment: Assignment): TrialWorker {
  const file = import.meta.url.endsWith('.ts') ? './trial-worker.ts' : './trial-worker.js'
  const worker = new Worker(new URL(file, import.meta.url), { workerData: assignment })
  const pending: { resolve: (answer: never) => void; reject: (error: unknown) => void }[] = []
  let ended: unknown
  const end = (error: unknown) => {
    ended ??= error
    for (const { reject } of pending.splice(0)) reject(ended)
  }
  worker.on('message', ({ answer, error }: { answer?: never; error?: unknown }) => {
    const question = pending.shift()
    if (error === undefined) question?.resolve(answer as never)
    else question?.reject(error)
  })
  worker.on('error', end)
  worker.on('exit', () => end(new Error('a thread of the lab has ended early')))
  return {
    ask: (request) =>
      new Promise((resolve, reject) => {
        if (ended !== undefined) return reject(ended)
        pending.push({ resolve, reject })
        worker.postMessage(request)
      }),
    async close() {
      end(new Error('the lab was closed'))
      await worker.terminate()
    },
  }
}
