/** Entries as the API and the command line give them: found by words and narrowed down, and with the names of their feeds. */
import type { Entry, FeedId, Instant } from '../model/index.ts'
import type { Search, Store } from '../ports/index.ts'
import { type EntryShape, entryShape } from './shapes.ts'

export interface Narrowed {
  feedId?: FeedId
  since?: Instant
  limit: number
}

/** A search that is narrowed to a feed or a date looks at this many hits of the whole index. */
const MOST_HITS = 1000

/** What full text search finds, best first. */
export async function findEntries(
  query: string,
  { store, search }: { store: Store; search: Search },
  { feedId, since, limit }: Narrowed,
): Promise<Entry[]> {
  const isNarrowed = feedId !== undefined || since !== undefined
  const hits = await search.find(query, isNarrowed ? Math.max(MOST_HITS, limit) : limit)
  const entries = await store.entriesById(hits.map(({ id }) => id))
  return entries
    .filter((entry) => entry !== undefined)
    .filter((entry) => feedId === undefined || entry.feedId === feedId)
    .filter((entry) => since === undefined || Math.min(entry.publishedAt ?? entry.seenAt, entry.seenAt) >= since)
    .slice(0, limit)
}

/** By feed: its title, else its address. */
export async function feedNames(entries: Entry[], store: Store): Promise<Map<FeedId, string>> {
  const ids = [...new Set(entries.map(({ feedId }) => feedId))]
  const feeds = await store.feedsById(ids)
  return new Map(feeds.flatMap((held) => (held ? [[held.feed.id, held.feed.title || held.feed.url]] : [])))
}

export async function namedEntries(entries: Entry[], store: Store): Promise<EntryShape[]> {
  const names = await feedNames(entries, store)
  return entries.map((entry) => entryShape(entry, names.get(entry.feedId)))
}
