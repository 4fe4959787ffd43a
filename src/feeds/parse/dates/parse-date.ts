/**
 * Date parser. Most dates are RFC 822 ("Thu, 01 Jan 2004 19:48:21 GMT") or ISO 8601; others are split into a time, a zone, a month
 * name in some language, and numbers. Returns undefined for anything that is not a plausible date. Uses no clock: whether a date is in
 * the future is for the caller to check.
 */
import { monthOf } from '../../../html/index.ts'
import type { Instant } from '../../../model/index.ts'
import { toInstant } from './time-zones.ts'

export interface ParsedDate {
  at: Instant
  /** A day without a time; `at` is midnight UTC. */
  dateOnly: boolean
}

export function parseDate(text: string): ParsedDate | undefined {
  if (text === '' || text.length > MAX_LENGTH) return undefined
  const usual = USUAL.test(text) ? Date.parse(text) : Number.NaN
  if (!Number.isNaN(usual)) return { at: usual, dateOnly: false }
  const normalized = text.replace(/\s+/g, ' ').trim()
  return fromRfc822(normalized) ?? fromDigits(normalized) ?? fromIso(normalized) ?? fromParts(normalized)
}

/** Longer texts are not dates. */
const MAX_LENGTH = 120

/** Fast path: about 90% of dates have exactly this form, which Date.parse reads. Excludes days their month does not have. */
const USUAL = new RegExp(
  '^(?:[A-Z][a-z]{2}, (?:(?:0[1-9]|1\\d|2[0-8]) [A-Z][a-z]{2}|(?:29|30) (?!Feb)[A-Z][a-z]{2}|31 (?:Jan|Mar|May|Jul|Aug|Oct|Dec))' +
    ' (?:19|20)\\d\\d [012]\\d:[0-5]\\d:[0-5]\\d (?:GMT|[+-][01]\\d[0-5]\\d)|' +
    '(?:19|20)\\d\\d-(?:[01]\\d-(?:0[1-9]|1\\d|2[0-8])|(?!02)[01]\\d-(?:29|30)|(?:0[13578]|1[02])-31)' +
    'T[012]\\d:[0-5]\\d:[0-5]\\d(?:Z|[+-][01]\\d:[0-5]\\d))$',
)

/** Feeds exist since 1990; older dates are of old texts, and before 1900 or after 9999 they are invalid. */
const FIRST_YEAR = 1900
const LAST_YEAR = 9999

const RFC822 =
  /^(?:[A-Za-z]{3,9},? )?(\d{1,2}) ([A-Za-z]{3}) (\d{4}) (\d{1,2}):(\d{2})(?::(\d{2}))?(?: ([A-Za-z]{1,5}|[+-]\d{4}))?$/

function fromRfc822(text: string): ParsedDate | undefined {
  const match = RFC822.exec(text)
  const month = match ? gregorianMonth(match[2]!) : undefined
  if (!match || month === undefined) return undefined
  return toParsedDate(
    { year: match[3]!, month, day: match[1]! },
    { hour: match[4]!, minute: match[5]!, second: match[6] },
    match[7],
  )
}

/** Seconds, milliseconds or microseconds since 1970, or a date without separators. */
function fromDigits(text: string): ParsedDate | undefined {
  if (!/^\d+(?:\.\d+)?$/.test(text)) return undefined
  const whole = text.split('.')[0]!
  if (whole.length === 14) {
    const [hour, minute, second] = [whole.slice(8, 10), whole.slice(10, 12), whole.slice(12)]
    return toParsedDate(compactDay(whole), { hour, minute, second }, '')
  }
  if (whole.length >= 9 && whole.length <= 10) return { at: Math.floor(Number(text) * 1000), dateOnly: false }
  if (whole.length >= 12 && whole.length <= 13) return { at: Number(whole), dateOnly: false }
  if (whole.length === 16) return { at: Math.floor(Number(whole) / 1000), dateOnly: false }
  return undefined
}

function compactDay(digits: string): Day {
  return { year: digits.slice(0, 4), month: Number(digits.slice(4, 6)) - 1, day: digits.slice(6, 8) }
}

const ISO =
  /^(\d{4})(?:-?(\d{2})(?:-?(\d{2}))?)?(?:(?:T| ?[tT]? ?)(\d{1,2}):?(\d{2})(?::?(\d{2})(?:[.,:]\d+)?)? ?(.*))?$/

function fromIso(text: string): ParsedDate | undefined {
  const match = ISO.exec(text)
  if (!match) return fromShortIso(text)
  const [, year, month, day, hour, minute, second, zone] = match
  const time = hour === undefined ? undefined : { hour, minute: minute!, second }
  return toParsedDate({ year: year!, month: Number(month ?? 1) - 1, day: day ?? '1' }, time, zone) ?? fromShortIso(text)
}

/** Rare forms of ISO 8601: ordinal dates (2003-335) and two-digit years (03-12-31). */
function fromShortIso(text: string): ParsedDate | undefined {
  // "22013" is a mistyped year, not an ordinal date.
  const ordinal = /^(\d{4}-?|\d{2}-)(\d{3})$/.exec(text)
  if (ordinal) {
    const day = Number(ordinal[2])
    return day < 1 || day > 366
      ? undefined
      : toParsedDate({ year: ordinal[1]!.replace('-', ''), month: 0, day: ordinal[2]! }, undefined, '')
  }
  const short = /^-?(\d{2})-?(\d{2})(?:-?(\d{2}))?$/.exec(text)
  return short
    ? toParsedDate({ year: short[1]!, month: Number(short[2]) - 1, day: short[3] ?? '1' }, undefined, '')
    : undefined
}

const CLOCK = /(?<!\d)(\d{1,2}):(\d{1,2})(?::(\d{1,2})(?:[.,]\d+)?)?(?: ?([ap])\.?m\b\.?)?/i

/** Any other form: extracts a time if present, takes what follows as the zone, and searches the rest for a date. */
function fromParts(text: string): ParsedDate | undefined {
  const clock = CLOCK.exec(text)
  if (!clock) {
    const day = dayIn(text)
    return day && toParsedDate(day, undefined, '')
  }
  const before = text.slice(0, clock.index)
  const after = text.slice(clock.index + clock[0].length)
  // "Thu Jan 1 19:48:21 EST 2004": the year comes last.
  const year = /(?:^|\s)(\d{4})\b/.exec(after)
  const zone = year ? after.slice(0, year.index) + after.slice(year.index + year[0].length) : after
  const day = dayIn(year ? `${before} ${year[1]}` : before) ?? dayIn(after)
  const half = clock[4]?.toLowerCase() ?? halfOfDay(before)
  const hour = half === undefined ? clock[1]! : String((Number(clock[1]) % 12) + (half === 'p' ? 12 : 0))
  const inKorea = zone.trim() === '' && /[년월]|오[전후]/.test(before)
  return day && toParsedDate(day, { hour, minute: clock[2]!, second: clock[3] }, inKorea ? 'KST' : zone)
}

/** In East Asian languages it precedes the time. */
function halfOfDay(text: string): 'a' | 'p' | undefined {
  if (/오후|下午|午後/.test(text)) return 'p'
  return /오전|上午|午前/.test(text) ? 'a' : undefined
}

interface Day {
  year: string
  month: number
  day: string
}

const NUMERIC_DAY = /(?<!\d)(\d{1,4}) ?[-/.년年] ?(\d{1,2}) ?[-/.월月] ?(\d{1,4})(?!\d)/u
/** Separated by spaces only: requires a four-digit year and no month name. */
const SPACED_DAY = /(?<!\d)(?:(\d{1,2}) (\d{1,2}) (\d{4})|(\d{4}) (\d{1,2}) (\d{1,2}))(?!\d)/
const NUMERIC_MONTH = /^(\d{1,2}) ?[-/.] ?(\d{4})$/

function dayIn(text: string): Day | undefined {
  const numeric = NUMERIC_DAY.exec(text)
  if (numeric) return numericDay(numeric[1]!, numeric[2]!, numeric[3]!, text)
  const month = monthIn(text)
  if (month === undefined) return dayWithoutName(text)
  const [first, second] = text.match(/\d+/g) ?? []
  if (first === undefined) return undefined
  // "November 2020" means its first day, as "2020-11" does.
  if (second === undefined)
    return first.length === 4 && isMonthAlone(text) ? { year: first, month, day: '1' } : undefined
  const yearFirst = first.length > 2 || Number(first) > 31
  return yearFirst ? { year: first, month, day: second } : { year: second, month, day: first }
}

/** Whether there is no word besides month and year that could stand for a day, as in "Dec x 2012". */
function isMonthAlone(text: string): boolean {
  const words = text.match(/[\p{L}\p{M}]+/gu) ?? []
  return words.every((word) => gregorianMonth(word) !== undefined || CONNECTING_WORDS.has(word.toLowerCase()))
}

const CONNECTING_WORDS: ReadonlySet<string> = new Set([
  'of',
  'de',
  'del',
  'di',
  'г',
  'год',
  'года',
  'р',
  'року',
  '年',
  '년',
])

function monthIn(text: string): number | undefined {
  let month: number | undefined
  for (const [word] of text.matchAll(/[\p{L}\p{M}]+/gu)) {
    // "Mar, 16 Nov": in some languages "mar" is Tuesday, so the last match wins.
    month = gregorianMonth(word) ?? month
  }
  return month
}

function dayWithoutName(text: string): Day | undefined {
  const spaced = SPACED_DAY.exec(text)
  if (spaced) return numericDay(spaced[1] ?? spaced[4]!, spaced[2] ?? spaced[5]!, spaced[3] ?? spaced[6]!, text)
  const month = NUMERIC_MONTH.exec(text)
  return month ? { year: month[2]!, month: Number(month[1]) - 1, day: '1' } : undefined
}

/** 0 = January. Persian months belong to another calendar, which feeds do not use. */
function gregorianMonth(word: string): number | undefined {
  const month = monthOf(word.toLowerCase())
  return month === undefined || month.persian ? undefined : month.number - 1
}

function numericDay(a: string, b: string, c: string, text: string): Day {
  if (a.length > 2 || Number(a) > 31) return { year: a, month: Number(b) - 1, day: c }
  const dayFirst: Day = { year: c, month: Number(b) - 1, day: a }
  const monthFirst: Day = { year: c, month: Number(a) - 1, day: b }
  if (Number(a) > 12) return dayFirst
  if (Number(b) > 12) return monthFirst
  // Ambiguous: the day of the week decides, if present.
  const weekday = WEEKDAYS.indexOf(/^\W*([A-Za-z]{3})/.exec(text)?.[1]?.toLowerCase() ?? '')
  if (weekday >= 0 && weekday === weekdayOf(dayFirst)) return dayFirst
  if (weekday >= 0 && weekday === weekdayOf(monthFirst)) return monthFirst
  // 31.12.2003 and 31-12-2003 are common everywhere, 12/31/2003 is American.
  return text.includes('/') ? monthFirst : dayFirst
}

const WEEKDAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat']

function weekdayOf({ year, month, day }: Day): number {
  return new Date(Date.UTC(fullYear(year), month, Number(day))).getUTCDay()
}

function toParsedDate(
  day: Day,
  time: { hour: string; minute: string; second: string | undefined } | undefined,
  zone: string | undefined,
): ParsedDate | undefined {
  if (day.year.length > 4) return undefined
  const year = fullYear(day.year)
  const dayOfMonth = Number(day.day)
  const [hour, minute, second] = time ? [Number(time.hour), Number(time.minute), Number(time.second ?? 0)] : [0, 0, 0]
  const isOrdinal = day.day.length === 3
  if (year < FIRST_YEAR || year > LAST_YEAR || !(day.month >= 0 && day.month <= 11)) return undefined
  if (dayOfMonth < 1 || (!isOrdinal && dayOfMonth > DAYS_OF_MONTHS[day.month]!)) return undefined
  // "25:14:61" overflows: the writer added without carrying.
  if (hour > 47 || minute > 99 || second > 99) return undefined
  const localTime = Date.UTC(year, day.month, dayOfMonth, hour, minute, second)
  return time ? { at: toInstant(localTime, zone ?? ''), dateOnly: false } : { at: localTime, dateOnly: true }
}

const DAYS_OF_MONTHS = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]

/** 03 is 2003, 98 is 1998. */
function fullYear(digits: string): number {
  const year = Number(digits)
  return digits.length > 2 ? year : year + (year < 70 ? 2000 : 1900)
}
