/** The memory store's feeds and the log of their polls. */
import { type FeedId, isInFolder, type Poll, type ScheduledFeed } from '../../../model/index.ts'
import { type FeedQuery, MOST_COUNTED, type Store } from '../../../ports/index.ts'
import { unlink, wantPages } from './articles-enlisted.ts'
import { copyOf } from './copy.ts'
import { removeFromGroups } from './groups.ts'
import { isFeedWithin, letGoOfFeed, letGoOfSource } from './reading-changes.ts'
import {
  applyChange,
  applyNews,
  applyPoll,
  enqueue,
  type HeldFeed,
  isTaken,
  isUnder,
  keepFeed,
  logLines,
  ownFeed,
  ownRecord,
  type State,
} from './state.ts'

type FeedMethods =
  | 'entryCounts'
  | 'addFeeds'
  | 'feedsById'
  | 'feedAt'
  | 'recordPolls'
  | 'recordNews'
  | 'changeFeed'
  | 'removeFeed'
  | 'sweepRemoved'
  | 'feeds'
  | 'feedIds'
  | 'everyFeed'
  | 'polls'
  | 'pollsToForget'
  | 'everyPoll'
  | 'forgetPolls'

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

    async recordPolls(records) {
      return records
        .map((one) => ownRecord(one))
        .map((record) => {
          const held = state.feeds.get(record.poll.feedId)
          if (!held) return 'void'
          const { lease, revision = held.revision, poll } = record
          if (!isUnder(held.lease, lease) || (held.schedule.polledAt ?? Number.NEGATIVE_INFINITY) >= poll.at)
            return 'void'
          if (held.revision !== revision) return 'stale'
          applyPoll(state, held, record)
          applyNews(state, held, record, poll.at)
          wantPages(state, held, record, poll.at)
          return 'recorded'
        })
    },

    async recordNews(records) {
      for (const record of records.map((one) => ownRecord(one))) {
        const held = state.feeds.get(record.feedId)
        if (!held) continue
        applyNews(state, held, record, record.at)
        wantPages(state, held, record, record.at)
      }
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

    async polls({ after, limit, ...filter }) {
      const found = logLines(state).flat().filter(pollFits(filter)).reverse()
      let skip = after?.skip ?? 0
      const isAfter = ({ at }: Poll) => !after || at < after.at || (at === after.at && skip-- <= 0)
      return copyOf(
        found
          .sort((a, b) => b.at - a.at || b.feedId - a.feedId)
          .filter(isAfter)
          .slice(0, limit),
      )
    },

    async *everyPoll(filter) {
      const found = logLines(state).flat().filter(pollFits(filter))
      for (const poll of found.sort((a, b) => a.feedId - b.feedId)) yield copyOf(poll)
    },

    async forgetPolls(before, limit) {
      const lastAt = (line: Poll[]) => line.at(-1)!.at
      const dropped = new Set(
        state.log
          .filter((line) => lastAt(line) < before)
          .sort((a, b) => lastAt(a) - lastAt(b))
          .slice(0, limit),
      )
      state.log = state.log.filter((line) => !dropped.has(line))
      for (const held of state.feeds.values()) {
        if (dropped.size >= limit || held.openRun.length === 0 || lastAt(held.openRun) >= before) continue
        dropped.add(held.openRun)
        held.openRun = []
      }
      return dropped.size
    },

    async *pollsToForget(before) {
      for (const line of logLines(state)) if (line.at(-1)!.at < before) for (const poll of line) yield copyOf(poll)
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

function pollFits({ feedId, since = Number.NEGATIVE_INFINITY }: Parameters<Store['everyPoll']>[0]) {
  return (poll: Poll) => (feedId === undefined || poll.feedId === feedId) && poll.at >= since
}
