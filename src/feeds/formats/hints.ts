/** What a publisher asks of those who poll: `ttl`, `skipHours`, `skipDays`, and how often it says it is updated. */
import { DAY, HOUR, MINUTE, type Millis } from '../../model/index.ts'
import { childrenOf } from '../xml/children.ts'
import type { Pieces } from '../xml/outline.ts'
import { textOf } from '../xml/piece.ts'
import type { XmlText } from '../xml/xml-text.ts'
import { allOf, firstText } from './reading.ts'

export interface Hints {
  ttlMs?: Millis
  skipHours?: number[]
  skipDays?: number[]
  updatePeriodMs?: Millis
}

export function readHints(xml: XmlText, head: Pieces): Hints {
  const hints: Hints = {}
  const minutes = numberIn(xml, head, 'ttl')
  if (minutes !== undefined && minutes > 0) hints.ttlMs = Math.min(minutes * MINUTE, LONGEST_REST)
  const hours = list(xml, head, 'skiphours', (text) => (/^\d{1,2}$/.test(text) ? Number(text) % 24 : undefined))
  if (hours.length > 0) hints.skipHours = hours
  const days = list(xml, head, 'skipdays', (text) => DAYS.indexOf(text.slice(0, 3).toLowerCase()))
  if (days.length > 0) hints.skipDays = days
  const periodMs = PERIODS.get(firstText(xml, head, ['sy:updateperiod'])?.toLowerCase() ?? '')
  if (periodMs !== undefined)
    hints.updatePeriodMs = Math.round(periodMs / Math.max(1, numberIn(xml, head, 'sy:updatefrequency') ?? 1))
  return hints
}

const LONGEST_REST = 365 * DAY
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

function numberIn(xml: XmlText, head: Pieces, key: string): number | undefined {
  const text = firstText(xml, head, [key]) ?? ''
  return /^\d{1,7}$/.test(text) ? Number(text) : undefined
}

/** Each number once, in order. */
function list(xml: XmlText, head: Pieces, key: string, read: (text: string) => number | undefined): number[] {
  const found = new Set<number>()
  for (const piece of allOf(head, [key])) {
    for (const child of childrenOf(xml, piece)) {
      const value = read(textOf(xml, child))
      if (value !== undefined && value >= 0) found.add(value)
    }
  }
  return [...found].sort((a, b) => a - b)
}
