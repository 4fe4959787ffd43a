/** Everything known about one feed: its schedule with an explanation, its hub, its last polls and its newest entries. */
import type { FeedDetailsShape, FeedShape } from '../api/index.ts'
import type { ScheduledFeed } from '../model/index.ts'
import type { Catalogue, Clock, PollMarket } from '../ports/index.ts'
import type { Limits } from '../scheduling/index.ts'
import { boilerplateFilters, titleBoilerplate } from './boilerplate.ts'
import type { Catalogues } from './entry-texts.ts'
import { explainSchedule } from './explain-schedule.ts'
import { entryShape } from './shapes/entry.ts'
import { feedWithHubShape } from './shapes/feed.ts'
import { fetchSettingsShape } from './shapes/fetch-settings.ts'
import { pollShape } from './shapes/poll.ts'

/** `limit` applies to polls and to entries. `mayChange`: whether the caller may change its settings for fetching. */
export async function feedDetails(
  scheduled: ScheduledFeed,
  stores: Catalogues & { pollMarket: PollMarket; clock: Clock; limits: Limits },
  limit: number,
  mayChange = false,
): Promise<FeedDetailsShape> {
  const { catalogue, clock } = stores
  const { id: feedId, title } = scheduled.feed
  const [[push], polls, entries, why, [count]] = await Promise.all([
    catalogue.hubSubscriptionsOf([feedId]),
    catalogue.polls({ feedId, limit: limit }),
    catalogue.entries({ feedId, limit: limit }),
    explainSchedule(scheduled, stores),
    catalogue.entryCounts([feedId]),
  ])
  const filter = (await boilerplateFilters(entries, stores)).get(feedId)
  const titleLabels = titleBoilerplate(entries, filter)
  return {
    feed: {
      ...feedWithHubShape(scheduled, push, clock.now(), { why, entries: count }),
      ...(titleLabels.length > 0 && { titleLabels }),
    },
    ...(mayChange && { fetching: fetchSettingsShape(scheduled.feed.fetching ?? {}) }),
    polls: polls.map(pollShape),
    entries: entries.map((entry) => entryShape(entry, { feedTitle: title, boilerplate: filter })),
  }
}

/** For lists: feeds with their hub subscription and number of entries. */
export async function feedsWithHubs(
  feeds: ScheduledFeed[],
  { catalogue, clock }: { catalogue: Catalogue; clock: Clock },
): Promise<FeedShape[]> {
  const ids = feeds.map(({ feed }) => feed.id)
  const [pushes, counts] = await Promise.all([catalogue.hubSubscriptionsOf(ids), catalogue.entryCounts(ids)])
  return feeds.map((scheduled, i) => feedWithHubShape(scheduled, pushes[i], clock.now(), { entries: counts[i] }))
}
