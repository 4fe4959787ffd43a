/** When something happens: dates counted by weekday and hour, in the reader's own time zone. */
export interface Heat {
  /** Monday first, 24 each. */
  rows: number[][]
  most: number
}

export function heatOf(dates: readonly string[]): Heat {
  const rows = Array.from({ length: 7 }, () => new Array<number>(24).fill(0))
  for (const date of dates) {
    const at = new Date(date)
    const row = rows[(at.getDay() + 6) % 7]
    if (row) row[at.getHours()] = (row[at.getHours()] ?? 0) + 1
  }
  return { rows, most: Math.max(0, ...rows.flat()) }
}

/** Of all, the hour and the weekday at which most happens. */
export function peakOf({ rows, most }: Heat): { weekday: number; hour: number } | undefined {
  if (most === 0) return undefined
  const byDay = rows.map((row) => row.reduce((sum, one) => sum + one, 0))
  const byHour = Array.from({ length: 24 }, (_, hour) => rows.reduce((sum, row) => sum + (row[hour] ?? 0), 0))
  return { weekday: byDay.indexOf(Math.max(...byDay)), hour: byHour.indexOf(Math.max(...byHour)) }
}
