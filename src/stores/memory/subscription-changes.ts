/** Updates subscriptions and read state when feeds, sources, entries and users are added or removed, and answers questions about them. */
import {
  type ChangeId,
  type Entry,
  type EntryId,
  type FeedId,
  type FeedScope,
  type GroupLevel,
  isInFolder,
  isPrivateFeed,
  type SourceId,
  type Subscription,
  type UserId,
} from '../../model/index.ts'
import type { SubscriptionScope } from '../../ports/index.ts'
import type { MemorySubscription } from './reader-state.ts'
import type { State } from './state.ts'

/** A user's part of a map, created if missing. */
export function ofUser<Things>(all: Map<UserId, Things>, id: UserId, empty: () => Things): Things {
  const existing = all.get(id) ?? empty()
  all.set(id, existing)
  return existing
}

export function subscriptionsOfUser({ readers }: State, id: UserId): Map<FeedId, MemorySubscription> {
  return ofUser(readers.subscriptions, id, () => new Map())
}

export function countReaders({ readers }: State, feedId: FeedId): number {
  return [...readers.subscriptions.values()].filter((subscriptions) => subscriptions.has(feedId)).length
}

/** False if the feed is missing or already followed. All entries up to `readUpTo` are read. */
export function addSubscription(state: State, userId: UserId, subscription: Subscription, readUpTo: EntryId): boolean {
  const subscriptions = subscriptionsOfUser(state, userId)
  const stored = state.feeds.get(subscription.feedId)
  if (!stored || subscriptions.has(subscription.feedId)) return false
  if (countReaders(state, subscription.feedId) > 0) {
    stored.feed.subscribers++
    stored.revision++
  }
  subscriptions.set(subscription.feedId, {
    ...subscription,
    readUpTo,
    previousReadUpTo: readUpTo,
    reads: 0,
    readAt: subscription.addedAt,
  })
  for (const id of state.readers.muted.get(userId) ?? [])
    if (id > readUpTo && state.entries.get(id)?.feedId === subscription.feedId)
      ofUser(state.readers.readStates, userId, () => new Map()).set(id, { read: true, change: 0 as ChangeId })
  return true
}

export function removeUserSubscription(state: State, userId: UserId, feedId: FeedId): boolean {
  if (!subscriptionsOfUser(state, userId).delete(feedId)) return false
  const readStates = state.readers.readStates.get(userId)
  for (const id of [...(readStates?.keys() ?? [])]) if (state.entries.get(id)?.feedId === feedId) readStates?.delete(id)
  const stored = state.feeds.get(feedId)
  if (stored && countReaders(state, feedId) > 0) {
    stored.feed.subscribers = Math.max(1, stored.feed.subscribers - 1)
    stored.revision++
  }
  state.readers.unfollowedFeeds.add(feedId)
  return true
}

/** Users who waited for the feed of this source now follow it. */
export function followFoundFeed(state: State, sourceId: SourceId, feedId: FeedId): void {
  for (const [userId, waiting] of state.readers.pendingSubscriptions) {
    const pending = waiting.get(sourceId)
    if (!pending) continue
    waiting.delete(sourceId)
    const { sourceId: _, ...about } = pending
    addSubscription(state, userId, { feedId, ...about }, 0 as EntryId)
  }
}

export function removeSourceSubscriptions({ readers }: State, sourceId: SourceId): void {
  for (const waiting of readers.pendingSubscriptions.values()) waiting.delete(sourceId)
}

export function removeFeedSubscriptions(state: State, feedId: FeedId, entryIds: EntryId[]): void {
  for (const subscriptions of state.readers.subscriptions.values()) subscriptions.delete(feedId)
  for (const id of entryIds) removeEntryReadStates(state, id)
  const { stars, muted, labels } = state.readers
  const labeled = [...labels.values()].flatMap((ofUser) => [...ofUser.values()].map(({ entries }) => entries))
  for (const set of [...stars.values(), ...muted.values(), ...labeled]) for (const id of entryIds) set.delete(id)
  state.readers.unfollowedFeeds.delete(feedId)
  for (const { id, of } of [...state.readers.feedsOut.values()])
    if (of.kind === 'feed' && of.feedId === feedId) state.readers.feedsOut.delete(id)
}

export function removeEntryReadStates({ readers }: State, id: EntryId): void {
  for (const table of [readers.readStates, readers.muted]) for (const ofUser of table.values()) ofUser.delete(id)
}

/** Whether a user has starred or labeled it, so that retention keeps it. */
export function isKept({ readers }: State, id: EntryId): boolean {
  const isLabeled = () =>
    [...readers.labels.values()].some((labels) => [...labels.values()].some(({ entries }) => entries.has(id)))
  return [...readers.stars.values()].some((stars) => stars.has(id)) || isLabeled()
}

export function removeUserData(state: State, userId: UserId): void {
  const { readers } = state
  for (const feedId of [...subscriptionsOfUser(state, userId).keys()]) removeUserSubscription(state, userId, feedId)
  const { subscriptions, pendingSubscriptions, readStates, stars, labels, muted } = readers
  for (const table of [subscriptions, pendingSubscriptions, readStates, stars, labels, muted]) table.delete(userId)
  for (const table of [readers.searches, readers.feedsOut, readers.webhooks])
    for (const item of [...table.values()]) if (item.userId === userId) table.delete(item.id)
  for (const [place, value] of readers.values) if (value.userId === userId) readers.values.delete(place)
}

/** Undefined if the user does not follow the feed. */
export function isRead(state: State, userId: UserId, { id, feedId }: Entry): boolean | undefined {
  const subscription = state.readers.subscriptions.get(userId)?.get(feedId)
  return subscription && (state.readers.readStates.get(userId)?.get(id)?.read ?? id <= subscription.readUpTo)
}

export function isInScope({ feedIds, folder }: SubscriptionScope): (subscription: MemorySubscription) => boolean {
  return (subscription) =>
    (feedIds?.includes(subscription.feedId) ?? true) &&
    (folder === undefined ||
      (folder === '' ? subscription.folder === undefined : isInFolder(subscription.folder, folder)))
}

/** Clears the first user's titles and folders from feeds and sources when a second account is added; subscriptions keep them. */
export function clearPersonalFields(state: State): void {
  for (const { feed } of state.feeds.values()) {
    if (!feed.listed) delete feed.folder
    const titles = [...state.readers.subscriptions.values()].map((existing) => existing.get(feed.id)?.title)
    if (!feed.title || !titles.includes(feed.title)) continue
    Object.assign(feed, { title: '', validators: {} })
    delete feed.bodyHash
    delete feed.windowHash
  }
  for (const { source } of state.sources.values()) if (!source.listed) delete source.folder
}

export function isFeedInReach(state: State, { userId, reach }: FeedScope, feedId: FeedId): boolean {
  const feed = state.feeds.get(feedId)?.feed
  if (!feed) return false
  const isFollowed = subscriptionsOfUser(state, userId).has(feedId)
  switch (reach) {
    case 'followed':
      return isFollowed
    case 'common':
      return isFollowed || feed.listed === true
    case 'shared':
      return isFollowed || feed.listed === true || !isPrivateFeed(feed)
    case 'public':
      return !isPrivateFeed(feed)
  }
}

/** Whether an entry duplicates another within the user's reach: the group's primary, or an earlier member if that is out of reach. */
export function isDuplicateInReach(state: State, scope: FeedScope, id: EntryId, level: GroupLevel): boolean {
  const isSeen = (entryId: EntryId) => isFeedInReach(state, scope, state.entries.get(entryId)?.feedId ?? (0 as FeedId))
  for (const { level: existing, primaryId, members } of state.groups.values()) {
    const member = members.get(id)
    if (existing !== level || !member || primaryId === id) continue
    const isBefore = (other: { at: number; entryId: EntryId }) =>
      other.at < member.at || (other.at === member.at && other.entryId < id)
    return [...members.values()].some(
      (other) => (other.entryId === primaryId || isBefore(other)) && isSeen(other.entryId),
    )
  }
  return false
}
