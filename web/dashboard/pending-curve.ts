/**
 * The curve of expected entries since the last poll, hour by hour until some time after the next one. The profile of hours and weekdays is
 * in UTC and relative to the mean.
 */
export interface Expected {
  perDay: number
  /** Expected entries at the next poll. */
  pending?: number | undefined
  hours?: readonly number[] | undefined
  weekdays?: readonly number[] | undefined
}

const HOUR_MS = 3_600_000
const STEPS = 96

/**
 * Points from `from` to `to`: time, and expected entries by then. If the strategy states how many it expects at `due`, which may be more
 * than the profile gives (a burst) or fewer (a silence), the curve passes through that point.
 */
export function pendingCurve(
  expected: Expected,
  from: number,
  to: number,
  due = to,
): { at: number; pending: number }[] {
  const step = (to - from) / STEPS
  let pending = 0
  const points = Array.from({ length: STEPS + 1 }, (_, i) => {
    const at = from + i * step
    if (i > 0) pending += rateAt(expected, at - step / 2) * (step / HOUR_MS)
    return { at, pending }
  })
  const atDue = points.findLast(({ at }) => at <= due)?.pending ?? 0
  const scale = expected.pending !== undefined && atDue > 0 ? expected.pending / atDue : 1
  return points.map((point) => ({ at: point.at, pending: point.pending * scale }))
}

/** Entries per hour. */
export function rateAt({ perDay, hours, weekdays }: Expected, at: number): number {
  const date = new Date(at)
  return (perDay / 24) * weight(hours, date.getUTCHours()) * weight(weekdays, (date.getUTCDay() + 6) % 7)
}

function weight(profile: readonly number[] | undefined, index: number): number {
  if (!profile || profile.length === 0) return 1
  const mean = profile.reduce((sum, one) => sum + one, 0) / profile.length
  return mean > 0 ? (profile[index] ?? mean) / mean : 1
}
