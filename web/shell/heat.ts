/** Counts dates by weekday and hour, in the browser's time zone, for a heat map, and finds the busiest ones where there is evidence. */
export interface HeatCounts {
  /** One row per weekday, Monday first, with 24 hours each. */
  rows: number[][]
  max: number
}

export function countByHour(dates: readonly string[]): HeatCounts {
  const rows = Array.from({ length: 7 }, () => new Array<number>(24).fill(0))
  for (const date of dates) {
    const at = new Date(date)
    const row = rows[weekdayOf(at)]
    if (row) row[at.getHours()] = (row[at.getHours()] ?? 0) + 1
  }
  return { rows, max: Math.max(0, ...rows.flat()) }
}

export interface Peaks {
  /** Monday is 0. */
  weekday?: number
  hour?: number
}

/** Chance of naming a busiest day or hour of a feed that has none. */
const SIGNIFICANCE = 0.01
/** Days that the dates have to span: a weekday has to come several times. */
const MIN_DAYS = { weekday: 28, hour: 7 }
const DAY_MS = 86_400_000

/**
 * The busiest weekday and hour that are no coincidence: a binomial test of the highest count, for the number of days or hours that could have
 * been the highest (Bonferroni). Entries come in bursts and are no independent events, so counts are divided by their dispersion.
 */
export function findPeaks(dates: readonly string[]): Peaks {
  const times = dates.map((date) => new Date(date)).filter((at) => !Number.isNaN(at.getTime()))
  if (times.length === 0) return {}
  const days = times.map(dayNumber)
  const first = Math.min(...days)
  const span = Math.max(...days) - first + 1
  const perDay = new Map<number, number>()
  for (const day of days) perDay.set(day, (perDay.get(day) ?? 0) + 1)
  const firstWeekday = weekdayOf(times[days.indexOf(first)]!)
  const byDay = new Array<number>(7).fill(0)
  for (const at of times) byDay[weekdayOf(at)]!++
  const byHour = new Array<number>(24).fill(0)
  for (const at of times) byHour[at.getHours()]!++
  const daysOf = byDay.map((_, weekday) => Math.floor((span - 1 - ((weekday - firstWeekday + 7) % 7)) / 7) + 1)
  const spread = dispersion(perDay.values(), span, times.length)
  const weekday =
    span < MIN_DAYS.weekday
      ? undefined
      : peakOf(
          byDay,
          daysOf.map((count) => count / span),
          spread,
        )
  const hour =
    span < MIN_DAYS.hour
      ? undefined
      : peakOf(
          byHour,
          byHour.map(() => 1 / 24),
          spread,
        )
  return { ...(weekday !== undefined && { weekday }), ...(hour !== undefined && { hour }) }
}

function peakOf(counts: readonly number[], shares: readonly number[], spread: number): number | undefined {
  const total = counts.reduce((sum, count) => sum + count, 0)
  const excess = counts.map((count, i) => count / (shares[i]! * total))
  const best = excess.indexOf(Math.max(...excess))
  const chance = chanceOfAtLeast(Math.floor(counts[best]! / spread), Math.floor(total / spread), shares[best]!)
  return chance * counts.length < SIGNIFICANCE ? best : undefined
}

/** Variance by mean of the counts per day; at least 1, which is that of independent events. */
function dispersion(perDay: Iterable<number>, days: number, total: number): number {
  const mean = total / days
  let [publishing, sum] = [0, 0]
  for (const count of perDay) {
    publishing++
    sum += (count - mean) ** 2
  }
  sum += (days - publishing) * mean ** 2
  return days > 1 ? Math.max(1, sum / (days - 1) / mean) : Number.POSITIVE_INFINITY
}

/** Of a binomial distribution. */
export function chanceOfAtLeast(successes: number, trials: number, share: number): number {
  if (successes <= 0) return 1
  let logTerm = trials * Math.log(1 - share) // of no success
  let chance = 0
  for (let i = 1; i <= trials; i++) {
    logTerm += Math.log((trials - i + 1) / i) + Math.log(share / (1 - share))
    if (i >= successes) chance += Math.exp(logTerm)
  }
  return Math.min(1, chance)
}

function weekdayOf(at: Date): number {
  return (at.getDay() + 6) % 7
}

/** Of the local calendar. */
function dayNumber(at: Date): number {
  return Math.round(Date.UTC(at.getFullYear(), at.getMonth(), at.getDate()) / DAY_MS)
}
