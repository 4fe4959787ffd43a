/** Records pushes of hubs: their entries, like those of a poll, but without a poll. */
import type { EntryDraft, Instant, ScheduledFeed } from '../../model/index.ts'
import type { EntriesRecord, FeedRegistry, PollResults } from '../../ports/index.ts'
import type { CrawlEvent } from '../crawler.ts'
import type { ReadDocument } from '../fetcher/read-document.ts'
import { bodyHashOf } from '../fetcher/read-feed.ts'
import type { RetryTransient } from '../retried-steps.ts'
import type { PushContent } from '../websub/hub-subscriptions.ts'
import { type DailyLimit, FORCE_FULL_READ, recordNewsInChunks } from './chunked-writes.ts'
import type { MatchWindows } from './match-known-entries.ts'
import type { Policy } from './policy.ts'
import { newsOfReading } from './poll-record.ts'

export interface PushRecorderParts {
  pollResults: Pick<PollResults, 'recordEntries' | 'knownEntries'>
  feedRegistry: Pick<FeedRegistry, 'changeFeed'>
  matchWindows: MatchWindows
  dailyLimit: DailyLimit
  readDocument: ReadDocument
  currentPolicy: () => Promise<Policy>
  retryTransient: RetryTransient
  emit: (event: CrawlEvent) => void
}

/** The new entries and the number of changed ones; undefined if the push is not a feed. */
export type RecordPush = (
  scheduled: ScheduledFeed,
  content: PushContent,
  at: Instant,
) => Promise<{ fresh: EntryDraft[]; changed: number } | undefined>

export function createPushRecorder({
  pollResults,
  feedRegistry,
  matchWindows,
  dailyLimit,
  readDocument,
  currentPolicy,
  retryTransient,
  emit,
}: PushRecorderParts): RecordPush {
  async function recordPush(scheduled: ScheduledFeed, { headers, body }: PushContent, at: Instant) {
    const { id: feedId, title, url } = scheduled.feed
    const answer = { ok: true as const, status: 200, url, redirects: [], headers, body, wireBytes: body.length }
    const read = await readDocument(answer, at, bodyHashOf(body))
    if (read.kind === 'failed') return undefined
    const policy = await currentPolicy()
    const { news, skippedEntries, skippedArticles } = await retryTransient('prepare records', async () => {
      const [matched] = await matchWindows([{ scheduled, reading: read.reading }])
      const { reading, knownEntries } = matched!
      const { news: all } = await newsOfReading(reading, scheduled, knownEntries, policy, at)
      return dailyLimit.apply({ feedId, at, ...all })
    })
    await recordNewsInChunks({ pollResults, retryTransient }, news).finally(() => dailyLimit.release(news))
    if (skippedEntries > 0)
      await retryTransient('change a feed', () => feedRegistry.changeFeed(feedId, FORCE_FULL_READ))
    if (skippedEntries + skippedArticles > 0)
      emit({ kind: 'flood', at, feedId, title, url, left: skippedEntries, pagesLeft: skippedArticles })
    return { fresh: await storedAt(news), changed: news.changed.length }
  }

  /** The entries that this record stored; a poll may have stored others between retries. */
  async function storedAt({ feedId, at, fresh }: EntriesRecord): Promise<EntryDraft[]> {
    if (fresh.length === 0) return fresh
    const keys = fresh.map(({ key }) => key)
    const [stored] = await retryTransient('read known entries', () => pollResults.knownEntries([{ feedId, keys }]))
    return fresh.filter(({ key }) => {
      const entry = stored?.get(key)
      return entry !== undefined && (entry === 'forgotten' || entry.seenAt === at)
    })
  }

  return recordPush
}
