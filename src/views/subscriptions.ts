/** A user's subscriptions, with details of the feeds. */
import type { FollowedFeedDetailsShape, FollowedFeedShape, PendingSubscriptionShape } from '../api/index.ts'
import type { Feed, Instant, PendingSubscription, ScheduledFeed, SubscriptionWithUnread } from '../model/index.ts'
import type { NewestEntryDates, Roles } from '../ports/index.ts'
import { HABIT_DATES, publishingHabit, RATE_WINDOW } from './publishing-habit.ts'
import { troubleShape } from './shapes/trouble.ts'
import { isoDate, isoOrUndefined, omitUndefined } from './shapes/values.ts'

/** What is needed for details: the time, and whether the user may change settings that the followers of a feed share. */
interface DetailsRequest {
  now: Instant
  mayChange: (feed: Feed, readers: number) => boolean
}

/** Feeds that were removed meanwhile are left out. */
export async function subscriptionShapes(
  subscriptions: SubscriptionWithUnread[],
  { catalogue, readerState }: Pick<Roles, 'catalogue' | 'readerState'>,
  details?: DetailsRequest,
): Promise<FollowedFeedShape[]> {
  const ids = subscriptions.map(({ feedId }) => feedId)
  const [feeds, readerCounts, newest] = await Promise.all([
    catalogue.feedsById(ids),
    readerState.followerCounts(ids.map((feedId) => ({ feedId }))),
    details ? catalogue.newestEntryDates(ids, { limit: HABIT_DATES, since: details.now - RATE_WINDOW }) : [],
  ])
  return subscriptions.flatMap(({ feedId, title, folder, unread, addedAt }, i) => {
    const scheduled = feeds[i]
    if (!scheduled) return []
    const { feed, schedule } = scheduled
    const readers = readerCounts[i] ?? 0
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
        readers,
        ...(details && { details: detailsShape(scheduled, newest[i], readers, details) }),
      },
    ]
  })
}

function detailsShape(
  { feed, schedule }: ScheduledFeed,
  newest: NewestEntryDates | undefined,
  readers: number,
  { now, mayChange }: DetailsRequest,
): FollowedFeedDetailsShape {
  const { lastEntryAt, perWeek, usualGapMs, isSilent } = publishingHabit(
    newest ?? { dates: [], recent: 0 },
    feed.addedAt,
    now,
  )
  return {
    ...omitUndefined({ lastEntryAt: isoOrUndefined(lastEntryAt), usualGapMs }),
    perWeek,
    ...(isSilent && { silent: true as const }),
    strategy: schedule.strategy,
    ...omitUndefined({
      dueAt: feed.state === 'active' ? isoOrUndefined(schedule.dueAt) : undefined,
      polledAt: isoOrUndefined(schedule.polledAt),
      succeededAt: isoOrUndefined(schedule.succeededAt),
    }),
    failures: schedule.failures,
    ...omitUndefined({ trouble: troubleShape(schedule.trouble), successorUrl: feed.successorUrl }),
    editable: mayChange(feed, readers),
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
