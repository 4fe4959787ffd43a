/** Counts dates by weekday and hour, in the browser's time zone, for a heat map. */
export interface HeatCounts {
  /** One row per weekday, Monday first, with 24 hours each. */
  rows: number[][]
  max: number
}

export function countByHour(dates: readonly string[]): HeatCounts {
  const rows = Array.from({ length: 7 }, () => new Array<number>(24).fill(0))
  for (const date of dates) {
    const at = new Date(date)
    const row = rows[(at.getDay() + 6) % 7]
    if (row) row[at.getHours()] = (row[at.getHours()] ?? 0) + 1
  }
  return { rows, max: Math.max(0, ...rows.flat()) }
}

/** The busiest weekday and the busiest hour, each on its own. */
export function findPeak({ rows, max }: HeatCounts): { weekday: number; hour: number } | undefined {
  if (max === 0) return undefined
  const byDay = rows.map((row) => row.reduce((sum, count) => sum + count, 0))
  const byHour = Array.from({ length: 24 }, (_, hour) => rows.reduce((sum, row) => sum + (row[hour] ?? 0), 0))
  return { weekday: byDay.indexOf(Math.max(...byDay)), hour: byHour.indexOf(Math.max(...byHour)) }
}
