/** An article for reading, from the API or fetched from the web. */
import type { ArticleLineShape, ArticleShape, EntryDetailsShape } from '../api/index.ts'
import { sanitizeHtml } from '../articles/index.ts'
import { type Instant, type Medium, UNCATEGORIZED, UNKNOWN_LANGUAGE } from '../model/index.ts'
import type { Config } from './config.ts'
import { inspectPage } from './inspect.ts'

export interface ReadableArticle {
  title: string
  url?: string
  authors?: string[]
  at?: Instant
  dateOnly?: true
  /** Name of the feed or site. */
  source?: string
  language?: string
  category?: string
  keywords?: string[]
  description?: string
  words?: number
  /** Files and images that the feed attaches. */
  media?: Medium[]
  /** A note for the reader, such as a paywall. */
  note?: string
  /** Sanitized HTML. */
  html: string
}

/** Fetches a page and extracts its article. */
export async function readableArticleAt(config: Config, word: string, signal: AbortSignal): Promise<ReadableArticle> {
  const { article, language } = await inspectPage(config, { word, stdin: emptyStream }, signal)
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
    html: sanitizeHtml(html, url),
  }
}

const PAYWALL = 'the full text is for subscribers'

/** The richer one of the page of an entry, if it was fetched and may be shown, and the text in the feed; or the one of `from`. */
export function readableEntry(entry: EntryDetailsShape, from = entry.shownText): ReadableArticle {
  const { article } = entry
  const fromFeed = fromEntry(entry, entry.content ?? entry.summary)
  if (!article) return fromFeed
  if (article.state !== 'read' || article.html === undefined)
    return { ...fromFeed, ...(article.missing && { note: `${article.missing.words} This is the text in the feed.` }) }
  const readable = withPage(fromFeed, fromPage(article, article.html))
  return from === 'feed' ? { ...readable, html: fromFeed.html, note: 'this is the text in the feed' } : readable
}

/** Its first entry fills in what the page lacks. Undefined if the page asks not to be copied. */
export function readableArticle({ entry, ...article }: ArticleLineShape): ReadableArticle | undefined {
  if (article.html === undefined) return undefined
  const page = fromPage(article, article.html)
  return entry ? withPage(fromEntry(entry), page) : page
}

/** The page takes precedence over the feed; their keywords are merged. */
function withPage(fromFeed: ReadableArticle, page: ReadableArticle): ReadableArticle {
  const keywords = [...new Set([...(page.keywords ?? []), ...(fromFeed.keywords ?? [])])]
  return { ...fromFeed, ...page, title: page.title || fromFeed.title, ...(keywords.length > 0 && { keywords }) }
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

/** `id`: the number of the article, or of an entry with an e in front. */
export interface StoredReadableArticle extends ReadableArticle {
  id: number | string
}

async function* emptyStream(): AsyncIterable<Uint8Array> {}
