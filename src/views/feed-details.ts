/** All that is known of one feed: its schedule and why it is as it is, its hub, its last polls and its newest entries. */
import type { FeedDetailsShape, FeedShape } from '../api/index.ts'
import type { ScheduledFeed } from '../model/index.ts'
import type { Catalogue, Clock, MarketBook } from '../ports/index.ts'
import type { Limits } from '../scheduling/index.ts'
import { boilerplateFilters, titleBoilerplate } from './boilerplate.ts'
import { explainSchedule } from './explain-schedule.ts'
import type { Catalogues } from './find-entries.ts'
import { entryShape } from './shapes/entry.ts'
import { feedWithHubShape } from './shapes/feed.ts'
import { pollShape } from './shapes/poll.ts'

/** `most`: polls and entries. */
export async function feedDetails(
  scheduled: ScheduledFeed,
  from: Catalogues & { marketBook: MarketBook; clock: Clock; limits: Limits },
  most: number,
): Promise<FeedDetailsShape> {
  const { catalogue, clock } = from
  const { id: feedId, title } = scheduled.feed
  const [[push], polls, entries, why, [count]] = await Promise.all([
    catalogue.pushesOf([feedId]),
    catalogue.polls({ feedId, limit: most }),
    catalogue.entries({ feedId, limit: most }),
    explainSchedule(scheduled, from),
    catalogue.entryCounts([feedId]),
  ])
  const own = (await boilerplateFilters(entries, from)).get(feedId)
  const titleLabels = titleBoilerplate(entries, own)
  return {
    feed: {
      ...feedWithHubShape(scheduled, push, clock.now(), { why, entries: count }),
      ...(titleLabels.length > 0 && { titleLabels }),
    },
    polls: polls.map(pollShape),
    entries: entries.map((entry) => entryShape(entry, { feedTitle: title, own })),
  }
}

/** For lists: each with the hub that tells of its news, and how many entries it has. */
export async function feedsWithHubs(
  feeds: ScheduledFeed[],
  { catalogue, clock }: { catalogue: Catalogue; clock: Clock },
): Promise<FeedShape[]> {
  const ids = feeds.map(({ feed }) => feed.id)
  const [pushes, counts] = await Promise.all([catalogue.pushesOf(ids), catalogue.entryCounts(ids)])
  return feeds.map((scheduled, i) => feedWithHubShape(scheduled, pushes[i], clock.now(), { entries: counts[i] }))
}
