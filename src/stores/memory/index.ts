/**
 * In-memory store: the shortest implementation of the contract, for tests and the lab. Its contents are lost when it is closed.
 * Queries scan all feeds, which is fast while there are few. It returns copies, so callers cannot change its contents. It uses no
 * disk: its `bytes` are 0.
 */
import type { Memory, Source, SourceId } from '../../model/index.ts'
import type { Store } from '../../ports/index.ts'
import { withPortMethods } from '../methods.ts'
import { createPollSpending } from '../spending.ts'
import { articleCounts, articlesOf } from './articles.ts'
import { copyOf } from './copy.ts'
import { dueQueueOf } from './due-queue.ts'
import { entriesOf } from './entries.ts'
import { entryLabelsOf } from './entry-labels.ts'
import { feedsOf } from './feeds.ts'
import { groupsOf } from './groups.ts'
import { hubSubscriptionsOf } from './hub-subscriptions.ts'
import { leadershipOf } from './leadership.ts'
import { ownershipOf } from './ownership.ts'
import { pollResultsOf } from './poll-results.ts'
import { readStateOf } from './read-state.ts'
import { dateRepairOf } from './repair-dates.ts'
import { sharingOf } from './sharing.ts'
import { siteRecordsOf } from './sites.ts'
import {
  applyEntryChanges,
  applyPoll,
  copyFeed,
  copyRecord,
  createState,
  holdsLease,
  logLines,
  type State,
  storeFeed,
} from './state.ts'
import { statisticsOf } from './statistics.ts'
import { followFoundFeed, isFeedInReach, removeSourceSubscriptions } from './subscription-changes.ts'
import { subscriptionsOf } from './subscriptions.ts'
import { userValuesOf } from './user-values.ts'
import { usersOf } from './users.ts'
import { wantArticles } from './wanted-articles.ts'

export function createMemoryStore(): Store {
  const state = createState()
  return withPortMethods({
    ...ownershipOf(state),
    ...leadershipOf(),
    ...feedsOf(state),
    ...pollResultsOf(state),
    ...sourcesOf(state),
    ...dueQueueOf(state),
    ...entriesOf(state),
    ...hubSubscriptionsOf(state),
    ...siteRecordsOf(state),
    ...groupsOf(state),
    ...statisticsOf(state),
    ...countsOf(state),
    ...marketOf(state),
    ...usersOf(state),
    ...subscriptionsOf(state),
    ...readStateOf(state),
    ...entryLabelsOf(state),
    ...sharingOf(state),
    ...userValuesOf(state),
    ...articlesOf(state),
    ...dateRepairOf(state),
  })
}

type SourceMethods =
  | 'addSources'
  | 'recordSourceFound'
  | 'recordSourceFailed'
  | 'removeSource'
  | 'sources'
  | 'sourceAt'
  | 'sourcesById'

function sourcesOf(state: State): Pick<Store, SourceMethods> {
  return {
    async addSources(sources) {
      const copies = sources.map(({ url, ...rest }) => ({ url, ...copyOf(rest) }))
      return copies.map((source) => {
        const existing = state.sources.get(state.sourceIdByUrl.get(source.url) ?? (0 as SourceId))
        if (existing) {
          const { dueAt, credentials } = source
          if (existing.source.state === 'looking')
            Object.assign(existing.source, { dueAt, ...(credentials && { credentials }) })
          return { id: existing.source.id, added: false }
        }
        const id = ++state.lastIds.source as SourceId
        state.sources.set(id, { source: { ...source, id, state: 'looking', failures: 0 } })
        state.sourceIdByUrl.set(source.url, id)
        return { id, added: true }
      })
    },

    async recordSourceFound(id, feed, record, others = []) {
      const stored = state.sources.get(id)
      if (!stored || !holdsLease(stored.lease, record.lease)) return undefined
      const { source } = stored
      if (source.feedId !== undefined) return { feedId: source.feedId, added: false }
      const firstPoll = copyRecord(record)
      const { id: feedId, added } = storeFeed(state, copyFeed(feed))
      if (added) {
        const memoryFeed = state.feeds.get(feedId)!
        applyPoll(state, memoryFeed, firstPoll)
        applyEntryChanges(state, memoryFeed, firstPoll, firstPoll.poll.at)
        wantArticles(state, memoryFeed, firstPoll, firstPoll.poll.at)
      }
      delete source.trouble
      delete source.credentials
      delete stored.lease
      followFoundFeed(state, id, feedId)
      Object.assign(source, { state: 'found', feedId, failures: 0, ...(others.length > 0 && { others: [...others] }) })
      return { feedId, added }
    },

    async recordSourceFailed(id, failure, dueAt, lease) {
      const stored = state.sources.get(id)
      if (stored?.source.state !== 'looking' || !holdsLease(stored.lease, lease)) return
      Object.assign(stored.source, { failures: stored.source.failures + 1, trouble: copyOf(failure), dueAt })
      delete stored.lease
    },

    async removeSource(id) {
      const stored = state.sources.get(id)
      if (stored) state.sourceIdByUrl.delete(stored.source.url)
      removeSourceSubscriptions(state, id)
      return state.sources.delete(id)
    },

    async sourcesById(ids) {
      return ids.map((id) => copyOf(state.sources.get(id)?.source))
    },

    sourceAt: async (url) => state.sourceIdByUrl.get(url),

    async sources({ state: requestedState, within, after = 0, limit }) {
      const all = [...state.sources.values()].map((stored) => stored.source)
      const isSeen = ({ id, listed, feedId }: Source) =>
        !within ||
        listed ||
        (feedId !== undefined && isFeedInReach(state, within, feedId)) ||
        state.readers.pendingSubscriptions.get(within.userId)?.has(id)
      return copyOf(
        all
          .filter((one) => one.id > after && (!requestedState || one.state === requestedState) && isSeen(one))
          .slice(0, limit),
      )
    },
  }
}

type MarketMethods =
  | 'memoriesOfRoots'
  | 'market'
  | 'recordMarket'
  | 'recordSpent'
  | 'takeSpent'
  | 'pollSettings'
  | 'changePollSettings'

function marketOf(state: State): Pick<Store, MarketMethods> {
  return {
    async memoriesOfRoots(roots, strategy, limit) {
      const memories = new Map(roots.map((root) => [root, [] as Memory[]]))
      for (const { feed, schedule } of state.feeds.values())
        if (schedule.strategy === strategy && schedule.memory.length > 0)
          memories.get(feed.root)?.push(copyOf(schedule.memory))
      return roots.map((root) => memories.get(root)!.slice(0, limit))
    },

    async market() {
      return copyOf(state.market)
    },

    async recordMarket(market) {
      state.market = copyOf(market)
    },

    ...createPollSpending(),

    async pollSettings() {
      const { userBudget: pollsPerDay } = state
      return {
        ...(pollsPerDay !== undefined && { pollsPerDay }),
        folderGoals: new Map([...state.folderWants].map(([folder, goals]) => [folder, copyOf(goals)])),
      }
    },

    async changePollSettings(change) {
      if ('folder' in change) {
        if (Object.keys(change.goals).length > 0) state.folderWants.set(change.folder, copyOf(change.goals))
        else state.folderWants.delete(change.folder)
      } else if (change.pollsPerDay === undefined) delete state.userBudget
      else state.userBudget = change.pollsPerDay
    },
  }
}

function countsOf(state: State): Pick<Store, 'counts' | 'close'> {
  return {
    async counts() {
      const feeds = { active: 0, paused: 0, gone: 0 }
      let failing = 0
      let unpolled = 0
      let looking = 0
      for (const { feed, schedule } of state.feeds.values()) {
        feeds[feed.state]++
        if (feed.state !== 'active') continue
        if (schedule.trouble) failing++
        if (schedule.polledAt === undefined) unpolled++
      }
      for (const { source } of state.sources.values()) if (source.state === 'looking') looking++
      const articles = articleCounts(state.articles)
      const entries = state.entries.size
      const polls = logLines(state).reduce((sum, line) => sum + line.length, 0)
      const waiting = { index: state.unindexed.size, groups: state.ungrouped.size }
      return { feeds, failing, unpolled, looking, entries, polls, articles, waiting, bytes: 0 }
    },

    async close() {},
  }
}
