/** Full-text search of entries with filters, and entries with the titles of their feeds, for the API and the command line. */
import type { EntryShape, FoundEntryShape, HitsShape } from '../api/index.ts'
import {
  type Entry,
  type EntryId,
  type EntryState,
  type FeedId,
  type GroupLevel,
  type Instant,
  sortPosition,
  UNKNOWN_LANGUAGE,
  type UserId,
} from '../model/index.ts'
import type {
  EntryListQuery,
  ParseOptions,
  QueryFault,
  ReaderState,
  Search,
  SearchOrder,
  SearchQuery,
  WordsTerm,
} from '../ports/index.ts'
import { boilerplateFilters } from './boilerplate.ts'
import { type Catalogues, searchedTexts } from './entry-texts.ts'
import { excerptOf } from './excerpt.ts'
import { createLiteralFilter, type HitFilter, type TextTest } from './literal-filter.ts'
import { showableArticles } from './no-archive.ts'
import { pictureOfEntry, pictureOfFeed } from './pictures.ts'
import { resolveQuery } from './resolve-query.ts'
import { entryShape } from './shapes/entry.ts'
import { highlightsIn, snippetOf } from './snippet.ts'

/** Filters of a list or search. With `unique`, a search returns only the best hit of each group. */
export type EntryFilter = Omit<EntryListQuery, 'after'>

/** The time of the search, and the user whose read state applies. */
interface SearchContext {
  now: Instant
  reader?: UserId
}

type FindOptions = EntryFilter & SearchOrder & SearchContext & ParseOptions & { isCounted?: boolean }

interface FoundEntries {
  entries: Entry[]
  /** The words to highlight. */
  words: WordsTerm[]
  /** More entries follow the last one. */
  hasMore: boolean
  hits: HitsShape
}

const CHUNK = 200

/** Limit of hits that are read and counted. */
const MAX_HITS = 10_000

/**
 * Full-text search: best first or newest first, continuing after the last entry of the previous page. Hits that were removed from the
 * store, and further hits of a group, do not shorten the page: more hits are read instead. Counts hits on request.
 */
export async function findEntries(
  text: string,
  stores: Catalogues & { search: Search },
  { unique, limit, now, order = 'relevance', after, reader, isCounted, isTyping, ...narrowed }: FindOptions,
): Promise<FoundEntries | QueryFault> {
  const resolved = await resolveQuery(text, stores, now, reader, { isTyping: isTyping === true })
  if ('fault' in resolved) return resolved
  const query = narrowDown(resolved.query, narrowed)
  const filter = createHitFilter(resolved, stores, reader)
  const found: FoundEntries = { entries: [], words: wordsIn(query), hasMore: false, hits: { folded: 0 } }
  const { entries, hits } = found
  const groups = createGroupFilter(unique, stores)
  // With `unique`, the groups on earlier pages are only known by starting at the first hit again.
  const isFromBeginning = unique !== undefined || after === undefined
  let hasPassedCursor = after === undefined || !isFromBeginning
  const searchOrder = isFromBeginning || after === undefined ? { order } : { order, after }
  let checked = 0
  for await (const ids of hitPages(query, stores.search, limit + 1, searchOrder)) {
    const matching = await filter.matching(ids)
    const representatives = await groups.without(matching)
    const afterCursor = hasPassedCursor
      ? representatives
      : representatives.slice(representatives.indexOf(after!) + 1 || representatives.length)
    hasPassedCursor ||= representatives.includes(after!)
    for (const entry of await stores.catalogue.entriesById(afterCursor)) {
      if (!entry || !isWithin(entry, query)) continue
      if (entries.length === limit) {
        if (isCounted && after === undefined) Object.assign(hits, await countHits(query, stores.search, filter))
        hits.folded += matching.indexOf(entry.id) - representatives.indexOf(entry.id)
        return { ...found, hasMore: true }
      }
      entries.push(entry)
    }
    hits.folded += matching.length - representatives.length
    checked += ids.length
  }
  if (after === undefined) Object.assign(hits, totalShape(entries.length + hits.folded, checked, filter))
  return found
}

/** The ids of all hits, newest first, up to `MAX_HITS`; `more` if there are others. */
export async function findEntryIds(
  text: string,
  stores: Catalogues & { search: Search },
  { now, reader, ...narrowed }: Omit<EntryFilter, 'unique' | 'limit'> & SearchContext,
): Promise<{ ids: EntryId[]; more: boolean } | QueryFault> {
  const resolved = await resolveQuery(text, stores, now, reader)
  if ('fault' in resolved) return resolved
  const filter = createHitFilter(resolved, stores, reader)
  const hits = await stores.search.find(narrowDown(resolved.query, narrowed), MAX_HITS, { order: 'date' })
  const ids: EntryId[] = []
  for (let i = 0; i < hits.length; i += CHUNK)
    ids.push(...(await filter.matching(hits.slice(i, i + CHUNK).map(({ id }) => id))))
  return { ids, more: hits.length >= MAX_HITS || filter.isExhausted() }
}

/** Ordered by date: an index that orders by relevance may rank only some of the hits. */
async function countHits(
  query: SearchQuery,
  search: Search,
  filter: HitFilter,
): Promise<Pick<HitsShape, 'total' | 'more'>> {
  const hits = await search.find(query, MAX_HITS, { order: 'date' })
  let total = 0
  for (let i = 0; i < hits.length; i += CHUNK) {
    total += (await filter.matching(hits.slice(i, i + CHUNK).map(({ id }) => id))).length
  }
  return totalShape(total, hits.length, filter)
}

function totalShape(total: number, checked: number, filter: HitFilter): Pick<HitsShape, 'total' | 'more'> {
  return { total, ...((checked >= MAX_HITS || filter.isExhausted()) && { more: true }) }
}

/** Filters hits by what the index does not know: the reader's state, and signs in words. */
function createHitFilter(
  { matchesState, matchesText }: { matchesState?: (state: EntryState) => boolean; matchesText?: TextTest },
  stores: Catalogues,
  reader: UserId | undefined,
): HitFilter {
  const literals = matchesText && createLiteralFilter(matchesText, stores, reader)
  return {
    async matching(ids) {
      const ofState =
        matchesState && reader !== undefined ? await filterByState(ids, matchesState, stores.readerState, reader) : ids
      return literals ? literals.matching(ofState) : ofState
    },
    isExhausted: () => literals?.isExhausted() ?? false,
  }
}

/** The entries among these that match a search, unordered. */
export async function matchingAmong(
  text: string,
  ids: readonly EntryId[],
  stores: Catalogues & { search: Search },
  { now, reader }: SearchContext,
): Promise<{ ids: EntryId[] } | QueryFault> {
  const resolved = await resolveQuery(text, stores, now, reader)
  if ('fault' in resolved) return resolved
  const { query } = resolved
  const among = { ...query, all: [...query.all, [{ kind: 'entries', ids } as const]] }
  const hits = (await stores.search.find(among, ids.length, { order: 'date' })).map(({ id }) => id)
  const matching = await createHitFilter(resolved, stores, reader).matching(hits)
  const entries = await stores.catalogue.entriesById(matching)
  return { ids: entries.flatMap((entry) => (entry && isWithin(entry, query) ? [entry.id] : [])) }
}

async function filterByState(
  ids: EntryId[],
  matchesState: (state: EntryState) => boolean,
  readerState: ReaderState,
  reader: UserId,
): Promise<EntryId[]> {
  const states = await readerState.entryStates(reader, ids)
  return ids.filter((_, i) => matchesState(states[i]!))
}

function narrowDown(
  { all, none, ...dates }: SearchQuery,
  narrowed: Omit<EntryFilter, 'unique' | 'limit'>,
): SearchQuery {
  const { feedIds, language, category } = narrowed
  const since = latest(dates.since, narrowed.since)
  const until = earliest(dates.until, narrowed.until)
  return {
    all: [
      ...all,
      ...(feedIds ? [[{ kind: 'feeds', ids: feedIds } as const]] : []),
      ...(language !== undefined ? [[{ kind: 'language', code: language.toLowerCase() } as const]] : []),
      ...(category !== undefined ? [[{ kind: 'category', name: category.toLowerCase() } as const]] : []),
    ],
    none,
    ...(since !== undefined && { since }),
    ...(until !== undefined && { until }),
  }
}

function latest(a: Instant | undefined, b: Instant | undefined): Instant | undefined {
  return a === undefined || b === undefined ? (a ?? b) : Math.max(a, b)
}

function earliest(a: Instant | undefined, b: Instant | undefined): Instant | undefined {
  return a === undefined || b === undefined ? (a ?? b) : Math.min(a, b)
}

/** The index has dates to the minute only, so the exact date is checked here. */
function isWithin(entry: Entry, { since, until }: SearchQuery): boolean {
  const { at } = sortPosition(entry)
  return (since === undefined || at >= since) && (until === undefined || at <= until)
}

function wordsIn({ all }: SearchQuery): WordsTerm[] {
  return all.flat().flatMap((term) => (term.kind === 'words' ? [term] : []))
}

/** Ids of hits in order: first one page, which is usually enough, then the rest in chunks. */
async function* hitPages(
  query: SearchQuery,
  search: Search,
  limit: number,
  searchOrder: SearchOrder,
): AsyncGenerator<EntryId[]> {
  const first = await search.find(query, limit, searchOrder)
  yield first.map(({ id }) => id)
  const last = first.at(-1)
  if (!last || first.length < limit) return
  const rest = await search.find(query, MAX_HITS, { ...searchOrder, after: last.id })
  for (let i = 0; i < rest.length; i += CHUNK) yield rest.slice(i, i + CHUNK).map(({ id }) => id)
}

/** Keeps the first entry of each group. */
function createGroupFilter(level: GroupLevel | undefined, stores: Catalogues) {
  const seenGroups = new Set<number>()
  return {
    async without(ids: EntryId[]): Promise<EntryId[]> {
      if (!level) return ids
      const groups = await stores.groupCatalogue.groupsOfEntries(ids, level)
      return ids.filter((_, i) => {
        const group = groups[i]?.id
        return group === undefined || seenGroups.size < seenGroups.add(group).size
      })
    },
  }
}

export async function feedTitlesOfEntries(
  entries: Entry[],
  stores: Catalogues,
  reader?: UserId,
): Promise<Map<FeedId, string>> {
  return feedTitles([...new Set(entries.map(({ feedId }) => feedId))], stores, reader)
}

/** Titles of feeds, or their addresses if they have none; with a reader, the reader's own titles. */
export async function feedTitles(
  ids: FeedId[],
  { catalogue, readerState }: Pick<Catalogues, 'catalogue' | 'readerState'>,
  reader?: UserId,
): Promise<Map<FeedId, string>> {
  const [feeds, subscriptions] = await Promise.all([
    catalogue.feedsById(ids),
    reader === undefined ? [] : readerState.subscriptionsTo(reader, ids),
  ])
  return new Map(
    feeds.flatMap((scheduled, i) =>
      scheduled ? [[scheduled.feed.id, subscriptions[i]?.title || scheduled.feed.title || scheduled.feed.url]] : [],
    ),
  )
}

/** Who reads the entries, with their own titles, read and starred state; and whether to add the beginning of each text. */
export interface ListOptions {
  reader?: UserId
  withExcerpts?: boolean
}

export async function entriesWithTitles(
  entries: Entry[],
  stores: Catalogues,
  { reader, withExcerpts = false }: ListOptions = {},
): Promise<EntryShape[]> {
  const ids = entries.map(({ id }) => id)
  const pictures = entries.map((entry) => pictureOfFeed(entry))
  // Articles are read only where the feed leaves something out.
  const bare = entries.filter(
    ({ summary, content }, i) => pictures[i] === undefined || (withExcerpts && !summary && !content),
  )
  // At once: a store in threads gets them in one message.
  const [titles, states, copies, filters, articles] = await Promise.all([
    feedTitlesOfEntries(entries, stores, reader),
    reader === undefined ? [] : stores.readerState.entryStates(reader, ids),
    stores.groupCatalogue.groupsOfEntries(ids, 'copy'),
    boilerplateFilters(entries, stores),
    bare.length > 0 ? stores.articleCatalogue.articlesOfEntries(bare.map(({ id }) => id)) : [],
  ])
  const isShowable = await showableArticles(bare, articles, { reader }, stores)
  const articleOf = new Map(bare.map(({ id }, i) => [id, isShowable[i] ? articles[i] : undefined]))
  return entries.map((entry, i) => {
    const article = articleOf.get(entry.id)
    const boilerplate = filters.get(entry.feedId)
    const { title } = entry
    return entryShape(entry, {
      feedTitle: titles.get(entry.feedId),
      copies: copies[i],
      boilerplate,
      state: states[i],
      picture: pictures[i] ?? pictureOfEntry(entry, article),
      excerpt: withExcerpts
        ? excerptOf(entry, {
            article,
            ...(boilerplate && { withoutBoilerplate: (text) => boilerplate.text({ title, text }) }),
          })
        : undefined,
    })
  })
}

/** With a snippet that shows why each entry was found. */
export async function foundEntriesWithTitles(
  entries: Entry[],
  words: WordsTerm[],
  stores: Catalogues,
  options: ListOptions = {},
): Promise<FoundEntryShape[]> {
  const shapes = await entriesWithTitles(entries, stores, options)
  const found: FoundEntryShape[] = []
  for (let from = 0; from < entries.length; from += TEXTS_AT_ONCE) {
    const some = entries.slice(from, from + TEXTS_AT_ONCE)
    const texts = await searchedTexts(some, stores, options.reader)
    for (const [i, { language = UNKNOWN_LANGUAGE }] of some.entries()) {
      const shape = shapes[from + i]!
      const { text, highlights } = snippetOf(texts[i]!, words, language)
      const titleMarks = highlightsIn(shape.title, words, language)
      found.push({ ...shape, found: { titleMarks, text, textMarks: highlights } })
    }
  }
  return found
}

/** Articles may be long: only so many texts are in memory at once. */
const TEXTS_AT_ONCE = 50
