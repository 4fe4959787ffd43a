/** A feed's history as ascending instants. */
import { type Instant, SECOND } from '../model/index.ts'

/** Number of ascending `instants` that are not later than `at`. */
export function countUpTo(instants: ArrayLike<Instant>, at: Instant): number {
  let low = 0
  let high = instants.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (instants[middle]! <= at) low = middle + 1
    else high = middle
  }
  return low
}

/** Rounded as in feeds: RSS has no fractions of a second, and not every parser keeps them. */
export function wholeSecond(at: Instant): Instant {
  return Math.floor(at / SECOND) * SECOND
}
