/** Entries as the API and the command line give them: found by words and narrowed down, and with the names of their feeds. */
import type { Entry, FeedId, Instant, Level } from '../model/index.ts'
import type { Search, Store } from '../ports/index.ts'
import { type EntryShape, entryShape } from './shapes.ts'

export interface Narrowed {
  feedId?: FeedId
  since?: Instant
  /** Of each group at this level only one: the primary; of what a search finds, the best. */
  unique?: Level
  limit: number
}

/** A search that is narrowed to a feed or a date looks at this many hits of the whole index. */
const MOST_HITS = 1000

/** What full text search finds, best first. */
export async function findEntries(
  query: string,
  { store, search }: { store: Store; search: Search },
  { feedId, since, unique, limit }: Narrowed,
): Promise<Entry[]> {
  const isNarrowed = feedId !== undefined || since !== undefined || unique !== undefined
  const hits = await search.find(query, isNarrowed ? Math.max(MOST_HITS, limit) : limit)
  const entries = await store.entriesById(hits.map(({ id }) => id))
  const found = entries
    .filter((entry) => entry !== undefined)
    .filter((entry) => feedId === undefined || entry.feedId === feedId)
    .filter((entry) => since === undefined || Math.min(entry.publishedAt ?? entry.seenAt, entry.seenAt) >= since)
  return (unique ? await oneOfEach(found, unique, store) : found).slice(0, limit)
}

/** The first of each group. */
async function oneOfEach(entries: Entry[], level: Level, store: Store): Promise<Entry[]> {
  const groups = await store.groupsOfEntries(
    entries.map(({ id }) => id),
    level,
  )
  const seen = new Set<number>()
  return entries.filter((_, i) => {
    const group = groups[i]?.id
    if (group === undefined) return true
    return seen.size < seen.add(group).size
  })
}

/** By feed: its title, else its address. */
export async function feedNames(entries: Entry[], store: Store): Promise<Map<FeedId, string>> {
  const ids = [...new Set(entries.map(({ feedId }) => feedId))]
  const feeds = await store.feedsById(ids)
  return new Map(feeds.flatMap((held) => (held ? [[held.feed.id, held.feed.title || held.feed.url]] : [])))
}

export async function namedEntries(entries: Entry[], store: Store): Promise<EntryShape[]> {
  const names = await feedNames(entries, store)
  const copies = await store.groupsOfEntries(
    entries.map(({ id }) => id),
    'copy',
  )
  return entries.map((entry, i) => entryShape(entry, names.get(entry.feedId), copies[i]))
}
