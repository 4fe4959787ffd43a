/** Extracts the article from a page: parse the page once, find the facts, find the blocks of the text, write them out. */
import type { ExtractionRules, Instant } from '../model/index.ts'
import type { Article } from './article.ts'
import { findAuthors } from './facts/authors.ts'
import { findDates } from './facts/dates.ts'
import { type PageMetadata, readMetadata } from './facts/evidence.ts'
import { indexOfTitle, linesNearTitle } from './facts/lines-near-title.ts'
import { detectPageKind } from './facts/page-kind.ts'
import { detectPaywall } from './facts/paywall.ts'
import { findSiteName } from './facts/site-name.ts'
import { findStatedLanguage } from './facts/stated-language.ts'
import { findDescription, findKeywords, findSection } from './facts/subject.ts'
import { findTitle } from './facts/title.ts'
import { findCanonicalUrl } from './facts/urls.ts'
import { findText, markedText } from './find-text.ts'
import { splitIntoBlocks } from './main/blocks.ts'
import { countWords } from './page/characters.ts'
import { readPage } from './page/read-page.ts'
import { contentNodes, removeElements } from './selectors/apply-rules.ts'

/**
 * Pure, synchronous, linear in the size of the page, and total: every input gives a result. `now` is when the page was
 * fetched, so that later dates are rejected. `rules`: where a user says that the text is.
 */
export function extractArticle(html: string, url: string, now?: Instant, rules: ExtractionRules = {}): Article {
  const page = readPage(html)
  removeElements(page, rules.remove)
  const evidence = readMetadata(html, page, url)
  const blocks = splitIntoBlocks(evidence.page.nodes)
  const siteName = findSiteName(evidence)
  const title = findTitle(evidence, siteName?.value)
  const titlePlace = indexOfTitle(blocks, title?.value ?? '')
  const lines = linesNearTitle(evidence.page.nodes, blocks, titlePlace)
  const language = findStatedLanguage(evidence)
  const titleNode = titlePlace < 0 ? -1 : blocks[titlePlace]!.from
  const authors = findAuthors(evidence, siteName?.value, lines, blocks, titleNode)
  const description = findDescription(evidence)
  const dates = findDates(evidence, lines, blocks, titleNode, now)
  const facts = {
    canonicalUrl: findCanonicalUrl(evidence),
    title,
    authors,
    ...dates,
    language,
    siteName,
    section: findSection(evidence, title?.value),
    keywords: findKeywords(evidence),
    description,
    paywall: detectPaywall(evidence),
    robots: robotsOf(evidence),
  }
  const hints = {
    title: title?.value ?? '',
    titleBlock: titlePlace,
    host: evidence.address?.hostname,
    authors: authors?.value ?? [],
    kind: detectPageKind(evidence, dates.published),
    description: description?.value ?? '',
  }
  const text =
    markedText(evidence, blocks, contentNodes(page, rules.content)) ?? findText(html, evidence, blocks, hints)
  return { url, ...withoutUndefined(facts), ...text, words: countWords(text.text) }
}

function robotsOf({ metas }: PageMetadata): Article['robots'] {
  const directives = [...metas.all('robots'), ...metas.all('freshet')]
  return directives.length > 0 ? { value: directives, from: 'meta' } : undefined
}

type Present<T> = { [K in keyof T]?: Exclude<T[K], undefined> }

/** Without the facts that were not found. */
function withoutUndefined<T extends object>(facts: T): Present<T> {
  return Object.fromEntries(Object.entries(facts).filter(([, fact]) => fact !== undefined)) as Present<T>
}
