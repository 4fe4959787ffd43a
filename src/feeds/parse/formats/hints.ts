/** Polling hints of publishers: `ttl`, `skipHours`, `skipDays` and the syndication module. */
import { DAY, HOUR, MINUTE, type Millis } from '../../../model/index.ts'
import { childrenOf } from '../xml/children.ts'
import { elementText, type XmlElement } from '../xml/element.ts'
import type { XmlText } from '../xml/xml-text.ts'
import { firstText } from './field-values.ts'
import type { FeedFields } from './vocabulary.ts'

export interface PollHints {
  ttlMs?: Millis
  skipHours?: number[]
  skipDays?: number[]
  updatePeriodMs?: Millis
}

export function readHints(xml: XmlText, fields: FeedFields): PollHints {
  const hints: PollHints = {}
  const minutes = numberIn(xml, fields.ttl)
  if (minutes !== undefined && minutes > 0) hints.ttlMs = Math.min(minutes * MINUTE, MAX_HINT_MS)
  const hours = list(xml, fields.skipHours, (text) => (/^\d{1,2}$/.test(text) ? Number(text) % 24 : undefined))
  if (hours.length > 0) hints.skipHours = hours
  const days = list(xml, fields.skipDays, (text) => DAYS.indexOf(text.slice(0, 3).toLowerCase()))
  if (days.length > 0) hints.skipDays = days
  const periodMs = PERIODS.get(firstText(xml, fields.updatePeriod)?.toLowerCase() ?? '')
  if (periodMs !== undefined)
    hints.updatePeriodMs = Math.round(periodMs / Math.max(1, numberIn(xml, fields.updateFrequency) ?? 1))
  return hints
}

const MAX_HINT_MS = 365 * DAY
const DAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat']
const PERIODS = new Map<string, Millis>(
  Object.entries({
    hourly: HOUR,
    daily: DAY,
    weekly: 7 * DAY,
    monthly: 30 * DAY,
    yearly: 365 * DAY,
  }),
)

function numberIn(xml: XmlText, elements: readonly XmlElement[]): number | undefined {
  const text = firstText(xml, elements) ?? ''
  return /^\d{1,7}$/.test(text) ? Number(text) : undefined
}

/** Distinct numbers in ascending order. */
function list(xml: XmlText, elements: readonly XmlElement[], read: (text: string) => number | undefined): number[] {
  const found = new Set<number>()
  for (const element of elements) {
    for (const child of childrenOf(xml, element)) {
      const value = read(elementText(xml, child))
      if (value !== undefined && value >= 0) found.add(value)
    }
  }
  return [...found].sort((a, b) => a - b)
}
