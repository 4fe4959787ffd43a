/**
 * Catalogues and search as one caller sees them: what is out of their sight is not there, in no list, group, count or search. Whoever shows
 * something asks these, and need not think of it. Lists are narrowed down by the store, so that pages are full.
 *
 * Feeds wear the user's own title and folder. Those that they do not follow are shown without the secrets of their addresses, and without
 * what others call them.
 */
import type { FeedId, FeedScope, Source, Visibility } from '../model/index.ts'
import type { Catalogue, Readership, Search } from '../ports/index.ts'
import { createFeedVisibility, type FeedVisibility, type VisibleParts } from './feed-visibility.ts'
import { createPersonalizer, type Personalizer } from './personalize.ts'
import { visibleArticles } from './visible-articles.ts'
import { visibleEntries } from './visible-entries.ts'
import { visibleFeeds } from './visible-feeds.ts'
import { visibleGroups } from './visible-groups.ts'

/** The same parts, for a caller. */
export function visibleTo<Parts extends VisibleParts>(parts: Parts, visibility: Visibility): Parts {
  const { personId, reach } = visibility
  if (personId === undefined) return parts
  const dressed = createPersonalizer(parts, visibility)
  if (reach === 'everything') return { ...parts, catalogue: { ...parts.catalogue, ...namedFeeds(parts, dressed) } }
  const scope: FeedScope = { personId, reach }
  const sight = createFeedVisibility(parts, scope)
  const catalogue = {
    ...parts.catalogue,
    ...visibleFeeds(parts, sight, dressed),
    ...visibleEntries(parts, sight),
  }
  const articles = visibleArticles(parts, sight, catalogue)
  return {
    ...parts,
    catalogue: { ...catalogue, everyArticle: articles.everyArticle },
    articleCatalogue: { ...parts.articleCatalogue, ...articles.catalogue },
    groupCatalogue: { ...parts.groupCatalogue, ...visibleGroups(parts, sight) },
    readership: { ...parts.readership, ...visibleStars(parts, scope, catalogue) },
    search: { ...parts.search, find: visibleSearch(parts, sight) },
  }
}

/** For an admin, who sees all of them. */
function namedFeeds({ catalogue }: Pick<VisibleParts, 'catalogue'>, dressed: Personalizer) {
  return {
    feedsById: async (ids: FeedId[]) => dressed.feeds(await catalogue.feedsById(ids)),
    feeds: async (query: Parameters<typeof catalogue.feeds>[0]) => dressed.feeds(await catalogue.feeds(query)),
    async *everyFeed() {
      for await (const feed of catalogue.everyFeed()) yield* await dressed.feeds([feed])
    },
    sourcesById: async (ids: Source['id'][]) => dressed.sources(await catalogue.sourcesById(ids)),
    sources: async (query: Parameters<typeof catalogue.sources>[0]) => dressed.sources(await catalogue.sources(query)),
  }
}

/** What a user has starred need not be of a feed that they follow; but it has to be in sight. */
function visibleStars(
  { readership }: Pick<VisibleParts, 'readership'>,
  { reach }: FeedScope,
  visible: Pick<Catalogue, 'feedsOfEntries'>,
): Pick<Readership, 'entriesFor' | 'arrivalsFor' | 'star'> {
  return {
    async star(id, entries, starred, at) {
      const feeds = starred ? await visible.feedsOfEntries(entries) : []
      return readership.star(id, starred ? entries.filter((_, i) => feeds[i] !== undefined) : entries, starred, at)
    },
    entriesFor: (id, query) => readership.entriesFor(id, query.starred ? { reach, ...query } : query),
    arrivalsFor: (id, query) => readership.arrivalsFor(id, query.starred ? { reach, ...query } : query),
  }
}

/** Few feeds are named as such; where most are in sight, the others are left out. */
function visibleSearch({ search }: Pick<VisibleParts, 'search'>, sight: FeedVisibility): Search['find'] {
  const isDense = sight.scope.reach === 'shared' || sight.scope.reach === 'public'
  let feeds: Promise<FeedId[]> | undefined

  async function collected(): Promise<FeedId[]> {
    const ids: FeedId[] = []
    for await (const page of sight.feedPages(isDense ? 'hidden' : 'seen')) for (const id of page) ids.push(id)
    return ids
  }

  return async (query, limit, order) => {
    if (query.all.length === 0) return []
    feeds ??= collected()
    const term = { kind: 'feeds', ids: await feeds } as const
    if (isDense)
      return search.find(term.ids.length > 0 ? { ...query, none: [...query.none, term] } : query, limit, order)
    return term.ids.length > 0 ? search.find({ ...query, all: [...query.all, [term]] }, limit, order) : []
  }
}
