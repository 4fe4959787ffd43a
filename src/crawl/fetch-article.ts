/**
 * An article's page, as a terminal gets it: only if robots.txt allows it, also where redirects lead; only if it is a page;
 * and only if neither its head nor the page itself asks not to be kept. Then it is read, and comes back with its text.
 */
import { zstdCompressSync } from 'node:zlib'
import { type Article, extractArticle, type FoundDate, isPage, mayBePage } from '../articles/index.ts'
import { decodeText } from '../feeds/index.ts'
import { type ArticleFacts, type ArticleTask, type OutcomeResult, type PageDate, webAddress } from '../model/index.ts'
import { pageDirectives } from '../politeness/index.ts'
import type { Clock, Net } from '../ports/index.ts'
import { failed, httpFailure } from './reading.ts'
import type { RobotsKeeper } from './robots-keeper.ts'

const LARGEST_PAGE = 5_000_000 // bytes, ours: the text of a larger one is not worth the reading
const ACCEPT = 'text/html, application/xhtml+xml, */*;q=0.1'

export async function fetchArticle(
  { url, gapMs }: ArticleTask,
  { net, clock, robots }: { net: Net; clock: Clock; robots: RobotsKeeper },
  signal: AbortSignal,
): Promise<OutcomeResult> {
  const forbidden = await robots.forbids(url, gapMs, signal)
  if (forbidden) return failed(forbidden)
  const answer = await net.get({
    url,
    headers: { accept: ACCEPT },
    maxBytes: LARGEST_PAGE,
    forbids: (to) => robots.forbids(to, gapMs, signal),
    skipsBody: ({ 'content-type': type }) => !mayBePage(type),
    signal,
  })
  if (!answer.ok) return failed(answer.failure)
  const { status, headers, body } = answer
  if (status !== 200) return failed(httpFailure(answer, clock.now()))

  const type = headers['content-type']
  if (!isPage(type, body)) return failed({ kind: 'not-a-page', ...(type && { detail: `it is ${type.slice(0, 100)}` }) })
  if (pageDirectives(headers['x-robots-tag'], []).noIndex) return failed({ kind: 'forbidden-by-page' })
  const article = extractArticle(decodeText(body, type).text, answer.url)
  const canonicalUrl = webAddress(article.canonicalUrl?.value)
  const { noIndex, noArchive } = pageDirectives(headers['x-robots-tag'], article.robots?.value ?? [])
  if (noIndex) return failed({ kind: 'forbidden-by-page' })
  return {
    kind: 'page',
    reading: {
      url: answer.url,
      ...(canonicalUrl && { canonicalUrl }),
      facts: factsOf(article),
      text: article.text,
      html: article.html,
      ...(noArchive && { noArchive }),
      status,
      headers: worthKeeping(headers),
      packedBody: zstdCompressSync(body).toString('base64'),
    },
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

function pageDate({ at, dateOnly, from, trust }: FoundDate): PageDate {
  return { at, dateOnly, from, trust }
}

const LONGEST_HEADER = 2000

/** For the archive; cookies were meant for one visitor, and nobody has use for a header of kilobytes. */
function worthKeeping(headers: Record<string, string>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).filter(([name, value]) => name !== 'set-cookie' && value.length <= LONGEST_HEADER),
  )
}
