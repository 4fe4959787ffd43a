/** From a page to its article: read once, look for the facts, find the blocks that are the text, write them down. */
import type { Instant } from '../model/index.ts'
import type { Article } from './article.ts'
import { canonicalOf } from './facts/addresses.ts'
import { authorsOf } from './facts/authors.ts'
import { datesOf } from './facts/dates.ts'
import { gatherEvidence, type PageEvidence } from './facts/evidence.ts'
import { linesByTitle, placeOfTitle } from './facts/headline.ts'
import { kindOf } from './facts/kind.ts'
import { paywallOf } from './facts/paywall.ts'
import { siteNameOf } from './facts/site.ts'
import { statedLanguageOf } from './facts/stated-language.ts'
import { descriptionOf, keywordsOf, sectionOf } from './facts/subject.ts'
import { titleOfPage } from './facts/title.ts'
import { findText } from './find-text.ts'
import { blocksOf } from './main/blocks.ts'
import { countWords } from './page/characters.ts'
import { readPage } from './page/read-page.ts'

/**
 * Reads the article on a page. Pure, synchronous, linear in the page; whatever the page is, there is an answer. `now` is when the page
 * was fetched, so that later dates are refused.
 */
export function extractArticle(html: string, url: string, now?: Instant): Article {
  const evidence = gatherEvidence(html, readPage(html), url)
  const blocks = blocksOf(evidence.page.pieces)
  const siteName = siteNameOf(evidence)
  const title = titleOfPage(evidence, siteName?.value)
  const titlePlace = placeOfTitle(blocks, title?.value ?? '')
  const lines = linesByTitle(evidence.page.pieces, blocks, titlePlace)
  const language = statedLanguageOf(evidence)
  const titlePiece = titlePlace < 0 ? -1 : blocks[titlePlace]!.from
  const authors = authorsOf(evidence, siteName?.value, lines, blocks, titlePiece)
  const description = descriptionOf(evidence)
  const dates = datesOf(evidence, lines, blocks, titlePiece, now)
  const facts = {
    canonicalUrl: canonicalOf(evidence),
    title,
    authors,
    ...dates,
    language,
    siteName,
    section: sectionOf(evidence, title?.value),
    keywords: keywordsOf(evidence),
    description,
    paywall: paywallOf(evidence),
    robots: robotsOf(evidence),
  }
  const hints = {
    title: title?.value ?? '',
    titlePlace,
    host: evidence.address?.hostname,
    authors: authors?.value ?? [],
    kind: kindOf(evidence, dates.published),
    description: description?.value ?? '',
  }
  const text = findText(html, evidence, blocks, hints)
  return { url, ...present(facts), ...text, words: countWords(text.text) }
}

function robotsOf({ metas }: PageEvidence): Article['robots'] {
  const asked = [...metas.all('robots'), ...metas.all('freshet')]
  return asked.length > 0 ? { value: asked, from: 'meta' } : undefined
}

type Present<T> = { [K in keyof T]?: Exclude<T[K], undefined> }

/** Without the facts that were not found. */
function present<T extends object>(facts: T): Present<T> {
  return Object.fromEntries(Object.entries(facts).filter(([, fact]) => fact !== undefined)) as Present<T>
}
