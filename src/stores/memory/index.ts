/**
 * A store that forgets everything when it is closed: the shortest reading of the contract, for tests and for the lab.
 * It looks through all feeds whenever it is asked for some of them, which is fast while they are few, and it hands out
 * copies, so that nobody can change what it remembers. It occupies no disk: its `bytes` are 0.
 */
import type { Host, Memory, Source, SourceId } from '../../model/index.ts'
import type { Store } from '../../ports/index.ts'
import { withNextDue } from '../methods.ts'
import { createSpending } from '../spending.ts'
import { articleCounts, articlesOf } from './articles.ts'
import { wantPages } from './articles-enlisted.ts'
import { copyOf } from './copy.ts'
import { dueOf } from './due.ts'
import { entriesOf } from './entries.ts'
import { feedsOf } from './feeds.ts'
import { groupsOf } from './groups.ts'
import { handoutsOf } from './handouts.ts'
import { memoryLeadership } from './leadership.ts'
import { marksOf } from './marks.ts'
import { mendingOf } from './mend-dates.ts'
import { ownershipOf } from './ownership.ts'
import { peopleOf } from './people.ts'
import { pollResultsOf } from './poll-results.ts'
import { pushesOf, robotsOf } from './pushes.ts'
import { feedFound, isFeedWithin, letGoOfSource } from './reading-changes.ts'
import { readingsOf } from './readings.ts'
import {
  applyNews,
  applyPoll,
  createState,
  isUnder,
  keepFeed,
  logLines,
  ownFeed,
  ownRecord,
  type State,
} from './state.ts'
import { statisticsOf } from './statistics.ts'

export function createMemoryStore(): Store {
  const state = createState()
  return withNextDue({
    ...ownershipOf(state),
    ...memoryLeadership(),
    ...feedsOf(state),
    ...pollResultsOf(state),
    ...sourcesOf(state),
    ...dueOf(state),
    ...entriesOf(state),
    ...pushesOf(state),
    ...robotsOf(state),
    ...groupsOf(state),
    ...statisticsOf(state),
    ...countsOf(state),
    ...marketOf(state),
    ...peopleOf(state),
    ...readingsOf(state),
    ...marksOf(state),
    ...handoutsOf(state),
    ...articlesOf(state),
    ...mendingOf(state),
  })
}

type SourceMethods =
  | 'addSources'
  | 'sourceFound'
  | 'sourceFailed'
  | 'removeSource'
  | 'sources'
  | 'sourceAt'
  | 'sourcesById'

function sourcesOf(state: State): Pick<Store, SourceMethods> {
  return {
    async addSources(sources) {
      const own = sources.map(({ url, ...rest }) => ({ url, ...copyOf(rest) }))
      return own.map((source) => {
        const there = state.sources.get(state.sourceIds.get(source.url) ?? (0 as SourceId))
        if (there) {
          const { dueAt, credentials } = source
          if (there.source.state === 'looking')
            Object.assign(there.source, { dueAt, ...(credentials && { credentials }) })
          return { id: there.source.id, added: false }
        }
        const id = ++state.last.source as SourceId
        state.sources.set(id, { source: { ...source, id, state: 'looking', failures: 0 } })
        state.sourceIds.set(source.url, id)
        return { id, added: true }
      })
    },

    async sourceFound(id, feed, record, others = []) {
      const held = state.sources.get(id)
      if (!held || !isUnder(held.lease, record.lease)) return undefined
      const { source } = held
      if (source.feedId !== undefined) return { feedId: source.feedId, added: false }
      const firstPoll = ownRecord(record)
      const { id: feedId, added } = keepFeed(state, ownFeed(feed))
      if (added) {
        const feedHeld = state.feeds.get(feedId)!
        applyPoll(state, feedHeld, firstPoll)
        applyNews(state, feedHeld, firstPoll, firstPoll.poll.at)
        wantPages(state, feedHeld, firstPoll, firstPoll.poll.at)
      }
      delete source.trouble
      delete source.credentials
      delete held.lease
      feedFound(state, id, feedId)
      Object.assign(source, { state: 'found', feedId, failures: 0, ...(others.length > 0 && { others: [...others] }) })
      return { feedId, added }
    },

    async sourceFailed(id, failure, dueAt, lease) {
      const held = state.sources.get(id)
      if (held?.source.state !== 'looking' || !isUnder(held.lease, lease)) return
      Object.assign(held.source, { failures: held.source.failures + 1, trouble: copyOf(failure), dueAt })
      delete held.lease
    },

    async removeSource(id) {
      const held = state.sources.get(id)
      if (held) state.sourceIds.delete(held.source.url)
      letGoOfSource(state, id)
      return state.sources.delete(id)
    },

    async sourcesById(ids) {
      return ids.map((id) => copyOf(state.sources.get(id)?.source))
    },

    sourceAt: async (url) => state.sourceIds.get(url),

    async sources({ state: wanted, within, after = 0, limit }) {
      const all = [...state.sources.values()].map((held) => held.source)
      const isSeen = ({ id, listed, feedId }: Source) =>
        !within ||
        listed ||
        (feedId !== undefined && isFeedWithin(state, within, feedId)) ||
        state.readers.waiting.get(within.personId)?.has(id)
      return copyOf(
        all.filter((one) => one.id > after && (!wanted || one.state === wanted) && isSeen(one)).slice(0, limit),
      )
    },
  }
}

type MarketMethods =
  | 'memoriesAt'
  | 'market'
  | 'recordMarket'
  | 'spend'
  | 'takeSpent'
  | 'namedBudget'
  | 'nameBudget'
  | 'folders'
  | 'wantOfFolder'

function marketOf(state: State): Pick<Store, MarketMethods> {
  return {
    async memoriesAt(roots, strategy, limit) {
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

    ...createSpending(),

    async namedBudget() {
      return state.namedBudget
    },

    async nameBudget(pollsPerDay) {
      if (pollsPerDay === undefined) delete state.namedBudget
      else state.namedBudget = pollsPerDay
    },

    async folders() {
      return new Map([...state.folders].map(([folder, wants]) => [folder, copyOf(wants)]))
    },

    async wantOfFolder(folder, wants) {
      if (Object.keys(wants).length > 0) state.folders.set(folder, copyOf(wants))
      else state.folders.delete(folder)
    },
  }
}

function countsOf(
  state: State,
): Pick<Store, 'counts' | 'hosts' | 'hostsNamed' | 'restingHosts' | 'recordHosts' | 'close'> {
  return {
    async counts() {
      const feeds = { active: 0, paused: 0, gone: 0 }
      let troubled = 0
      let unpolled = 0
      let looking = 0
      for (const { feed, schedule } of state.feeds.values()) {
        feeds[feed.state]++
        if (feed.state !== 'active') continue
        if (schedule.trouble) troubled++
        if (schedule.polledAt === undefined) unpolled++
      }
      for (const { source } of state.sources.values()) if (source.state === 'looking') looking++
      const articles = articleCounts(state.articles)
      const entries = state.entries.size
      const polls = logLines(state).reduce((sum, line) => sum + line.length, 0)
      const waiting = { index: state.unindexed.size, groups: state.unplaced.size }
      return { feeds, troubled, unpolled, looking, entries, polls, articles, waiting, bytes: 0 }
    },

    async hosts() {
      return copyOf([...state.hosts.values()])
    },
    async hostsNamed(roots) {
      return copyOf([...new Set(roots)].flatMap((root) => state.hosts.get(root) ?? []))
    },

    async restingHosts(now, limit) {
      const resting = [...state.hosts.values()].filter(({ notBeforeAt }) => notBeforeAt > now)
      resting.sort((a, b) => a.notBeforeAt - b.notBeforeAt || (a.root < b.root ? -1 : 1))
      return { hosts: copyOf(resting.slice(0, limit)), all: resting.length }
    },

    async recordHosts(hosts) {
      for (const host of copyOf(hosts)) {
        if (isWorthKeeping(host)) state.hosts.set(host.root, host)
        else state.hosts.delete(host.root)
      }
    },

    async close() {},
  }
}

function isWorthKeeping({ strikes, adaptiveGap, crawlDelay, incident }: Host): boolean {
  return strikes > 0 || adaptiveGap !== undefined || crawlDelay !== undefined || incident !== undefined
}
