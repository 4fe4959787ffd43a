/**
 * Corrects the publication date by other evidence on the page: which reading of an ambiguous date is possible, whether
 * readers are shown an earlier day, and the publisher's time zone.
 */
import { DAY, HOUR, type Instant, MINUTE } from '../../model/index.ts'
import type { FoundDate } from '../article.ts'
import { type DateFound, toIsoWithOffset } from '../dates/parse-page-date.ts'
import { parseTime } from '../dates/parse-time.ts'
import { addressDay } from '../dates/url-date.ts'
import type { DateLine } from './date-lines.ts'
import type { PageMetadata } from './evidence.ts'

const MAX_ZONE_OFFSET_MS = 14 * HOUR
const MAX_TIMES = 20

/** The date with day and month swapped. */
export function swapDayAndMonth<T extends DateFound>(date: T, { at, iso }: { at: Instant; iso: string }): T {
  return { ...date, at, iso, swapped: { at: date.at, iso: date.iso } }
}

/** An article is not changed before it is published: that decides how to read an ambiguous date. */
export function resolveDayOrder(published: FoundDate, modified: FoundDate | undefined): FoundDate {
  if (!published.swapped || !modified || modified.swapped) return published
  const isAhead = published.at > modified.at + DAY && published.swapped.at <= modified.at + DAY
  return isAhead ? swapDayAndMonth(published, published.swapped) : published
}

/**
 * When a page moves to another system, its metadata gets the day of the move, while readers still see the original day: the
 * day near the title labelled as publication, if it is the only one and earlier.
 */
export function preferShownDay(
  published: FoundDate,
  { microdata }: PageMetadata,
  linesNearTitle: () => readonly DateLine[],
  read: (text: string) => DateFound | undefined,
): FoundDate {
  const [marked, ...otherValues] = microdata.all('datepublished')
  if (marked === undefined || otherValues.length > 0 || published.from === 'microdata') return published
  const markedDay = read(marked)
  if (!markedDay || markedDay.swapped || markedDay.at >= published.at - 2 * DAY) return published
  const isBesideTitle = linesNearTitle().some(
    ({ kind, text }) => kind !== 'changed' && read(text)?.iso === markedDay.iso,
  )
  return isBesideTitle ? { ...markedDay, from: 'microdata', trust: 0.85 } : published
}

/**
 * A UTC time on another day than the date in the page's URL: expressed in the time zone of other times on the page in which
 * it is that day. The instant stays the same.
 */
export function inPublisherZone(published: FoundDate, { html, address }: PageMetadata): FoundDate {
  const midnight = published.iso.endsWith('Z') ? addressDay(address?.href ?? '') : undefined
  if (midnight === undefined) return published
  const beforeMs = midnight - published.at
  const afterMs = published.at - (midnight + DAY)
  if ((beforeMs <= 0 && afterMs < 0) || Math.max(beforeMs, afterMs) >= MAX_ZONE_OFFSET_MS) return published
  let checked = 0
  for (const [time] of html.matchAll(/\d\dT\d\d:\d\d(?::\d\d)?[+-]\d\d:\d\d/g)) {
    if (++checked > MAX_TIMES) break
    const offset = parseTime(time.slice(2), 'behind')?.offsetMinutes ?? 0
    const isThatDay = published.at + offset * MINUTE >= midnight && published.at + offset * MINUTE < midnight + DAY
    if (offset !== 0 && isThatDay) return { ...published, iso: toIsoWithOffset(published.at, offset) }
  }
  return published
}
