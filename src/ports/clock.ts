/** Time. Nothing above the drivers asks the machine for it, so that the lab and the tests can run it as they like. */
import type { Instant } from '../model/index.ts'

export interface Clock {
  /** Never goes back. */
  now(): Instant
  /** Resolves when `now()` has reached `at`, or as soon as the signal aborts; it never rejects. */
  sleepUntil(at: Instant, signal?: AbortSignal): Promise<void>
}
