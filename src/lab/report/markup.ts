/** Formats text and numbers for the report. */
import { DAY, formatDuration, HOUR, MINUTE, type Millis, SECOND } from '../../model/index.ts'

/** Escapes text: names come from untrusted files. */
export function escapedForReport(text: string): string {
  return text.replace(/[&<>"']/g, (letter) => `&#${letter.charCodeAt(0)};`)
}

export function roundNumber(n: number): string {
  return Math.round(n).toLocaleString('en')
}

/** `9h 49m`; less than a second is 0. */
export function shownDelay(ms: Millis): string {
  return ms < SECOND ? '0' : formatDuration(ms).replace(/(?<=[a-z])(?=\d)/, ' ')
}

export function shownShare(share: number): string {
  return `${share > 0 ? '+' : share < 0 ? '−' : '±'}${Math.abs(100 * share).toFixed(1)} %`
}

const NAMED: [Millis, string][] = [
  [SECOND, '1 s'],
  [10 * SECOND, '10 s'],
  [30 * SECOND, '30 s'],
  [MINUTE, '1 min'],
  [2 * MINUTE, '2 min'],
  [5 * MINUTE, '5 min'],
  [15 * MINUTE, '15 min'],
  [30 * MINUTE, '30 min'],
  [HOUR, '1 h'],
  [2 * HOUR, '2 h'],
  [4 * HOUR, '4 h'],
  [12 * HOUR, '12 h'],
  [DAY, '1 d'],
  [3 * DAY, '3 d'],
  [7 * DAY, '7 d'],
  [30 * DAY, '30 d'],
  [90 * DAY, '90 d'],
]

/** Round durations, for axes. */
export function namedTimes(from: Millis, to: Millis): { value: Millis; label: string }[] {
  return NAMED.filter(([ms]) => ms >= from && ms <= to).map(([value, label]) => ({ value, label }))
}

/** Round numbers (1, 2, 5 and multiples by ten), for axes. */
export function roundNumbers(from: number, to: number): { value: number; label: string }[] {
  const numbers: number[] = []
  for (let power = Math.floor(Math.log10(Math.max(from, 1e-9))); 10 ** power <= to; power++)
    for (const digit of [1, 2, 5]) numbers.push(digit * 10 ** power)
  return numbers.filter((n) => n >= from && n <= to).map((value) => ({ value, label: short(value) }))
}

/** About five equal steps from zero, for axes. */
export function evenNumbers(to: number): { value: number; label: string }[] {
  const rough = Math.max(to, 1e-9) / 5
  const power = 10 ** Math.floor(Math.log10(rough))
  const step = power * ([1, 2, 5, 10].find((digit) => digit * power >= rough) ?? 10)
  return Array.from({ length: Math.floor(to / step + 1e-9) + 1 }, (_, i) => ({
    value: i * step,
    label: short(i * step),
  }))
}

function short(n: number): string {
  return n >= 1e6 ? `${n / 1e6}M` : n >= 1e3 ? `${n / 1e3}k` : String(Math.round(n * 1e6) / 1e6)
}
