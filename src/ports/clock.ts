/** The clock. Only its driver reads the system time, so that the lab and the tests can simulate time. */
import type { Instant, Millis } from '../model/index.ts'

export interface Clock {
  /** Never goes back. */
  now(): Instant
  /** Resolves when `now()` has reached `at`, or as soon as the signal aborts; it never rejects. */
  sleepUntil(at: Instant, signal?: AbortSignal): Promise<void>
  /**
   * Reports changes of the system clock, and by how much. Absent for clocks that cannot be set. After a step forward, `now()` follows;
   * after a step back, it runs slower until the system clock has caught up. Returns a function that removes the listener.
   */
  onJump?(listener: (byMs: Millis) => void): () => void
}
