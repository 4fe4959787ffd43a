/**
 * What is done for a feed before it is polled as usual. An errand stands in the store with its feed, which is due at once
 * for it and at `resumeAt` as usual again: so errands wait their turn like polls do, and survive a crash.
 *
 * - backfill: nothing in the window was known, so entries may have been missed. Where the feed has older documents (RFC 5005),
 *   they are read one by one until something known comes, or there have been enough.
 * - seek: the feed is gone for days. Its site is asked, once a day, for the feed it has now. If half of what we know
 *   reappears there, the feed moves; else a person is told.
 */
import { DAY, type Errand, type Failure, type Outcome, type ScheduledFeed, type WebAddress } from '../../model/index.ts'
import { rootOf } from '../../politeness/index.ts'
import type { NewFeed, PollRecordDraft } from '../../ports/index.ts'
import { newsInWindow } from './new-entries.ts'
import type { Policy } from './policy.ts'
import type { Attempt } from './poll-attempt.ts'
import type { KnownWindow } from './window.ts'

const MOST_OLDER = 5 // ours: some archives have thousands
const GONE_FOR_MS = 3 * DAY // ours: sites are moved at weekends
const SEEK_EVERY_MS = DAY

type Backfill = Extract<Errand, { kind: 'backfill' }>

export function withBackfill(record: PollRecordDraft, feed: NewFeed['feed'], nextUrl: WebAddress): PollRecordDraft {
  if (rootOf(nextUrl) !== feed.root) return record
  const errand: Errand = { kind: 'backfill', url: nextUrl, left: MOST_OLDER - 1, resumeAt: record.schedule.dueAt }
  return { ...record, feed: { ...record.feed, errand }, schedule: { ...record.schedule, dueAt: record.poll.at } }
}

/** The record of an older document. What the strategy knows, and whether the feed is well, is not its business. */
export async function olderRecord(
  { at, tookMs, bytes, result }: Outcome,
  { feed, schedule }: ScheduledFeed,
  known: KnownWindow,
  { left, resumeAt }: Backfill,
  policy: Policy,
): Promise<PollRecordDraft> {
  const asked = { conditional: false, unconditionalFor: 'no-validators', occasion: 'older' } as const
  const attempt: Attempt = { at, tookMs, bytes, ...asked }
  const over = { ...schedule, polledAt: at, dueAt: Math.max(at, resumeAt) }
  if (result.kind !== 'window') {
    const failure: Failure = result.kind === 'failed' ? result.failure : { kind: 'not-a-feed' }
    const poll = { ...attempt, result: { kind: 'failed', failure } as const }
    return { poll, schedule: over, feed: { errand: null }, fresh: [], changed: [] }
  }
  const { entries, nextUrl } = result.reading
  const { news, gap } = await newsInWindow({ entries, kind: 'older', at }, feed, known, policy)
  const fresh = news.fresh.length
  const goesOn = gap && fresh > 0 && left > 0 && nextUrl !== undefined && rootOf(nextUrl) === feed.root
  return {
    poll: { ...attempt, result: { kind: 'read', fresh, changed: 0, window: entries.length, gap } },
    schedule: goesOn ? { ...over, dueAt: at } : over,
    feed: { errand: goesOn ? { kind: 'backfill', url: nextUrl, left: left - 1, resumeAt } : null },
    ...news,
  }
}

/** Has the site asked for another feed, if this one is gone for days and nobody asked today. */
export function withSeek(record: PollRecordDraft, feed: NewFeed['feed']): PollRecordDraft {
  const { poll, schedule } = record
  const { at } = poll
  const goneFor = at - (schedule.succeededAt ?? feed.addedAt)
  const soughtToday = feed.soughtAt !== undefined && at - feed.soughtAt < SEEK_EVERY_MS
  if (!feed.siteUrl || !isGone(schedule.trouble) || goneFor < GONE_FOR_MS || soughtToday) return record
  const errand: Errand = { kind: 'seek', url: feed.siteUrl, resumeAt: schedule.dueAt }
  const asked = schedule.trouble?.kind === 'http' ? (schedule.trouble.retryAfterMs ?? 0) : 0
  return { ...record, feed: { ...record.feed, errand, soughtAt: at }, schedule: { ...schedule, dueAt: at + asked } }
}

function isGone(trouble: Failure | undefined): boolean {
  return trouble?.kind === 'not-a-feed' || (trouble?.kind === 'http' && [404, 410].includes(trouble.status))
}
