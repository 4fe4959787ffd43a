/** A user's subscriptions as JSON. */
import type { FollowedFeedShape, PendingSubscriptionShape } from '../api/index.ts'
import type { FollowedFeed, PendingSubscription } from '../model/index.ts'
import type { Roles } from '../ports/index.ts'
import { isoDate, omitUndefined } from './shapes/values.ts'

export async function followedFeedShapes(
  feeds: FollowedFeed[],
  { readerState }: Pick<Roles, 'readerState'>,
): Promise<FollowedFeedShape[]> {
  const readers = await readerState.followerCounts(feeds.map(({ feedId }) => ({ feedId })))
  return feeds.map(({ feedId, shownTitle, title, folder, unread, addedAt, ...feed }, i) => ({
    feedId,
    title: shownTitle,
    ...omitUndefined({ ownTitle: title, folder }),
    unread,
    addedAt: isoDate(addedAt),
    url: feed.url,
    ...omitUndefined({ siteUrl: feed.siteUrl, language: feed.language }),
    state: feed.state,
    ...(feed.failure && { failing: true as const }),
    readers: readers[i] ?? 0,
  }))
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
