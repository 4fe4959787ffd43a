/** Entries as the API and the command line give them: found by words and narrowed down, and with the names of their feeds. */
import type { EntryShape } from '../api/index.ts'
import type { Entry, EntryId, FeedId, GroupLevel, Instant } from '../model/index.ts'
import type { Roles, Search, SearchFilter } from '../ports/index.ts'
import { ownWordsOf } from './own-words.ts'
import { entryShape } from './shapes/entry.ts'

/** Where entries and groups are looked up. */
export type Catalogues = Pick<Roles, 'catalogue' | 'groupCatalogue'>

export interface Narrowed {
  feedId?: FeedId
  since?: Instant
  /** Of each group at this level only one: the primary; of what a search finds, the best. */
  unique?: GroupLevel
  limit: number
}

const CHUNK = 200

/**
 * What full text search finds, best first; after an entry of the answer before. Hits that the store has forgotten, and those
 * whose group was met already, take nobody's place: the search is asked for more.
 */
export async function findEntries(
  query: string,
  from: Catalogues & { search: Search },
  { feedId, since, unique, limit, after }: Narrowed & { after?: EntryId },
): Promise<Entry[]> {
  const filter = { ...(feedId !== undefined && { feedId }), ...(since !== undefined && { since }) }
  const found: Entry[] = []
  const groups = createGroupsMet(unique, from)
  // Which groups the answers before have shown is known only from the beginning.
  const isFromBeginning = unique !== undefined || after === undefined
  let isPast = after === undefined || !isFromBeginning
  for await (const ids of hitsOf(query, from.search, limit, isFromBeginning ? filter : { ...filter, after })) {
    const entries = (await from.catalogue.entriesById(ids)).filter((entry) => entry !== undefined)
    for (const entry of await groups.without(entries)) {
      if (isPast) found.push(entry)
      if (entry.id === after) isPast = true
      if (found.length === limit) return found
    }
  }
  return found
}

/** The ids of hits, best first: as many as are wanted, which mostly will do, then all others. */
async function* hitsOf(query: string, search: Search, limit: number, filter: SearchFilter): AsyncGenerator<EntryId[]> {
  const first = await search.find(query, limit, filter)
  yield first.map(({ id }) => id)
  const last = first.at(-1)
  if (!last || first.length < limit) return
  const others = await search.find(query, Number.POSITIVE_INFINITY, { ...filter, after: last.id })
  for (let i = 0; i < others.length; i += CHUNK) yield others.slice(i, i + CHUNK).map(({ id }) => id)
}

/** Lets the first of each group pass. */
function createGroupsMet(level: GroupLevel | undefined, from: Catalogues) {
  const met = new Set<number>()
  return {
    async without(entries: Entry[]): Promise<Entry[]> {
      if (!level) return entries
      const ids = entries.map(({ id }) => id)
      const groups = await from.groupCatalogue.groupsOfEntries(ids, level)
      return entries.filter((_, i) => {
        const group = groups[i]?.id
        return group === undefined || met.size < met.add(group).size
      })
    },
  }
}

/** By feed: its title, else its address. */
export async function feedNames(entries: Entry[], from: Catalogues): Promise<Map<FeedId, string>> {
  const ids = [...new Set(entries.map(({ feedId }) => feedId))]
  const feeds = await from.catalogue.feedsById(ids)
  return new Map(feeds.flatMap((held) => (held ? [[held.feed.id, held.feed.title || held.feed.url]] : [])))
}

export async function namedEntries(entries: Entry[], from: Catalogues): Promise<EntryShape[]> {
  const names = await feedNames(entries, from)
  const copies = await from.groupCatalogue.groupsOfEntries(
    entries.map(({ id }) => id),
    'copy',
  )
  const own = await ownWordsOf(entries, from)
  return entries.map((entry, i) =>
    entryShape(entry, { feedTitle: names.get(entry.feedId), copies: copies[i], own: own.get(entry.feedId) }),
  )
}
