/**
 * What a poll weighs in bytes. A poll costs its publisher and us a request, and what the answer weighs; most answers are a 304 or some
 * kilobytes, so the request is all that counts. A feed of megabytes whose server always sends all of it costs as much as many other feeds: its price
 * is as many times the usual one, and by the square root of that it is polled less often.
 */

/** So many bytes are included in the price of a poll. */
export const BYTES_INCLUDED = 200_000
/** However much it weighs: a feed is not forgotten for its size. */
const MOST = 25
/** Of what a poll weighs, the last one counts for so much. */
const LATEST = 1 / 4
/** It is written down anew when it has changed by so much. */
const NOTICED = 0.1

/** How many usual polls one of this feed costs. */
export function costOf(pollBytes: number | undefined): number {
  return Math.min(MOST, Math.max(1, (pollBytes ?? 0) / BYTES_INCLUDED))
}

/** What a poll weighs in the mean, after one of so many bytes; undefined where that is no more than usual. */
export function pollBytesAfter(before: number | undefined, bytes: number): number | undefined {
  const mean = Math.round((before ?? 0) + LATEST * (bytes - (before ?? 0)))
  if (mean <= BYTES_INCLUDED / 2 && (before === undefined || mean <= BYTES_INCLUDED / 4)) return undefined
  return before !== undefined && Math.abs(mean - before) < NOTICED * before ? before : mean
}
