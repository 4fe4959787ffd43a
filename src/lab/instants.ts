/** A feed's history as the lab has it: instants in ascending order. */
import { type Instant, SECOND } from '../model/index.ts'

/** How many of the ascending `instants` are not later than `at`. */
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

/** As a feed tells it: RSS knows no fractions of a second, and not every reader of dates keeps them. */
export function wholeSecond(at: Instant): Instant {
  return Math.floor(at / SECOND) * SECOND
}
