/** Entries as the API and the command line give them: found by words and narrowed down, and with the names of their feeds. */
import type { EntryShape, FoundEntryShape, HitsShape } from '../api/index.ts'
import { plainText } from '../feeds/index.ts'
import {
  type Entry,
  type EntryId,
  type EntryMarks,
  type FeedId,
  type GroupLevel,
  type Instant,
  type PersonId,
  placeInTime,
} from '../model/index.ts'
import type {
  EntryListQuery,
  QueryFault,
  Readership,
  Roles,
  Search,
  SearchOrder,
  SearchQuery,
  WordsTerm,
} from '../ports/index.ts'
import { boilerplateFilters } from './boilerplate.ts'
import { resolveQuery } from './resolve-query.ts'
import { entryShape } from './shapes/entry.ts'
import { marksIn, snippetOf } from './snippet.ts'

/** Where entries and groups are looked up. */
export type Catalogues = Pick<Roles, 'catalogue' | 'articleCatalogue' | 'groupCatalogue' | 'readership'>

/** What is asked for beside the words; of each group only one: of what a search finds, the best. */
export type EntryFilter = Omit<EntryListQuery, 'after'>

/** When it is asked, and by whom: what is unread is so for somebody. */
interface Asking {
  now: Instant
  reader?: PersonId
}

type Finding = EntryFilter & SearchOrder & Asking & { isCounted?: boolean }

interface FoundEntries {
  entries: Entry[]
  /** What was looked for, to be marked. */
  words: WordsTerm[]
  /** There are others behind the last one. */
  goesOn: boolean
  hits: HitsShape
}

const CHUNK = 200

/** Hits that are looked at and counted, however many there are. */
const MOST_HITS = 10_000

/**
 * What full text search finds, best first, else newest first; after an entry of the answer before. Hits that the store has
 * forgotten, and those whose group was met already, take nobody's place: the search is asked for more. Hits are counted where
 * that is asked for.
 */
export async function findEntries(
  text: string,
  from: Catalogues & { search: Search },
  { unique, limit, now, order = 'relevance', after, reader, isCounted, ...narrowed }: Finding,
): Promise<FoundEntries | QueryFault> {
  const understood = await resolveQuery(text, from, now, reader)
  if ('fault' in understood) return understood
  const query = narrowDown(understood.query, narrowed)
  const { marked } = understood
  const isMeant = async (ids: EntryId[]) =>
    marked && reader !== undefined ? filterByMarks(ids, marked, from.readership, reader) : ids
  const found: FoundEntries = { entries: [], words: wordsIn(query), goesOn: false, hits: { folded: 0 } }
  const { entries, hits } = found
  const groups = createGroupsMet(unique, from)
  // Which groups the answers before have shown is known only from the beginning.
  const isFromBeginning = unique !== undefined || after === undefined
  let isPast = after === undefined || !isFromBeginning
  const ordered = isFromBeginning || after === undefined ? { order } : { order, after }
  let looked = 0
  for await (const ids of hitsOf(query, from.search, limit + 1, ordered)) {
    const mine = await isMeant(ids)
    const firsts = await groups.without(mine)
    const wanted = isPast ? firsts : firsts.slice(firsts.indexOf(after!) + 1 || firsts.length)
    isPast ||= firsts.includes(after!)
    for (const entry of await from.catalogue.entriesById(wanted)) {
      if (!entry || !isWithin(entry, query)) continue
      if (entries.length === limit) {
        if (isCounted && after === undefined) Object.assign(hits, await countHits(query, from.search, isMeant))
        hits.folded += mine.indexOf(entry.id) - firsts.indexOf(entry.id)
        return { ...found, goesOn: true }
      }
      entries.push(entry)
    }
    hits.folded += mine.length - firsts.length
    looked += ids.length
  }
  if (after === undefined) Object.assign(hits, countedTo(entries.length + hits.folded, looked))
  return found
}

/** By date: by relevance an index may weigh only some of the hits. */
async function countHits(
  query: SearchQuery,
  search: Search,
  isMeant: (ids: EntryId[]) => Promise<EntryId[]>,
): Promise<Pick<HitsShape, 'total' | 'more'>> {
  const hits = await search.find(query, MOST_HITS, { order: 'date' })
  let total = 0
  for (let i = 0; i < hits.length; i += CHUNK) {
    total += (await isMeant(hits.slice(i, i + CHUNK).map(({ id }) => id))).length
  }
  return countedTo(total, hits.length)
}

function countedTo(total: number, looked: number): Pick<HitsShape, 'total' | 'more'> {
  return { total, ...(looked >= MOST_HITS && { more: true }) }
}

/** Which of these a search finds; in no order. */
export async function matchingAmong(
  text: string,
  ids: readonly EntryId[],
  from: Catalogues & { search: Search },
  { now, reader }: Asking,
): Promise<{ ids: EntryId[] } | QueryFault> {
  const understood = await resolveQuery(text, from, now, reader)
  if ('fault' in understood) return understood
  const { query, marked } = understood
  const among = { ...query, all: [...query.all, [{ kind: 'entries', ids } as const]] }
  const hits = (await from.search.find(among, ids.length, { order: 'date' })).map(({ id }) => id)
  const mine = marked && reader !== undefined ? await filterByMarks(hits, marked, from.readership, reader) : hits
  const entries = await from.catalogue.entriesById(mine)
  return { ids: entries.flatMap((entry) => (entry && isWithin(entry, query) ? [entry.id] : [])) }
}

async function filterByMarks(
  ids: EntryId[],
  isMeant: (marks: EntryMarks) => boolean,
  readership: Readership,
  reader: PersonId,
): Promise<EntryId[]> {
  const marks = await readership.marksOf(reader, ids)
  return ids.filter((_, i) => isMeant(marks[i]!))
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

/** The index knows dates to the minute. */
function isWithin(entry: Entry, { since, until }: SearchQuery): boolean {
  const { at } = placeInTime(entry)
  return (since === undefined || at >= since) && (until === undefined || at <= until)
}

function wordsIn({ all }: SearchQuery): WordsTerm[] {
  return all.flat().flatMap((term) => (term.kind === 'words' ? [term] : []))
}

/** The ids of hits in their order: as many as are wanted, which mostly will do, then others. */
async function* hitsOf(
  query: SearchQuery,
  search: Search,
  limit: number,
  ordered: SearchOrder,
): AsyncGenerator<EntryId[]> {
  const first = await search.find(query, limit, ordered)
  yield first.map(({ id }) => id)
  const last = first.at(-1)
  if (!last || first.length < limit) return
  const others = await search.find(query, MOST_HITS, { ...ordered, after: last.id })
  for (let i = 0; i < others.length; i += CHUNK) yield others.slice(i, i + CHUNK).map(({ id }) => id)
}

/** Lets the first of each group pass. */
function createGroupsMet(level: GroupLevel | undefined, from: Catalogues) {
  const met = new Set<number>()
  return {
    async without(ids: EntryId[]): Promise<EntryId[]> {
      if (!level) return ids
      const groups = await from.groupCatalogue.groupsOfEntries(ids, level)
      return ids.filter((_, i) => {
        const group = groups[i]?.id
        return group === undefined || met.size < met.add(group).size
      })
    },
  }
}

export async function feedTitlesOfEntries(
  entries: Entry[],
  from: Catalogues,
  reader?: PersonId,
): Promise<Map<FeedId, string>> {
  return feedTitles([...new Set(entries.map(({ feedId }) => feedId))], from, reader)
}

/** A feed's address where it has no title; with a reader, by the titles that they gave. */
export async function feedTitles(
  ids: FeedId[],
  { catalogue, readership }: Pick<Catalogues, 'catalogue' | 'readership'>,
  reader?: PersonId,
): Promise<Map<FeedId, string>> {
  const feeds = await catalogue.feedsById(ids)
  const readings = reader === undefined ? [] : await readership.readingsOf(reader, ids)
  return new Map(
    feeds.flatMap((held, i) => (held ? [[held.feed.id, readings[i]?.title || held.feed.title || held.feed.url]] : [])),
  )
}

/** With a reader, as he knows them: by his titles, and with his marks. */
export async function entriesWithTitles(entries: Entry[], from: Catalogues, reader?: PersonId): Promise<EntryShape[]> {
  const names = await feedTitlesOfEntries(entries, from, reader)
  const ids = entries.map(({ id }) => id)
  const marks = reader === undefined ? [] : await from.readership.marksOf(reader, ids)
  const copies = await from.groupCatalogue.groupsOfEntries(ids, 'copy')
  const own = await boilerplateFilters(entries, from)
  return entries.map((entry, i) =>
    entryShape(entry, {
      feedTitle: names.get(entry.feedId),
      copies: copies[i],
      own: own.get(entry.feedId),
      marks: marks[i],
    }),
  )
}

/** With the piece of each text that shows why it was found. */
export async function foundEntriesWithTitles(
  entries: Entry[],
  words: WordsTerm[],
  from: Catalogues,
  reader?: PersonId,
): Promise<FoundEntryShape[]> {
  const shapes = await entriesWithTitles(entries, from, reader)
  const finds: FoundEntryShape[] = []
  for (const [i, entry] of entries.entries()) {
    const shape = shapes[i]!
    const { text, marks } = snippetOf(await textOf(entry, from), words)
    finds.push({ ...shape, found: { titleMarks: marksIn(shape.title, words), text, textMarks: marks } })
  }
  return finds
}

/** Characters of HTML of which a snippet may be made. */
const LONGEST_HTML = 50_000

/** As the index has it; but pages that ask not to be shown from a copy are not quoted. */
async function textOf({ id, content, summary }: Entry, { articleCatalogue }: Catalogues): Promise<string> {
  const [article] = await articleCatalogue.articlesOfEntries([id])
  const [read] = article && !article.noArchive ? await articleCatalogue.articleTexts([article.id]) : []
  return read?.text ?? plainText((content ?? summary ?? '').slice(0, LONGEST_HTML))
}
