/**
 * What a crawl does for its store in quiet moments is done in bites. How large a bite is follows from what the last one
 * took: large enough that a line of a million entries gets shorter, small enough that no poll waits for it. Polls go on
 * between two bites, and while any are under way this work takes half of the time at most.
 */
import { fittingSize, type Millis, SECOND } from '../../model/index.ts'
import { type Clock, letOthers } from '../../ports/index.ts'

export interface BiteSizes {
  least: number
  most: number
  longestMs: Millis
}

const SMALL: BiteSizes = { least: 10, most: 500, longestMs: 8 }
/** For who has nothing else to do, and mostly waits for another process: what counts is that each trip is worth it. */
export const LARGE_BITES: BiteSizes = { least: 50, most: 1000, longestMs: 400 }
/** What seems to have taken longer slept with its machine. */
const LONGEST_PAUSE_MS = SECOND

export interface BitesParts {
  clock: Clock
  /** Whether somebody would have to wait. */
  isBusy: () => boolean
  /** The size of the first bite. */
  first: number
  /** Within which the others stay; small ones, where nothing is said. */
  sizes?: BiteSizes | undefined
  /** What a bite leaves to be done, in pieces of its own: it says nothing of how large the next may be. */
  afterwards?: () => Promise<void>
}

/** Takes bites, each of the size that it is told, until one says that there is no more; remembers what they took. */
export type Bites = (bite: (size: number) => Promise<boolean>, signal?: AbortSignal) => Promise<void>

export function createBites({ clock, isBusy, first, sizes = SMALL, afterwards }: BitesParts): Bites {
  let size = first
  return async (bite, signal) => {
    for (let more = true; more && !signal?.aborted; ) {
      const beganAt = clock.now()
      more = await bite(size)
      if (more) size = fittingSize(size, clock.now() - beganAt, sizes)
      await letOthers()
      await afterwards?.()
      if (isBusy()) await clock.sleepUntil(clock.now() + Math.min(LONGEST_PAUSE_MS, clock.now() - beganAt), signal)
    }
  }
}
