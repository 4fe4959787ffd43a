/** The JSON shape of a feed, with its schedule and hub subscription. */
import type { FeedShape, PushShape } from '../../api/index.ts'
import { type HubSubscription, hubSubscriptionStatus, type Instant, type ScheduledFeed } from '../../model/index.ts'
import type { DueExplanation } from '../../scheduling/index.ts'
import { troubleShape } from './trouble.ts'
import { isoDate, isoOrUndefined, omitUndefined } from './values.ts'

/** `entries` is the number of stored entries. */
export function feedShape({ feed, schedule }: ScheduledFeed, why?: DueExplanation, entries?: number): FeedShape {
  const { id, url, title, description, siteUrl, language, format, folder, titlePrefix, name, foundBy } = feed
  const category = feed.ownCategory ?? feed.category
  const { articles, state, subscribers, wants } = feed
  const hasLogin = feed.credentials ? (true as const) : undefined
  return {
    id,
    url,
    title,
    ...omitUndefined({ name, builtAt: isoOrUndefined(feed.builtAt), foundBy, entries }),
    ...omitUndefined({
      description,
      siteUrl,
      language,
      category,
      format,
      folder,
      titlePrefix,
      articles,
      wants,
      hasLogin,
    }),
    state,
    subscribers,
    addedAt: isoDate(feed.addedAt),
    ...omitUndefined({ gapAt: isoOrUndefined(feed.gapAt), successorUrl: feed.successorUrl }),
    schedule: {
      strategy: schedule.strategy,
      ...omitUndefined({
        dueAt: state === 'active' ? isoOrUndefined(schedule.dueAt) : undefined,
        polledAt: isoOrUndefined(schedule.polledAt),
        succeededAt: isoOrUndefined(schedule.succeededAt),
      }),
      failures: schedule.failures,
      ...omitUndefined({ why }),
    },
    ...omitUndefined({ trouble: troubleShape(schedule.trouble) }),
  }
}

export function feedWithHubShape(
  scheduled: ScheduledFeed,
  push: HubSubscription | undefined,
  now: Instant,
  { why, entries }: { why?: DueExplanation | undefined; entries?: number | undefined } = {},
): FeedShape {
  return { ...feedShape(scheduled, why, entries), ...(push && { push: pushShape(push, now) }) }
}

/** Without the secret and the callback address: both would allow to impersonate the hub. */
function pushShape(push: HubSubscription, now: Instant): PushShape {
  const { hub, pushes, pushedAt, leaseUntil, missedAt, trouble } = push
  return {
    hub,
    state: hubSubscriptionStatus(push, now),
    pushes,
    ...omitUndefined({
      pushedAt: isoOrUndefined(pushedAt),
      leaseUntil: isoOrUndefined(leaseUntil),
      missedAt: isoOrUndefined(missedAt),
      trouble: troubleShape(trouble),
    }),
  }
}
