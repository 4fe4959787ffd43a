/** Subscriptions of users in the memory store. */
import {
  type EntryId,
  type FeedId,
  followedFeedOf,
  type SubscriptionWithUnread,
  type UserId,
} from '../../model/index.ts'
import { type FollowTarget, readWeight, type SubscriptionQuery } from '../../ports/index.ts'
import type { SubscriptionMethods } from '../methods.ts'
import { copyOf } from './copy.ts'
import type { MemorySubscription } from './reader-state.ts'
import type { State } from './state.ts'
import {
  addSubscription,
  countReaders,
  isFeedInReach,
  isInScope,
  isRead,
  ofUser,
  removeUserSubscription,
  subscriptionsOfUser,
} from './subscription-changes.ts'

const SEPARATOR = ' / '

export function subscriptionsOf(state: State): SubscriptionMethods {
  const { readers } = state

  /** The newest entry to count as read, so that the newest `unread` entries are not. */
  function readUpTo(feedId: FeedId, unread: number): EntryId {
    const ids = [...state.entries.values()].filter((entry) => entry.feedId === feedId).map(({ id }) => id)
    return ids.at(-1 - unread) ?? (0 as EntryId)
  }

  function countFollowers(target: FollowTarget): number {
    if ('feedId' in target) return countReaders(state, target.feedId)
    return [...readers.pendingSubscriptions.values()].filter((waiting) => waiting.has(target.sourceId)).length
  }

  return {
    async follow(userId, requests, at, unread) {
      return copyOf(requests).map(({ title, folder, ...target }) => {
        const about = { ...(title && { title }), ...(folder && { folder }), addedAt: at }
        if ('feedId' in target) {
          return addSubscription(state, userId, { feedId: target.feedId, ...about }, readUpTo(target.feedId, unread))
        }
        const source = state.sources.get(target.sourceId)?.source
        if (source?.feedId !== undefined)
          return addSubscription(state, userId, { feedId: source.feedId, ...about }, readUpTo(source.feedId, unread))
        const waiting = ofUser(readers.pendingSubscriptions, userId, () => new Map())
        if (!source || waiting.has(source.id)) return false
        waiting.set(source.id, { sourceId: source.id, ...about })
        return true
      })
    },

    async unfollow(userId, targets) {
      return targets.map((target) => {
        const removed =
          'feedId' in target
            ? removeUserSubscription(state, userId, target.feedId)
            : (readers.pendingSubscriptions.get(userId)?.delete(target.sourceId) ?? false)
        return { wasFollowed: removed, otherFollowers: countFollowers(target) }
      })
    },

    async changeSubscription(userId, feedId, change) {
      const subscription = subscriptionsOfUser(state, userId).get(feedId)
      if (!subscription) return false
      for (const name of ['title', 'folder'] as const) {
        const value = change[name]
        if (value === null) delete subscription[name]
        else if (value !== undefined) subscription[name] = value
      }
      return true
    },

    async renameFolder(userId, from, to) {
      let moved = 0
      for (const subscription of subscriptionsOfUser(state, userId).values()) {
        const { folder } = subscription
        if (folder !== from && !folder?.startsWith(from + SEPARATOR)) continue
        const subfolder = folder.slice(from.length + SEPARATOR.length)
        if (to !== null) subscription.folder = subfolder ? to + SEPARATOR + subfolder : to
        else if (subfolder) subscription.folder = subfolder
        else delete subscription.folder
        moved++
      }
      return moved
    },

    subscriptionsOf: async (userId, query) => listed(state, userId, query),

    async followedFeeds(userId, query) {
      return listed(state, userId, query).flatMap((subscription) => {
        const stored = state.feeds.get(subscription.feedId)
        const readers = countReaders(state, subscription.feedId)
        return stored ? [copyOf({ ...followedFeedOf(stored, subscription), readers })] : []
      })
    },

    async subscriptionsTo(userId, ids) {
      const ofThisUser = subscriptionsOfUser(state, userId)
      return ids.map((id) => {
        const subscription = ofThisUser.get(id)
        return subscription && counted(state, userId, subscription)
      })
    },

    async pendingSubscriptions(userId, { after = 0, limit }) {
      const ofThisUser = [...(readers.pendingSubscriptions.get(userId)?.values() ?? [])].filter(
        ({ sourceId }) => sourceId > after,
      )
      return copyOf(ofThisUser.sort((a, b) => a.sourceId - b.sourceId).slice(0, limit))
    },

    async readerCounts(userId) {
      const counts = new Map<string | undefined, { feeds: number; unread: number }>()
      for (const { folder, feedId } of subscriptionsOfUser(state, userId).values()) {
        const { feeds, unread } = counts.get(folder) ?? { feeds: 0, unread: 0 }
        counts.set(folder, { feeds: feeds + 1, unread: unread + unreadOf(state, userId, feedId) })
      }
      const inOrder = [...counts].sort(([a = ''], [b = '']) => (a < b ? -1 : a > b ? 1 : 0))
      return {
        feeds: inOrder.reduce((sum, [, { feeds }]) => sum + feeds, 0),
        unread: inOrder.reduce((sum, [, { unread }]) => sum + unread, 0),
        starred: readers.stars.get(userId)?.size ?? 0,
        folders: inOrder.map(([folder, count]) => ({ ...(folder !== undefined && { folder }), ...count })),
      }
    },

    followerCounts: async (target) => target.map(countFollowers),

    async feedsWithin(scope, query) {
      if ('among' in query) return query.among.filter((id) => isFeedInReach(state, scope, id))
      const { hidden = false, after = 0 as FeedId, limit } = query
      const ids = [...state.feeds.keys()].filter((id) => id > after && isFeedInReach(state, scope, id) !== hidden)
      return ids.sort((a, b) => a - b).slice(0, limit)
    },

    async unfollowedFeeds(limit) {
      const candidates = [...readers.unfollowedFeeds].filter(
        (id) => state.feeds.has(id) && !state.feeds.get(id)?.feed.listed && countReaders(state, id) === 0,
      )
      return candidates.slice(0, limit)
    },

    async *everyFeedReads(now) {
      const all = new Map<FeedId, { readers: number; reads: number }>()
      for (const subscriptions of readers.subscriptions.values())
        for (const { feedId, reads, readAt } of subscriptions.values()) {
          const sum = all.get(feedId) ?? { readers: 0, reads: 0 }
          all.set(feedId, { readers: sum.readers + 1, reads: sum.reads + reads * readWeight(now - readAt) })
        }
      for (const [feedId, { readers, reads }] of all) yield { feedId, readers, reads }
    },
  }
}

function unreadOf(state: State, userId: UserId, feedId: FeedId): number {
  let unread = 0
  for (const entry of state.entries.values())
    if (entry.feedId === feedId && isRead(state, userId, entry) === false) unread++
  return unread
}

function counted(
  state: State,
  userId: UserId,
  { feedId, title, folder, addedAt }: MemorySubscription,
): SubscriptionWithUnread {
  return {
    feedId,
    ...(title !== undefined && { title }),
    ...(folder !== undefined && { folder }),
    addedAt,
    unread: unreadOf(state, userId, feedId),
  }
}

function listed(
  state: State,
  userId: UserId,
  { folder, after = 0 as FeedId, limit }: SubscriptionQuery,
): SubscriptionWithUnread[] {
  const ofThisUser = [...subscriptionsOfUser(state, userId).values()].filter(
    isInScope(folder === undefined ? {} : { folder }),
  )
  const next = ofThisUser.filter(({ feedId }) => feedId > after).sort((a, b) => a.feedId - b.feedId)
  return next.slice(0, limit).map((subscription) => counted(state, userId, subscription))
}
