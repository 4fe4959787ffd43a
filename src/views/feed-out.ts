/**
 * A feed that we give out. What it holds is a value, `FeedOutQuery`, whoever made it: the query of an address, or something that was
 * saved. Here its entries are found and made ready, in no format yet: all HTML is safe for a browser, dates are never in the
 * future, and what a page asks not to be shown from a copy is not.
 */
import { paragraphs, sanitise } from '../articles/index.ts'
import { plainText } from '../feeds/index.ts'
import {
  type ArticleText,
  type Entry,
  type EntryId,
  type FeedId,
  type FeedOut,
  type GroupLevel,
  type Instant,
  type Medium,
  type PersonId,
  placeInTime,
} from '../model/index.ts'
import type { ArticleCatalogue, Catalogue, Clock, Handouts, MarkedAs, QueryFault, Search } from '../ports/index.ts'
import { boilerplateFilters } from './boilerplate.ts'
import { type Catalogues, type EntryFilter, feedTitlesOfEntries, findEntries } from './find-entries.ts'
import { selectFeeds } from './followed-feeds.ts'

export interface FeedOutQuery {
  /** What must be found in its entries. */
  q?: string
  feedId?: FeedId
  folder?: string
  category?: string
  /** Of each group at this level only one. */
  unique?: GroupLevel
  /** full: the article where it was fetched, else all that the feed says. */
  text: 'full' | 'summary'
  limit: number
  /** For whom: folders and titles are his. */
  reader?: PersonId
  /** Only of what he follows, marked so. */
  marked?: MarkedAs
  /** In place of one that says what it holds. */
  title?: string
}

export interface OutgoingFeed {
  title: string
  /** When something of it last changed; the beginning of time where there is nothing. */
  changedAt: Instant
  /** Newest first. */
  items: OutgoingItem[]
}

export interface OutgoingItem {
  id: EntryId
  seenAt: Instant
  url?: string
  title: string
  /** Safe for a browser. */
  html: string
  author?: string
  feedTitle?: string
  publishedAt: Instant
  /** When its feed said something else. */
  changedAt?: Instant
  /** When what is given out of it was last brought here, be it its page. */
  broughtAt: Instant
  language?: string
  tags: string[]
  /** What is to be heard or seen. */
  recordings: Medium[]
  /** In the place of the one that we would give it, where a protocol has its own. */
  lastingId?: string
  /** What a protocol says of it, beside its tags; in Atom only. */
  labels?: { term: string; scheme: string; label: string }[]
}

/** Of a list of entries, before a feed is given out that has fewer than it might. */
const MOST_PAGES = 5
const SUMMARY_LENGTH = 600

type From = Catalogues & { search: Search; clock: Clock }

/** Undefined if its feed is not there; a fault if nobody can tell what is to be found. */
export async function outgoingFeed(wanted: FeedOutQuery, from: From): Promise<OutgoingFeed | QueryFault | undefined> {
  const { feedId } = wanted
  const [held] = feedId === undefined ? [] : await from.catalogue.feedsById([feedId])
  if (feedId !== undefined && !held) return undefined
  const entries = await entriesFor(wanted, from)
  if ('fault' in entries) return entries
  const items = await outgoingItems(entries, wanted, from)
  const title = titleOf(wanted, held?.feed.title || held?.feed.url)
  return { title, changedAt: Math.max(0, ...items.map(({ broughtAt }) => broughtAt)), items }
}

/** What one of a person's own feeds holds. Undefined if its search is gone. */
export async function feedOutQuery(
  { personId: reader, name: title, of, text, unique }: FeedOut,
  limit: number,
  handouts: Pick<Handouts, 'savedSearches'>,
): Promise<FeedOutQuery | undefined> {
  const about = { reader, title, text, limit, ...(unique && { unique }) }
  switch (of.kind) {
    case 'river':
      return { ...about, marked: {} }
    case 'unread':
      return { ...about, marked: { read: false } }
    case 'starred':
      return { ...about, marked: { starred: true } }
    case 'feed':
      return { ...about, feedId: of.feedId }
    case 'folder':
      return { ...about, folder: of.folder, marked: {} }
    case 'category':
      return { ...about, category: of.category }
    case 'search': {
      const search = (await handouts.savedSearches(reader)).find(({ id }) => id === of.searchId)
      return search && { ...about, q: search.query }
    }
  }
}

/** Another one when its entries are others, or say something else; without making a feed of them. */
export async function feedOutFingerprint(wanted: FeedOutQuery, from: From): Promise<string> {
  const entries = await entriesFor(wanted, from)
  return 'fault' in entries ? '' : entries.map(({ id, changedAt = 0 }) => `${id}.${changedAt}`).join(' ')
}

function titleOf({ q, folder, category, unique, title, marked }: FeedOutQuery, feedTitle: string | undefined): string {
  if (title !== undefined) return title
  const all = marked?.starred ? 'Starred' : marked?.read === false ? 'Unread' : 'All entries'
  const narrowed = [q === undefined ? undefined : `“${q}”`, feedTitle, folder, category].filter(Boolean).join(', ')
  const only = unique === 'story' ? ' (each story once)' : unique === 'copy' ? ' (without copies)' : ''
  return `${narrowed || all}${only}`
}

async function entriesFor(wanted: FeedOutQuery, from: From): Promise<Entry[] | QueryFault> {
  const { q, feedId, folder, category, unique, limit, reader, marked } = wanted
  const feedIds = await selectFeeds({ feedId, folder }, from, reader)
  const narrowed: EntryFilter = {
    ...(feedIds && { feedIds }),
    ...(category !== undefined && { category: category.toLowerCase() }),
    ...(unique && { unique }),
    limit,
  }
  if (q === undefined && marked && reader !== undefined)
    return firstListed(narrowed, (page) => from.readership.entriesFor(reader, { ...page, ...marked }))
  if (q === undefined) return firstListed(narrowed, from.catalogue.listEntries)
  const asking = reader === undefined ? {} : { reader }
  const found = await findEntries(q, from, { ...narrowed, order: 'date', now: from.clock.now(), ...asking })
  return 'fault' in found ? found : found.entries
}

/** A list looks at so many entries and may be short; a feed asks again, and then gives up. */
async function firstListed(narrowed: EntryFilter, list: Catalogue['listEntries']): Promise<Entry[]> {
  const found: Entry[] = []
  let after: { at: Instant; id: EntryId } | undefined
  for (let page = 0; page < MOST_PAGES && found.length < narrowed.limit; page++) {
    const rest = { ...narrowed, limit: narrowed.limit - found.length, ...(after && { after }) }
    const { entries, goesOnAfter } = await list(rest)
    found.push(...entries)
    if (!goesOnAfter) break
    after = goesOnAfter
  }
  return found
}

/** In the order of the entries. */
export async function outgoingItems(
  entries: Entry[],
  { text, reader }: Pick<FeedOutQuery, 'text' | 'reader'>,
  from: From,
): Promise<OutgoingItem[]> {
  const names = await feedTitlesOfEntries(entries, from, reader)
  const own = await boilerplateFilters(entries, from)
  const pages = text === 'full' ? await pagesOf(entries, from.articleCatalogue) : []
  return entries.map((entry, i): OutgoingItem => {
    const { id, seenAt, url, author, changedAt, media = [], tags = [], language } = entry
    const feedTitle = names.get(entry.feedId)
    const page = pages[i]
    return {
      id,
      seenAt,
      ...(url !== undefined && { url }),
      title: own.get(entry.feedId)?.title(entry.title) ?? entry.title,
      html: text === 'full' ? (page?.html ?? sanitise(entry.content ?? entry.summary ?? '', url)) : shortened(entry),
      ...(author && { author }),
      ...(feedTitle && { feedTitle }),
      publishedAt: placeInTime(entry).at,
      ...(changedAt !== undefined && { changedAt }),
      broughtAt: Math.max(seenAt, changedAt ?? 0, page?.at ?? 0),
      ...(language && { language }),
      tags,
      recordings: media.filter(({ kind }) => kind === 'audio' || kind === 'video'),
    }
  })
}

/** In the order of the entries: the text of the page, where it was fetched and may be shown. */
async function pagesOf(
  entries: Entry[],
  catalogue: ArticleCatalogue,
): Promise<({ html: string; at: Instant } | undefined)[]> {
  const articles = await catalogue.articlesOfEntries(entries.map(({ id }) => id))
  const shown = articles.filter((article) => article !== undefined).filter(({ noArchive }) => !noArchive)
  const texts = await catalogue.articleTexts(shown.map(({ id }) => id))
  const byArticle = new Map(shown.map(({ id }, i): [number, ArticleText | undefined] => [id, texts[i]]))
  return articles.map((article) => {
    const html = article && byArticle.get(article.id)?.html
    return html ? { html: sanitise(html, article.pageUrl ?? article.url), at: article.fetchedAt ?? 0 } : undefined
  })
}

/** The beginning of its text, cut between words. */
function shortened({ summary, content }: Entry): string {
  const text = plainText(summary ?? content ?? '')
  if (text.length <= SUMMARY_LENGTH) return text && paragraphs(text)
  return paragraphs(`${text.slice(0, SUMMARY_LENGTH).replace(/\s+\S*$/, '')} …`)
}
