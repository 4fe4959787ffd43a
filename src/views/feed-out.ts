/**
 * Outgoing feeds, independent of their format. A `FeedOutQuery` says what a feed contains; it comes from the parameters of a request or
 * from a saved outgoing feed. All HTML is sanitized, dates are never in the future, and texts of noarchive articles are left out unless
 * the operator includes them.
 */
import { paragraphs } from '../articles/index.ts'
import { plainText } from '../feeds/index.ts'
import {
  type ArticleText,
  type Entry,
  type EntryId,
  type Feed,
  type FeedId,
  type FeedOut,
  type GroupLevel,
  type Instant,
  isPrivateFeed,
  type Medium,
  type StoredArticle,
  sortPosition,
  type UserId,
  withoutSecrets,
} from '../model/index.ts'
import type { Catalogue, Clock, QueryFault, ReadStateFilter, Search, Sharing, UserValues } from '../ports/index.ts'
import { boilerplateFilters } from './boilerplate.ts'
import { feedHtml, shownTitle, textToShow } from './entry-text.ts'
import type { Catalogues } from './entry-texts.ts'
import { type EntryFilter, feedTitlesOfEntries, findEntries } from './find-entries.ts'
import { selectFeeds } from './followed-feeds.ts'
import { rankedEntries } from './for-you/ranked-entries.ts'
import { type NoArchiveAudience, showableArticles } from './no-archive.ts'
import { sanitizedHtml } from './sanitized-html.ts'

export interface FeedOutQuery {
  /** A search query. */
  q?: string
  feedId?: FeedId
  folder?: string
  category?: string
  /** Only one entry of each group at this level. */
  unique?: GroupLevel
  /** full: the richer one of the article, if it was fetched, and the complete text in the feed. */
  text: 'full' | 'summary'
  limit: number
  /** Contains the texts of noarchive pages. */
  includeNoArchive?: boolean
  /** The user whose folders and titles are used. */
  reader?: UserId
  /** Only entries of feeds that the reader follows, in this state. */
  state?: ReadStateFilter
  /** The unread entries that the reader probably wants to read, best first. */
  isPersonal?: true
  /** Replaces the generated title. */
  title?: string
}

export interface OutgoingFeed {
  title: string
  /** When it last changed; 0 if it is empty. */
  changedAt: Instant
  /** Newest first; of a personal feed, best first. */
  items: OutgoingItem[]
}

export interface OutgoingItem {
  id: EntryId
  seenAt: Instant
  url?: string
  title: string
  /** It has no title: `title` is the beginning of the text. */
  isUntitled?: true
  /** Safe for a browser. */
  html: string
  author?: string
  feedTitle?: string
  /** The addresses of its feed and of the feed's site, unless the feed is private. */
  source?: { url: string; siteUrl?: string }
  publishedAt: Instant
  /** When the feed changed the entry. */
  changedAt?: Instant
  /** When the store last received any part of it, including the article. */
  updatedHereAt: Instant
  language?: string
  tags: string[]
  /** Audio and video. */
  recordings: Medium[]
  /** Replaces the generated id, for protocols that have their own ids. */
  idOverride?: string
  /** Additional categories of a protocol; in Atom only. */
  labels?: { term: string; scheme: string; label: string }[]
}

/** Pages of the store to read at most, even if the feed then has fewer entries than its limit. */
const MAX_PAGES = 5
const SUMMARY_LENGTH = 600

type Stores = Catalogues & { search: Search; clock: Clock }
type FeedOutStores = Stores & { userValues: UserValues }

/** Undefined if the feed does not exist; a fault if the search query is invalid. */
export async function outgoingFeed(
  query: FeedOutQuery,
  stores: FeedOutStores,
): Promise<OutgoingFeed | QueryFault | undefined> {
  const { feedId } = query
  const [scheduled] = feedId === undefined ? [] : await stores.catalogue.feedsById([feedId])
  if (feedId !== undefined && !scheduled) return undefined
  const entries = await entriesFor(query, stores)
  if ('fault' in entries) return entries
  const { text, reader, includeNoArchive } = query
  const feedIds = [...new Set(entries.map((entry) => entry.feedId))]
  const feeds = await stores.catalogue.feedsById(feedIds)
  const feedById = new Map(feeds.map((one, i) => [feedIds[i], one?.feed]))
  const found = await outgoingItems(entries, { text, reader, audience: { includeNoArchive } }, stores)
  const items = found.map((item, i) => ({ ...item, ...publicSource(item, feedById.get(entries[i]!.feedId)) }))
  const title = titleOf(query, scheduled?.feed.title || (scheduled && withoutSecrets(scheduled.feed.url)))
  return { title, changedAt: Math.max(0, ...items.map(({ updatedHereAt }) => updatedHereAt)), items }
}

/** The query of a saved outgoing feed. Undefined if its saved search was removed. */
export async function feedOutQuery(
  { userId: reader, name: title, of, text, unique }: FeedOut,
  limit: number,
  sharing: Pick<Sharing, 'sharedItems'>,
): Promise<FeedOutQuery | undefined> {
  const common = { reader, title, text, limit, ...(unique && { unique }) }
  switch (of.kind) {
    case 'all':
      return { ...common, state: {} }
    case 'unread':
      return { ...common, state: { read: false } }
    case 'starred':
      return { ...common, state: { starred: true } }
    case 'digest':
      return undefined // its items are no entries
    case 'for-you':
      return { ...common, isPersonal: true }
    case 'feed':
      return { ...common, feedId: of.feedId }
    case 'folder':
      return { ...common, folder: of.folder, state: {} }
    case 'category':
      return { ...common, category: of.category }
    case 'search': {
      const search = (await sharing.sharedItems('search', reader)).find(({ id }) => id === of.searchId)
      return search && { ...common, q: search.query }
    }
  }
}

/** Changes when the entries of the feed change. Cheaper than building the feed. */
export async function feedOutFingerprint(query: FeedOutQuery, stores: FeedOutStores): Promise<string> {
  const entries = await entriesFor(query, stores)
  return 'fault' in entries ? '' : entries.map(({ id, changedAt = 0 }) => `${id}.${changedAt}`).join(' ')
}

function titleOf({ q, folder, category, unique, title, state }: FeedOutQuery, feedTitle: string | undefined): string {
  if (title !== undefined) return title
  const all = state?.starred ? 'Starred' : state?.read === false ? 'Unread' : 'All entries'
  const narrowed = [q === undefined ? undefined : `“${q}”`, feedTitle, folder, category].filter(Boolean).join(', ')
  const only = unique === 'story' ? ' (each story once)' : unique === 'copy' ? ' (without copies)' : ''
  return `${narrowed || all}${only}`
}

async function entriesFor(query: FeedOutQuery, stores: FeedOutStores): Promise<Entry[] | QueryFault> {
  const { q, feedId, folder, category, unique, limit, reader, state, isPersonal } = query
  if (isPersonal && reader !== undefined)
    return (await rankedEntries(reader, { limit }, stores)).entries.map(({ entry }) => entry)
  const feedIds = await selectFeeds({ feedId, folder }, stores, reader)
  const narrowed: EntryFilter = {
    ...(feedIds && { feedIds }),
    ...(category !== undefined && { category: category.toLowerCase() }),
    ...(unique && { unique }),
    limit,
  }
  if (q === undefined && state && reader !== undefined)
    return collectPages(narrowed, (page) => stores.readerState.entriesFor(reader, { ...page, ...state }))
  if (q === undefined) return collectPages(narrowed, stores.catalogue.listEntries)
  const searchContext = reader === undefined ? {} : { reader }
  const found = await findEntries(q, stores, { ...narrowed, order: 'date', now: stores.clock.now(), ...searchContext })
  return 'fault' in found ? found : found.entries
}

/** A page of the store may be short although more entries follow, so several pages are read. */
async function collectPages(narrowed: EntryFilter, list: Catalogue['listEntries']): Promise<Entry[]> {
  const found: Entry[] = []
  let after: { at: Instant; id: EntryId } | undefined
  for (let page = 0; page < MAX_PAGES && found.length < narrowed.limit; page++) {
    const rest = { ...narrowed, limit: narrowed.limit - found.length, ...(after && { after }) }
    const { entries, nextAfter } = await list(rest)
    found.push(...entries)
    if (!nextAfter) break
    after = nextAfter
  }
  return found
}

/** Addresses of private feeds are secrets of their followers, who may share an outgoing feed with others; untitled feeds are called by theirs. */
function publicSource({ feedTitle }: OutgoingItem, feed: Feed | undefined): Pick<OutgoingItem, 'source' | 'feedTitle'> {
  if (!feed) return {}
  const { url, siteUrl } = feed
  if (!isPrivateFeed(feed)) return { source: { url, ...(siteUrl && { siteUrl }) } }
  return feedTitle === url ? { feedTitle: withoutSecrets(url) } : {}
}

/** In the order of the entries. `reader`: whose titles of feeds are used. `audience`: who gets texts of noarchive pages. */
export async function outgoingItems(
  entries: Entry[],
  { text, reader, audience }: { text: 'full' | 'summary'; reader: UserId | undefined; audience: NoArchiveAudience },
  stores: Stores,
): Promise<OutgoingItem[]> {
  const titles = await feedTitlesOfEntries(entries, stores, reader)
  const filters = await boilerplateFilters(entries, stores)
  const states =
    reader === undefined
      ? []
      : await stores.readerState.entryStates(
          reader,
          entries.map(({ id }) => id),
        )
  const pages = text === 'full' ? await pagesOf(entries, stores, audience) : []
  return entries.map((entry, i): OutgoingItem => {
    const { id, seenAt, url, author, changedAt, media = [], tags = [], language } = entry
    const feedTitle = titles.get(entry.feedId)
    const { title, isStandIn } = shownTitle(entry, filters.get(entry.feedId))
    const { html, at = 0 } = text === 'full' ? fullText(entry, pages[i]) : { html: shortened(entry) }
    return {
      id,
      seenAt,
      ...(url !== undefined && { url }),
      title,
      ...(isStandIn && { isUntitled: true }),
      html,
      ...(author && { author }),
      ...(feedTitle && { feedTitle }),
      publishedAt: sortPosition(entry).at,
      ...(changedAt !== undefined && { changedAt }),
      updatedHereAt: Math.max(seenAt, changedAt ?? 0, at),
      ...(language && { language }),
      tags: [...new Set([...tags, ...(states[i]?.labels ?? [])])],
      recordings: media.filter(({ kind }) => kind === 'audio' || kind === 'video'),
    }
  })
}

interface Page extends ArticleText {
  article: StoredArticle
}

/** The richer one of the text in the feed and the page; `at`: when the page was fetched. */
function fullText(entry: Entry, page: Page | undefined): { html: string; at?: Instant } {
  const feed = feedHtml(entry.content ?? entry.summary ?? '', entry.url)
  if (!page || textToShow({ entry, feed, article: page.article, page: page.html }) !== 'page') return { html: feed }
  const { pageUrl, url, fetchedAt = 0 } = page.article
  return { html: sanitizedHtml(page.html, pageUrl ?? url), at: fetchedAt }
}

/** Articles that were fetched and may be shown, in the order of the entries. */
async function pagesOf(entries: Entry[], stores: Stores, audience: NoArchiveAudience): Promise<(Page | undefined)[]> {
  const { articleCatalogue } = stores
  const articles = await articleCatalogue.articlesOfEntries(entries.map(({ id }) => id))
  const isShown = await showableArticles(entries, articles, audience, stores)
  const visible = articles.map((article, i) => (isShown[i] ? article : undefined))
  const ids = [...new Set(visible.flatMap((article) => (article ? [article.id] : [])))]
  const texts = await articleCatalogue.articleTexts(ids)
  const textById = new Map(ids.map((id, i) => [id, texts[i]]))
  return visible.map((article) => {
    const text = article && textById.get(article.id)
    return text ? { article, ...text } : undefined
  })
}

/** The beginning of the text, cut between words. */
function shortened({ summary, content }: Entry): string {
  const text = plainText(summary ?? content ?? '')
  if (text.length <= SUMMARY_LENGTH) return text && paragraphs(text)
  return paragraphs(`${text.slice(0, SUMMARY_LENGTH).replace(/\s+\S*$/, '')} …`)
}
