/** Restricts feeds, sources and polls to those that one caller can see. */
import type { FeedId, Poll, ScheduledFeed, Source } from '../model/index.ts'
import type { Catalogue, FeedQuery } from '../ports/index.ts'
import type { FeedVisibility, VisibleParts } from './feed-visibility.ts'
import { followedFeedIds } from './followed-feeds.ts'
import type { Personalizer } from './personalize.ts'

type FeedMethods =
  | 'feedsById'
  | 'feedAt'
  | 'feeds'
  | 'feedIds'
  | 'everyFeed'
  | 'entryCounts'
  | 'newestEntryDates'
  | 'sourcesById'
  | 'sourceAt'
  | 'sources'
  | 'polls'
  | 'everyPoll'
  | 'hubSubscriptionsOf'
  | 'everyHubSubscription'
  | 'restingHosts'
  | 'counts'

const PAGE = 500
/** Feeds whose polls are merged into one list; callers who see more feeds have to choose one. */
const MAX_MERGED_FEEDS = 1000

export function visibleFeeds(
  { catalogue, readerState }: VisibleParts,
  visibility: FeedVisibility,
  personalizer: Personalizer,
): Pick<Catalogue, FeedMethods> {
  const { scope } = visibility
  const { userId, reach } = scope

  async function onlyVisible(feeds: (ScheduledFeed | undefined)[]): Promise<(ScheduledFeed | undefined)[]> {
    const visible = await visibility.filterVisible(feeds.map((scheduled) => scheduled?.feed.id))
    return personalizer.personalizeFeeds(
      feeds.map((scheduled) => (scheduled && visible.has(scheduled.feed.id) ? scheduled : undefined)),
    )
  }

  async function isSourceVisible({ id, listed, feedId }: Source): Promise<boolean> {
    if (listed || (await visibility.isVisible(feedId))) return true
    if (reach === 'public') return false
    const [first] = await readerState.pendingSubscriptions(userId, { after: (id - 1) as Source['id'], limit: 1 })
    return first?.sourceId === id
  }

  const sourcesById: Catalogue['sourcesById'] = async (ids) => {
    const sources = await catalogue.sourcesById(ids)
    const visible = await Promise.all(sources.map(async (source) => source && (await isSourceVisible(source))))
    return personalizer.personalizeSources(sources.map((source, i) => (visible[i] ? source : undefined)))
  }

  async function* everyFeed(): AsyncGenerator<ScheduledFeed> {
    for (let after: FeedQuery['after']; ; ) {
      const page = await catalogue.feeds({ within: scope, order: 'id', limit: PAGE, ...(after && { after }) })
      yield* await personalizer.personalizeFeeds(page)
      const last = page.at(-1)
      if (!last || page.length < PAGE) return
      after = { id: last.feed.id, dueAt: last.schedule.dueAt }
    }
  }

  async function newestPolls(query: Parameters<Catalogue['polls']>[0]): Promise<Poll[]> {
    const feeds: FeedId[] = await readerState.feedsWithin(scope, { limit: MAX_MERGED_FEEDS })
    const { after, limit } = query
    const limitWithSkipped = limit + (after?.skip ?? 0)
    const { skip = 0, at: until = Number.POSITIVE_INFINITY } = after ?? {}
    const polls: Poll[] = []
    for (const feedId of feeds)
      for (const poll of await catalogue.polls({
        ...query,
        feedId,
        limit: limitWithSkipped,
        ...(after && { after: { ...after, skip: 0 } }),
      }))
        polls.push(poll)
    polls.sort((a, b) => b.at - a.at || b.feedId - a.feedId)
    let remaining = skip
    return polls.filter(({ at }) => at < until || remaining-- <= 0).slice(0, limit)
  }

  return {
    feedsById: async (ids) => onlyVisible(await catalogue.feedsById(ids)),
    async feedAt(url) {
      const id = await catalogue.feedAt(url)
      return (await visibility.isVisible(id)) ? id : undefined
    },
    feeds: async (query) => personalizer.personalizeFeeds(await catalogue.feeds({ ...query, within: scope })),
    async feedIds(query) {
      if ('folder' in query && reach !== 'public') return followedFeedIds(readerState, userId, query.folder)
      const ids = await catalogue.feedIds(query)
      const visible = await visibility.filterVisible(ids)
      return ids.filter((id) => visible.has(id))
    },
    everyFeed,
    async entryCounts(ids) {
      const visible = await visibility.filterVisible(ids)
      const counts = await catalogue.entryCounts(ids)
      return ids.map((id, i) => (visible.has(id) ? (counts[i] ?? 0) : 0))
    },
    async newestEntryDates(ids, query) {
      const visible = await visibility.filterVisible(ids)
      const found = await catalogue.newestEntryDates(ids, query)
      return ids.map((id, i) => (visible.has(id) && found[i] ? found[i] : { dates: [], recent: 0 }))
    },
    sourcesById,
    async sourceAt(url) {
      const id = await catalogue.sourceAt(url)
      const [source] = id === undefined ? [] : await sourcesById([id])
      return source?.id
    },
    sources: async (query) => personalizer.personalizeSources(await catalogue.sources({ ...query, within: scope })),
    async polls(query) {
      if (query.feedId === undefined) return newestPolls(query)
      return (await visibility.isVisible(query.feedId)) ? catalogue.polls(query) : []
    },
    async *everyPoll(filter) {
      if (filter.feedId !== undefined) {
        if (await visibility.isVisible(filter.feedId)) yield* catalogue.everyPoll(filter)
        return
      }
      for await (const page of visibility.feedPages())
        for (const feedId of page) yield* catalogue.everyPoll({ ...filter, feedId })
    },
    async hubSubscriptionsOf(ids) {
      const visible = await visibility.filterVisible(ids)
      const pushes = await catalogue.hubSubscriptionsOf(ids)
      return ids.map((id, i) => (visible.has(id) ? pushes[i] : undefined))
    },
    async *everyHubSubscription() {
      for await (const push of catalogue.everyHubSubscription()) if (await visibility.isVisible(push.feedId)) yield push
    },
    restingHosts: async () => ({ hosts: [], all: 0 }), // hosts are not attributed to feeds, so they are for admins only
    async counts() {
      let active = 0
      for await (const page of visibility.feedPages()) active += page.length
      return { ...NO_COUNTS, feeds: { ...NO_COUNTS.feeds, active } }
    },
  }
}

/** Totals of the whole crawl are for admins only. */
const NO_COUNTS = {
  feeds: { active: 0, paused: 0, gone: 0 },
  failing: 0,
  unpolled: 0,
  looking: 0,
  entries: 0,
  polls: 0,
  articles: { waiting: 0, read: 0, failed: 0, refused: 0, pages: 0, textBytes: 0, pageBytes: 0 },
  waiting: { index: 0, groups: 0 },
  bytes: 0,
}
