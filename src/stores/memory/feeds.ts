/** The memory store's feeds. */
import { type FeedId, isInFolder, type ScheduledFeed } from '../../model/index.ts'
import { type FeedQuery, MOST_COUNTED, type Store } from '../../ports/index.ts'
import { unlink } from './articles-enlisted.ts'
import { copyOf } from './copy.ts'
import { removeFromGroups } from './groups.ts'
import { isFeedWithin, letGoOfFeed, letGoOfSource } from './reading-changes.ts'
import { applyChange, enqueue, type HeldFeed, isTaken, keepFeed, ownFeed, type State } from './state.ts'

type FeedMethods =
  | 'entryCounts'
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
      return feeds.map(ownFeed).map((feed) => keepFeed(state, feed))
    },

    async feedsById(ids) {
      return ids.map((id) => {
        const held = state.feeds.get(id)
        return held && handedOut(held)
      })
    },

    async entryCounts(ids) {
      const known = (id: FeedId) => [...(state.feeds.get(id)?.keys.values() ?? [])]
      return ids.map((id) => Math.min(MOST_COUNTED, known(id).filter((entry) => entry !== 'forgotten').length))
    },

    async feedAt(url) {
      return state.feedIds.get(url)
    },

    async changeFeed(id, change, schedule) {
      const held = state.feeds.get(id)
      if (!held || isTaken(state, held, change.url)) return false
      applyChange(state, held, change)
      Object.assign(held.schedule, copyOf(schedule))
      held.revision++
      return true
    },

    async removeFeed(id) {
      const held = state.feeds.get(id)
      if (!held) return false
      const entryIds = [...held.keys.values()].filter((entryId) => entryId !== 'forgotten')
      for (const entryId of entryIds) {
        state.entries.delete(entryId)
        state.versions.delete(entryId)
        unlink(state, entryId)
        enqueue(state, state.unindexed, entryId)
      }
      removeFromGroups(state, entryIds)
      for (const { source } of [...state.sources.values()]) {
        if (source.feedId !== id) continue
        state.sources.delete(source.id)
        letGoOfSource(state, source.id)
        state.sourceIds.delete(source.url)
      }
      state.log = state.log.filter(([poll]) => poll?.feedId !== id)
      for (const push of [...state.pushes.values()]) {
        if (push.feedId !== id) continue
        if (push.state === 'active')
          Object.assign(push, { state: 'ending', dueAt: 0, revision: (push.revision ?? 0) + 1 })
        else if (push.state === 'waiting') state.pushes.delete(push.token)
      }
      state.feedIds.delete(held.feed.url)
      state.habits.delete(id)
      letGoOfFeed(state, id, entryIds)
      return state.feeds.delete(id)
    },

    async sweepRemoved() {
      return 0 // all of it went with the feed
    },

    async feeds(query) {
      const { order, after, limit } = query
      const { within, folder, ...own } = query
      const isSeen = ({ feed }: HeldFeed) => !within || isFeedWithin(state, within, feed.id)
      const folderOf = ({ feed }: HeldFeed) =>
        within ? state.readers.readings.get(within.personId)?.get(feed.id)?.folder : feed.folder
      const found = [...state.feeds.values()].filter(
        (held) => isSeen(held) && (folder === undefined || folderOf(held) === folder) && fits(held, own),
      )
      const dueAt = ({ schedule }: HeldFeed) => (order === 'due' ? schedule.dueAt : 0)
      found.sort((a, b) => dueAt(a) - dueAt(b) || a.feed.id - b.feed.id)
      const from = after && { dueAt: order === 'due' ? after.dueAt : 0, id: after.id }
      const isAfter = (held: HeldFeed) =>
        !from || dueAt(held) > from.dueAt || (dueAt(held) === from.dueAt && held.feed.id > from.id)
      return found.filter(isAfter).slice(0, limit).map(handedOut)
    },

    async feedIds(named) {
      const isMeant = ({ feed }: HeldFeed) =>
        'text' in named
          ? `${feed.title}\n${feed.url}`.toLowerCase().includes(named.text.toLowerCase())
          : isInFolder(feed.folder, named.folder)
      return [...state.feeds.values()].filter(isMeant).map(({ feed }) => feed.id)
    },

    async *everyFeed() {
      for (const held of state.feeds.values()) yield handedOut(held)
    },
  }
}

export function handedOut({ feed, schedule, revision }: HeldFeed): ScheduledFeed {
  return copyOf({ feed, schedule, revision })
}

function fits({ feed, schedule }: HeldFeed, query: Omit<FeedQuery, 'folder' | 'within'>): boolean {
  const { state, category, name, troubled, text, order } = query
  const part = text?.toLowerCase() ?? ''
  return (
    (state === undefined || feed.state === state) &&
    (category === undefined || (feed.ownCategory ?? feed.category ?? '') === category) &&
    (name === undefined || feed.name === name) &&
    (!troubled || schedule.trouble !== undefined) &&
    (feed.title.toLowerCase().includes(part) || feed.url.toLowerCase().includes(part)) &&
    (order !== 'due' || feed.state === 'active')
  )
}
