/** What is told of a poll: made of the record as it was written, when all who have a say in it have had it. */
import type { Feed, FeedId } from '../../model/index.ts'
import type { PollRecord } from '../../ports/index.ts'
import type { CrawlEvent } from '../crawler.ts'

/** A record as it is written, and what had to be left out of it. */
export interface FinalRecord {
  record: PollRecord
  /** Entries and pages that are too many for a day. */
  left: number
  pagesLeft: number
  /** The feed that it would have moved to. */
  sameAs?: FeedId
}

export function eventsOf(feed: Feed, { record, left, pagesLeft, sameAs }: FinalRecord): CrawlEvent[] {
  const { url: to, successorUrl } = record.feed ?? {}
  const { id: feedId, url } = feed
  const about = { at: record.poll.at, feedId, title: titleAfter(feed, record) }
  const events = [polled(feed, record)]
  if (left + pagesLeft > 0) events.push({ kind: 'flood', ...about, url, left, pagesLeft })
  if (to) events.push({ kind: 'moved', ...about, from: url, to })
  if (sameAs && successorUrl && successorUrl !== feed.successorUrl)
    events.push({ kind: 'duplicate', ...about, url, to: successorUrl, sameAs })
  if (record.feed?.moving?.held && successorUrl && successorUrl !== feed.successorUrl)
    events.push({ kind: 'move-held', ...about, url, to: successorUrl })
  return events
}

export function polled(feed: Feed, record: PollRecord): CrawlEvent {
  const { at, tookMs, bytes, result } = record.poll
  const { id: feedId, url } = feed
  const title = titleAfter(feed, record)
  return { kind: 'polled', at, feedId, title, url, tookMs, bytes, result, dueAt: record.schedule.dueAt }
}

function titleAfter({ title }: Feed, record: PollRecord): string {
  return record.feed?.title ?? title
}
