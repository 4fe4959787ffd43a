/** An article as somebody reads it, wherever it comes from: the store, or the web as it is now. */
import { sanitise } from '../articles/index.ts'
import {
  type ArticleState,
  type ArticleText,
  type Entry,
  type EntryId,
  failureInWords,
  type Instant,
  type Medium,
  type StoredArticle,
} from '../model/index.ts'
import type { Catalogue, Roles } from '../ports/index.ts'
import { InputError } from './addresses.ts'
import type { Config } from './config.ts'
import { inspectPage } from './inspect.ts'
import { openForReading } from './wire.ts'

export interface ReadableArticle {
  title: string
  url?: string
  authors?: string[]
  at?: Instant
  dateOnly?: true
  /** The feed's or the site's name. */
  source?: string
  language?: string
  category?: string
  keywords?: string[]
  description?: string
  words?: number
  /** Files and pictures that its feed puts beside it. */
  media?: Medium[]
  /** What a reader should know of it. */
  note?: string
  /** Safe for a browser. */
  html: string
}

/** Of the page that is at an address now. */
export async function readableArticleAt(config: Config, word: string, signal: AbortSignal): Promise<ReadableArticle> {
  const { article, language } = await inspectPage(config, { word, stdin: nothing }, signal)
  const { url, title, authors, published, siteName, words, paywall, html } = article
  return {
    title: title?.value ?? '',
    url,
    ...(authors && { authors: authors.value }),
    ...(published && { at: published.at, ...(published.dateOnly && { dateOnly: true }) }),
    ...(siteName && { source: siteName.value }),
    language: language.value,
    words,
    ...(paywall && { note: PAYWALL }),
    html: sanitise(html, url),
  }
}

const PAYWALL = 'its whole text is for subscribers'

/** Of an entry in the store: the page that it points at, if that was fetched and may be shown, else what its feed says. */
export async function readableArticleOf(config: Config, id: number): Promise<ReadableArticle> {
  const opened = await openForReading(config)
  try {
    const [entry] = await opened.catalogue.entriesById([id as EntryId])
    if (!entry) throw new InputError(`there is no entry e${id}`, 'freshet entries lists them with their numbers')
    return await readableEntry(opened, entry)
  } finally {
    await opened.close()
  }
}

type Catalogues = Pick<Roles, 'catalogue' | 'articleCatalogue'>

async function readableEntry({ catalogue, articleCatalogue }: Catalogues, entry: Entry): Promise<ReadableArticle> {
  const [held] = await catalogue.feedsById([entry.feedId])
  const own = readableFromEntry(entry, held?.feed.title)
  const [article] = await articleCatalogue.articlesOfEntries([entry.id])
  if (!article) return own
  if (article.noArchive)
    return { ...own, note: 'its page asks not to be shown from a copy; this is what the feed says' }
  const [text] = await articleCatalogue.articleTexts([article.id])
  return text ? withPage(own, readableFrom(article, text)) : { ...own, note: whyMissing(article) }
}

/** The page's word goes before the feed's; of what it is about, both count. */
function withPage(own: ReadableArticle, page: ReadableArticle): ReadableArticle {
  const keywords = [...new Set([...(page.keywords ?? []), ...(own.keywords ?? [])])]
  return { ...own, ...page, title: page.title || own.title, ...(keywords.length > 0 && { keywords }) }
}

function whyMissing({ state, trouble }: StoredArticle): string {
  const why = trouble ? ` (${failureInWords(trouble)})` : ''
  return `its page ${MISSING[state]}${why}; this is what the feed says`
}

const MISSING: Record<ArticleState, string> = {
  waiting: 'has not been read yet',
  failed: 'could not be had',
  refused: 'is not kept',
  read: 'is no longer kept',
  same: 'is no longer kept',
}

function readableFromEntry(entry: Entry, feedTitle: string | undefined): ReadableArticle {
  const { title, url, author, publishedAt, dateOnly, content, summary, language, category, tags, media } = entry
  return {
    title,
    ...(url && { url }),
    ...(author && { authors: [author] }),
    ...(publishedAt !== undefined && { at: publishedAt }),
    ...(dateOnly && { dateOnly }),
    ...(feedTitle && { source: feedTitle }),
    ...(language && { language }),
    ...(category && { category }),
    ...(tags && { keywords: tags }),
    ...(media && { media }),
    html: sanitise(content ?? summary ?? '', url),
  }
}

/** Of an article that is stored; what its page does not say, its entry may. */
export function readableFrom({ url, pageUrl = url, facts }: StoredArticle, { html }: ArticleText): ReadableArticle {
  const { title, authors, date, siteName, language, category, keywords, description, words, paywall } = facts ?? {}
  return {
    title: title ?? '',
    url: pageUrl,
    ...(authors && { authors }),
    ...(date && { at: date.at, ...(date.dateOnly && { dateOnly: true }) }),
    ...(siteName && { source: siteName }),
    ...(language && { language }),
    ...(category && { category }),
    ...(keywords && { keywords }),
    ...(description && { description }),
    ...(words !== undefined && { words }),
    ...(paywall && { note: PAYWALL }),
    html: sanitise(html, pageUrl),
  }
}

/** `id`: the article's number, or an entry's with an e before it. */
export interface StoredReadableArticle extends ReadableArticle {
  id: number | string
}

/** Every entry, with its page's text where that was fetched and may be shown, else with the feed's own words. */
export async function* everyReadableEntry(
  from: Catalogues,
  filter: Parameters<Catalogue['everyEntry']>[0],
): AsyncIterable<StoredReadableArticle> {
  for await (const entry of from.catalogue.everyEntry(filter))
    yield { ...(await readableEntry(from, entry)), id: `e${entry.id}` }
}

/** Every article that may leave the house, with what its first entry says where the page says nothing. */
export async function* everyReadableArticle(
  catalogue: Catalogue,
  filter: Parameters<Catalogue['everyArticle']>[0],
): AsyncIterable<StoredReadableArticle> {
  for await (const { article, html, text, entryIds } of catalogue.everyArticle(filter)) {
    if (article.noArchive) continue
    const [entry] = await catalogue.entriesById(entryIds.slice(0, 1))
    const [held] = entry ? await catalogue.feedsById([entry.feedId]) : []
    const own = entry && readableFromEntry({ ...entry, content: '', summary: '' }, held?.feed.title)
    const readable = readableFrom(article, { html, text })
    yield { ...(own ? withPage(own, readable) : readable), id: article.id }
  }
}

async function* nothing(): AsyncIterable<Uint8Array> {}
