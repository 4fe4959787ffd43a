/**
 * Runs background work on the store chunk by chunk. Each chunk is one or two limited calls. Polls go on between chunks, and while any are in
 * flight this work takes at most half of the time.
 */
import { SECOND } from '../../model/index.ts'
import type { Clock } from '../../ports/index.ts'
import { yieldToEventLoop } from '../../runtime/index.ts'

/** A chunk that seems to take longer was interrupted by the machine sleeping. */
const MAX_PAUSE_MS = SECOND

export interface JobParts {
  clock: Clock
  /** Whether polls would have to wait. */
  isBusy: () => boolean
}

/** Runs chunks until one returns false: nothing is left. */
export async function runInChunks(
  { clock, isBusy }: JobParts,
  chunk: () => Promise<boolean>,
  signal?: AbortSignal,
): Promise<void> {
  for (let more = true; more && !signal?.aborted; ) {
    const startedAt = clock.now()
    more = await chunk()
    await yieldToEventLoop()
    if (isBusy()) await clock.sleepUntil(clock.now() + Math.min(MAX_PAUSE_MS, clock.now() - startedAt), signal)
  }
}
