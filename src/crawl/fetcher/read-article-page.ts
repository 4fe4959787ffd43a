/** Reads an article page: its text and facts, unless the page forbids indexing. A transcript is read as an article, too. */
import {
  type Article,
  extractArticle,
  type FoundDate,
  isPage,
  mayBeTranscript,
  measureContent,
  mediaType,
  paragraphs,
  readTranscript,
} from '../../articles/index.ts'
import { decodeText } from '../../feeds/index.ts'
import {
  type ArticleFacts,
  type ArticleText,
  type ExtractionRules,
  type Failure,
  type FetchedPage,
  type Instant,
  type PageDate,
  webAddress,
} from '../../model/index.ts'
import { pageDirectives } from '../../politeness/index.ts'
import type { NetAnswer } from '../../ports/index.ts'
import { failedResult } from './read-feed.ts'

export type ArticlePageResult = { kind: 'page'; reading: FetchedPage } | { kind: 'failed'; failure: Failure }

/** Takes some milliseconds per 100 kB: see large-documents.ts. */
export function readArticlePage(
  { url, status, headers, body }: Extract<NetAnswer, { ok: true }>,
  now: Instant,
  rules?: ExtractionRules,
): ArticlePageResult {
  const type = headers['content-type']
  const transcript = mayBeTranscript(mediaType(type)) ? readTranscript(decodeText(body, type).text) : undefined
  if (!transcript && !isPage(type, body))
    return failedResult({ kind: 'not-a-page', ...(type && { detail: `it is ${type.slice(0, 100)}` }) })
  const directives = pageDirectives(headers['x-robots-tag'], [])
  if (directives.noIndex) return failedResult({ kind: 'forbidden-by-page' })
  if (transcript) {
    const { words, ...text } = transcript
    const content = { ...bounded(text), ...(directives.noArchive && { noArchive: directives.noArchive }) }
    return {
      kind: 'page',
      reading: {
        url,
        facts: { words, content: measureContent(content.html) },
        ...content,
        status,
        headers: archivedHeaders(headers),
        body,
      },
    }
  }
  const article = extractArticle(decodeText(body, type).text, url, now, rules)
  const { noIndex, noArchive } = pageDirectives(headers['x-robots-tag'], article.robots?.value ?? [])
  if (noIndex) return failedResult({ kind: 'forbidden-by-page' })
  const canonicalUrl = webAddress(article.canonicalUrl?.value)
  const content = bounded(article)
  return {
    kind: 'page',
    reading: {
      url,
      ...(canonicalUrl && { canonicalUrl }),
      facts: { ...factsOf(article), content: measureContent(content.html) },
      ...content,
      ...(noArchive && { noArchive }),
      status,
      headers: archivedHeaders(headers),
      body,
    },
  }
}

/** Characters of an article: the length of a book. Bounds the memory for storing, comparing and showing one. */
const MAX_TEXT = 500_000
const MAX_HTML = 2 * MAX_TEXT
/** The most characters that one character of text becomes in HTML. */
const MAX_ESCAPED_CHARACTER = 8

/** Truncates longer articles to their beginning, without its markup. */
function bounded({ text, html }: ArticleText): ArticleText {
  if (text.length <= MAX_TEXT && html.length <= MAX_HTML) return { text, html }
  const truncated = text.slice(0, MAX_TEXT)
  const plain = paragraphs(truncated)
  return {
    text: truncated,
    html: plain.length <= MAX_HTML ? plain : paragraphs(truncated.slice(0, MAX_HTML / MAX_ESCAPED_CHARACTER)),
  }
}

function factsOf(article: Article): ArticleFacts {
  const { title, authors, published, modified, language, image, siteName, section, keywords, description } = article
  return {
    ...(title && { title: title.value }),
    ...(authors && { authors: authors.value }),
    ...(published && { published: pageDate(published) }),
    ...(modified && { modified: pageDate(modified) }),
    ...(language && { language: language.value }),
    ...(image && { image: image.value }),
    ...(siteName && { siteName: siteName.value }),
    ...(section && { section: section.value }),
    ...(keywords && { keywords: keywords.value }),
    ...(description && { description: description.value }),
    ...(article.paywall && { paywall: article.paywall.value }),
    words: article.words,
  }
}

function pageDate({ at, dateOnly, swapped, from, trust }: FoundDate): PageDate {
  return { at, dateOnly, ...(swapped && { swappedAt: swapped.at }), from, trust }
}

const MAX_HEADER = 2000

/** Without cookies, which are meant for one visitor, and without headers of kilobytes. */
function archivedHeaders(headers: Record<string, string>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).filter(([name, value]) => name !== 'set-cookie' && value.length <= MAX_HEADER),
  )
}
