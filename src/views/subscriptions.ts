/** A user's subscriptions as JSON, with details of the feeds. */
import type { FollowedFeedDetailsShape, FollowedFeedShape, PendingSubscriptionShape } from '../api/index.ts'
import type { Feed, FollowedFeedWithReaders, Instant, PendingSubscription, ScheduledFeed } from '../model/index.ts'
import type { NewestEntryDates, Roles } from '../ports/index.ts'
import { HABIT_DATES, publishingHabit, RATE_WINDOW } from './publishing-habit.ts'
import { troubleShape } from './shapes/trouble.ts'
import { isoDate, isoOrUndefined, omitUndefined } from './shapes/values.ts'

/** What is needed for details: the time, and whether the user may change settings that the followers of a feed share. */
interface DetailsRequest {
  now: Instant
  mayChange: (feed: Feed, readers: number) => boolean
}

export function followedFeedShape(
  feed: FollowedFeedWithReaders,
  details?: FollowedFeedDetailsShape,
): FollowedFeedShape {
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
    ...(details && { details }),
  }
}

/** In the order of `followed`; undefined for feeds that were removed meanwhile. */
export async function subscriptionDetails(
  followed: readonly FollowedFeedWithReaders[],
  { catalogue }: Pick<Roles, 'catalogue'>,
  request: DetailsRequest,
): Promise<(FollowedFeedDetailsShape | undefined)[]> {
  const ids = followed.map(({ feedId }) => feedId)
  const [feeds, newest] = await Promise.all([
    catalogue.feedsById(ids),
    catalogue.newestEntryDates(ids, { limit: HABIT_DATES, since: request.now - RATE_WINDOW }),
  ])
  return followed.map(({ readers }, i) => feeds[i] && detailsShape(feeds[i], newest[i], readers, request))
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
