/** Feeds of the memory store. */
import { type FeedId, isInFolder, type ScheduledFeed, sortAt } from '../../model/index.ts'
import { type FeedQuery, MAX_COUNTED_ENTRIES, type Store } from '../../ports/index.ts'
import { copyOf } from './copy.ts'
import { removeFromGroups } from './groups.ts'
import { applyChange, copyFeed, enqueueEntry, isAddressUsed, type MemoryFeed, type State, storeFeed } from './state.ts'
import { isFeedInReach, removeFeedSubscriptions, removeSourceSubscriptions } from './subscription-changes.ts'
import { unlinkArticle } from './wanted-articles.ts'

type FeedMethods =
  | 'entryCounts'
  | 'newestEntryDates'
  | 'addFeeds'
  | 'feedsById'
  | 'feedAt'
  | 'changeFeed'
  | 'removeFeed'
  | 'sweepRemoved'
  | 'feeds'
  | 'feedIds'
  | 'everyFeed'

export function feedsOf(state: State): Pick<Store, FeedMethods> {
  return {
    async addFeeds(feeds) {
      return feeds.map(copyFeed).map((feed) => storeFeed(state, feed))
    },

    async feedsById(ids) {
      return ids.map((id) => {
        const stored = state.feeds.get(id)
        return stored && scheduledFeedOf(stored)
      })
    },

    async entryCounts(ids) {
      const entryIdsOf = (id: FeedId) => [...(state.feeds.get(id)?.idByKey.values() ?? [])]
      return ids.map((id) =>
        Math.min(MAX_COUNTED_ENTRIES, entryIdsOf(id).filter((entry) => entry !== 'forgotten').length),
      )
    },

    async newestEntryDates(ids, { limit, since }) {
      return ids.map((id) => {
        const entries = [...(state.feeds.get(id)?.idByKey.values() ?? [])].flatMap((entryId) =>
          entryId === 'forgotten' ? [] : (state.entries.get(entryId) ?? []),
        )
        const dates = entries.map((entry) => sortAt(entry, entry.seenAt)).sort((a, b) => b - a)
        return { dates: dates.slice(0, limit), recent: dates.filter((at) => at >= since).length }
      })
    },

    async feedAt(url) {
      return state.feedIdByUrl.get(url)
    },

    async changeFeed(id, change, schedule) {
      const stored = state.feeds.get(id)
      if (!stored || isAddressUsed(state, stored, change.url)) return false
      applyChange(state, stored, change)
      Object.assign(stored.schedule, copyOf(schedule))
      stored.revision++
      return true
    },

    async removeFeed(id) {
      const stored = state.feeds.get(id)
      if (!stored) return false
      const entryIds = [...stored.idByKey.values()].filter((entryId) => entryId !== 'forgotten')
      for (const entryId of entryIds) {
        state.entries.delete(entryId)
        state.versions.delete(entryId)
        unlinkArticle(state, entryId)
        enqueueEntry(state, state.unindexed, entryId)
      }
      removeFromGroups(state, entryIds)
      for (const { source } of [...state.sources.values()]) {
        if (source.feedId !== id) continue
        state.sources.delete(source.id)
        removeSourceSubscriptions(state, source.id)
        state.sourceIdByUrl.delete(source.url)
      }
      state.pollLog = state.pollLog.filter(([poll]) => poll?.feedId !== id)
      for (const subscription of [...state.hubSubscriptions.values()]) {
        if (subscription.feedId !== id) continue
        if (subscription.state === 'active')
          Object.assign(subscription, { state: 'ending', dueAt: 0, revision: (subscription.revision ?? 0) + 1 })
        else if (subscription.state === 'waiting') state.hubSubscriptions.delete(subscription.token)
      }
      state.feedIdByUrl.delete(stored.feed.url)
      state.boilerplate.delete(id)
      removeFeedSubscriptions(state, id, entryIds)
      return state.feeds.delete(id)
    },

    async sweepRemoved() {
      return 0 // removeFeed removes everything at once
    },

    async feeds(query) {
      const { order, after, limit } = query
      const { within, folder, ...ownFilters } = query
      const isSeen = ({ feed }: MemoryFeed) => !within || isFeedInReach(state, within, feed.id)
      const folderOf = ({ feed }: MemoryFeed) =>
        within ? state.readers.subscriptions.get(within.userId)?.get(feed.id)?.folder : feed.folder
      const found = [...state.feeds.values()].filter(
        (stored) => isSeen(stored) && (folder === undefined || folderOf(stored) === folder) && fits(stored, ownFilters),
      )
      const dueAt = ({ schedule }: MemoryFeed) => (order === 'due' ? schedule.dueAt : 0)
      found.sort((a, b) => dueAt(a) - dueAt(b) || a.feed.id - b.feed.id)
      const start = after && { dueAt: order === 'due' ? after.dueAt : 0, id: after.id }
      const isAfter = (stored: MemoryFeed) =>
        !start || dueAt(stored) > start.dueAt || (dueAt(stored) === start.dueAt && stored.feed.id > start.id)
      return found.filter(isAfter).slice(0, limit).map(scheduledFeedOf)
    },

    async feedIds(named) {
      const isMatch = ({ feed }: MemoryFeed) =>
        'text' in named
          ? `${feed.title}\n${feed.url}`.toLowerCase().includes(named.text.toLowerCase())
          : isInFolder(feed.folder, named.folder)
      return [...state.feeds.values()].filter(isMatch).map(({ feed }) => feed.id)
    },

    async *everyFeed() {
      for (const stored of state.feeds.values()) yield scheduledFeedOf(stored)
    },
  }
}

export function scheduledFeedOf({ feed, schedule, revision }: MemoryFeed): ScheduledFeed {
  return copyOf({ feed, schedule, revision })
}

function fits({ feed, schedule }: MemoryFeed, query: Omit<FeedQuery, 'folder' | 'within'>): boolean {
  const { state, category, name, failing, text, order } = query
  const part = text?.toLowerCase() ?? ''
  return (
    (state === undefined || feed.state === state) &&
    (category === undefined || (feed.ownCategory ?? feed.category ?? '') === category) &&
    (name === undefined || feed.name === name) &&
    (!failing || schedule.trouble !== undefined) &&
    (feed.title.toLowerCase().includes(part) || feed.url.toLowerCase().includes(part)) &&
    (order !== 'due' || feed.state === 'active')
  )
}
