/** Restricts entries to those that one caller can see. */
import type { Entry, EntryId, FeedId } from '../model/index.ts'
import { sortAt } from '../model/index.ts'
import type { Catalogue } from '../ports/index.ts'
import type { FeedVisibility, VisibleParts } from './feed-visibility.ts'
import { visibleGroups } from './visible-groups.ts'

type EntryMethods = 'entriesById' | 'feedsOfEntries' | 'entries' | 'listEntries' | 'versions' | 'everyEntry'

/** Entries per query. */
const PAGE = 200

export function visibleEntries(parts: VisibleParts, visibility: FeedVisibility): Pick<Catalogue, EntryMethods> {
  const { catalogue, readerState } = parts
  const { userId, reach } = visibility.scope
  const groups = visibleGroups(parts, visibility)

  const entriesById: Catalogue['entriesById'] = async (ids) => {
    const entries = await catalogue.entriesById(ids)
    const visible = await visibility.filterVisible(entries.map((entry) => entry?.feedId))
    return entries.map((entry) => (entry && visible.has(entry.feedId) ? entry : undefined))
  }
  const listEntries: Catalogue['listEntries'] = (query) => readerState.entriesFor(userId, { ...query, reach })

  /** One entry of each group, if a level is given. */
  async function withoutCopies(entries: Entry[], level: 'copy' | 'story' | undefined): Promise<Entry[]> {
    if (!level) return entries
    const groupOfEach = await groups.groupsOfEntries(
      entries.map(({ id }) => id),
      level,
    )
    return entries.filter(({ id }, i) => (groupOfEach[i]?.primaryId ?? id) === id)
  }

  return {
    entriesById,
    async feedsOfEntries(ids) {
      const feeds = await catalogue.feedsOfEntries(ids)
      const visible = await visibility.filterVisible(feeds)
      return feeds.map((id) => (id !== undefined && visible.has(id) ? id : undefined))
    },
    async entries({ feedId, ...query }) {
      if (feedId === undefined) return (await listEntries(query)).entries
      return (await visibility.isVisible(feedId)) ? catalogue.entries({ feedId, ...query }) : []
    },
    listEntries,
    async versions(id) {
      const [feedId] = await catalogue.feedsOfEntries([id])
      return (await visibility.isVisible(feedId)) ? catalogue.versions(id) : []
    },
    async *everyEntry({ feedId, since = Number.NEGATIVE_INFINITY, unique, after: startAfter }) {
      const only = {
        ...(startAfter !== undefined && { startAfter }),
        ...(feedId !== undefined && { feedIds: [feedId] }),
      }
      for await (const ids of arrivalPages(parts, visibility, only)) {
        const entries = (await entriesById(ids)).filter((entry) => entry !== undefined)
        const matching = entries.filter((entry) => sortAt(entry, entry.seenAt) >= since)
        yield* await withoutCopies(matching, unique)
      }
    },
  }
}

/** All visible entries in pages, in the order of arrival. */
export async function* arrivalPages(
  { readerState }: Pick<VisibleParts, 'readerState'>,
  { scope: { userId, reach } }: FeedVisibility,
  { startAfter, ...only }: { startAfter?: EntryId; feedIds?: FeedId[] } = {},
): AsyncGenerator<EntryId[]> {
  for (let after = startAfter; ; ) {
    const { arrivals, nextAfter } = await readerState.arrivalsFor(userId, {
      ...only,
      reach,
      order: 'oldest',
      limit: PAGE,
      ...(after !== undefined && { after }),
    })
    if (arrivals.length > 0) yield arrivals.map(({ id }) => id)
    if (nextAfter === undefined) return
    after = nextAfter
  }
}
