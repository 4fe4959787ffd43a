/**
 * Divides the hour into sixteen spans. Many publishers post at the full hour, the half or the quarters: these minutes are
 * counted separately, so that a poll can come right after them.
 */
import { HOUR, type Instant, MINUTE } from '../../model/index.ts'

const BEGINS = [0, 15, 30, 45].flatMap((quarter) => [quarter, quarter + 1, quarter + 5, quarter + 10])
export const SPANS = BEGINS.length
const ENDS = [...BEGINS.slice(1), 60]
const SPAN_OF_MINUTE = Uint8Array.from({ length: 60 }, (_, minute) => ENDS.findIndex((end) => minute < end))

/** Length of each span times their number: of mean 1. */
export const SPAN_LENGTHS = Float64Array.from(BEGINS, (begin, i) => ((ENDS[i]! - begin) / 60) * SPANS)

/** Also works for dates before 1970. */
export const spanOf = (at: Instant) => SPAN_OF_MINUTE[Math.floor((at - Math.floor(at / HOUR) * HOUR) / MINUTE)]!

/** End of the span that contains `at`. */
export function endOfSpan(at: Instant): Instant {
  return Math.floor(at / HOUR) * HOUR + ENDS[spanOf(at)]! * MINUTE
}

/** Interpolates cumulative `sums` (of the spans before each) at `minute` of an hour. */
export function upToMinute(sums: Float64Array, minute: number): number {
  const span = SPAN_OF_MINUTE[Math.min(59, Math.floor(minute))]!
  const fraction = (minute - BEGINS[span]!) / (ENDS[span]! - BEGINS[span]!)
  return sums[span]! + (sums[span + 1]! - sums[span]!) * fraction
}
