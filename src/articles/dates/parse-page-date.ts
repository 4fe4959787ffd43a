/**
 * Parses the first date in a text: a machine-readable value ("2024-05-31T08:00:00+02:00", seconds since 1970), or a line
 * written for readers, in any language and with any other text. There is no clock here: whether a date lies in the future is
 * the caller's question.
 */
import { monthOf } from '../../html/index.ts'
import type { Instant } from '../../model/index.ts'
import { westernDigits } from './digits.ts'
import { parseTime } from './parse-time.ts'
import { persianToGregorian } from './persian-calendar.ts'

export interface DateFound {
  at: Instant
  /** ISO 8601 as on the page: a day, or a day and a time with its offset; a month if there is no day. */
  iso: string
  dateOnly: boolean
  /** The date with day and month swapped, if 5/6/2024 is ambiguous. */
  swapped?: { at: Instant; iso: string }
}

/** The order of 5/6/2024. */
export type DayOrder = 'day-first' | 'month-first'

export function parsePageDate(input: string, order: DayOrder = 'day-first'): DateFound | undefined {
  const text = yearBeforeTime(westernDigits(input.slice(0, MAX_TEXT_LENGTH)).trim())
  if (!/\d/.test(text)) return undefined
  if (/^\d{10}(?:\d{3})?(?:\.\d+)?$/.test(text)) return fromEpoch(text)
  const day = firstDay(text, order)
  if (!day) return undefined
  const behind = text.slice(day.end, day.end + MAX_TIME_LENGTH)
  const before = text.slice(0, day.start)
  const found = moment(day.year, day.month, day.day, behind, before)
  if (!found || !day.isOpen || day.day > 12 || day.day === day.month) return found
  const { at, iso } = moment(day.year, day.day, day.month, behind, before)!
  return { ...found, swapped: { at, iso } }
}

/** Moves the year before the time in "Mon Aug 03 12:45:00 EDT 2015", the format of Java and Unix. */
function yearBeforeTime(text: string): string {
  return INSIDE.test(text) ? text.replace(INSIDE, '$1 $3 $2') : text
}

const INSIDE =
  /([A-Z][a-z]{2} {1,2}\d{1,2}) (\d{2}:\d{2}:\d{2}(?: [A-Z]{2,5}| (?:GMT|UTC)?[+-]\d{2}:?\d{2})?) (\d{4})(?!\d)/

const MAX_TEXT_LENGTH = 600
const MAX_TIME_LENGTH = 60

interface Day {
  year: number
  month: number
  day: number
  /** Position in the text. */
  start: number
  end: number
  /** Day and month are distinguishable only by convention. */
  isOpen: boolean
}

function fromEpoch(text: string): DateFound | undefined {
  const at = text.length === 13 ? Number(text) : Math.floor(Number(text) * 1000)
  const iso = new Date(at).toISOString()
  return isSane(Number(iso.slice(0, 4))) ? { at, iso: iso.replace('.000', ''), dateOnly: false } : undefined
}

/**
 * A pattern in which LETTER matches approximately a letter: no space, digit or punctuation. The class of all letters,
 * repeated, takes a tenth of a second to compile, and the name is looked up anyway.
 */
function form(pattern: string): RegExp {
  return new RegExp(
    pattern.replaceAll(
      'LETTER',
      '[^\\s\\d!-/:-@[-`{-\\xa9\\xab-\\xb4\\xb6-\\xb9\\xbb-\\xbf\\u2000-\\u206f\\u3000-\\u3004\\u3008-\\u3020]',
    ),
    'i',
  )
}

/** Date formats, with their groups for year, month and day. */
const FORMS: [RegExp, (match: RegExpExecArray, order: DayOrder) => [string, string, string]][] = [
  [/(?<!\d)(\d{4})-(\d{1,2})-(\d{1,2})(?!\d)/, ([, y, m, d]) => [y!, m!, d!]],
  [/(?<!\d)(\d{4})(\d{2})(\d{2})(?=T\d|$)/, ([, y, m, d]) => [y!, m!, d!]],
  [/(?<!\d)(\d{4})\s?[/.]\s?(\d{1,2})\s?[/.]\s?(\d{1,2})(?!\d)/, ([, y, m, d]) => [y!, m!, d!]],
  [/(?<!\d)(\d{4})\s?[年년]\s?(\d{1,2})\s?[月월]\s?(\d{1,2})\s?[日일]?/u, ([, y, m, d]) => [y!, m!, d!]],
  [/(?<!\d)(\d{1,2})\s+tháng\s+(\d{1,2}),?\s+(?:năm\s+)?(\d{4})/iu, ([, d, m, y]) => [y!, m!, d!]],
  [
    form(
      `(?<!\\d)(\\d{1,2})(?:LETTER{1,3}|[.ºª°])?[\\s,./-]{1,3}(?:(?:de|of|di|da|al|ta)\\s+)?(LETTER(?:LETTER|\\.){1,14}),?[\\s./-]{0,3}(?:(?:del?|do|of)\\s+)?(\\d{4})(?!\\d)`,
    ),
    ([, d, m, y]) => [y!, m!, d!],
  ],
  [
    form(`(?<!LETTER)(LETTER{3,15})\\.?\\s{0,2}(\\d{1,2})(?:st|nd|rd|th|\\.)?,?\\s{1,3}(?:de\\s+)?(\\d{4})(?!\\d)`),
    ([, m, d, y]) => [y!, m!, d!],
  ],
  [
    form(`(?<!\\d)(\\d{4})[.,]?\\s(?:m\\.\\s|gada\\s)?(?:(\\d{1,2})\\.?\\s)?(LETTER{3,15})\\.?(?:\\s(\\d{1,2}))?`),
    ([, y, d1, m, d2]) => [y!, m!, d1 ?? d2 ?? ''],
  ],
  [/(?<!\d)(\d{1,2})\s?\.\s?(\d{1,2})\s?\.\s?(\d{4})(?!\d)/, ([, d, m, y]) => [y!, m!, d!]],
  [/(?<!\d)(\d{1,2})\s?[/-]\s?(\d{1,2})\s?[/-]\s?(\d{4})(?!\d)/, numeric],
  [/(?<!\d)(\d{1,2})\.(\d{1,2})\.(\d{2})(?![\d.])/, ([, d, m, y]) => [`20${y}`, m!, d!]],
]

function numeric([, a, b, y]: RegExpExecArray, order: DayOrder): [string, string, string] {
  const monthFirst = Number(b) > 12 || (order === 'month-first' && Number(a) <= 12)
  return monthFirst ? [y!, a!, b!] : [y!, b!, a!]
}

function firstDay(text: string, order: DayOrder): Day | undefined {
  let first: Day | undefined
  for (const [form, parts] of FORMS) {
    const match = form.exec(text)
    if (!match || (first && match.index >= first.start)) continue
    const day = dayOf(...parts(match, order))
    if (day) first = { ...day, start: match.index, end: match.index + match[0].length, isOpen: parts === numeric }
  }
  return first
}

function dayOf(yearText: string, monthText: string, dayText: string): Pick<Day, 'year' | 'month' | 'day'> | undefined {
  const named = /^\d/.test(monthText) ? undefined : monthOf(monthText)
  const month = named ? named.number : Number(monthText)
  const day = Number(dayText)
  let year = Number(yearText)
  if (!(month >= 1 && month <= 12 && day >= 1 && day <= 31)) return undefined
  if (named?.persian || (year >= 1350 && year <= 1450)) return persianToGregorian(year, month, day)
  // years of the Buddhist calendar, as used in Thailand
  if (year >= 2500 && year <= 2600) year -= 543
  return isSane(year) ? { year, month, day } : undefined
}

/** Excludes years before the web, and far in the future. */
function isSane(year: number): boolean {
  return year >= 1990 && year <= 2100
}

function moment(year: number, month: number, day: number, behind: string, before: string): DateFound | undefined {
  const midnight = Date.UTC(year, month - 1, day)
  if (new Date(midnight).getUTCDate() !== day) return undefined
  const date = `${year}-${two(month)}-${two(day)}`
  const time = parseTime(behind, 'behind') ?? parseTime(before.slice(-MAX_TIME_LENGTH), 'before')
  if (!time) return { at: midnight, iso: date, dateOnly: true }
  const { hour, minute, second, offsetMinutes } = time
  const at = Date.UTC(year, month - 1, day, hour, minute, second) - (offsetMinutes ?? 0) * 60_000
  return { at, iso: `${date}T${two(hour)}:${two(minute)}:${two(second)}${offsetText(offsetMinutes)}`, dateOnly: false }
}

/** An instant as ISO 8601 with this offset from UTC. */
export function toIsoWithOffset(at: Instant, offsetMinutes: number): string {
  return new Date(at + offsetMinutes * 60_000).toISOString().slice(0, 19) + offsetText(offsetMinutes)
}

function offsetText(minutes: number | undefined): string {
  if (minutes === undefined) return ''
  if (minutes === 0) return 'Z'
  const size = Math.abs(minutes)
  return `${minutes < 0 ? '-' : '+'}${two(Math.floor(size / 60))}:${two(size % 60)}`
}

function two(number: number): string {
  return String(number).padStart(2, '0')
}
