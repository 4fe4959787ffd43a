/** Parsing and formatting of durations, sizes and rates. */
import { DAY, HOUR, MINUTE, type Millis, SECOND } from './time.ts'

const UNITS: Record<string, Millis> = { ms: 1, s: SECOND, m: MINUTE, min: MINUTE, h: HOUR, d: DAY, w: 7 * DAY }

/** `90s`, `10m`, `1h30m`, `31d`, `0`; undefined for anything else. */
export function parseDuration(text: string): Millis | undefined {
  const trimmed = text.trim().toLowerCase()
  if (trimmed === '0') return 0
  if (!/^(\d+(\.\d+)?\s*(ms|s|min|m|h|d|w)\s*)+$/.test(trimmed)) return undefined
  let total = 0
  for (const [, amount, unit] of trimmed.matchAll(/(\d+(?:\.\d+)?)\s*(ms|min|[smhdw])/g))
    total += Number(amount) * (UNITS[unit ?? ''] ?? 0)
  return Math.round(total)
}

/** The two largest units: `2m`, `1h30m`, `31d`, `450ms`. */
export function formatDuration(ms: Millis): string {
  if (ms === 0) return '0'
  if (ms < SECOND) return `${Math.round(ms)}ms`
  const parts: string[] = []
  let rest = Math.round(ms / SECOND) * SECOND
  for (const [unit, size] of [
    ['d', DAY],
    ['h', HOUR],
    ['m', MINUTE],
    ['s', SECOND],
  ] as const) {
    const amount = Math.floor(rest / size)
    rest -= amount * size
    if (amount > 0) parts.push(`${amount}${unit}`)
    else if (parts.length > 0) break
    if (parts.length === 2) break
  }
  return parts.join('')
}

/** Per day: `5000`, `5000/d`, `200/h`; undefined for anything else. */
export function parseRate(text: string): number | undefined {
  const [, amount, unit] = /^(\d+(?:\.\d+)?)(?:\s*\/\s*([hd]))?$/.exec(text.trim()) ?? []
  return amount === undefined ? undefined : Number(amount) * (unit === 'h' ? 24 : 1)
}

const SIZES: Record<string, number> = { b: 1, kb: 1e3, mb: 1e6, gb: 1e9, kib: 1024, mib: 1024 ** 2, gib: 1024 ** 3 }

/** `10MB`, `512 KiB`, `2000000`; undefined for anything else. */
export function parseSize(text: string): number | undefined {
  const [, amount, unit] = /^(\d+(?:\.\d+)?)\s*([kmg]?i?b)?$/i.exec(text.trim()) ?? []
  const size = SIZES[(unit ?? 'b').toLowerCase()]
  return amount === undefined || size === undefined ? undefined : Math.round(Number(amount) * size)
}

/** `0 B`, `512 B`, `1.5 MB`; at most three digits. */
export function formatSize(bytes: number): string {
  if (bytes < 999.5) return `${Math.round(bytes)} B`
  const [unit, size] = bytes < 999.5e3 ? ['kB', 1e3] : bytes < 999.5e6 ? ['MB', 1e6] : ['GB', 1e9]
  const amount = bytes / Number(size)
  return `${amount.toFixed(amount < 9.95 ? 1 : 0)} ${unit}`
}
