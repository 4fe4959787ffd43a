/** The events of a poll, from the record as it was written. */
import type { Feed, FeedId } from '../../model/index.ts'
import type { PollRecord } from '../../ports/index.ts'
import type { CrawlEvent } from '../crawler.ts'

/** A record as it is written, and what was left out of it. */
export interface FinalRecord {
  record: PollRecord
  /** Entries and articles over the daily limits. */
  skippedEntries: number
  skippedArticles: number
  /** The feed that already has the address to which this feed would move. */
  sameAs?: FeedId
}

export function eventsOf(feed: Feed, { record, skippedEntries, skippedArticles, sameAs }: FinalRecord): CrawlEvent[] {
  const { url: to, successorUrl } = record.feed ?? {}
  const { id: feedId, url } = feed
  const about = { at: record.poll.at, feedId, title: titleAfter(feed, record) }
  const events = [polledEvent(feed, record)]
  if (skippedEntries + skippedArticles > 0)
    events.push({ kind: 'flood', ...about, url, left: skippedEntries, pagesLeft: skippedArticles })
  if (to) events.push({ kind: 'moved', ...about, from: url, to })
  if (sameAs && successorUrl && successorUrl !== feed.successorUrl)
    events.push({ kind: 'duplicate', ...about, url, to: successorUrl, sameAs })
  if (record.feed?.moving?.held && successorUrl && successorUrl !== feed.successorUrl)
    events.push({ kind: 'move-on-hold', ...about, url, to: successorUrl })
  return events
}

export function polledEvent(feed: Feed, record: PollRecord): CrawlEvent {
  const { at, tookMs, bytes, result } = record.poll
  const { id: feedId, url } = feed
  const title = titleAfter(feed, record)
  return { kind: 'polled', at, feedId, title, url, tookMs, bytes, result, dueAt: record.schedule.dueAt }
}

function titleAfter({ title }: Feed, record: PollRecord): string {
  return record.feed?.title ?? title
}
