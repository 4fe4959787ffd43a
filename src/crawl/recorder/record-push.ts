/** Records what a hub brought: entries as of a poll, without one. */
import type { EntryDraft, Instant, ScheduledFeed } from '../../model/index.ts'
import type { Ledger, NewsRecord, Subscriptions } from '../../ports/index.ts'
import type { CrawlEvent } from '../crawler.ts'
import type { ReadDocument } from '../fetcher/read-document.ts'
import { bodyHashOf } from '../fetcher/read-feed.ts'
import type { RetryTransient } from '../retried-steps.ts'
import type { Brought } from '../websub/hub-subscriptions.ts'
import { type DayBound, recordNewsInPortions, UNSEEN } from './chunked-writes.ts'
import type { Recognise } from './match-known-entries.ts'
import type { Policy } from './policy.ts'
import { newsOfReading } from './poll-record.ts'

export interface PushRecorderParts {
  ledger: Pick<Ledger, 'recordNews' | 'known'>
  subscriptions: Pick<Subscriptions, 'changeFeed'>
  recognise: Recognise
  day: DayBound
  readDocument: ReadDocument
  policyNow: () => Promise<Policy>
  retryTransient: RetryTransient
  emit: (event: CrawlEvent) => void
}

/** Which entries were new, and how many said something else; undefined if it is no feed. */
export type RecordPush = (
  held: ScheduledFeed,
  brought: Brought,
  at: Instant,
) => Promise<{ fresh: EntryDraft[]; changed: number } | undefined>

export function createPushRecorder({
  ledger,
  subscriptions,
  recognise,
  day,
  readDocument,
  policyNow,
  retryTransient,
  emit,
}: PushRecorderParts): RecordPush {
  async function recordPush(held: ScheduledFeed, { headers, body }: Brought, at: Instant) {
    const { id: feedId, title, url } = held.feed
    const answer = { ok: true as const, status: 200, url, redirects: [], headers, body, wireBytes: body.length }
    const read = await readDocument(answer, at, bodyHashOf(body))
    if (read.kind === 'failed') return undefined
    const policy = await policyNow()
    const { news, left, pagesLeft } = await retryTransient('prepare records', async () => {
      const [recognised] = await recognise([{ held, reading: read.reading }])
      const { reading, known } = recognised!
      const { news: all } = await newsOfReading(reading, held, known, policy, at)
      return day.within({ feedId, at, ...all })
    })
    await recordNewsInPortions({ ledger, retryTransient }, news).finally(() => day.written(news))
    if (left > 0) await retryTransient('change a feed', () => subscriptions.changeFeed(feedId, UNSEEN))
    if (left + pagesLeft > 0) emit({ kind: 'flood', at, feedId, title, url, left, pagesLeft })
    return { fresh: await storedAt(news), changed: news.changed.length }
  }

  /** Those that were stored by this record: a poll may have brought the others while the store refused it. */
  async function storedAt({ feedId, at, fresh }: NewsRecord): Promise<EntryDraft[]> {
    if (fresh.length === 0) return fresh
    const keys = fresh.map(({ key }) => key)
    const [stored] = await retryTransient('read known entries', () => ledger.known([{ feedId, keys }]))
    return fresh.filter(({ key }) => {
      const entry = stored?.get(key)
      return entry !== undefined && (entry === 'forgotten' || entry.seenAt === at)
    })
  }

  return recordPush
}
