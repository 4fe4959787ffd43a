/** Polls and what they bring on their way into a store with tables: what becomes of a record, and the columns of entries. */
import {
  type EntryDraft,
  extrasOf,
  type FeedState,
  type Instant,
  type LeaseToken,
  textHash,
} from '../../model/index.ts'
import type { PollRecordDraft, Recorded } from '../../ports/index.ts'
import { keyColumn } from './rows.ts'

/** What a store has of a feed when a poll of it is to be recorded. */
export interface BeforePoll {
  state: FeedState
  polled_at: Instant | null
  troubled: 0 | 1 | boolean
  revision: number
  /** Of its lease, if somebody has it. */
  token: LeaseToken | null
  /** The place of its newest line in the log. */
  last_poll: number | null
  /** The open run of unchanged polls, see poll-rows.ts. */
  run: Uint8Array | null
}

/** See `Ledger.recordPolls`. */
export function whatBecomes({ lease, revision, poll }: PollRecordDraft, before: BeforePoll | undefined): Recorded {
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
export function wordColumns(draft: EntryDraft): (string | number | null)[] {
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
