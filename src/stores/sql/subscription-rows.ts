/** Converts rows of subscriptions to the model. */
import type { Failure, FeedId, FollowedFeedWithReaders, Instant, SubscriptionWithUnread } from '../../model/index.ts'
import { type FeedReads, readWeight } from '../../ports/index.ts'
import { optionalAddress, parseJsonColumn, requiredAddress } from './columns.ts'
import type { FeedRow } from './rows.ts'

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

export interface FollowedFeedRow
  extends SubscriptionRow,
    Pick<FeedRow, 'url' | 'description' | 'site_url' | 'language' | 'articles' | 'etag' | 'last_modified'>,
    Pick<FeedRow, 'state' | 'due_at' | 'polled_at' | 'succeeded_at' | 'failures' | 'trouble'> {
  feed_title: string
  feed_added_at: Instant
  readers: number
}

/** Columns of `subscriptions v`, `feeds f` and `schedules s`. */
export const FOLLOWED_FEED_COLUMNS = `v.feed_id, v.title, v.folder, v.added_at, v.unread, f.title AS feed_title, f.added_at AS feed_added_at,
  f.url, f.description, f.site_url, f.language, f.articles, f.etag, f.last_modified, s.state, s.due_at, s.polled_at, s.succeeded_at, s.failures, s.trouble,
  (SELECT count(*) FROM subscriptions r WHERE r.feed_id = v.feed_id) AS readers`

export function followedFeedOfRow(row: FollowedFeedRow): FollowedFeedWithReaders {
  const url = requiredAddress(row.url)
  const siteUrl = optionalAddress(row.site_url)
  const failure = parseJsonColumn<Failure>(row.trouble)?.kind
  return {
    ...subscriptionOf(row),
    shownTitle: row.title || row.feed_title || url,
    url,
    state: row.state,
    ...(siteUrl && { siteUrl }),
    ...(row.description !== null && { description: row.description }),
    ...(row.language !== null && { language: row.language }),
    ...(row.articles !== null && { articles: row.articles }),
    ...(row.etag !== null && { etag: row.etag }),
    ...(row.last_modified !== null && { lastModified: row.last_modified }),
    feedAddedAt: row.feed_added_at,
    dueAt: row.due_at,
    ...(row.polled_at !== null && { polledAt: row.polled_at }),
    ...(row.succeeded_at !== null && { succeededAt: row.succeeded_at }),
    failures: row.failures,
    ...(failure && { failure }),
    readers: row.readers,
  }
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
