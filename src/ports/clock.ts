/** Time. Nothing above the drivers asks the machine for it, so that the lab and the tests can run it as they like. */
import type { Instant, Millis } from '../model/index.ts'

export interface Clock {
  /** Never goes back. */
  now(): Instant
  /** Resolves when `now()` has reached `at`, or as soon as the signal aborts; it never rejects. */
  sleepUntil(at: Instant, signal?: AbortSignal): Promise<void>
  /**
   * Tells when the machine's clock was set, and by how much; absent where nobody can set it. Set ahead, `now()` has followed;
   * set back, it waits for the machine's to catch up, by going slower. Returns how to stop listening.
   */
  onJump?(listener: (byMs: Millis) => void): () => void
}
