/** Entries of the memory store, and the queue of entries to index. */
import {
  type Entry,
  type EntryId,
  extrasOf,
  type FeedId,
  HOUR,
  type Instant,
  isOfLanguage,
  type KnownEntry,
  sortAt,
  sortPosition,
  textHash,
  UNCATEGORIZED,
  UNKNOWN_LANGUAGE,
} from '../../model/index.ts'
import type { QueuePosition, Store } from '../../ports/index.ts'
import type { RetentionMethods } from '../methods.ts'
import { articleSearchText } from './articles.ts'
import { copyOf } from './copy.ts'
import { removeFromGroups } from './groups.ts'
import { dequeuePositions, enqueueEntry, isDuplicate, type State } from './state.ts'
import { isKept, removeEntryReadStates } from './subscription-changes.ts'
import { unlinkArticle } from './wanted-articles.ts'

type EntryMethods =
  | 'knownEntries'
  | 'countStoredSince'
  | 'entries'
  | 'listEntries'
  | 'entriesById'
  | 'feedsOfEntries'
  | 'versions'
  | 'everyEntry'
  | 'newestEntryId'
  | 'unindexed'
  | 'markIndexed'
  | 'forgetEntriesById'
  | 'compressEntries'

export function entriesOf(state: State): Pick<Store, EntryMethods> & Pick<RetentionMethods, 'forgetEntries'> {
  return {
    async knownEntries(queries) {
      return queries.map(({ feedId, keys }) => {
        const idByKey = state.feeds.get(feedId)?.idByKey
        const result = new Map<string, KnownEntry>()
        for (const key of keys) {
          const id = idByKey?.get(key)
          if (id === undefined) continue
          const entry = id !== 'forgotten' && state.entries.get(id)
          if (!entry) result.set(key, 'forgotten')
          else {
            const { title, url, publishedAt, seenAt, changedAt } = entry
            const bare = extrasOf(entry) ? undefined : true
            result.set(
              key,
              copyOf({ title, url, publishedAt, seenAt, bare, textHash: textHash(entry), changedAt }) as KnownEntry,
            )
          }
        }
        return result
      })
    },

    countStoredSince: async (ids, since) => ids.map((id) => countedSince(state, id, since)),

    async entries({ after, limit, ...filter }) {
      const { isBehind, inOrder } = listOrder()
      const found = [...state.entries.values()].filter(entryFits(state, filter)).sort(inOrder)
      return copyOf((after ? found.filter((entry) => isBehind(entry, after)) : found).slice(0, limit))
    },

    async listEntries({
      feedIds,
      until = Number.POSITIVE_INFINITY,
      language,
      category,
      after,
      limit,
      oldestFirst,
      ...filter
    }) {
      const { isBehind, inOrder } = listOrder(oldestFirst)
      const found = [...state.entries.values()]
        .filter(entryFits(state, filter))
        .filter((entry) => feedIds?.includes(entry.feedId) ?? true)
        .filter((entry) => sortAt(entry, entry.seenAt) <= until && (!after || isBehind(entry, after)))
        .filter((entry) => language === undefined || isOfLanguage(entry.language ?? UNKNOWN_LANGUAGE, language))
        .filter((entry) => category === undefined || (entry.category ?? UNCATEGORIZED) === category)
        .sort(inOrder)
      const entries = found.slice(0, limit)
      const last = entries.at(-1)
      return { entries: copyOf(entries), ...(last && found.length > limit && { nextAfter: sortPosition(last) }) }
    },

    async entriesById(ids) {
      return ids.map((id) => copyOf(state.entries.get(id)))
    },

    feedsOfEntries: async (ids) => ids.map((id) => state.entries.get(id)?.feedId),

    async versions(id) {
      return copyOf(state.versions.get(id) ?? [])
    },

    async *everyEntry(filter) {
      for (const entry of [...state.entries.values()].filter(entryFits(state, filter))) yield copyOf(entry)
    },

    async newestEntryId() {
      return ([...state.entries.keys()].at(-1) ?? 0) as EntryId
    },

    async unindexed(limit) {
      const queued: [EntryId, QueuePosition][] = []
      for (const item of state.unindexed) if (queued.push(item) >= limit) break
      const changes = queued.map(([id]) => {
        const entry = copyOf(state.entries.get(id))
        return entry ? { id, entry, ...articleSearchText(state, id) } : { id }
      })
      return { positions: queued.map(([, position]) => position), changes, hasMore: queued.length >= limit }
    },

    async markIndexed(positions) {
      dequeuePositions(state.unindexed, positions)
    },

    compressEntries: async () => 0,

    async forgetEntries(before, limit) {
      const old = [...state.entries.values()].filter(({ id, seenAt }) => seenAt < before && !isKept(state, id))
      return forget(state, old.sort((a, b) => a.seenAt - b.seenAt).slice(0, limit))
    },

    async forgetEntriesById(ids) {
      const existing = [...new Set(ids)].flatMap((id) => state.entries.get(id) ?? [])
      return forget(
        state,
        existing.filter(({ id }) => !isKept(state, id)),
      )
    },
  }
}

function forget(state: State, entries: Entry[]): number {
  for (const { id, feedId, key } of entries) {
    state.entries.delete(id)
    state.versions.delete(id)
    unlinkArticle(state, id)
    removeEntryReadStates(state, id)
    state.feeds.get(feedId)?.idByKey.set(key, 'forgotten')
    enqueueEntry(state, state.unindexed, id)
  }
  removeFromGroups(
    state,
    entries.map(({ id }) => id),
  )
  return entries.length
}

function countedSince(state: State, id: FeedId, since: Instant): { entries: number; pages: number } {
  const from = Math.floor(since / HOUR)
  const hours = [...(state.feeds.get(id)?.hours ?? [])].filter(([hour]) => hour >= from)
  const sumOf = (kind: 'entries' | 'pages') => hours.reduce((sum, [, counted]) => sum + counted[kind], 0)
  return { entries: sumOf('entries'), pages: sumOf('pages') }
}

/** How a list by date is sorted, and which entries are behind a position in it. */
export function listOrder(oldestFirst = false) {
  const sign = oldestFirst ? 1 : -1
  return {
    inOrder: (a: Entry, b: Entry) => (sortAt(a, a.seenAt) - sortAt(b, b.seenAt) || a.id - b.id) * sign,
    isBehind: (entry: Entry, { at, id }: { at: Instant; id: EntryId }) =>
      (sortAt(entry, entry.seenAt) - at || entry.id - id) * sign > 0,
  }
}

function entryFits(
  state: State,
  { feedId, since = Number.NEGATIVE_INFINITY, unique, after = 0 as EntryId }: Parameters<Store['everyEntry']>[0],
) {
  return (entry: Entry) =>
    entry.id > after &&
    (feedId === undefined || entry.feedId === feedId) &&
    sortAt(entry, entry.seenAt) >= since &&
    !(unique && isDuplicate(state, entry.id, unique))
}
