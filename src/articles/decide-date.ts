/**
 * When an article was published: by its feed, by its page, and by our first sight of it, of which only the last is sure to
 * be no lie. Dates that cannot be are left out; a date that is off by whole hours was written in one zone and named in
 * another; a day without a time takes its time from the other; what can be read in two ways is read as it can be. What was
 * done is said.
 */
import {
  DAY,
  type DateNote,
  type DateVerdict,
  type Entry,
  HOUR,
  type Instant,
  MINUTE,
  type PageDate,
  SECOND,
} from '../model/index.ts'

type Dated = Pick<Entry, 'publishedAt' | 'dateOnly' | 'dateFault' | 'seenAt'>

interface Sound {
  at: Instant
  dateOnly: boolean
  trust: number
}

/** Nothing on the web is older; what says so is a date that was never set. */
export const WEB_BEGAN: Instant = Date.UTC(1990, 0, 1)

const FEED_TRUST = 0.85 // ours: a machine wrote it, and may have written when it was changed
const DAY_TRUST = 0.6
const SEEN_TRUST = 0.3
const SURE_TRUST = 0.8 // from there on a page's own word goes before the feed's
const CLOCK_SKEW_MS = 5 * MINUTE // clocks differ
const SAME_TIME_MS = HOUR // an article is dated when it was begun, or when it was let go
const WIDEST_ZONE = 14 // hours
const ZONE_SLACK_MS = 90 * SECOND
const FRESH_MS = 2 * HOUR // seen so soon after its date, a date can only be the right one

export function dateVerdict(entry: Dated, page: PageDate | undefined): DateVerdict {
  const { seenAt } = entry
  const notes: DateNote[] = []
  const feed = soundFeed(entry, notes)
  const own = page && soundPage(page, feed, seenAt, notes)
  const { at, ...verdict } = weigh(feed, own, seenAt, notes)
  return { at: Math.min(at, seenAt), ...verdict, ...(notes.length > 0 && { notes }) }
}

function soundFeed({ publishedAt, dateOnly, dateFault }: Dated, notes: DateNote[]): Sound | undefined {
  if (dateFault) notes.push({ of: 'feed', fault: dateFault, done: 'dropped' })
  if (publishedAt === undefined || dateFault) return undefined
  return { at: publishedAt, dateOnly: dateOnly === true, trust: dateOnly ? DAY_TRUST : FEED_TRUST }
}

function soundPage(page: PageDate, feed: Sound | undefined, seenAt: Instant, notes: DateNote[]): Sound | undefined {
  const { dateOnly, trust } = page
  const at = readingOf(page, feed, seenAt, notes)
  if (at < WEB_BEGAN) {
    notes.push({ of: 'page', fault: 'ancient', done: 'dropped' })
    return undefined
  }
  if (at <= seenAt + (dateOnly ? DAY : CLOCK_SKEW_MS)) return { at, dateOnly, trust }
  const offMs = feed && !dateOnly && !feed.dateOnly ? zoneBetween(feed.at, at) : undefined
  if (offMs === undefined) {
    notes.push({ of: 'page', fault: 'future', done: 'dropped' })
    return undefined
  }
  notes.push({ of: 'page', fault: 'zone', done: 'corrected', byMs: -offMs })
  return { at: at - offMs, dateOnly, trust }
}

/** 5/6/2024 with day and month exchanged, where it lies ahead of us as it was read, or where that is the feed's day. */
function readingOf({ at, swappedAt }: PageDate, feed: Sound | undefined, seenAt: Instant, notes: DateNote[]): Instant {
  if (swappedAt === undefined || swappedAt > seenAt + DAY) return at
  const isAhead = at > seenAt + DAY
  const isOfFeed = feed !== undefined && Math.abs(swappedAt - feed.at) <= DAY && Math.abs(at - feed.at) > 2 * DAY
  if (!isAhead && !isOfFeed) return at
  notes.push({ of: 'page', fault: isAhead ? 'future' : 'disagrees', done: 'corrected', byMs: swappedAt - at })
  return swappedAt
}

function weigh(feed: Sound | undefined, page: Sound | undefined, seenAt: Instant, notes: DateNote[]): DateVerdict {
  if (!feed && !page) return { at: seenAt, from: 'seen', trust: SEEN_TRUST }
  if (!page) return alone(feed!, 'feed', notes)
  if (!feed) return alone(page, 'page', notes)
  if (feed.dateOnly !== page.dateOnly) return combineDayAndTime(feed, page, notes)
  const apartMs = Math.abs(feed.at - page.at)
  if (apartMs <= (feed.dateOnly ? 0 : SAME_TIME_MS - ZONE_SLACK_MS)) {
    if (feed.dateOnly) notes.push({ of: 'feed', fault: 'no-time', done: 'flagged' })
    return {
      at: feed.at,
      from: 'feed',
      ...(feed.dateOnly && { dateOnly: true as const }),
      trust: combinedTrust(feed, page),
    }
  }
  const offMs = feed.dateOnly ? undefined : zoneBetween(feed.at, page.at)
  return offMs === undefined ? decideDispute(feed, page, notes) : decideBetweenZones(feed, page, offMs, seenAt, notes)
}

function alone({ at, dateOnly, trust }: Sound, from: 'feed' | 'page', notes: DateNote[]): DateVerdict {
  if (dateOnly) notes.push({ of: from, fault: 'no-time', done: 'flagged' })
  return { at, from, ...(dateOnly && { dateOnly: true as const }), trust }
}

/** A day, and a time: on that day, wherever it began, they agree. */
function combineDayAndTime(feed: Sound, page: Sound, notes: DateNote[]): DateVerdict {
  const [day, time] = feed.dateOnly ? [feed, page] : [page, feed]
  const [of, from] = feed.dateOnly ? (['feed', 'page'] as const) : (['page', 'feed'] as const)
  const isThatDay = time.at >= day.at - WIDEST_ZONE * HOUR && time.at < day.at + DAY + WIDEST_ZONE * HOUR
  if (isThatDay) {
    notes.push({ of, fault: 'no-time', done: 'completed' })
    return { at: time.at, from, trust: combinedTrust(feed, page) }
  }
  return decideDispute(feed, page, notes)
}

/** The one that is right is the one that we saw at once; where both are old news, feeds err less often. */
function decideBetweenZones(feed: Sound, page: Sound, offMs: number, seenAt: Instant, notes: DateNote[]): DateVerdict {
  const later = Math.max(feed.at, page.at)
  const feedIsRight = seenAt - later <= FRESH_MS ? feed.at === later : true
  const [of, byMs] = feedIsRight ? (['page', -offMs] as const) : (['feed', offMs] as const)
  notes.push({ of, fault: 'zone', done: 'corrected', byMs })
  const [at, from] = feedIsRight ? ([feed.at, 'feed'] as const) : ([page.at, 'page'] as const)
  return { at, from, trust: (feed.trust + page.trust) / 2 }
}

/** An old article that its feed shows again has the page's date; a page's later date is that of a change. */
function decideDispute(feed: Sound, page: Sound, notes: DateNote[]): DateVerdict {
  const pageIsRight = page.at < feed.at && page.trust >= SURE_TRUST
  notes.push({ of: pageIsRight ? 'feed' : 'page', fault: 'disagrees', done: 'dropped' })
  const { at, dateOnly, trust } = pageIsRight ? page : feed
  return { at, from: pageIsRight ? 'page' : 'feed', ...(dateOnly && { dateOnly: true as const }), trust: trust * 0.8 }
}

/** How far `b` is from `a`, if that is a whole number of hours, or halves of them, that zones can differ by. */
function zoneBetween(a: Instant, b: Instant): number | undefined {
  const halves = Math.round((b - a) / (HOUR / 2))
  const offMs = halves * (HOUR / 2)
  const isZone = halves !== 0 && Math.abs(halves) <= 2 * WIDEST_ZONE && Math.abs(halves) >= 2
  return isZone && Math.abs(b - a - offMs) <= ZONE_SLACK_MS ? offMs : undefined
}

/** Two who say the same, and did not ask each other. */
function combinedTrust(a: Sound, b: Sound): number {
  return Math.round(100 * (1 - (1 - a.trust) * (1 - b.trust))) / 100
}
