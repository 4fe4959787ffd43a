/**
 * Error boundary: contains internal errors (bugs), so that one costs the feed, source, article or hub where it happened and no other. It is
 * reported and becomes a failure like any other (`internal`): stored, shown, and retried later (quarantine.ts). Store errors are not
 * contained, because nothing works without a store.
 */
import { type Failure, type Instant, type Outcome, type Task, withoutCredentials } from '../model/index.ts'
import { type Clock, StoreError } from '../ports/index.ts'
import type { CrawlEvent } from './crawler.ts'

export interface ErrorBoundary {
  /** Reports an error. `doing`: what failed, such as `indexing entries`. */
  report(doing: string, error: unknown): void
  /** Runs the work. Returns false if it failed, after reporting the error. Store errors are thrown. */
  guard(doing: string, work: () => unknown): Promise<boolean>
}

/** Records an internal error on a task as a failure, so that the task is retried later. */
export type Quarantine = (task: Task, error: unknown, doing: string, at?: Instant) => Promise<void>

export function createErrorBoundary({
  clock,
  emit,
}: {
  clock: Clock
  emit: (event: CrawlEvent) => void
}): ErrorBoundary {
  function report(doing: string, error: unknown): void {
    const at = clock.now()
    emit(
      error instanceof StoreError
        ? { kind: 'store-unavailable', at, error }
        : { kind: 'internal-error', at, error, doing },
    )
  }
  return {
    report,
    async guard(doing, work) {
      try {
        await work()
        return true
      } catch (error) {
        if (isStoreError(error)) throw error
        report(doing, error)
        return false
      }
    },
  }
}

/** Whether the store, its file or its disk failed, so that other work would fail as well. */
export function isStoreError(error: unknown): boolean {
  return error instanceof StoreError
}

const MAX_DETAIL_LENGTH = 300

export function internalFailure(error: unknown): Failure {
  const message = error instanceof Error ? error.message : String(error)
  return { kind: 'internal', detail: withoutCredentials(message.slice(0, MAX_DETAIL_LENGTH)) }
}

/** Runs work on an outcome, and quarantines its task if the work fails for another reason than the store. */
export type QuarantineOnFailure = (outcome: Outcome, doing: string, work: () => Promise<void>) => Promise<void>

export function quarantineOnFailure(quarantine: Quarantine): QuarantineOnFailure {
  return async ({ task, at }, doing, work) => {
    try {
      await work()
    } catch (error) {
      if (isStoreError(error)) throw error
      await quarantine(task, error, doing, at)
    }
  }
}
