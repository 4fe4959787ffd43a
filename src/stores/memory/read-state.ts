/** Read and starred entries of users in the memory store. */
import {
  type ChangeId,
  type Entry,
  type EntryId,
  type EntryState,
  type FeedId,
  type GroupLevel,
  type Instant,
  isOfLanguage,
  type Reach,
  sortAt,
  sortPosition,
  UNCATEGORIZED,
  UNKNOWN_LANGUAGE,
  type UserId,
} from '../../model/index.ts'
import {
  foldedLabel,
  type ReaderState,
  type ReadStateFilter,
  type ReadUntil,
  readWeight,
  type SubscriptionScope,
} from '../../ports/index.ts'
import { copyOf } from './copy.ts'
import { listOrder } from './entries.ts'
import { labelsOfEntry } from './entry-labels.ts'
import { isUser, type MemoryReadState, type MemorySubscription } from './reader-state.ts'
import { isDuplicate, type State } from './state.ts'
import {
  isDuplicateInReach,
  isFeedInReach,
  isInScope,
  isRead,
  ofUser,
  subscriptionsOfUser,
} from './subscription-changes.ts'

type ReadStateMethods =
  | 'markEntries'
  | 'muteEntries'
  | 'markAllRead'
  | 'undoChange'
  | 'starEntries'
  | 'entryStates'
  | 'entriesFor'
  | 'arrivalsFor'

export function readStateOf(state: State): Pick<ReaderState, ReadStateMethods> {
  const { readers } = state
  function entriesOfFeed(feedId: FeedId): Entry[] {
    return [...state.entries.values()].filter((entry) => entry.feedId === feedId)
  }

  /** Moves `readUpTo` as far as all entries before it are covered; covered entries beyond it get their own read state. */
  function readUntil(
    userId: UserId,
    subscription: MemorySubscription,
    until: ReadUntil | undefined,
    change: ChangeId,
  ): number {
    const all = entriesOfFeed(subscription.feedId)
    const covered = all.filter((entry) => isCovered(entry, until) && isRead(state, userId, entry) === false)
    if (covered.length === 0) return 0
    const skipped = all.find((entry) => !isCovered(entry, until) && isRead(state, userId, entry) === false)
    const last = covered.filter(({ id }) => id < (skipped?.id ?? Number.POSITIVE_INFINITY)).at(-1)?.id
    const readUpTo = Math.max(subscription.readUpTo, last ?? 0) as EntryId
    for (const { id } of covered)
      if (id > readUpTo) setReadState(state, userId, id, true, change)
      else if (readers.readStates.get(userId)?.get(id)?.read === false)
        setReadState(state, userId, id, undefined, change)
    Object.assign(subscription, { readUpTo, previousReadUpTo: subscription.readUpTo, change })
    return covered.length
  }

  function inScope(userId: UserId, scope: SubscriptionScope): MemorySubscription[] {
    return [...subscriptionsOfUser(state, userId).values()].filter(isInScope(scope))
  }

  function isSelected(
    userId: UserId,
    { read, starred, label, muted, reach, ...scope }: ReadStateFilter & SubscriptionScope & { reach?: Reach },
  ): (entry: Entry) => boolean {
    const feedsInScope = new Set(inScope(userId, scope).map(({ feedId }) => feedId))
    const isWhole = scope.feedIds === undefined && scope.folder === undefined
    const isOwnSelection = starred || label !== undefined || muted
    const isAnyFeed = isOwnSelection && read === undefined && isWhole && reach === undefined
    const isSeen = (feedId: FeedId) =>
      reach !== undefined && scope.folder === undefined
        ? (scope.feedIds?.includes(feedId) ?? true) && isFeedInReach(state, { userId, reach }, feedId)
        : feedsInScope.has(feedId)
    return (entry) =>
      (isAnyFeed || isSeen(entry.feedId)) &&
      (read === undefined || isRead(state, userId, entry) === read) &&
      (starred === undefined || (readers.stars.get(userId)?.has(entry.id) ?? false) === starred) &&
      (label === undefined || (readers.labels.get(userId)?.get(foldedLabel(label))?.entries.has(entry.id) ?? false)) &&
      (readers.muted.get(userId)?.has(entry.id) ?? false) === (muted ?? false)
  }

  return {
    markEntries: async (userId, ids, as, at) => mark(state, userId, ids, as, at),

    async muteEntries(userId, ids, muted, at) {
      if (!isUser(readers, userId)) return []
      const entries = ofUser(readers.muted, userId, () => new Set<EntryId>())
      if (muted) mark(state, userId, ids, 'muted', at)
      const changed = [...new Set(ids)].filter((id) => state.entries.has(id) && entries.has(id) !== muted)
      for (const id of changed) muted ? entries.add(id) : entries.delete(id)
      return changed
    },

    async markAllRead(userId, scope, until) {
      const change = newChange(state)
      const counts = inScope(userId, scope).map((subscription) => readUntil(userId, subscription, until, change))
      return { change, marked: counts.reduce((sum, count) => sum + count, 0) }
    },

    async undoChange(userId, change) {
      const before = new Map([...state.entries.values()].map((entry) => [entry, isRead(state, userId, entry)]))
      for (const subscription of subscriptionsOfUser(state, userId).values()) {
        if (subscription.change !== change) continue
        subscription.readUpTo = subscription.previousReadUpTo
        delete subscription.change
      }
      const readStates = readStatesOf(state, userId)
      for (const [id, readState] of [...readStates]) {
        if (readState.change !== change) continue
        if (readState.previous === undefined) readStates.delete(id)
        else readStates.set(id, { read: readState.previous, change: 0 as ChangeId })
      }
      return [...before].filter(([entry, was]) => isRead(state, userId, entry) !== was).length
    },

    async starEntries(userId, ids, starred) {
      const stars = ofUser(readers.stars, userId, () => new Set<EntryId>())
      const changed = [...new Set(ids)].filter((id) => state.entries.has(id) && stars.has(id) !== starred)
      for (const id of changed) starred ? stars.add(id) : stars.delete(id)
      return changed
    },

    async entryStates(userId, ids) {
      return ids.map((id) => entryStateOf(state, userId, id))
    },

    async entriesFor(userId, { since = Number.NEGATIVE_INFINITY, until = Number.POSITIVE_INFINITY, ...query }) {
      const { language, category, unique, after, limit, oldestFirst, ...rest } = query
      const { isBehind, inOrder } = listOrder(oldestFirst)
      const { reach } = rest
      const isRepeated = ({ id }: Entry, level: GroupLevel) =>
        reach ? isDuplicateInReach(state, { userId, reach }, id, level) : isDuplicate(state, id, level)
      const found = [...state.entries.values()]
        .filter(isSelected(userId, rest))
        .filter((entry) => sortAt(entry, entry.seenAt) >= since && sortAt(entry, entry.seenAt) <= until)
        .filter((entry) => language === undefined || isOfLanguage(entry.language ?? UNKNOWN_LANGUAGE, language))
        .filter((entry) => category === undefined || (entry.category ?? UNCATEGORIZED) === category)
        .filter((entry) => !(unique && isRepeated(entry, unique)) && (!after || isBehind(entry, after)))
        .sort(inOrder)
      const entries = found.slice(0, limit)
      const last = entries.at(-1)
      return { entries: copyOf(entries), ...(last && found.length > limit && { nextAfter: sortPosition(last) }) }
    },

    async arrivalsFor(userId, { order, after, seenSince, seenUntil, since, until, limit, ...rest }) {
      const sign = order === 'newest' ? -1 : 1
      const found = [...state.entries.values()]
        .filter(isSelected(userId, rest))
        .filter((entry) => isBetween(entry.seenAt, seenSince, seenUntil))
        .filter((entry) => isBetween(sortPosition(entry).at, since, until))
        .filter(({ id }) => after === undefined || (id - after) * sign > 0)
        .sort((a, b) => (a.id - b.id) * sign)
      const arrivals = found.slice(0, limit).map((entry) => {
        const { id, feedId, seenAt } = entry
        return { id, feedId, seenAt, at: sortPosition(entry).at }
      })
      const last = arrivals.at(-1)
      return { arrivals, ...(last && found.length > limit && { nextAfter: last.id }) }
    },
  }
}

function readStatesOf({ readers }: State, id: UserId): Map<EntryId, MemoryReadState> {
  return ofUser(readers.readStates, id, () => new Map())
}

function newChange({ readers }: State): ChangeId {
  return ++readers.lastIds.change as ChangeId
}

function setReadState(state: State, userId: UserId, id: EntryId, read: boolean | undefined, change: ChangeId): void {
  const readStates = readStatesOf(state, userId)
  const previous = readStates.get(id)?.read
  readStates.set(id, { ...(read !== undefined && { read }), ...(previous !== undefined && { previous }), change })
}

/** Muted entries stay read. Entries to mute get their own read state even if they are read, so that undoing an earlier change keeps it. */
function mark(state: State, userId: UserId, ids: EntryId[], as: 'read' | 'unread' | 'muted', at: Instant) {
  const change = newChange(state)
  const changed: EntryId[] = []
  for (const id of new Set(ids)) {
    const entry = state.entries.get(id)
    const wasRead = entry && isRead(state, userId, entry)
    if (!entry || wasRead === undefined) continue
    const isChange = wasRead === (as === 'unread') && !(wasRead && state.readers.muted.get(userId)?.has(id))
    if (isChange || as === 'muted') setReadState(state, userId, id, as !== 'unread', change)
    if (!isChange) continue
    changed.push(id)
    const subscription = subscriptionsOfUser(state, userId).get(entry.feedId)
    if (subscription && as !== 'unread')
      Object.assign(subscription, {
        reads: subscription.reads * readWeight(at - subscription.readAt) + 1,
        readAt: at,
      })
  }
  return { change, changed }
}

function isBetween(at: Instant, since = at, until = at): boolean {
  return at >= since && at <= until
}

function entryStateOf(state: State, userId: UserId, id: EntryId): EntryState {
  const { readers, entries } = state
  const entry = entries.get(id)
  const read = entry && isRead(state, userId, entry)
  const labels = labelsOfEntry(readers, userId, id)
  return {
    ...(read !== undefined && { read }),
    starred: readers.stars.get(userId)?.has(id) ?? false,
    ...(labels.length > 0 && { labels }),
    ...(readers.muted.get(userId)?.has(id) && { muted: true }),
  }
}

function isCovered(entry: Entry, until: ReadUntil | undefined): boolean {
  if (until === undefined) return true
  if ('entryId' in until) return entry.id <= until.entryId
  if ('seenBefore' in until) return entry.seenAt < until.seenBefore
  return sortAt(entry, entry.seenAt) < until.datedBefore
}
