/** Why and when a running crawl ends: a signal, a store that failed for good, or a clock that was set back. */
import { StoreError } from '../../ports/index.ts'
import type { ErrorBoundary } from '../error-boundary.ts'
import { isTransient } from '../retry-transient.ts'

export interface Ending {
  /** Returns a signal that aborts when the crawl is to end. */
  start(signal: AbortSignal): AbortSignal
  /** Only a running crawl waits for the store; a single run fails at once. */
  isRunning(): boolean
  end(): void
  /** The machine's clock was set back so far that the caller has to restart with another clock. */
  endForClock(): void
  /** Reports internal errors, and ends the crawl if the store failed for good. A transient failure during shutdown was reported before. */
  reportError(error: unknown, doing: string): void
  /** The store error that ended the crawl, if there was one. */
  fatal(): StoreError | undefined
  /** Why it ended. Throws the fatal error, if there was one. */
  reason(): 'stopped' | 'clock-set-back'
}

/** `stopping` aborts when the grace period of a shutdown is over. */
export function createEnding(stopping: AbortSignal, errorBoundary: ErrorBoundary): Ending {
  let ending = new AbortController()
  let fatal: StoreError | undefined
  let isRunning = false
  let isSetBack = false

  return {
    start(signal) {
      isRunning = true
      ending = new AbortController()
      return AbortSignal.any([signal, ending.signal])
    },
    isRunning: () => isRunning,
    end: () => ending.abort(),
    endForClock() {
      isSetBack = true
      ending.abort()
    },
    reportError(error, doing) {
      if (error instanceof StoreError && !(isRunning && error.isTransient)) {
        fatal ??= error
        ending.abort()
      } else if (!(stopping.aborted && isTransient(error))) errorBoundary.report(doing, error)
    },
    fatal: () => fatal,
    reason() {
      if (fatal) throw fatal
      return isSetBack ? 'clock-set-back' : 'stopped'
    },
  }
}
