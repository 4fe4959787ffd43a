/** Column values of new and changed entries, and the outcome of recording a poll. */
import {
  type EntryDraft,
  extrasOf,
  type FeedState,
  type Instant,
  type LeaseToken,
  textHash,
} from '../../model/index.ts'
import type { PollRecordDraft, RecordResult } from '../../ports/index.ts'
import { keyColumn } from './rows.ts'

/** State of a feed before a poll is recorded. */
export interface FeedBeforePoll {
  state: FeedState
  polled_at: Instant | null
  troubled: 0 | 1 | boolean
  revision: number
  /** Token of its lease, if leased. */
  token: LeaseToken | null
  /** Position of its newest line in the poll log. */
  last_poll: number | null
  /** The open run of unchanged polls, see poll-rows.ts. */
  run: Uint8Array | null
}

/** See `PollResults.recordPolls`. */
export function pollRecordOutcome(
  { lease, revision, poll }: PollRecordDraft,
  before: FeedBeforePoll | undefined,
): RecordResult {
  if (!before) return 'void'
  if (lease !== undefined && lease !== before.token) return 'void'
  if (before.polled_at !== null && before.polled_at >= poll.at) return 'void'
  return revision !== undefined && revision !== before.revision ? 'stale' : 'recorded'
}

/** published_at, updated_at, date_only, date_fault, estimated_at, estimated_by, language, category */
export function dateColumns(draft: EntryDraft): (number | string | null)[] {
  const { publishedAt, updatedAt, dateOnly, dateFault, estimate, language, category } = draft
  return [
    publishedAt ?? null,
    updatedAt ?? null,
    dateOnly ? 1 : null,
    dateFault ?? null,
    estimate?.at ?? null,
    estimate?.by ?? null,
    language ?? null,
    category ?? null,
  ]
}

/** key, url, title, author, summary, content, extras, text_hash */
export function textColumns(draft: EntryDraft): (string | number | null)[] {
  const { url = null, title, author = null, summary = null, content = null } = draft
  const extras = extrasOf(draft)
  return [
    keyColumn(draft),
    url,
    title,
    author,
    summary,
    content,
    extras ? JSON.stringify(extras) : null,
    textHash(draft) ?? null,
  ]
}
