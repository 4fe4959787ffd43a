/** Entries as one caller sees them. */
import type { Entry, EntryId, FeedId } from '../model/index.ts'
import { sortAt } from '../model/index.ts'
import type { Catalogue } from '../ports/index.ts'
import type { FeedVisibility, VisibleParts } from './feed-visibility.ts'
import { visibleGroups } from './visible-groups.ts'

type EntryMethods = 'entriesById' | 'feedsOfEntries' | 'entries' | 'listEntries' | 'versions' | 'everyEntry'

/** Entries that are looked up at once. */
const PAGE = 200

export function visibleEntries(parts: VisibleParts, sight: FeedVisibility): Pick<Catalogue, EntryMethods> {
  const { catalogue, readership } = parts
  const { personId, reach } = sight.scope
  const groups = visibleGroups(parts, sight)

  const entriesById: Catalogue['entriesById'] = async (ids) => {
    const entries = await catalogue.entriesById(ids)
    const seen = await sight.filterVisible(entries.map((entry) => entry?.feedId))
    return entries.map((entry) => (entry && seen.has(entry.feedId) ? entry : undefined))
  }
  const listEntries: Catalogue['listEntries'] = (query) => readership.entriesFor(personId, { ...query, reach })

  /** Of each group one, if that is wished. */
  async function withoutCopies(entries: Entry[], level: 'copy' | 'story' | undefined): Promise<Entry[]> {
    if (!level) return entries
    const of = await groups.groupsOfEntries(
      entries.map(({ id }) => id),
      level,
    )
    return entries.filter(({ id }, i) => (of[i]?.primaryId ?? id) === id)
  }

  return {
    entriesById,
    async feedsOfEntries(ids) {
      const feeds = await catalogue.feedsOfEntries(ids)
      const seen = await sight.filterVisible(feeds)
      return feeds.map((id) => (id !== undefined && seen.has(id) ? id : undefined))
    },
    async entries({ feedId, ...query }) {
      if (feedId === undefined) return (await listEntries(query)).entries
      return (await sight.isVisible(feedId)) ? catalogue.entries({ feedId, ...query }) : []
    },
    listEntries,
    async versions(id) {
      const [feedId] = await catalogue.feedsOfEntries([id])
      return (await sight.isVisible(feedId)) ? catalogue.versions(id) : []
    },
    async *everyEntry({ feedId, since = Number.NEGATIVE_INFINITY, unique, after: begin }) {
      const only = { ...(begin !== undefined && { begin }), ...(feedId !== undefined && { feedIds: [feedId] }) }
      for await (const ids of arrivedIn(parts, sight, only)) {
        const entries = (await entriesById(ids)).filter((entry) => entry !== undefined)
        const meant = entries.filter((entry) => sortAt(entry, entry.seenAt) >= since)
        yield* await withoutCopies(meant, unique)
      }
    },
  }
}

/** All that is in sight, in the order of arrival. */
export async function* arrivedIn(
  { readership }: Pick<VisibleParts, 'readership'>,
  { scope: { personId, reach } }: FeedVisibility,
  { begin, ...only }: { begin?: EntryId; feedIds?: FeedId[] } = {},
): AsyncGenerator<EntryId[]> {
  for (let after = begin; ; ) {
    const { arrivals, goesOnAfter } = await readership.arrivalsFor(personId, {
      ...only,
      reach,
      order: 'oldest',
      limit: PAGE,
      ...(after !== undefined && { after }),
    })
    if (arrivals.length > 0) yield arrivals.map(({ id }) => id)
    if (goesOnAfter === undefined) return
    after = goesOnAfter
  }
}
