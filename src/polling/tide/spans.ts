/**
 * The hour in sixteen spans. Publishers' clocks strike at the full hour, the half and the quarters: what comes in the
 * minute of the stroke is counted apart, so that a look can be had right after it.
 */
import { HOUR, type Instant, MINUTE } from '../../model/index.ts'

const BEGINS = [0, 15, 30, 45].flatMap((quarter) => [quarter, quarter + 1, quarter + 5, quarter + 10])
export const SPANS = BEGINS.length
const ENDS = [...BEGINS.slice(1), 60]
const SPAN_OF_MINUTE = Uint8Array.from({ length: 60 }, (_, minute) => ENDS.findIndex((end) => minute < end))

/** How much of the hour each span is, times their number: of mean 1. */
export const EVEN = Float64Array.from(BEGINS, (begin, i) => ((ENDS[i]! - begin) / 60) * SPANS)

/** Dates before 1970 are dates, too. */
export const spanOf = (at: Instant) => SPAN_OF_MINUTE[Math.floor((at - Math.floor(at / HOUR) * HOUR) / MINUTE)]!

/** When the span that `at` lies in is over. */
export function endOfSpan(at: Instant): Instant {
  return Math.floor(at / HOUR) * HOUR + ENDS[spanOf(at)]! * MINUTE
}

/** What lies before `minute` of an hour, if `sums` lies before the span of each. */
export function upToMinute(sums: Float64Array, minute: number): number {
  const span = SPAN_OF_MINUTE[Math.min(59, Math.floor(minute))]!
  const part = (minute - BEGINS[span]!) / (ENDS[span]! - BEGINS[span]!)
  return sums[span]! + (sums[span + 1]! - sums[span]!) * part
}
