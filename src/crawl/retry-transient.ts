/**
 * What is done while the store fails transiently: its disk is full, its server is away, or somebody holds a lock. A step that may be
 * repeated (retried-steps.ts) is, with a backoff of up to a minute. That is announced when it begins, when it is over, and to whoever
 * asks how the crawl is. Other errors are thrown.
 */
import { type Instant, MINUTE, type Millis, SECOND } from '../model/index.ts'
import { type Clock, type Refusal, StoreError } from '../ports/index.ts'
import type { CrawlEvent } from './crawler.ts'
import type { RetriedStep } from './retried-steps.ts'

export interface StorePatience {
  /** Repeats the step until the store takes it. Once the signal aborts, the store's last error is thrown. */
  retryTransient<T>(step: RetriedStep, work: () => Promise<T>, signal?: AbortSignal): Promise<T>
  /** What the store says at the moment; undefined while it is well. */
  refusal(): Refusal | undefined
}

const FIRST_WAIT_MS: Millis = SECOND
const LONGEST_WAIT_MS: Millis = MINUTE

export function createStorePatience(clock: Clock, emit: (event: CrawlEvent) => void): StorePatience {
  let refused: { error: StoreError; sinceAt: Instant } | undefined
  /** Steps that wait: a step that succeeds meanwhile does not mean that all is well. */
  const waiting = new Set<symbol>()

  function suffer(error: StoreError, step: symbol): void {
    waiting.add(step)
    const at = clock.now()
    if (!refused) emit({ kind: 'store-refuses', at, error })
    refused = { error, sinceAt: refused?.sinceAt ?? at }
  }

  function recover(step: symbol): void {
    if (!waiting.delete(step) || waiting.size > 0 || !refused) return
    const at = clock.now()
    emit({ kind: 'store-well', at, afterMs: at - refused.sinceAt })
    refused = undefined
  }

  return {
    async retryTransient(step, work, signal) {
      const mine = Symbol(step)
      for (let waitMs = FIRST_WAIT_MS; ; waitMs = Math.min(LONGEST_WAIT_MS, 2 * waitMs)) {
        try {
          const answer = await work()
          recover(mine)
          return answer
        } catch (error) {
          if (!isTransient(error) || signal?.aborted) {
            waiting.delete(mine)
            throw error
          }
          suffer(error, mine)
        }
        await clock.sleepUntil(clock.now() + waitMs, signal)
      }
    },
    refusal: () => refused && { sinceAt: refused.sinceAt, words: refused.error.message, hint: refused.error.hint },
  }
}

export function isTransient(error: unknown): error is StoreError {
  return error instanceof StoreError && error.isPassing
}
