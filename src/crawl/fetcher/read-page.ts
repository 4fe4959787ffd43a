/** What an article's page says, once it is here: its text and facts, unless the page asks not to be kept. A transcript is one, too. */
import {
  type Article,
  extractArticle,
  type FoundDate,
  isPage,
  mayBeTranscript,
  mediaType,
  paragraphs,
  readTranscript,
} from '../../articles/index.ts'
import { decodeText } from '../../feeds/index.ts'
import {
  type ArticleFacts,
  type ArticleText,
  type Failure,
  type Instant,
  type PageDate,
  type PageReading,
  webAddress,
} from '../../model/index.ts'
import { pageDirectives } from '../../politeness/index.ts'
import type { NetAnswer } from '../../ports/index.ts'
import { failed } from './read-feed.ts'

export type PageRead = { kind: 'page'; reading: PageReading } | { kind: 'failed'; failure: Failure }

/** Of an answer that has a body. Some milliseconds for each hundred kilobytes: see large-documents.ts. */
export function readAsPage({ url, status, headers, body }: Extract<NetAnswer, { ok: true }>, now: Instant): PageRead {
  const type = headers['content-type']
  const transcript = mayBeTranscript(mediaType(type)) ? readTranscript(decodeText(body, type).text) : undefined
  if (!transcript && !isPage(type, body))
    return failed({ kind: 'not-a-page', ...(type && { detail: `it is ${type.slice(0, 100)}` }) })
  const asked = pageDirectives(headers['x-robots-tag'], [])
  if (asked.noIndex) return failed({ kind: 'forbidden-by-page' })
  if (transcript) {
    const { words, ...text } = transcript
    const kept = { ...bounded(text), ...(asked.noArchive && { noArchive: asked.noArchive }) }
    return {
      kind: 'page',
      reading: { url, facts: { words }, ...kept, status, headers: worthKeeping(headers), body },
    }
  }
  const article = extractArticle(decodeText(body, type).text, url, now)
  const { noIndex, noArchive } = pageDirectives(headers['x-robots-tag'], article.robots?.value ?? [])
  if (noIndex) return failed({ kind: 'forbidden-by-page' })
  const canonicalUrl = webAddress(article.canonicalUrl?.value)
  return {
    kind: 'page',
    reading: {
      url,
      ...(canonicalUrl && { canonicalUrl }),
      facts: factsOf(article),
      ...bounded(article),
      ...(noArchive && { noArchive }),
      status,
      headers: worthKeeping(headers),
      body,
    },
  }
}

/** Characters of an article: a book. Whoever keeps, compares or shows one has to do with no more. */
const LONGEST_TEXT = 500_000
const LONGEST_HTML = 2 * LONGEST_TEXT
/** What a character may become where the markup is written anew. */
const LONGEST_CHARACTER = 8

/** Of what is longer, the beginning, without its markup. */
function bounded({ text, html }: ArticleText): ArticleText {
  if (text.length <= LONGEST_TEXT && html.length <= LONGEST_HTML) return { text, html }
  const beginning = text.slice(0, LONGEST_TEXT)
  const plain = paragraphs(beginning)
  return {
    text: beginning,
    html: plain.length <= LONGEST_HTML ? plain : paragraphs(beginning.slice(0, LONGEST_HTML / LONGEST_CHARACTER)),
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

const LONGEST_HEADER = 2000

/** For the archive; cookies were meant for one visitor, and nobody has use for a header of kilobytes. */
function worthKeeping(headers: Record<string, string>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).filter(([name, value]) => name !== 'set-cookie' && value.length <= LONGEST_HEADER),
  )
}
