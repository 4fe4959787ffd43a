/** An article as somebody reads it, wherever it comes from: the API, or the web as it is now. */
import type { ArticleLineShape, ArticleShape, EntryArticleShape, EntryDetailsShape } from '../api/index.ts'
import { sanitise } from '../articles/index.ts'
import { type Instant, type Medium, UNCATEGORIZED, UNKNOWN_LANGUAGE } from '../model/index.ts'
import type { Config } from './config.ts'
import { inspectPage } from './inspect.ts'

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

/** The page that an entry points at, if it was fetched and may be shown, else what its feed says. */
export function readableEntry(entry: EntryDetailsShape): ReadableArticle {
  const { article } = entry
  const own = fromEntry(entry, entry.content ?? entry.summary)
  if (!article) return own
  if (article.state !== 'read') return { ...own, note: whyMissing(article) }
  return article.html === undefined
    ? { ...own, note: 'its page asks not to be shown from a copy; this is what the feed says' }
    : withPage(own, fromPage(article, article.html))
}

/** What the page does not say, its first entry may. Undefined of a page that must not be shown from a copy. */
export function readableArticle({ entry, ...article }: ArticleLineShape): ReadableArticle | undefined {
  if (article.html === undefined) return undefined
  const page = fromPage(article, article.html)
  return entry ? withPage(fromEntry(entry), page) : page
}

/** The page takes precedence over the feed; their keywords are merged. */
function withPage(own: ReadableArticle, page: ReadableArticle): ReadableArticle {
  const keywords = [...new Set([...(page.keywords ?? []), ...(own.keywords ?? [])])]
  return { ...own, ...page, title: page.title || own.title, ...(keywords.length > 0 && { keywords }) }
}

type AbsentArticle = Exclude<EntryArticleShape, { state: 'read' }>

function whyMissing({ state, trouble }: AbsentArticle): string {
  const why = trouble ? ` (${trouble.words})` : ''
  return `its page ${MISSING[state]}${why}; this is what the feed says`
}

const MISSING: Record<AbsentArticle['state'], string> = {
  waiting: 'has not been read yet',
  failed: 'could not be had',
  refused: 'is not kept',
  forgotten: 'is no longer kept',
}

function fromEntry(entry: EntryDetailsShape, html = ''): ReadableArticle {
  const { title, url, author, publishedAt, dateOnly, feedTitle, language, category, tags, media } = entry
  return {
    title,
    ...(url && { url }),
    ...(author && { authors: [author] }),
    ...(publishedAt !== undefined && { at: Date.parse(publishedAt) }),
    ...(dateOnly && { dateOnly }),
    ...(feedTitle && { source: feedTitle }),
    ...(language !== UNKNOWN_LANGUAGE && { language }),
    ...(category !== UNCATEGORIZED && { category }),
    ...(tags && { keywords: tags }),
    ...(media && { media: media as Medium[] }),
    html,
  }
}

function fromPage(article: ArticleShape, html: string): ReadableArticle {
  const { pageUrl, title, authors, publishedAt, dateOnly, siteName, language, category } = article
  const { keywords, description, words, paywall } = article
  return {
    title: title ?? '',
    url: pageUrl,
    ...(authors && { authors }),
    ...(publishedAt !== undefined && { at: Date.parse(publishedAt) }),
    ...(dateOnly && { dateOnly }),
    ...(siteName && { source: siteName }),
    ...(language && { language }),
    ...(category && { category }),
    ...(keywords && { keywords }),
    ...(description && { description }),
    ...(words !== undefined && { words }),
    ...(paywall && { note: PAYWALL }),
    html,
  }
}

/** `id`: the article's number, or an entry's with an e before it. */
export interface StoredReadableArticle extends ReadableArticle {
  id: number | string
}

async function* nothing(): AsyncIterable<Uint8Array> {}
