/**
 * Catalogues and search as one caller sees them: what is out of their sight is not there, in no list, group, count or search. Whoever shows
 * something asks these, and need not think of it. Lists are narrowed down by the store, so that pages are full.
 *
 * Feeds wear the user's own title and folder. Those that they do not follow are shown without the secrets of their addresses, and without
 * what others call them.
 */
import {
  type Feed,
  type FeedId,
  type Reading,
  type ScheduledFeed,
  type Scope,
  type Source,
  type Visibility,
  type WebAddress,
  withoutSecrets,
} from '../model/index.ts'
import { type Catalogue, letOthers, type Readership, type Roles, type Search } from '../ports/index.ts'
import { visibleArticles } from './visible-articles.ts'
import { visibleEntries } from './visible-entries.ts'
import { visibleFeeds } from './visible-feeds.ts'
import { visibleGroups } from './visible-groups.ts'

export type VisibleParts = Pick<Roles, 'catalogue' | 'articleCatalogue' | 'groupCatalogue' | 'readership'> & {
  search: Search
}

/** The same parts, for a caller. */
export function visibleTo<Parts extends VisibleParts>(parts: Parts, visibility: Visibility): Parts {
  const { personId, reach } = visibility
  if (personId === undefined) return parts
  const dressed = createDress(parts, visibility)
  if (reach === 'everything') return { ...parts, catalogue: { ...parts.catalogue, ...namedFeeds(parts, dressed) } }
  const scope: Scope = { personId, reach }
  const sight = createSight(parts, scope)
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

/** What a caller can see. */
export interface Sight {
  scope: Scope
  /** Which of these are in sight. */
  among(ids: readonly (FeedId | undefined)[]): Promise<ReadonlySet<FeedId>>
  sees(id: FeedId | undefined): Promise<boolean>
  /** All feeds in sight, or out of it; oldest first. */
  feeds(is?: 'seen' | 'hidden'): AsyncGenerator<FeedId[]>
}

const PAGE = 5000
/** Feeds that are asked about at once. */
const TOGETHER = 1000

function createSight({ readership }: Pick<VisibleParts, 'readership'>, scope: Scope): Sight {
  async function among(ids: readonly (FeedId | undefined)[]): Promise<ReadonlySet<FeedId>> {
    const all = [...new Set(ids.filter((id) => id !== undefined))]
    const seen = new Set<FeedId>()
    for (let i = 0; i < all.length; i += TOGETHER) {
      const some = all.slice(i, i + TOGETHER)
      const within = await readership.areWithin(scope, some)
      for (const [j, id] of some.entries()) if (within[j]) seen.add(id)
    }
    return seen
  }
  return {
    scope,
    among,
    sees: async (id) => id !== undefined && (await among([id])).has(id),
    async *feeds(is = 'seen') {
      for (let after = 0 as FeedId; ; await letOthers()) {
        const page = await readership.feedsWithin(scope, { hidden: is === 'hidden', after, limit: PAGE })
        yield page
        if (page.length < PAGE) return
        after = page.at(-1)!
      }
    },
  }
}

/** How a caller is shown feeds and sources. */
export interface Dress {
  feeds<Held extends ScheduledFeed | undefined>(feeds: readonly Held[]): Promise<Held[]>
  sources<Held extends Source | undefined>(sources: readonly Held[]): Promise<Held[]>
}

function createDress(
  { readership }: Pick<VisibleParts, 'readership'>,
  { personId, reach }: Visibility & { personId?: Scope['personId'] },
): Dress {
  const isAdmin = reach === 'everything'
  const readingsOf = (ids: FeedId[]) =>
    reach === 'public' || personId === undefined
      ? Promise.resolve(ids.map((): Reading | undefined => undefined))
      : readership.readingsOf(personId, ids)

  async function waitsFor({ id }: Source): Promise<boolean> {
    if (personId === undefined) return false
    const [first] = await readership.waitingReadings(personId, { after: (id - 1) as Source['id'], limit: 1 })
    return first?.sourceId === id
  }

  return {
    async feeds(feeds) {
      const readings = await readingsOf(feeds.flatMap((held) => held?.feed.id ?? []))
      const own = new Map(readings.flatMap((one) => (one ? [[one.feedId, one]] : [])))
      return feeds.map((held) => {
        if (!held) return held
        const reading = own.get(held.feed.id)
        return { ...held, feed: reading ? asCalled(held.feed, reading) : asStranger(held.feed, isAdmin) }
      })
    },
    async sources(sources) {
      return Promise.all(
        sources.map(async (source) =>
          !source || (await waitsFor(source)) ? source : (sourceOfOthers(source, isAdmin) as typeof source),
        ),
      )
    },
  }
}

function asCalled({ folder: _, ...feed }: Feed, { title, folder }: Reading): Feed {
  return { ...feed, ...(title && { title }), ...(folder && { folder }) }
}

/** What freshet.toml says of it is for all. */
function asStranger({ credentials, folder, successorUrl, ...feed }: Feed, isAdmin: boolean): Feed {
  return {
    ...feed,
    url: redacted(feed.url),
    ...(successorUrl && { successorUrl: redacted(successorUrl) }),
    ...(feed.listed && folder && { folder }),
    ...(isAdmin && credentials && { credentials }),
  }
}

function sourceOfOthers({ credentials, ...source }: Source, isAdmin: boolean): Source {
  return {
    ...source,
    url: redacted(source.url),
    ...(source.others && { others: source.others.map(redacted) }),
    ...(isAdmin && credentials && { credentials }),
  }
}

function redacted(address: WebAddress): WebAddress {
  return withoutSecrets(address) as WebAddress
}

/** For an admin, who sees all of them. */
function namedFeeds({ catalogue }: Pick<VisibleParts, 'catalogue'>, dressed: Dress) {
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
  { reach }: Scope,
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
function visibleSearch({ search }: Pick<VisibleParts, 'search'>, sight: Sight): Search['find'] {
  const isDense = sight.scope.reach === 'shared' || sight.scope.reach === 'public'
  let feeds: Promise<FeedId[]> | undefined

  async function collected(): Promise<FeedId[]> {
    const ids: FeedId[] = []
    for await (const page of sight.feeds(isDense ? 'hidden' : 'seen')) for (const id of page) ids.push(id)
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
