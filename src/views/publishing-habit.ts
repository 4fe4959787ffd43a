/** How often a feed publishes, and whether it has been silent for much longer than usual, from its newest entries. */
import { DAY, type Instant, type Millis } from '../model/index.ts'
import type { NewestEntryDates } from '../ports/index.ts'

/** Dates of entries that are needed per feed. */
export const HABIT_DATES = 30

const WEEK = 7 * DAY
/** Rates are counted over this time. */
export const RATE_WINDOW = 4 * WEEK
/** Fewer intervals are no habit. */
const MIN_INTERVALS = 4
/** Silent: for three times the longest usual interval, and two weeks at least, because holidays are no reason to worry. */
const SILENCE_FACTOR = 3
const MIN_SILENCE = 2 * WEEK

export interface PublishingHabit {
  lastEntryAt?: Instant
  perWeek: number
  /** The longest usual time between two entries; absent if there are too few to tell. */
  usualGapMs?: Millis
  /** It has published nothing for much longer than that. */
  isSilent: boolean
}

/** `newest`: `HABIT_DATES` at most, and the number of entries within `RATE_WINDOW`. `addedAt`: when the feed was first polled. */
export function publishingHabit({ dates, recent }: NewestEntryDates, addedAt: Instant, now: Instant): PublishingHabit {
  const [last] = dates
  if (last === undefined) return { perWeek: 0, isSilent: false }
  // Of a new feed, only the entries of its first document are known from before.
  const knownSince = Math.min(addedAt, dates.at(-1)!)
  const perWeek = (recent * WEEK) / Math.max(DAY, Math.min(RATE_WINDOW, now - knownSince))
  const usualGapMs = longestUsualGap(dates)
  const isSilent = usualGapMs !== undefined && now - last > Math.max(MIN_SILENCE, SILENCE_FACTOR * usualGapMs)
  return { lastEntryAt: last, perWeek, ...(usualGapMs !== undefined && { usualGapMs }), isSilent }
}

/** Nine of ten intervals are shorter, so a single earlier pause does not count as usual. */
function longestUsualGap(dates: readonly Instant[]): Millis | undefined {
  const gaps = dates.slice(1).map((at, i) => dates[i]! - at)
  if (gaps.length < MIN_INTERVALS) return undefined
  return gaps.sort((a, b) => a - b)[Math.floor((gaps.length - 1) * 0.9)]
}
