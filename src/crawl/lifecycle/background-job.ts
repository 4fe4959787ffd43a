/**
 * Work that is done for the store beside the polls, chunk by chunk. Each chunk is a call or two with a limit. Polls go on between two
 * chunks, and while any are under way this work takes half of the time at most.
 */
import { SECOND } from '../../model/index.ts'
import type { Clock } from '../../ports/index.ts'
import { yieldToEventLoop } from '../../runtime/index.ts'

/** What seems to have taken longer slept with its machine. */
const LONGEST_PAUSE_MS = SECOND

export interface JobParts {
  clock: Clock
  /** Whether somebody would have to wait. */
  isBusy: () => boolean
}

/** Does chunk after chunk until one answers that nothing is left. */
export async function runInChunks(
  { clock, isBusy }: JobParts,
  chunk: () => Promise<boolean>,
  signal?: AbortSignal,
): Promise<void> {
  for (let more = true; more && !signal?.aborted; ) {
    const beganAt = clock.now()
    more = await chunk()
    await yieldToEventLoop()
    if (isBusy()) await clock.sleepUntil(clock.now() + Math.min(LONGEST_PAUSE_MS, clock.now() - beganAt), signal)
  }
}
