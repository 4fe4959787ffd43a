/**
 * Carries tasks to terminals and outcomes back, at least once and in no order. It knows nothing of pacing: the
 * controller sends a task only when its root may be visited, so any engine will do.
 */
import type { Outcome, Task } from '../model/index.ts'

export interface Queue {
  /** The controller's end. Resolves when the queue has taken the tasks over. */
  send(tasks: Task[]): Promise<void>
  /** The controller's end: outcomes in batches, as they come. One call at a time; the next batch gathers meanwhile. */
  collect(apply: (outcomes: Outcome[]) => Promise<void>): void
  /** The terminal's end. A performer that throws loses its task; the lease runs out and the task is sent again. */
  serve(perform: (task: Task, signal: AbortSignal) => Promise<Outcome>): void
  /** Resolves when nothing that was sent is still under way and every outcome has been applied. */
  idle(): Promise<void>
  /**
   * Begins no further task and resolves when those under way are performed and applied. When `signal` aborts, performers
   * are told through theirs, and what they then still answer is dropped. A second call waits for the first.
   */
  close(signal?: AbortSignal): Promise<void>
}
