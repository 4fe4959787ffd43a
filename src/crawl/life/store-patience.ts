/**
 * What is done while the store refuses: the disk is full, or somebody holds a lock. Nothing is lost by waiting, so work is
 * tried again, ever more seldom, down to once a minute; that is said when it begins, when it is over, and to whoever asks
 * how the crawl is. What does not pass is thrown.
 */
import { type Instant, MINUTE, type Millis, SECOND } from '../../model/index.ts'
import { type Clock, type Refusal, StoreError } from '../../ports/index.ts'
import type { CrawlEvent } from '../crawler.ts'

export interface StorePatience {
  /** Does the work until the store takes it. Once the signal aborts, what the store says last is thrown. */
  persist<T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T>
  /** What the store says at the moment; undefined while it is well. */
  refusal(): Refusal | undefined
}

const FIRST_WAIT_MS: Millis = SECOND
const LONGEST_WAIT_MS: Millis = MINUTE

export function createStorePatience(clock: Clock, emit: (event: CrawlEvent) => void): StorePatience {
  let refused: { error: StoreError; sinceAt: Instant } | undefined
  /** Works that wait: what others may read or write meanwhile does not mean that all is well. */
  const waiting = new Set<symbol>()

  async function persist<T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    const mine = Symbol('work')
    for (let waitMs = FIRST_WAIT_MS; ; waitMs = Math.min(LONGEST_WAIT_MS, 2 * waitMs)) {
      try {
        const answer = await work()
        recover(mine)
        return answer
      } catch (error) {
        if (!isPassing(error) || signal?.aborted) {
          waiting.delete(mine)
          throw error
        }
        suffer(error, mine)
      }
      await clock.sleepUntil(clock.now() + waitMs, signal)
    }
  }

  function suffer(error: StoreError, work: symbol): void {
    waiting.add(work)
    const at = clock.now()
    if (!refused) emit({ kind: 'store-refuses', at, error })
    refused = { error, sinceAt: refused?.sinceAt ?? at }
  }

  function recover(work: symbol): void {
    if (!waiting.delete(work) || waiting.size > 0 || !refused) return
    const at = clock.now()
    emit({ kind: 'store-well', at, afterMs: at - refused.sinceAt })
    refused = undefined
  }

  return {
    persist,
    refusal: () => refused && { sinceAt: refused.sinceAt, words: refused.error.message, hint: refused.error.hint },
  }
}

export function isPassing(error: unknown): error is StoreError {
  return error instanceof StoreError && error.isPassing
}
