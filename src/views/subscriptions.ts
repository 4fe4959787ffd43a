/** What somebody follows, with what is known of the feeds. */
import type { FollowedFeedShape, PendingSubscriptionShape } from '../api/index.ts'
import type { CountedReading, WaitingReading } from '../model/index.ts'
import type { Roles } from '../ports/index.ts'
import { isoDate, omitUndefined } from './shapes/values.ts'

/** Feeds that went meanwhile are left out. */
export async function subscriptionShapes(
  readings: CountedReading[],
  { catalogue, readership }: Pick<Roles, 'catalogue' | 'readership'>,
): Promise<FollowedFeedShape[]> {
  const ids = readings.map(({ feedId }) => feedId)
  const [feeds, readers] = await Promise.all([
    catalogue.feedsById(ids),
    readership.readersOf(ids.map((feedId) => ({ feedId }))),
  ])
  return readings.flatMap(({ feedId, title, folder, unread, addedAt }, i) => {
    const held = feeds[i]
    if (!held) return []
    const { feed, schedule } = held
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
        ...(schedule.trouble && { troubled: true as const }),
        readers: readers[i] ?? 0,
      },
    ]
  })
}

export async function pendingSubscriptionShapes(
  waiting: WaitingReading[],
  { catalogue }: Pick<Roles, 'catalogue'>,
): Promise<PendingSubscriptionShape[]> {
  const sources = await catalogue.sourcesById(waiting.map(({ sourceId }) => sourceId))
  return waiting.flatMap(({ sourceId, title, folder, addedAt }, i) => {
    const source = sources[i]
    return source ? [{ sourceId, url: source.url, ...omitUndefined({ title, folder }), addedAt: isoDate(addedAt) }] : []
  })
}
