/**
 * Carries tasks to terminals and outcomes back, at least once and in no order; what it loses is noticed by who sent it. It has
 * two ends, which know nothing of each other. It knows nothing of pacing: the controller sends a task only when its root may
 * be visited, so any engine will do.
 */
import type { Outcome, Task } from '../model/index.ts'

/** The controller's end. */
export interface Dispatch {
  /** Resolves when the queue has taken the tasks over. */
  send(tasks: Task[]): Promise<void>
  /**
   * Outcomes in batches, as they come. One call at a time; the next batch gathers meanwhile. A batch is acknowledged when
   * `apply` resolves; when it rejects, its outcomes are brought again, a few times and some time later.
   */
  collect(apply: (outcomes: Outcome[]) => Promise<void>): void
  /** Somebody waits until everything is back: outcomes need not wait for others, once nobody performs any more. */
  hurry?(): void
  /**
   * Has no further task begun and resolves when those under way are performed and applied, as far as this end can tell. When
   * `signal` aborts, what is still answered is dropped. A second call waits for the first.
   */
  close(signal?: AbortSignal): Promise<void>
}

/** The terminal's end. */
export interface Work {
  /** A performer that throws loses its task; the lease runs out and the task is sent again. It is told by its signal when it is too late. */
  serve(perform: (task: Task, signal: AbortSignal) => Promise<Outcome>): void
}

/** Both ends in one hand: where controller and terminals are one process. */
export type Queue = Dispatch & Work
