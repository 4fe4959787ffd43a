/** Parses the time of day beside a date: "T08:00:00+02:00", ", 8.30 Uhr", "at 2:15 p.m. EST". */

export interface TimeOfDay {
  hour: number
  minute: number
  second: number
  /** Absent if the text names no known time zone. */
  offsetMinutes?: number
}

/**
 * `behind`: the text follows a date, and the time is near its start. `before`: the text precedes a date, and ends with
 * the time.
 */
export function parseTime(text: string, where: 'behind' | 'before'): TimeOfDay | undefined {
  const match = (where === 'behind' ? BEHIND : BEFORE).exec(text)
  if (!match) return undefined
  const { h, m, s, half = match.groups!.early, zone } = match.groups!
  const minute = Number(m)
  const second = Number(s ?? 0)
  let hour = Number(h)
  if (half) hour = (hour % 12) + (/^(?:p|下午|午後|오후)/iu.test(half) ? 12 : 0)
  if (hour > 23 || minute > 59 || second > 59) return undefined
  const offsetMinutes = zone === undefined ? undefined : offsetOf(zone)
  return offsetMinutes === undefined ? { hour, minute, second } : { hour, minute, second, offsetMinutes }
}

const CLOCK = String.raw`(?<h>\d{1,2})\s?[:h時시点點]\s?(?<m>\d{2})(?:[:分]?(?<s>\d{2})(?:[.,]\d{1,9})?)?`
const ZONE = String.raw`(?<zone>Z\b|(?:(?:GMT|UTC)\s?)?[+\u2212-]\d{1,2}:?\d{0,2}\b|\(?[A-Z]{2,5}\b)`
const AT = String.raw`(?:at|um|à|alle|ore|kl|om|às|las|в|о|saat|pukul|lúc)\.?\s`
const HALF_FIRST = '(?<early>오전|오후|上午|下午|午前|午後)?'
const BEHIND = new RegExp(
  String.raw`^(?:T|[\s,;|•·–—\-(@]|\(.\)|${AT}){0,6}${HALF_FIRST}\s?${CLOCK}(?:\s?(?<half>[ap]\.?m\b)\.?)?\s?${ZONE}?`,
  'iu',
)
const BEFORE = new RegExp(
  String.raw`(?<!\d)${CLOCK}(?:\s?(?<half>[ap]\.?m\b)\.?)?\s?${ZONE}?[\s,;|•·–—-]{0,4}(?:on\s)?$`,
  'iu',
)

function offsetOf(zone: string): number | undefined {
  const numbers = /([+\u2212-])(\d{1,2}):?(\d{2})?/.exec(zone)
  if (!numbers) return ZONES[zone.replace('(', '').toUpperCase()]
  const minutes = Number(numbers[2]) * 60 + Number(numbers[3] ?? 0)
  return minutes > 14 * 60 ? undefined : numbers[1] === '+' ? minutes : -minutes
}

const ZONES: Record<string, number> = {
  Z: 0,
  UTC: 0,
  GMT: 0,
  WET: 0,
  BST: 60,
  CET: 60,
  MEZ: 60,
  CEST: 120,
  MESZ: 120,
  EET: 120,
  SAST: 120,
  MSK: 180,
  IST: 330,
  WIB: 420,
  SGT: 480,
  HKT: 480,
  JST: 540,
  KST: 540,
  AEST: 600,
  EDT: -240,
  EST: -300,
  ET: -300,
  CDT: -300,
  CST: -360,
  MDT: -360,
  MST: -420,
  PDT: -420,
  PST: -480,
}
