/** A user's subscriptions as JSON. */
import type { FollowedFeedShape, PendingSubscriptionShape } from '../api/index.ts'
import type { FollowedFeedWithReaders, PendingSubscription } from '../model/index.ts'
import type { Roles } from '../ports/index.ts'
import { isoDate, omitUndefined } from './shapes/values.ts'

export function followedFeedShape(feed: FollowedFeedWithReaders): FollowedFeedShape {
  const { feedId, shownTitle, title, folder, unread, addedAt, url, siteUrl, language, state, failure, readers } = feed
  return {
    feedId,
    title: shownTitle,
    ...(title !== undefined && { ownTitle: title }),
    ...(folder !== undefined && { folder }),
    unread,
    addedAt: isoDate(addedAt),
    url,
    ...(siteUrl && { siteUrl }),
    ...(language !== undefined && { language }),
    state,
    ...(failure && { failing: true as const }),
    readers,
  }
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
