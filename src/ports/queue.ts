/**
 * Carries tasks from controllers to fetchers and outcomes back, at least once and in no particular order. The sender detects lost tasks.
 * The queue knows nothing about rate limits: a controller sends a task only when its root may be visited, so any message broker works.
 * But a host slot expires: a queue that delays a task, or delivers it to a second fetcher, must ensure that no request is made too late
 * or while the first fetcher still works on it.
 */
import {
  type Bucket,
  type Instant,
  type Millis,
  type Outcome,
  type PushedDocument,
  SECOND,
  type Task,
} from '../model/index.ts'

/**
 * Between machines, a fetcher that starts a task later than this after its departure first asks the current owner of its bucket whether
 * the task is still expected. A controller must hold its buckets for at least as long when it sends a task. Together this prevents
 * requests on behalf of a controller that slept and lost its buckets.
 */
export const CONFIRM_AFTER_MS: Millis = 5 * SECOND

/** The controller's end of the queue. */
export interface ControllerQueue {
  /** Resolves when the queue has accepted the tasks, or when that is unknown; then they count as sent until their leases expire. */
  send(tasks: Task[]): Promise<void>
  /**
   * Delivers outcomes in batches. Calls `apply` one at a time; the next batch accumulates meanwhile. A batch is acknowledged when `apply`
   * resolves. If it rejects, the outcomes are redelivered later, a few times. `applyPush` receives the documents that hubs pushed to any
   * server, in the same way.
   */
  collect(apply: (outcomes: Outcome[]) => Promise<void>, applyPush?: (pushed: PushedDocument) => Promise<void>): void
  /** From now on, delivers only outcomes of these buckets. If never called, delivers all. */
  assignBuckets?(buckets: ReadonlySet<Bucket>): Promise<void>
  /**
   * Recalls tasks that another controller leased before it died, possibly before sending them. Tasks the queue never received come back
   * with the outcome `unsent` and can no longer be sent. The others are in flight and do not change. Tasks that departed long ago count
   * as sent and are ignored.
   */
  recall?(tasks: Task[]): Promise<void>
  /** The caller waits for all tasks to finish: delivers outcomes without waiting for larger batches once no fetcher is busy. */
  flushOutcomes?(): void
  /** Whether tasks can be sent, as far as is known. Absent: always. */
  isConnected?(): boolean
  /** Defined while the queue is reachable but accepts no tasks. */
  refusal?(): Refusal | undefined
  /** Tasks stay in flight when this end is closed, and their outcomes are kept for the next collector. */
  readonly isDurable?: true
  /**
   * Starts no further tasks, and resolves when the tasks in flight are performed and applied, as far as this end knows. When `signal`
   * aborts, later outcomes are dropped. A second call waits for the first.
   */
  close(signal?: AbortSignal): Promise<void>
}

/** A store or queue that rejects writes: since when, its error message, and what to do. */
export interface Refusal {
  sinceAt: Instant
  message: string
  hint: string
}

/** Resolves when the queue has stored a pushed document for the owner of its bucket. */
export type StorePushedDocument = (pushed: PushedDocument) => Promise<void>

/** `isLate` is called before each request: true if the host slot has expired, or if another fetcher may have received the task. */
export type PerformTask = (task: Task, signal: AbortSignal, isLate?: () => boolean) => Promise<Outcome>

/** The fetcher's end of the queue. */
export interface FetcherQueue {
  /** If `perform` throws, its task is lost; the lease expires and the task is sent again. Its signal aborts when it is too late. */
  serve(perform: PerformTask): void
  /** As `ControllerQueue.close`. */
  close(signal?: AbortSignal): Promise<void>
}

/** Both ends, for a controller with fetchers in one process. */
export type Queue = ControllerQueue & FetcherQueue
