/** Formats dates, numbers and durations with Intl, in the user's locale. */
import { isRightToLeft } from '../languages/choose-language.ts'
import { clock } from './clock.svelte.ts'
import { LOCALE } from './locale.ts'

const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

const whole = new Intl.NumberFormat(LOCALE, { maximumFractionDigits: 0 })
const short = new Intl.NumberFormat(LOCALE, { notation: 'compact', maximumFractionDigits: 1 })
const scale = new Intl.NumberFormat(LOCALE, { notation: 'compact', maximumSignificantDigits: 2 })
const some = new Intl.NumberFormat(LOCALE, { maximumSignificantDigits: 2 })
const twoDigits = new Intl.NumberFormat(LOCALE, { minimumFractionDigits: 2, maximumFractionDigits: 2 })
const percent = new Intl.NumberFormat(LOCALE, { style: 'percent', maximumFractionDigits: 0 })
const ago = new Intl.RelativeTimeFormat(LOCALE, { numeric: 'auto', style: 'short' })
const timeOfDay = new Intl.DateTimeFormat(LOCALE, { hour: '2-digit', minute: '2-digit' })
const dayAndMonth = new Intl.DateTimeFormat(LOCALE, { day: 'numeric', month: 'short' })
const day = new Intl.DateTimeFormat(LOCALE, { day: 'numeric', month: 'short', year: 'numeric' })
const long = new Intl.DateTimeFormat(LOCALE, { dateStyle: 'full', timeStyle: 'short' })
const longDay = new Intl.DateTimeFormat(LOCALE, { weekday: 'long', day: 'numeric', month: 'long' })
const weekdayName = new Intl.DateTimeFormat(LOCALE, { weekday: 'short', timeZone: 'UTC' })
const wholeWeekdayName = new Intl.DateTimeFormat(LOCALE, { weekday: 'long', timeZone: 'UTC' })
const languages = new Intl.DisplayNames(LOCALE, { type: 'language' })

export const count = (value: number): string => whole.format(value)
export const compact = (value: number): string => (value < 10_000 ? whole.format(value) : short.format(value))
export const rough = (value: number): string => (value >= 100 ? whole.format(value) : some.format(value))
/** "6.1K", for the ticks of a chart. */
export const roughly = (value: number): string => scale.format(value)
export const hundredths = (value: number): string => twoDigits.format(value)
export const share = (value: number): string => percent.format(value)

export function bytes(value: number): string {
  const units = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte'] as const
  const step = Math.min(units.length - 1, Math.max(0, Math.floor(Math.log10(Math.max(1, value)) / 3)))
  return new Intl.NumberFormat(LOCALE, {
    style: 'unit',
    unit: units[step] ?? 'byte',
    unitDisplay: step === 0 ? 'long' : 'short',
    maximumSignificantDigits: 3,
  }).format(value / 1000 ** step)
}

/** "12 min ago", "in 3 hr", relative to the crawl's clock. */
export function relative(date: string | number): string {
  const ms = new Date(date).getTime() - clock.now
  const size = Math.abs(ms)
  if (size < 45 * SECOND) return ago.format(0, 'second')
  if (size < 45 * MINUTE) return ago.format(Math.round(ms / MINUTE) || 1, 'minute')
  if (size < 22 * HOUR) return ago.format(Math.round(ms / HOUR) || 1, 'hour')
  return ago.format(Math.round(ms / DAY) || 1, 'day')
}

/** Short form for list rows: a time for today, otherwise a day. */
export function inRow(date: string): string {
  const at = new Date(date)
  const age = clock.now - at.getTime()
  if (age < 45 * SECOND && age > -MINUTE) return ago.format(0, 'second')
  if (age < 10 * HOUR) return relative(date)
  if (age < 22 * HOUR) return timeOfDay.format(at)
  return at.getFullYear() === new Date(clock.now).getFullYear() ? dayAndMonth.format(at) : day.format(at)
}

export const exact = (date: string | number): string => long.format(new Date(date))
export const clockTime = (date: string | number): string => timeOfDay.format(new Date(date))
export const dayWords = (date: string | number): string => longDay.format(new Date(date))
/** Label for a chart tick, given in seconds: the date at midnight, otherwise the time. */
export function chartTime(seconds: number): string {
  const at = new Date(seconds * SECOND)
  return at.getHours() === 0 && at.getMinutes() === 0 ? dayAndMonth.format(at) : timeOfDay.format(at)
}
export const dateWords = (date: string | number): string => day.format(new Date(date))

/** 0 is Monday. */
export const weekday = (index: number): string => weekdayName.format(Date.UTC(2024, 0, 1 + index))
export const wholeWeekday = (index: number): string => wholeWeekdayName.format(Date.UTC(2024, 0, 1 + index))

const UNITS = [
  ['day', DAY],
  ['hour', HOUR],
  ['minute', MINUTE],
  ['second', SECOND],
] as const

/** "4 min", "2.5 hr". */
export function duration(ms: number): string {
  const [unit, size] = UNITS.find(([, unitMs]) => Math.abs(ms) >= unitMs) ?? (['second', SECOND] as const)
  const value = ms / size
  const digits = Math.abs(value) < 10 && unit !== 'second' ? 1 : 0
  return new Intl.NumberFormat(LOCALE, {
    style: 'unit',
    unit,
    unitDisplay: 'short',
    maximumFractionDigits: digits,
  }).format(value)
}

export function languageName(code: string): string {
  try {
    return languages.of(code) ?? code
  } catch {
    return code
  }
}

/** The name of a language in that language: "Deutsch". */
export function ownName(language: string): string {
  const name = new Intl.DisplayNames(language, { type: 'language' }).of(language) ?? language
  return name.charAt(0).toLocaleUpperCase(language) + name.slice(1)
}

/** Of an article in that language. */
export const directionOf = (language: string | undefined): 'rtl' | 'auto' =>
  language && isRightToLeft(language) ? 'rtl' : 'auto'

const enumeration = new Intl.ListFormat(LOCALE, { type: 'unit', style: 'short' })

/** "3 found, 2 added". */
export const list = (texts: readonly (string | false)[]): string =>
  enumeration.format(texts.filter((text) => text !== false))

/** "100+": that many, and probably more. */
export const atLeast = (value: number, isMore: boolean | undefined): string =>
  `${whole.format(value)}${isMore ? '+' : ''}`

/** The URL if it is safe to link (http or https only). */
export const webAddress = (url: string | undefined): string | undefined =>
  url !== undefined && /^https?:\/\//i.test(url) ? url : undefined

export function hostOf(url: string | undefined): string | undefined {
  return url && URL.canParse(url) ? new URL(url).hostname.replace(/^www\./, '') : undefined
}
