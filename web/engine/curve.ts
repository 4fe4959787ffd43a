/**
 * What a strategy expects, as a curve: how many entries should have come since the last poll, hour by hour until the next one and
 * a while after it. The profile of hours and weekdays is in UTC and says only how much more or less than on average.
 */
export interface Expected {
  perDay: number
  hours?: readonly number[] | undefined
  weekdays?: readonly number[] | undefined
}

const HOUR_MS = 3_600_000
const STEPS = 96

/** Points from `from` to `to`: the moment, and how many are expected by then. */
export function pendingCurve(expected: Expected, from: number, to: number): { at: number; pending: number }[] {
  const step = (to - from) / STEPS
  let pending = 0
  return Array.from({ length: STEPS + 1 }, (_, i) => {
    const at = from + i * step
    if (i > 0) pending += rateAt(expected, at - step / 2) * (step / HOUR_MS)
    return { at, pending }
  })
}

/** Entries an hour. */
export function rateAt({ perDay, hours, weekdays }: Expected, at: number): number {
  const date = new Date(at)
  return (perDay / 24) * weight(hours, date.getUTCHours()) * weight(weekdays, (date.getUTCDay() + 6) % 7)
}

function weight(profile: readonly number[] | undefined, index: number): number {
  if (!profile || profile.length === 0) return 1
  const mean = profile.reduce((sum, one) => sum + one, 0) / profile.length
  return mean > 0 ? (profile[index] ?? mean) / mean : 1
}
