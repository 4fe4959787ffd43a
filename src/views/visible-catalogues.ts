/**
 * Catalogues and search restricted to one caller: hidden feeds appear in no list, group, count or search. Code that shows something uses
 * these catalogues and needs no checks of its own. The store filters lists, so pages are full.
 *
 * Feeds have the user's own title and folder. Feeds that the user does not follow are shown without the secrets in their addresses, and
 * without the titles and folders of other users.
 */
import type { EntryId, FeedId, FeedScope, Source, Visibility } from '../model/index.ts'
import type { Catalogue, ReaderState, ReadStateFilter, Search } from '../ports/index.ts'
import { createFeedVisibility, type FeedVisibility, type VisibleParts } from './feed-visibility.ts'
import { createPersonalizer, type Personalizer } from './personalize.ts'
import { visibleArticles } from './visible-articles.ts'
import { visibleEntries } from './visible-entries.ts'
import { visibleFeeds } from './visible-feeds.ts'
import { visibleGroups } from './visible-groups.ts'

/** The same parts, restricted to a caller. */
export function visibleTo<Parts extends VisibleParts>(parts: Parts, visibility: Visibility): Parts {
  const { userId, reach } = visibility
  if (userId === undefined) return parts
  const personalizer = createPersonalizer(parts, visibility)
  if (reach === 'everything')
    return { ...parts, catalogue: { ...parts.catalogue, ...personalizedFeeds(parts, personalizer) } }
  const scope: FeedScope = { userId, reach }
  const feedVisibility = createFeedVisibility(parts, scope)
  const catalogue = {
    ...parts.catalogue,
    ...visibleFeeds(parts, feedVisibility, personalizer),
    ...visibleEntries(parts, feedVisibility),
  }
  const articles = visibleArticles(parts, feedVisibility, catalogue)
  return {
    ...parts,
    catalogue: { ...catalogue, everyArticle: articles.everyArticle },
    articleCatalogue: { ...parts.articleCatalogue, ...articles.catalogue },
    groupCatalogue: { ...parts.groupCatalogue, ...visibleGroups(parts, feedVisibility) },
    readerState: { ...parts.readerState, ...visibleStars(parts, scope, catalogue) },
    search: { ...parts.search, find: visibleSearch(parts, feedVisibility) },
  }
}

/** For admins, who see all feeds. */
function personalizedFeeds({ catalogue }: Pick<VisibleParts, 'catalogue'>, personalizer: Personalizer) {
  return {
    feedsById: async (ids: FeedId[]) => personalizer.personalizeFeeds(await catalogue.feedsById(ids)),
    feeds: async (query: Parameters<typeof catalogue.feeds>[0]) =>
      personalizer.personalizeFeeds(await catalogue.feeds(query)),
    async *everyFeed() {
      for await (const feed of catalogue.everyFeed()) yield* await personalizer.personalizeFeeds([feed])
    },
    sourcesById: async (ids: Source['id'][]) => personalizer.personalizeSources(await catalogue.sourcesById(ids)),
    sources: async (query: Parameters<typeof catalogue.sources>[0]) =>
      personalizer.personalizeSources(await catalogue.sources(query)),
  }
}

/** Users may star, label and mute entries of feeds that they do not follow, if these are visible. */
function visibleStars(
  { readerState }: Pick<VisibleParts, 'readerState'>,
  { reach }: FeedScope,
  visible: Pick<Catalogue, 'feedsOfEntries'>,
): Pick<ReaderState, 'entriesFor' | 'arrivalsFor' | 'starEntries' | 'labelEntries' | 'muteEntries'> {
  async function visibleAmong(entries: EntryId[]): Promise<EntryId[]> {
    const feeds = await visible.feedsOfEntries(entries)
    return entries.filter((_, i) => feeds[i] !== undefined)
  }
  const withReach = <Query extends ReadStateFilter>(query: Query) =>
    query.starred || query.label !== undefined || query.muted ? { reach, ...query } : query
  return {
    async starEntries(id, entries, starred, at) {
      return readerState.starEntries(id, starred ? await visibleAmong(entries) : entries, starred, at)
    },
    async labelEntries(id, entries, { add = [], remove = [] }, at) {
      const added = add.length > 0 ? await readerState.labelEntries(id, await visibleAmong(entries), { add }, at) : []
      if (added === 'too-many-labels' || remove.length === 0) return added
      const removed = await readerState.labelEntries(id, entries, { remove }, at)
      if (removed === 'too-many-labels') return removed
      const changed = new Set([...added, ...removed])
      return entries.filter((one) => changed.has(one))
    },
    async muteEntries(id, entries, muted, at) {
      return readerState.muteEntries(id, muted ? await visibleAmong(entries) : entries, muted, at)
    },
    entriesFor: (id, query) => readerState.entriesFor(id, withReach(query)),
    arrivalsFor: (id, query) => readerState.arrivalsFor(id, withReach(query)),
  }
}

/** Lists the visible feeds if they are few; if most are visible, excludes the hidden ones. */
function visibleSearch({ search }: Pick<VisibleParts, 'search'>, feedVisibility: FeedVisibility): Search['find'] {
  const seesMostFeeds = feedVisibility.scope.reach === 'shared' || feedVisibility.scope.reach === 'public'
  let feeds: Promise<FeedId[]> | undefined

  async function collectFeeds(): Promise<FeedId[]> {
    const ids: FeedId[] = []
    for await (const page of feedVisibility.feedPages(seesMostFeeds ? 'hidden' : 'seen'))
      for (const id of page) ids.push(id)
    return ids
  }

  return async (query, limit, order) => {
    if (query.all.length === 0) return []
    feeds ??= collectFeeds()
    const term = { kind: 'feeds', ids: await feeds } as const
    if (seesMostFeeds)
      return search.find(term.ids.length > 0 ? { ...query, none: [...query.none, term] } : query, limit, order)
    return term.ids.length > 0 ? search.find({ ...query, all: [...query.all, [term]] }, limit, order) : []
  }
}
