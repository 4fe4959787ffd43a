/**
 * Carries tasks to terminals and outcomes back, at least once and in no order; what it loses is noticed by who sent it. It has
 * two ends, which know nothing of each other. It knows nothing of pacing: the controller sends a task only when its root may
 * be visited, so any engine will do. But a turn at a door does not last for ever: whoever carries a task for too long, or
 * gives it to a second terminal, sees to it that nobody goes out for it too late, or together with the first.
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
 * Between machines whoever begins a task so long after it departed first asks the owner of its bucket, whoever that is by then,
 * whether it is awaited. And who lets one depart has to be sure of his buckets for as long: so nobody goes out for somebody who
 * slept and lost them meanwhile.
 */
export const UNASKED_MS: Millis = 5 * SECOND

/** The controller's end. */
export interface Dispatch {
  /** Resolves when the queue has taken the tasks over, or will not tell: then they are out until their leases end. */
  send(tasks: Task[]): Promise<void>
  /**
   * Outcomes in batches, as they come. One call at a time; the next batch gathers meanwhile. A batch is acknowledged when
   * `apply` resolves; when it rejects, its outcomes are brought again, a few times and some time later. `take` is the same for
   * what hubs brought to some server.
   */
  collect(apply: (outcomes: Outcome[]) => Promise<void>, take?: (pushed: PushedDocument) => Promise<void>): void
  /** From now on only what belongs to these buckets is brought; where it is never said, everything is. */
  own?(buckets: ReadonlySet<Bucket>): Promise<void>
  /**
   * Somebody else had let these depart, and died: perhaps before they were sent. Those that the queue never got come back as
   * `unsent`, and can be sent no more; the others are on their way, and nothing changes for them. Departed long ago, they have been
   * sent, and are left alone.
   */
  recall?(tasks: Task[]): Promise<void>
  /** Somebody waits until everything is back: outcomes need not wait for others, once nobody performs any more. */
  hurry?(): void
  /** Whether tasks can be sent, as far as is known; absent where they always can. */
  isUp?(): boolean
  /** Whether it is there and takes nothing. */
  refusal?(): Refusal | undefined
  /** Tasks stay out when this end is closed: their outcomes are kept, for whoever collects next. */
  readonly outlivesUs?: true
  /**
   * Has no further task begun and resolves when those under way are performed and applied, as far as this end can tell. When
   * `signal` aborts, what is still answered is dropped. A second call waits for the first.
   */
  close(signal?: AbortSignal): Promise<void>
}

/** Since when a store or a queue does not take what it is given, what it says, and what to do. */
export interface Refusal {
  sinceAt: Instant
  words: string
  hint: string
}

/** Resolves when the queue keeps what a hub brought, for the owner of its bucket. */
export type KeepPushed = (pushed: PushedDocument) => Promise<void>

/** `isLate` is to be asked before each request: whether its turn is over, or somebody else may have been given the task. */
export type Perform = (task: Task, signal: AbortSignal, isLate?: () => boolean) => Promise<Outcome>

/** The terminal's end. */
export interface Work {
  /** A performer that throws loses its task; the lease runs out and the task is sent again. It is told by its signal when it is too late. */
  serve(perform: Perform): void
  /** As the other end's. */
  close(signal?: AbortSignal): Promise<void>
}

/** Both ends in one hand: where controller and terminals are one process. */
export type Queue = Dispatch & Work
