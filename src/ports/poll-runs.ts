/**
 * Which polls share a line of the poll log, the same in every store: consecutive unchanged polls of one feed are a *run*, one line
 * however many there were. A poll with any other result has a line of its own and ends the run, and so do the bounds below.
 */
import { DAY, type Instant, type Millis, type Poll } from '../model/index.ts'

/** A store rewrites the open run with each poll, so a run must stay small. */
export const MOST_POLLS_IN_RUN = 64
/** Retention drops a run once its newest poll is old: its oldest may stay so much longer than retention says. */
export const LONGEST_RUN_MS: Millis = 30 * DAY

/** Differences of numbers up to this, and twice those, are exact. */
const LARGEST = 2 ** 50

/** Whether the poll was unchanged, and all its numbers are whole and such as stores can pack. */
export function isRunPoll({ at, tookMs, bytes, restUntil = 0, result }: Omit<Poll, 'feedId'>): boolean {
  if (result.kind !== 'not-modified' || tookMs < 0 || bytes < 0) return false
  return [at, tookMs, bytes, restUntil].every((number) => Number.isInteger(number) && Math.abs(number) <= LARGEST)
}

/** Whether a run that began then still has room for a poll at this instant. */
export function isInReach(beganAt: Instant, at: Instant): boolean {
  return at >= beganAt && at - beganAt <= LONGEST_RUN_MS
}
