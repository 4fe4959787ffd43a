/** A user's subscriptions, with details of the feeds. */
import type { FollowedFeedShape, PendingSubscriptionShape } from '../api/index.ts'
import type { PendingSubscription, SubscriptionWithUnread } from '../model/index.ts'
import type { Roles } from '../ports/index.ts'
import { isoDate, omitUndefined } from './shapes/values.ts'

/** Feeds that were removed meanwhile are left out. */
export async function subscriptionShapes(
  subscriptions: SubscriptionWithUnread[],
  { catalogue, readerState }: Pick<Roles, 'catalogue' | 'readerState'>,
): Promise<FollowedFeedShape[]> {
  const ids = subscriptions.map(({ feedId }) => feedId)
  const [feeds, readers] = await Promise.all([
    catalogue.feedsById(ids),
    readerState.followerCounts(ids.map((feedId) => ({ feedId }))),
  ])
  return subscriptions.flatMap(({ feedId, title, folder, unread, addedAt }, i) => {
    const scheduled = feeds[i]
    if (!scheduled) return []
    const { feed, schedule } = scheduled
    return [
      {
        feedId,
        title: title || feed.title || feed.url,
        ...omitUndefined({ ownTitle: title, folder }),
        unread,
        addedAt: isoDate(addedAt),
        url: feed.url,
        ...omitUndefined({ siteUrl: feed.siteUrl, language: feed.language }),
        state: feed.state,
        ...(schedule.trouble && { failing: true as const }),
        readers: readers[i] ?? 0,
      },
    ]
  })
}

export async function pendingSubscriptionShapes(
  pending: PendingSubscription[],
  { catalogue }: Pick<Roles, 'catalogue'>,
): Promise<PendingSubscriptionShape[]> {
  const sources = await catalogue.sourcesById(pending.map(({ sourceId }) => sourceId))
  return pending.flatMap(({ sourceId, title, folder, addedAt }, i) => {
    const source = sources[i]
    return source ? [{ sourceId, url: source.url, ...omitUndefined({ title, folder }), addedAt: isoDate(addedAt) }] : []
  })
}
