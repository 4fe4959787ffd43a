/** Time zones in feeds: +0100, GMT+1, EST, Europe/Paris. */
import { HOUR, type Instant, MINUTE, type Millis } from '../../../model/index.ts'

/** Converts a local time, given as if it were UTC, to an instant. Unknown zones count as UTC. */
export function toInstant(localTime: Instant, zone: string): Instant {
  const text = zone.trim()
  if (text === '') return localTime
  const offset = /([+\-\u2212\u2013])\s?(\d{1,4})(?::(\d{2}))?/.exec(text)
  if (offset) {
    // 1, 01, 01:30, 130 and 0130
    const digits = offset[2]!
    const hours = Number(digits.length > 2 ? digits.slice(0, -2) : digits)
    const minutes = Number(digits.length > 2 ? digits.slice(-2) : (offset[3] ?? 0))
    if (hours > 24 || minutes > 59) return localTime
    return localTime - (offset[1] === '+' ? 1 : -1) * (hours * HOUR + minutes * MINUTE)
  }
  const name = /[A-Za-z]+(?:\/[A-Za-z_/+-]+)?/.exec(text)?.[0]
  if (name === undefined) return localTime
  if (name.includes('/')) return inRegion(localTime, name)
  return localTime - (ZONES.get(name.toLowerCase()) ?? 0)
}

const at = (hours: number, names: string) => names.split(' ').map((name): [string, Millis] => [name, hours * HOUR])

/** Ambiguous abbreviations have the meaning most feeds use. */
const ZONES = new Map<string, Millis>([
  ...at(0, 'z ut utc gmt wet zulu'),
  ...at(1, 'bst west cet met mez wat'),
  ...at(2, 'cest mest mesz eet cat sast'),
  ...at(3, 'eest msk trt eat'),
  ...at(4, 'msd gst'),
  ...at(5, 'pkt'),
  ...at(5.5, 'ist'),
  ...at(7, 'ict wib'),
  ...at(8, 'sgt hkt awst pht wita'),
  ...at(9, 'jst kst wit'),
  ...at(9.5, 'acst'),
  ...at(10, 'aest'),
  ...at(10.5, 'acdt'),
  ...at(11, 'aedt'),
  ...at(12, 'nzst nzt'),
  ...at(13, 'nzdt'),
  ...at(-2.5, 'ndt'),
  ...at(-3, 'adt brt art'),
  ...at(-3.5, 'nst'),
  ...at(-4, 'ast at edt'),
  ...at(-5, 'est et cdt'),
  ...at(-6, 'cst ct mdt'),
  ...at(-7, 'mst mt pdt'),
  ...at(-8, 'pst pt akdt'),
  ...at(-9, 'akst hadt'),
  ...at(-10, 'hst hast'),
  // RFC 822's military letters as defined there; RFC 2822 notes that their signs are wrong.
  ...at(-1, 'a'),
  ...at(1, 'n'),
  ...at(-12, 'm'),
  ...at(12, 'y'),
])

function inRegion(localTime: Instant, region: string): Instant {
  const formatter = formatterOf(region)
  if (!formatter) return localTime
  const offsetAt = (instant: Instant) => {
    const parts = Object.fromEntries(formatter.formatToParts(instant).map(({ type, value }) => [type, Number(value)]))
    return Date.UTC(parts.year!, parts.month! - 1, parts.day, parts.hour, parts.minute, parts.second) - instant
  }
  // The first guess may be on the other side of a daylight saving change, so the offset is computed twice.
  return localTime - offsetAt(localTime - offsetAt(localTime))
}

/** Creating a formatter takes longer than parsing a hundred dates. Undefined: unknown region. */
const formatters = new Map<string, Intl.DateTimeFormat | undefined>()
const MAX_FORMATTERS = 600

function formatterOf(region: string): Intl.DateTimeFormat | undefined {
  if (formatters.has(region) || formatters.size >= MAX_FORMATTERS) return formatters.get(region)
  const formatter = createFormatter(region)
  formatters.set(region, formatter)
  return formatter
}

function createFormatter(region: string): Intl.DateTimeFormat | undefined {
  try {
    return new Intl.DateTimeFormat('en-US', {
      timeZone: region,
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    })
  } catch {
    return undefined
  }
}
