/**
 * The background loop: indexes and groups new entries, deletes what removed feeds left behind, and applies retention. It works in chunks
 * (background-job.ts), between which polls go on.
 */
import { DAY, HOUR, type Instant, MINUTE, type Millis, SECOND } from '../../model/index.ts'
import type { Clock, FeedRegistry, PendingWork, ReaderState, Retention, Search } from '../../ports/index.ts'
import type { CrawlEvent } from '../crawler.ts'
import type { ErrorBoundary } from '../error-boundary.ts'
import { type Analysis, createAnalysis } from '../grouping/analysis.ts'
import { createGrouper } from '../grouping/group-entries.ts'
import { createSearchIndexer } from '../grouping/index-entries.ts'
import type { Grouping } from '../grouping/similarity-indexes.ts'
import { isTransient, type StoreRetry } from '../retry-transient.ts'
import type { ReadingActivity } from '../scheduler/reading-activity.ts'
import { runInChunks } from './background-job.ts'
import { deferIndexMarks } from './defer-index-marks.ts'
import { applyRetentionChunk, type RetentionLimits, removeUnwantedChunk, sweepChunk } from './retention.ts'

/** index: indexes entries and cleans up after removed feeds. places: groups copies and stories. retention: deletes what is too old. */
export type BackgroundTask = 'index' | 'places' | 'retention'

export interface BackgroundLoopParts extends RetentionLimits, Grouping {
  pendingWork: PendingWork
  retention: Retention
  readerState: ReaderState
  feedRegistry: FeedRegistry
  search: Search
  /** Compares texts and prepares index rows. Default: in this thread. */
  analysis?: Analysis
  clock: Clock
  errorBoundary: ErrorBoundary
  storeRetry: Pick<StoreRetry, 'retryTransient'>
  /** Absent in an indexer: each controller counts reading activity itself. */
  activity?: Pick<ReadingActivity, 'recount'>
  /** Whether polls are in flight, which have priority. */
  isBusy: () => boolean
  /** Which tasks run here. Default: all. */
  tasks?: ReadonlySet<BackgroundTask>
  /** Entries per chunk. Default: CHUNK. */
  chunkSize?: number
  /** Whether no other process can have started these tasks. */
  isLeader?: () => boolean
  /** Called with errors that the loop cannot handle. */
  reportError: (error: unknown, doing: string) => void
  emit: (event: CrawlEvent) => void
}

export interface BackgroundLoop {
  /** Indexes and groups new entries. Returns false if an internal error left some of them. */
  processPending(signal?: AbortSignal): Promise<boolean>
  /** Processes new entries shortly after a notification, cleans up at most once a minute unless notified by `notify`, and applies retention hourly, until the signal aborts. */
  run(signal: AbortSignal): Promise<void>
  /** A user may have removed feeds, or there are new entries. */
  notify(): void
  /** There are new entries. */
  notifyEntries(): void
  /** Suspends retention for a day, because the clock was set far ahead: a user may notice and correct it. */
  suspendRetention(): void
}

/** A chunk takes some milliseconds on the main thread between two calls to the store. */
const CHUNK = 100
/** Each chunk adds a segment to an SQLite index, which are merged by four. */
const CHUNKS_PER_TIDY = 4
/** Unless a user removed something: the crawl itself rarely leaves anything behind. */
const CLEANUP_INTERVAL_MS = MINUTE
const DEBOUNCE_MS = SECOND // what arrives within a second is indexed together
const RETENTION_INTERVAL_MS = HOUR
const RETRY_AFTER_ERROR_MS = MINUTE
const RETENTION_PAUSE_MS: Millis = DAY
const NEW_ENTRIES = 'new entries' // an abort without a reason creates an error each time

export function createBackgroundLoop({ analysis = createAnalysis(), ...rest }: BackgroundLoopParts): BackgroundLoop {
  const pendingWork = deferIndexMarks(rest.pendingWork)
  const parts = { ...rest, analysis, pendingWork }
  const { search, clock, errorBoundary, storeRetry, reportError, isLeader = () => true } = parts
  const runsTask = (task: BackgroundTask) => parts.tasks?.has(task) ?? true
  const grouper = runsTask('places') ? createGrouper(parts) : undefined
  const indexChunk = createSearchIndexer(parts)
  const size = parts.chunkSize ?? CHUNK
  let newEntries = new AbortController()
  let retentionPausedUntil: Instant = 0
  let untidyChunks = 0
  let cleanupAt: Instant = 0

  async function index(): Promise<boolean> {
    const { indexed, hasMore } = await indexChunk(size)
    if (indexed > 0 && ++untidyChunks >= CHUNKS_PER_TIDY) {
      untidyChunks = 0
      while (await search.tidy());
    }
    return hasMore
  }

  async function processPending(signal?: AbortSignal, withCleanup = true): Promise<boolean> {
    let isDone = true
    const runStep = async (doing: string, chunk: () => Promise<boolean>) => {
      if (!(await errorBoundary.guard(doing, () => runInChunks(parts, async () => isLeader() && chunk(), signal))))
        isDone = false
    }
    if (runsTask('index') && withCleanup) {
      await runStep('removing feeds that nobody follows', () => removeUnwantedChunk(parts, size))
      await runStep('deleting what removed feeds left behind', () => sweepChunk(parts, size))
    }
    if (runsTask('index')) await runStep('indexing entries', index)
    if (grouper) await runStep('grouping entries', () => grouper.groupChunk(size))
    await pendingWork.flush()
    return isDone
  }

  async function run(signal: AbortSignal): Promise<void> {
    let retentionAt = clock.now() + RETENTION_INTERVAL_MS // by then a clock that was wrong at the start has been set
    let countAt = clock.now() // reading activity
    while (!signal.aborted) {
      newEntries = new AbortController()
      let isDone = true
      let isCleanupLeft = true
      try {
        const withCleanup = clock.now() >= cleanupAt
        if (withCleanup) cleanupAt = clock.now() + CLEANUP_INTERVAL_MS
        const process = () => processPending(signal, withCleanup)
        isDone = await storeRetry.retryTransient('index, group and clean up', process, signal)
        isCleanupLeft = !withCleanup
        if (runsTask('retention') && isLeader() && clock.now() >= retentionAt && clock.now() >= retentionPausedUntil) {
          retentionAt = clock.now() + RETENTION_INTERVAL_MS
          const applyRetention = () => runInChunks(parts, () => applyRetentionChunk(parts, parts, size), signal)
          await storeRetry.retryTransient('apply retention', applyRetention, signal)
        }
        if (clock.now() >= countAt) {
          countAt = clock.now() + RETENTION_INTERVAL_MS
          const count = async () => parts.activity?.recount(clock.now())
          await storeRetry.retryTransient('count reads', count, signal)
        }
      } catch (error) {
        if (!(signal.aborted && isTransient(error))) reportError(error, 'running background tasks') // a store that fails during shutdown was reported before
      }
      const retryAt = isDone ? retentionAt : clock.now() + RETRY_AFTER_ERROR_MS
      const nextAt = Math.min(retentionAt, retryAt, isCleanupLeft ? cleanupAt : retentionAt)
      await clock.sleepUntil(nextAt, AbortSignal.any([newEntries.signal, signal]))
      await clock.sleepUntil(clock.now() + DEBOUNCE_MS, signal)
    }
  }

  return {
    processPending,
    run,
    notify() {
      cleanupAt = 0
      newEntries.abort(NEW_ENTRIES)
    },
    notifyEntries: () => newEntries.abort(NEW_ENTRIES),
    suspendRetention() {
      retentionPausedUntil = clock.now() + RETENTION_PAUSE_MS
    },
  }
}
