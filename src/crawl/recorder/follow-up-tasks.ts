/**
 * Follow-up tasks that run before a feed is polled as usual. They are stored with the feed, which is due for them at once and as usual
 * at `resumeAt`. So they are scheduled like polls and survive a crash.
 *
 * - backfill: no entry of the window was known, so entries may have been missed. If the feed has an archive (RFC 5005), its documents are
 *   read one by one until a known entry appears, or the limit is reached.
 * - moved-feed: the feed has been gone for days. Its site is searched for a feed once a day. If half of the known entries reappear there, the feed
 *   moves; otherwise it is reported as a possible successor.
 */
import {
  DAY,
  type Failure,
  type FollowUpTask,
  type Outcome,
  type ScheduledFeed,
  type WebAddress,
} from '../../model/index.ts'
import { rootOf } from '../../politeness/index.ts'
import type { NewFeed, PollRecordDraft } from '../../ports/index.ts'
import { newsInWindow } from './new-entries.ts'
import type { Policy } from './policy.ts'
import type { PollAttempt } from './poll-attempt.ts'
import type { KnownEntries } from './window.ts'

const MAX_OLDER_DOCUMENTS = 5 // chosen: some archives have thousands
const GONE_FOR_MS = 3 * DAY // chosen: sites are moved at weekends
const SEARCH_EVERY_MS = DAY

type Backfill = Extract<FollowUpTask, { kind: 'backfill' }>

export function withBackfill(record: PollRecordDraft, feed: NewFeed['feed'], nextUrl: WebAddress): PollRecordDraft {
  if (rootOf(nextUrl) !== feed.root) return record
  const followUp: FollowUpTask = {
    kind: 'backfill',
    url: nextUrl,
    left: MAX_OLDER_DOCUMENTS - 1,
    resumeAt: record.schedule.dueAt,
  }
  return { ...record, feed: { ...record.feed, followUp }, schedule: { ...record.schedule, dueAt: record.poll.at } }
}

/** The record of an archive document. It affects neither the strategy nor the failures of the feed. */
export async function olderRecord(
  { at, tookMs, bytes, result }: Outcome,
  { feed, schedule }: ScheduledFeed,
  knownEntries: KnownEntries,
  { left, resumeAt }: Backfill,
  policy: Policy,
): Promise<PollRecordDraft> {
  const request = { conditional: false, unconditionalFor: 'no-validators', occasion: 'older' } as const
  const attempt: PollAttempt = { at, tookMs, bytes, ...request }
  const resumed = { ...schedule, polledAt: at, dueAt: Math.max(at, resumeAt) }
  if (result.kind !== 'window') {
    const failure: Failure = result.kind === 'failed' ? result.failure : { kind: 'not-a-feed' }
    const poll = { ...attempt, result: { kind: 'failed', failure } as const }
    return { poll, schedule: resumed, feed: { followUp: null }, fresh: [], changed: [] }
  }
  const { entries, nextUrl } = result.reading
  const { news, gap } = await newsInWindow({ entries, kind: 'older', at }, feed, knownEntries, policy)
  const fresh = news.fresh.length
  const hasNext = gap && fresh > 0 && left > 0 && nextUrl !== undefined && rootOf(nextUrl) === feed.root
  return {
    poll: { ...attempt, result: { kind: 'read', fresh, changed: 0, window: entries.length, gap } },
    schedule: hasNext ? { ...resumed, dueAt: at } : resumed,
    feed: { followUp: hasNext ? { kind: 'backfill', url: nextUrl, left: left - 1, resumeAt } : null },
    ...news,
  }
}

/** Schedules a search for a moved feed, if it has been gone for days and was not searched today. */
export function withMovedFeedSearch(record: PollRecordDraft, feed: NewFeed['feed']): PollRecordDraft {
  const { poll, schedule } = record
  const { at } = poll
  const goneFor = at - (schedule.succeededAt ?? feed.addedAt)
  const wasSearchedToday = feed.siteSearchedAt !== undefined && at - feed.siteSearchedAt < SEARCH_EVERY_MS
  if (!feed.siteUrl || !isGone(schedule.trouble) || goneFor < GONE_FOR_MS || wasSearchedToday) return record
  const followUp: FollowUpTask = { kind: 'moved-feed', url: feed.siteUrl, resumeAt: schedule.dueAt }
  const retryAfterMs = schedule.trouble?.kind === 'http' ? (schedule.trouble.retryAfterMs ?? 0) : 0
  return {
    ...record,
    feed: { ...record.feed, followUp, siteSearchedAt: at },
    schedule: { ...schedule, dueAt: at + retryAfterMs },
  }
}

function isGone(trouble: Failure | undefined): boolean {
  return trouble?.kind === 'not-a-feed' || (trouble?.kind === 'http' && [404, 410].includes(trouble.status))
}
