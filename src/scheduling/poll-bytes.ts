/**
 * The size of a feed's responses as part of a poll's cost. Most responses are a 304 or a few kilobytes, so only the request
 * counts. A feed of megabytes whose server always sends all of it costs as much as many small feeds: its price is that many
 * times the usual, and it is polled less often by the square root of that.
 */

/** Bytes included in the price of a poll. */
export const BYTES_INCLUDED = 200_000
/** Maximum cost, so that large feeds are still polled. */
const MAX_COST = 25
/** Weight of the latest response in the moving average. */
const LATEST_WEIGHT = 1 / 4
/** The stored value is updated when it changes by this share. */
const UPDATE_THRESHOLD = 0.1

/** Cost of a poll of this feed, in usual polls. */
export function pollCost(pollBytes: number | undefined): number {
  return Math.min(MAX_COST, Math.max(1, (pollBytes ?? 0) / BYTES_INCLUDED))
}

/** Moving average of response sizes after a response of `bytes`; undefined if it is not above usual. */
export function pollBytesAfter(before: number | undefined, bytes: number): number | undefined {
  const mean = Math.round((before ?? 0) + LATEST_WEIGHT * (bytes - (before ?? 0)))
  if (mean <= BYTES_INCLUDED / 2 && (before === undefined || mean <= BYTES_INCLUDED / 4)) return undefined
  return before !== undefined && Math.abs(mean - before) < UPDATE_THRESHOLD * before ? before : mean
}
