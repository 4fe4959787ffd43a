/** The memory store's entries, and what the search index has still to hear of them. */
import {
  type Entry,
  type EntryId,
  extrasOf,
  type FeedId,
  HOUR,
  type Instant,
  isOfLanguage,
  type KnownEntry,
  placeInTime,
  sortAt,
  textHash,
  UNCATEGORIZED,
  UNKNOWN_LANGUAGE,
} from '../../model/index.ts'
import type { Mark, Store } from '../../ports/index.ts'
import { articleWords } from './articles.ts'
import { unlink } from './articles-enlisted.ts'
import { copyOf } from './copy.ts'
import { removeFromGroups } from './groups.ts'
import { isStarred, letGoOfEntry } from './reading-changes.ts'
import { dealtWith, enqueue, isRepeatedIn, type State } from './state.ts'

type EntryMethods =
  | 'known'
  | 'storedSince'
  | 'entries'
  | 'listEntries'
  | 'entriesById'
  | 'feedsOfEntries'
  | 'versions'
  | 'everyEntry'
  | 'newestEntryId'
  | 'unindexed'
  | 'indexed'
  | 'forgetEntries'
  | 'forgetThese'
  | 'packEntries'

export function entriesOf(state: State): Pick<Store, EntryMethods> {
  return {
    async known(questions) {
      return questions.map(({ feedId, keys }) => {
        const shown = state.feeds.get(feedId)?.keys
        const answer = new Map<string, KnownEntry>()
        for (const key of keys) {
          const id = shown?.get(key)
          if (id === undefined) continue
          const entry = id !== 'forgotten' && state.entries.get(id)
          if (!entry) answer.set(key, 'forgotten')
          else {
            const { title, url, publishedAt, seenAt, changedAt } = entry
            const bare = extrasOf(entry) ? undefined : true
            answer.set(
              key,
              copyOf({ title, url, publishedAt, seenAt, bare, textHash: textHash(entry), changedAt }) as KnownEntry,
            )
          }
        }
        return answer
      })
    },

    storedSince: async (what, ids, since) => ids.map((id) => broughtSince(state, id, since, what)),

    async entries({ after, limit, ...filter }) {
      const found = [...state.entries.values()].filter(entryFits(state, filter)).sort(newestFirst)
      return copyOf((after ? found.filter((entry) => isAfter(entry, after)) : found).slice(0, limit))
    },

    async listEntries({ feedIds, until = Number.POSITIVE_INFINITY, language, category, after, limit, ...filter }) {
      const found = [...state.entries.values()]
        .filter(entryFits(state, filter))
        .filter((entry) => feedIds?.includes(entry.feedId) ?? true)
        .filter((entry) => sortAt(entry, entry.seenAt) <= until && (!after || isAfter(entry, after)))
        .filter((entry) => language === undefined || isOfLanguage(entry.language ?? UNKNOWN_LANGUAGE, language))
        .filter((entry) => category === undefined || (entry.category ?? UNCATEGORIZED) === category)
        .sort(newestFirst)
      const entries = found.slice(0, limit)
      const last = entries.at(-1)
      return { entries: copyOf(entries), ...(last && found.length > limit && { goesOnAfter: placeInTime(last) }) }
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
      const waiting: [EntryId, Mark][] = []
      for (const place of state.unindexed) if (waiting.push(place) >= limit) break
      const changes = waiting.map(([id]) => {
        const entry = copyOf(state.entries.get(id))
        return entry ? { id, entry, ...articleWords(state, id) } : { id }
      })
      return { marks: waiting.map(([, mark]) => mark), changes }
    },

    async indexed(marks) {
      dealtWith(state.unindexed, marks)
    },

    packEntries: async () => 0,

    async forgetEntries(before, limit) {
      const old = [...state.entries.values()].filter(({ id, seenAt }) => seenAt < before && !isStarred(state, id))
      return forget(state, old.sort((a, b) => a.seenAt - b.seenAt).slice(0, limit))
    },

    async forgetThese(ids) {
      const known = [...new Set(ids)].flatMap((id) => state.entries.get(id) ?? [])
      return forget(
        state,
        known.filter(({ id }) => !isStarred(state, id)),
      )
    },
  }
}

function forget(state: State, entries: Entry[]): number {
  for (const { id, feedId, key } of entries) {
    state.entries.delete(id)
    state.versions.delete(id)
    unlink(state, id)
    letGoOfEntry(state, id)
    state.feeds.get(feedId)?.keys.set(key, 'forgotten')
    enqueue(state, state.unindexed, id)
  }
  removeFromGroups(
    state,
    entries.map(({ id }) => id),
  )
  return entries.length
}

function broughtSince(state: State, id: FeedId, since: Instant, what: 'entries' | 'pages'): number {
  const from = Math.floor(since / HOUR)
  const hours = [...(state.feeds.get(id)?.hours ?? [])]
  return hours.reduce((sum, [hour, counted]) => sum + (hour >= from ? counted[what] : 0), 0)
}

export function isAfter(entry: Entry, { at, id }: { at: Instant; id: EntryId }): boolean {
  const own = sortAt(entry, entry.seenAt)
  return own < at || (own === at && entry.id < id)
}

export function newestFirst(a: Entry, b: Entry): number {
  return sortAt(b, b.seenAt) - sortAt(a, a.seenAt) || b.id - a.id
}

function entryFits(
  state: State,
  { feedId, since = Number.NEGATIVE_INFINITY, unique, after = 0 as EntryId }: Parameters<Store['everyEntry']>[0],
) {
  return (entry: Entry) =>
    entry.id > after &&
    (feedId === undefined || entry.feedId === feedId) &&
    sortAt(entry, entry.seenAt) >= since &&
    !(unique && isRepeatedIn(state, entry.id, unique))
}
