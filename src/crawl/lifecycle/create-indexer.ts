/**
 * The indexer of a fleet: runs the background loop (background-loop.ts) and sets the poll price (fleet/fleet-price.ts) for all controllers. Of
 * several indexers each task runs in one at a time; the others are on standby.
 */

import { type Clock, type Leadership, rolesOf, type Search, type Store, StoreError } from '../../ports/index.ts'
import type { CrawlEvent } from '../crawler.ts'
import { createErrorBoundary } from '../error-boundary.ts'
import { createFleetPriceTask } from '../fleet/fleet-price.ts'
import { createLeaderTasks, type LeaderTask } from '../fleet/leader-tasks.ts'
import type { Analysis } from '../grouping/analysis.ts'
import type { Grouping } from '../grouping/similarity-indexes.ts'
import { createStoreRetry } from '../retry-transient.ts'
import type { BudgetOptions } from '../scheduler/budget.ts'
import { type BackgroundLoop, type BackgroundTask, createBackgroundLoop } from './background-loop.ts'
import type { RetentionLimits } from './retention.ts'

export interface IndexerParts extends RetentionLimits, BudgetOptions, Grouping {
  store: Store & Leadership
  search: Search
  /** Compares texts and prepares index rows. Default: in this thread. */
  analysis?: Analysis
  clock: Clock
  /** Unique among the indexers of this store. */
  name: string
}

export interface Indexer {
  /** Runs until the signal aborts. Throws store errors that are not transient. */
  run(signal: AbortSignal): Promise<void>
  /** There is something to index, group or clean up. */
  notify(): void
  activeTasks(): string[]
  onEvent(listener: (event: CrawlEvent) => void): () => void
}

/** Larger than in a single process: each chunk is a round trip to the database, and nothing else runs here. */
const CHUNK = 500
const BACKGROUND_TASKS: readonly BackgroundTask[] = ['index', 'places', 'retention']

export function createIndexer({ store, ...rest }: IndexerParts): Indexer {
  const parts = { ...rest, ...rolesOf(store) }
  const { clock } = parts
  const listeners = new Set<(event: CrawlEvent) => void>()
  const errorBoundary = createErrorBoundary({ clock, emit })
  const storeRetry = createStoreRetry(clock, emit)
  const loops = new Set<BackgroundLoop>()
  let ending = new AbortController()
  let fatal: StoreError | undefined

  function emit(event: CrawlEvent): void {
    for (const listener of listeners) listener(event)
  }

  function reportError(error: unknown, doing: string): void {
    if (error instanceof StoreError && !error.isTransient) {
      fatal ??= error
      ending.abort()
    } else errorBoundary.report(doing, error)
  }

  /** Creates a new loop each time: the memory of an old one may be outdated. */
  function backgroundTask(task: BackgroundTask): LeaderTask {
    return async (signal, isLeader) => {
      const backgroundLoop = createBackgroundLoop({
        ...parts,
        errorBoundary,
        storeRetry,
        isBusy: () => false,
        chunkSize: CHUNK,
        reportError,
        emit,
        tasks: new Set([task]),
        isLeader,
      })
      loops.add(backgroundLoop)
      try {
        await backgroundLoop.run(signal)
      } finally {
        loops.delete(backgroundLoop)
      }
    }
  }

  const market = createFleetPriceTask({ ...parts, storeRetry })
  const backgroundTasks = Object.fromEntries(BACKGROUND_TASKS.map((task) => [task, backgroundTask(task)]))
  const leaderTasks = createLeaderTasks({ ...parts, tasks: { ...backgroundTasks, market }, emit, reportError })

  return {
    async run(signal) {
      ending = new AbortController()
      await leaderTasks.run(AbortSignal.any([signal, ending.signal]))
      if (fatal) throw fatal
    },
    notify() {
      for (const backgroundLoop of loops) backgroundLoop.notify()
    },
    activeTasks: leaderTasks.active,
    onEvent(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}
