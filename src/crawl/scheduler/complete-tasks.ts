/** Completion of in-flight tasks: applies their outcomes, expires tasks whose lease ended, and waits until none are left. */
import { type Instant, NEVER, type Outcome } from '../../model/index.ts'
import type { Clock, ControllerQueue } from '../../ports/index.ts'
import { yieldToEventLoop } from '../../runtime/index.ts'
import type { TaskBuilder } from './build-tasks.ts'
import type { InFlightTasks } from './in-flight-tasks.ts'
import type { RedirectPacing } from './redirect-pacing.ts'

export interface TaskCompletion {
  /** Applies outcomes. An outcome that arrives twice or too late is ignored. */
  apply(outcomes: Outcome[]): Promise<void>
  /** Drops tasks whose lease has ended and frees their slots and host slots. */
  expireTasks(now: Instant): void
  /** Resolves when every in-flight task is recorded or expired, or when the signal aborts. */
  waitUntilIdle(signal?: AbortSignal): Promise<void>
}

export interface TaskCompletionParts {
  queue: Pick<ControllerQueue, 'flushOutcomes'>
  clock: Clock
  inFlight: InFlightTasks
  redirectPacing: Pick<RedirectPacing, 'release'>
  taskBuilder: Pick<TaskBuilder, 'restoreUserRequests'>
  applyCompleted: (outcomes: Outcome[], now: Instant) => Promise<void>
}

export function createTaskCompletion(parts: TaskCompletionParts): TaskCompletion {
  const { queue, clock, inFlight, redirectPacing, taskBuilder, applyCompleted } = parts
  let applying = 0
  let completed = new AbortController()

  function expireTasks(now: Instant): void {
    const expired = inFlight.expire(now)
    for (const { task } of expired) redirectPacing.release(task, now)
    if (expired.length > 0) completed.abort()
  }

  return {
    expireTasks,

    async apply(outcomes) {
      applying++
      try {
        const awaitedOutcomes = outcomes.flatMap((outcome) => inFlight.complete(outcome) ?? [])
        taskBuilder.restoreUserRequests(awaitedOutcomes)
        await applyCompleted(awaitedOutcomes, clock.now())
      } finally {
        inFlight.finishRecording(outcomes)
        applying--
        completed.abort()
      }
    },

    async waitUntilIdle(signal) {
      while ((inFlight.size > 0 || applying > 0) && !signal?.aborted) {
        queue.flushOutcomes?.()
        const wakeUp = signal ? AbortSignal.any([completed.signal, signal]) : completed.signal
        await clock.sleepUntil(inFlight.nextExpiryAt() ?? NEVER, wakeUp)
        if (completed.signal.aborted) completed = new AbortController()
        expireTasks(clock.now())
        await yieldToEventLoop()
      }
    },
  }
}
