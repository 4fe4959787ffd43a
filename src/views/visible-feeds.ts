/** Feeds, sources and polls as one caller sees them. */
import type { FeedId, Poll, ScheduledFeed, Source } from '../model/index.ts'
import type { Catalogue, FeedQuery } from '../ports/index.ts'
import type { FeedVisibility, VisibleParts } from './feed-visibility.ts'
import { followedFeeds } from './followed-feeds.ts'
import type { Personalizer } from './personalize.ts'

type FeedMethods =
  | 'feedsById'
  | 'feedAt'
  | 'feeds'
  | 'feedIds'
  | 'everyFeed'
  | 'entryCounts'
  | 'sourcesById'
  | 'sourceAt'
  | 'sources'
  | 'polls'
  | 'everyPoll'
  | 'pushesOf'
  | 'everyPush'
  | 'restingHosts'
  | 'counts'

const PAGE = 500
/** Feeds whose polls are put in one order; who sees more names one. */
const MOST_MERGED = 1000

export function visibleFeeds(
  { catalogue, readership }: VisibleParts,
  sight: FeedVisibility,
  dressed: Personalizer,
): Pick<Catalogue, FeedMethods> {
  const { scope } = sight
  const { personId, reach } = scope

  async function seenOnly(feeds: (ScheduledFeed | undefined)[]): Promise<(ScheduledFeed | undefined)[]> {
    const seen = await sight.filterVisible(feeds.map((held) => held?.feed.id))
    return dressed.feeds(feeds.map((held) => (held && seen.has(held.feed.id) ? held : undefined)))
  }

  async function seesSource({ id, listed, feedId }: Source): Promise<boolean> {
    if (listed || (await sight.isVisible(feedId))) return true
    if (reach === 'public') return false
    const [first] = await readership.waitingReadings(personId, { after: (id - 1) as Source['id'], limit: 1 })
    return first?.sourceId === id
  }

  const sourcesById: Catalogue['sourcesById'] = async (ids) => {
    const sources = await catalogue.sourcesById(ids)
    const seen = await Promise.all(sources.map(async (source) => source && (await seesSource(source))))
    return dressed.sources(sources.map((source, i) => (seen[i] ? source : undefined)))
  }

  async function* everyFeed(): AsyncGenerator<ScheduledFeed> {
    for (let after: FeedQuery['after']; ; ) {
      const page = await catalogue.feeds({ within: scope, order: 'id', limit: PAGE, ...(after && { after }) })
      yield* await dressed.feeds(page)
      const last = page.at(-1)
      if (!last || page.length < PAGE) return
      after = { id: last.feed.id, dueAt: last.schedule.dueAt }
    }
  }

  async function newestPolls(query: Parameters<Catalogue['polls']>[0]): Promise<Poll[]> {
    const feeds: FeedId[] = await readership.feedsWithin(scope, { limit: MOST_MERGED })
    const { after, limit } = query
    const most = limit + (after?.skip ?? 0)
    const { skip = 0, at: until = Number.POSITIVE_INFINITY } = after ?? {}
    const polls: Poll[] = []
    for (const feedId of feeds)
      for (const poll of await catalogue.polls({
        ...query,
        feedId,
        limit: most,
        ...(after && { after: { ...after, skip: 0 } }),
      }))
        polls.push(poll)
    polls.sort((a, b) => b.at - a.at || b.feedId - a.feedId)
    let left = skip
    return polls.filter(({ at }) => at < until || left-- <= 0).slice(0, limit)
  }

  return {
    feedsById: async (ids) => seenOnly(await catalogue.feedsById(ids)),
    async feedAt(url) {
      const id = await catalogue.feedAt(url)
      return (await sight.isVisible(id)) ? id : undefined
    },
    feeds: async (query) => dressed.feeds(await catalogue.feeds({ ...query, within: scope })),
    async feedIds(named) {
      if ('folder' in named && reach !== 'public') return followedFeeds(readership, personId, named.folder)
      const ids = await catalogue.feedIds(named)
      const seen = await sight.filterVisible(ids)
      return ids.filter((id) => seen.has(id))
    },
    everyFeed,
    async entryCounts(ids) {
      const seen = await sight.filterVisible(ids)
      const counts = await catalogue.entryCounts(ids)
      return ids.map((id, i) => (seen.has(id) ? (counts[i] ?? 0) : 0))
    },
    sourcesById,
    async sourceAt(url) {
      const id = await catalogue.sourceAt(url)
      const [source] = id === undefined ? [] : await sourcesById([id])
      return source?.id
    },
    sources: async (query) => dressed.sources(await catalogue.sources({ ...query, within: scope })),
    async polls(query) {
      if (query.feedId === undefined) return newestPolls(query)
      return (await sight.isVisible(query.feedId)) ? catalogue.polls(query) : []
    },
    async *everyPoll(filter) {
      if (filter.feedId !== undefined) {
        if (await sight.isVisible(filter.feedId)) yield* catalogue.everyPoll(filter)
        return
      }
      for await (const page of sight.feedPages())
        for (const feedId of page) yield* catalogue.everyPoll({ ...filter, feedId })
    },
    async pushesOf(ids) {
      const seen = await sight.filterVisible(ids)
      const pushes = await catalogue.pushesOf(ids)
      return ids.map((id, i) => (seen.has(id) ? pushes[i] : undefined))
    },
    async *everyPush() {
      for await (const push of catalogue.everyPush()) if (await sight.isVisible(push.feedId)) yield push
    },
    restingHosts: async () => ({ hosts: [], all: 0 }), // of whose feeds they are is not asked
    async counts() {
      let active = 0
      for await (const page of sight.feedPages()) active += page.length
      return { ...NOTHING, feeds: { ...NOTHING.feeds, active } }
    },
  }
}

/** Totals of the whole crawl are for admins. */
const NOTHING = {
  feeds: { active: 0, paused: 0, gone: 0 },
  troubled: 0,
  unpolled: 0,
  looking: 0,
  entries: 0,
  polls: 0,
  articles: { waiting: 0, read: 0, failed: 0, refused: 0, pages: 0, textBytes: 0, pageBytes: 0 },
  waiting: { index: 0, groups: 0 },
  bytes: 0,
}
