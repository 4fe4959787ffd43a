/** Feeds that people follow, as rows of a database. */
import type { CountedReading, FeedId, Instant } from '../../model/index.ts'
import { type FeedReads, readingWeight } from '../../ports/index.ts'

export interface ReadingRow {
  feed_id: FeedId
  title: string | null
  folder: string | null
  added_at: Instant
  unread: number
}

export const READING_COLUMNS = 'feed_id, title, folder, added_at, unread'

export function readingOfRow({
  feed_id: feedId,
  title,
  folder,
  added_at: addedAt,
  unread,
}: ReadingRow): CountedReading {
  return { feedId, ...(title !== null && { title }), ...(folder !== null && { folder }), addedAt, unread }
}

export interface ReadsRow {
  feed_id: FeedId
  reads: number
  read_at: Instant
}

/** Of each feed among them, in their order. */
export function readsOfFeeds(rows: readonly ReadsRow[], now: Instant): Iterable<FeedReads> {
  const feeds = new Map<FeedId, FeedReads>()
  for (const { feed_id: feedId, reads, read_at: readAt } of rows) {
    const sum = feeds.get(feedId) ?? { feedId, readers: 0, reads: 0 }
    feeds.set(feedId, { feedId, readers: sum.readers + 1, reads: sum.reads + reads * readingWeight(now - readAt) })
  }
  return feeds.values()
}
