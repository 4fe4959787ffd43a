/**
 * Compaction of the poll log, the same in every store: consecutive unchanged polls of one feed form a *run*, which is stored as one line.
 * A poll with any other result has its own line and ends the run. The limits below also end it.
 */
import { DAY, type Instant, type Millis, type Poll } from '../model/index.ts'

/** A store rewrites the open run on each poll, so a run must stay small. */
export const MAX_POLLS_IN_RUN = 64
/** Retention deletes a run once its newest poll is old enough, so its oldest poll may be kept this much longer. */
export const MAX_RUN_MS: Millis = 30 * DAY

/** Differences of numbers up to this, and twice these differences, are exact. */
const MAX_NUMBER = 2 ** 50

/** Whether the poll was unchanged, and all its numbers are integers that stores can pack. */
export function isRunPoll({ at, tookMs, bytes, waitUntil = 0, result }: Omit<Poll, 'feedId'>): boolean {
  if (result.kind !== 'not-modified' || tookMs < 0 || bytes < 0) return false
  return [at, tookMs, bytes, waitUntil].every((number) => Number.isInteger(number) && Math.abs(number) <= MAX_NUMBER)
}

/** Whether a run that began then may include a poll at this instant. */
export function isWithinRun(beganAt: Instant, at: Instant): boolean {
  return at >= beganAt && at - beganAt <= MAX_RUN_MS
}
