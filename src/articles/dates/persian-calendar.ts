/** Converts dates of the Persian (Solar Hijri) calendar, used in Iran and Afghanistan. */

/** Leap years follow cycles of 33, which is right from 1799 to 2256. */
export function persianToGregorian(
  year: number,
  month: number,
  day: number,
): { year: number; month: number; day: number } {
  const sinceEpoch = 365 * (year - 1) + Math.floor((8 * (year - 1) + 29) / 33)
  const inYear = (month <= 7 ? 31 * (month - 1) : 30 * (month - 1) + 6) + day - 1
  const date = new Date(Date.UTC(622, 2, 21) + (sinceEpoch + inYear) * 86_400_000)
  return { year: date.getUTCFullYear(), month: date.getUTCMonth() + 1, day: date.getUTCDate() }
}
