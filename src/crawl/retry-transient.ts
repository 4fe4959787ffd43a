/**
 * Retries steps while the store fails transiently: its disk is full, its server is away, or somebody holds a lock. Only steps that may be
 * repeated (retried-steps.ts) are retried, with a backoff of up to a minute. The start and end of a failure are announced, and the activity
 * shows it meanwhile. Other errors are thrown.
 */
import { type Instant, MINUTE, type Millis, SECOND } from '../model/index.ts'
import { type Clock, type Refusal, StoreError } from '../ports/index.ts'
import type { CrawlEvent } from './crawler.ts'
import type { RetriedStep } from './retried-steps.ts'

export interface StoreRetry {
  /** Runs the step until it succeeds. Once the signal aborts, the last store error is thrown. */
  retryTransient<T>(step: RetriedStep, work: () => Promise<T>, signal?: AbortSignal): Promise<T>
  /** The current store error; undefined while the store works. */
  refusal(): Refusal | undefined
}

const FIRST_WAIT_MS: Millis = SECOND
const MAX_WAIT_MS: Millis = MINUTE

export function createStoreRetry(clock: Clock, emit: (event: CrawlEvent) => void): StoreRetry {
  let failure: { error: StoreError; sinceAt: Instant } | undefined
  /** Steps that are being retried: the store works again only when all of them have succeeded. */
  const waiting = new Set<symbol>()

  function noteFailure(error: StoreError, step: symbol): void {
    waiting.add(step)
    const at = clock.now()
    if (!failure) emit({ kind: 'store-unavailable', at, error })
    failure = { error, sinceAt: failure?.sinceAt ?? at }
  }

  function noteSuccess(step: symbol): void {
    if (!waiting.delete(step) || waiting.size > 0 || !failure) return
    const at = clock.now()
    emit({ kind: 'store-recovered', at, afterMs: at - failure.sinceAt })
    failure = undefined
  }

  return {
    async retryTransient(step, work, signal) {
      const attempt = Symbol(step)
      for (let waitMs = FIRST_WAIT_MS; ; waitMs = Math.min(MAX_WAIT_MS, 2 * waitMs)) {
        try {
          const answer = await work()
          noteSuccess(attempt)
          return answer
        } catch (error) {
          if (!isTransient(error) || signal?.aborted) {
            waiting.delete(attempt)
            throw error
          }
          noteFailure(error, attempt)
        }
        await clock.sleepUntil(clock.now() + waitMs, signal)
      }
    },
    refusal: () => failure && { sinceAt: failure.sinceAt, message: failure.error.message, hint: failure.error.hint },
  }
}

export function isTransient(error: unknown): error is StoreError {
  return error instanceof StoreError && error.isTransient
}
