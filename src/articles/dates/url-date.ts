/** Finds the date in a URL, as many publishers include it. */
import type { Instant } from '../../model/index.ts'
import { parsePageDate } from './parse-page-date.ts'

/** Midnight UTC; undefined if there is no date, an invalid one, or an ambiguous one. */
export function addressDay(url: string): Instant | undefined {
  const host = url.indexOf('/', url.indexOf('://') + 3)
  const path = host < 0 ? '' : url.slice(host).split(/[?#]/, 1)[0]!
  const day = dayInPath(path) ?? digitsInPath(path)
  const date = day === undefined ? undefined : parsePageDate(day)
  return date?.swapped ? undefined : date?.at
}

/** A date whose numbers are separated by punctuation. */
export function dayInPath(path: string): string | undefined {
  const [match, year, first, month, second, day] = SEPARATED.exec(path) ?? []
  if (match !== undefined) {
    const remainder = path.slice(path.indexOf(match) + match.length)
    // "/2026/03/10-mills-to-see" counts mills: with mixed separators, only the end of a path segment proves a day
    const isDay =
      first !== second ? /^[/.]|^$/.test(remainder) : second !== '/' || day!.startsWith('0') || !/^[-_]/.test(remainder)
    if (isDay) return `${year}-${month!.padStart(2, '0')}-${day!.padStart(2, '0')}`
  }
  const [, a, , b, lastYear] = YEAR_LAST.exec(path) ?? []
  if (lastYear !== undefined) return `${a}-${b}-${lastYear}`
  const named = NAMED.exec(path)
  return named ? `${named[3]} ${named[2]} ${named[1]}` : undefined
}

/** A date of eight digits with at most one separator, which may also be another number. */
export function digitsInPath(path: string): string | undefined {
  const [, year, month, separated, joined] = COMPACT.exec(path) ?? []
  if (year !== undefined) return `${year}-${month}-${(separated ?? joined)!.padStart(2, '0')}`
  const [, a, b, lastYear] = COMPACT_YEAR_LAST.exec(path) ?? []
  return lastYear === undefined ? undefined : `${a}-${b}-${lastYear}`
}

/** "/2026/03/12/", "/2026/3/12/", "/2026-03-12-", "/2026-03/12/". */
const SEPARATED = /(?<!\d)((?:19|20)\d\d)([/_.-])(0?[1-9]|1[0-2])([/_.-])(0?[1-9]|[12]\d|3[01])(?!\d)/
/** "/12-03-2026", "-12.3.2026.html". */
const YEAR_LAST = /(?<![\d.])(\d{1,2})([-_.])(\d{1,2})\2((?:19|20)\d\d)(?!\d)/
const NAMED = /\/((?:19|20)\d\d)\/([a-z]{3,9})\/(\d{1,2})(?:\/|$)/i
/** "t20260312_", "/202603/12/", "/2026/0312/". Numbers of seven digits do not count. */
const COMPACT =
  /(?<!\d)((?:19|20)\d\d)\/?(0[1-9]|1[0-2])(?:[/_-](0?[1-9]|[12]\d|3[01])(?![\d-])|(0[1-9]|[12]\d|3[01])(?!\d))/
/** "/12032026-". */
const COMPACT_YEAR_LAST = /(?<=[/_-])([0-3]\d)([0-3]\d)((?:19|20)\d\d)(?=[/_.-]|$)/
