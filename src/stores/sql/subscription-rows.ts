/** Converts rows of subscriptions to the model. */
import type { FeedId, Instant, SubscriptionWithUnread } from '../../model/index.ts'
import { type FeedReads, readWeight } from '../../ports/index.ts'

export interface SubscriptionRow {
  feed_id: FeedId
  title: string | null
  folder: string | null
  added_at: Instant
  unread: number
}

export const SUBSCRIPTION_COLUMNS = 'feed_id, title, folder, added_at, unread'

export function subscriptionOf({
  feed_id: feedId,
  title,
  folder,
  added_at: addedAt,
  unread,
}: SubscriptionRow): SubscriptionWithUnread {
  return { feedId, ...(title !== null && { title }), ...(folder !== null && { folder }), addedAt, unread }
}

export interface ReadRateRow {
  feed_id: FeedId
  reads: number
  read_at: Instant
}

/** Sums the decayed reads of each feed, in the order of rows. */
export function readsOfFeeds(rows: readonly ReadRateRow[], now: Instant): Iterable<FeedReads> {
  const feeds = new Map<FeedId, FeedReads>()
  for (const { feed_id: feedId, reads, read_at: readAt } of rows) {
    const sum = feeds.get(feedId) ?? { feedId, readers: 0, reads: 0 }
    feeds.set(feedId, { feedId, readers: sum.readers + 1, reads: sum.reads + reads * readWeight(now - readAt) })
  }
  return feeds.values()
}
