/**
 * When digests are due: daily or weekly, at an hour in a time zone. The name of a period is the day on which it ends there, so each day
 * has one digest, also when clocks change: an hour that does not exist is the next one, and of an hour that comes twice, the first counts.
 */
import { DAY, HOUR, type Instant } from '../../model/index.ts'

export interface DigestSchedule {
  every: 'day' | 'week'
  /** Of a weekly digest; 0 is Sunday. */
  weekday: number
  /** 0 to 23. */
  hour: number
  /** IANA name. */
  timeZone: string
}

export interface DigestPeriod {
  /** Such as 2026-03-14. */
  key: string
  from: Instant
  dueAt: Instant
}

/** The last period that has ended at `now`. */
export function lastPeriod(schedule: DigestSchedule, now: Instant): DigestPeriod {
  const days = schedule.every === 'day' ? 1 : 7
  const ends = endsBefore(schedule, now)
  const [ended, before] = [ends.next().value!, ends.next().value!]
  return { ...ended, from: Math.max(before.dueAt, ended.dueAt - days * DAY - 2 * HOUR) }
}

export function nextDueAt(schedule: DigestSchedule, now: Instant): Instant {
  const later = [...endsBefore(schedule, now + (schedule.every === 'day' ? 3 : 9) * DAY)]
  return later.findLast(({ dueAt }) => dueAt > now)!.dueAt
}

interface End {
  key: string
  dueAt: Instant
}

/** The latest first, over two periods and a few days. */
function* endsBefore({ every, weekday, hour, timeZone }: DigestSchedule, now: Instant): Generator<End, undefined> {
  const today = localTime(now, timeZone)
  const midnight = Date.UTC(today.year, today.month, today.day)
  for (let daysAgo = -1; daysAgo <= 16; daysAgo++) {
    const day = midnight - daysAgo * DAY // as if it was in UTC
    if (every === 'week' && new Date(day).getUTCDay() !== weekday) continue
    const dueAt = instantAt(day, hour, timeZone)
    if (dueAt <= now) yield { key: new Date(day).toISOString().slice(0, 10), dueAt }
  }
  return undefined
}

/** The first instant at which the clock of a zone shows this hour of a day, or the end of the gap that contains it. */
function instantAt(day: number, hour: number, timeZone: string): Instant {
  const wanted = day + hour * HOUR
  const [early, late] = [-1, 1]
    .map((days) => wanted - offsetAt(wanted + days * DAY, timeZone)) // with the offset before and after a change
    .sort((a, b) => a - b) as [Instant, Instant]
  return [early, late].find((at) => shownTime(at, timeZone) === wanted) ?? late
}

/** How far the clock is ahead of UTC. */
function offsetAt(at: Instant, timeZone: string): number {
  return shownTime(at, timeZone) - at
}

function shownTime(at: Instant, timeZone: string): number {
  const { year, month, day, hour, minute } = localTime(at, timeZone)
  return Date.UTC(year, month, day, hour, minute)
}

const formats = new Map<string, Intl.DateTimeFormat>()
const MAX_FORMATS = 100

function localTime(at: Instant, timeZone: string) {
  if (formats.size > MAX_FORMATS) formats.clear()
  const format =
    formats.get(timeZone) ??
    new Intl.DateTimeFormat('en-US', {
      timeZone,
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
    })
  formats.set(timeZone, format)
  const parts = Object.fromEntries(format.formatToParts(at).map(({ type, value }) => [type, Number(value)]))
  return { year: parts.year!, month: parts.month! - 1, day: parts.day!, hour: parts.hour!, minute: parts.minute! }
}
