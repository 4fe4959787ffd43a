/** From a page to its article: read once, look for the facts, find the blocks that are the text, write them down. */
import type { Article, FactOrigin } from './article.ts'
import { canonicalOf, imageOf } from './facts/addresses.ts'
import { authorsOf } from './facts/authors.ts'
import { datesOf, dayOrderOf } from './facts/dates.ts'
import { gatherEvidence, type PageEvidence } from './facts/evidence.ts'
import { linesByTitle, placeOfTitle } from './facts/headline.ts'
import { kindOf } from './facts/kind.ts'
import { paywallOf } from './facts/paywall.ts'
import { plainLines } from './facts/plain.ts'
import { siteNameOf } from './facts/site.ts'
import { statedLanguageOf } from './facts/stated-language.ts'
import { descriptionOf, keywordsOf, sectionOf } from './facts/subject.ts'
import { titleOfPage } from './facts/title.ts'
import { type Block, blocksOf } from './main/blocks.ts'
import { type LeadHints, leadBefore, withLead } from './main/lead.ts'
import { mainBlocks } from './main/main-text.ts'
import { askOracle } from './main/oracle.ts'
import { htmlOfBlocks, paragraphs } from './output/html.ts'
import { picturesOf } from './output/pictures.ts'
import { textOfBlocks } from './output/text.ts'
import { countWords } from './page/characters.ts'
import type { PagePiece } from './page/piece.ts'
import { readPage } from './page/read-page.ts'

/** Reads the article on a page. Pure, synchronous, linear in the page; whatever the page is, there is an answer. */
export function extractArticle(html: string, url: string): Article {
  const evidence = gatherEvidence(readPage(html), url)
  const blocks = blocksOf(evidence.page.pieces)
  const siteName = siteNameOf(evidence)
  const title = titleOfPage(evidence, siteName?.value)
  const titlePlace = placeOfTitle(blocks, title?.value)
  const lines = linesByTitle(blocks, titlePlace ?? -1)
  const language = statedLanguageOf(evidence)
  const authors = authorsOf(evidence, siteName?.value, lines)
  const description = descriptionOf(evidence)
  const dates = datesOf(evidence, lines, blocks, dayOrderOf(language?.value, evidence.address))
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
  }
  const leadHints = { ...hints, description: description?.value ?? '' }
  const text = mainText(evidence, blocks, mainBlocks(evidence.page.pieces, blocks, hints), leadHints)
  return { url, ...present(facts), ...text, words: countWords(text.text) }
}

function robotsOf({ metas }: PageEvidence): Article['robots'] {
  const asked = [...metas.all('robots'), ...metas.all('freshet')]
  return asked.length > 0 ? { value: asked, from: 'meta' } : undefined
}

type MainText = Pick<Article, 'text' | 'html' | 'textFrom' | 'image'>

/** The blocks that were chosen, unless the page has stated the text, and knows better. */
function mainText(
  evidence: PageEvidence,
  blocks: readonly Block[],
  chosen: readonly Block[],
  hints: LeadHints,
): MainText {
  const { pieces } = evidence.page
  const body = evidence.linkedData.article?.articleBody
  const stated = typeof body === 'string' ? plainLines(body) : ''
  const statement = () => {
    const lead = leadBefore(pieces, blocks, stated, hints).map(({ text }) => text)
    return unmarked([...lead, stated].join('\n'), 'json-ld', evidence)
  }
  const verdict = askOracle(stated, chosen, blocks)
  if (verdict.kind === 'statement') return statement()
  const found = verdict.kind === 'blocks' ? verdict.blocks : chosen
  if (found.length > 0) return marked(pieces, withLead(pieces, blocks, found, hints), evidence)
  if (stated !== '') return statement()
  if (hints.description !== '') return unmarked(hints.description, 'meta', evidence)
  return marked(
    pieces,
    blocks.filter(({ linkShare }) => linkShare < 0.5),
    evidence,
  )
}

function marked(pieces: readonly PagePiece[], blocks: readonly Block[], evidence: PageEvidence): MainText {
  const pictures = picturesOf(pieces, blocks, evidence.address)
  const image = imageOf(evidence) ?? (pictures[0] && { value: pictures[0].src, from: 'markup' })
  const html = htmlOfBlocks(pieces, blocks, pictures, evidence.address)
  return { text: textOfBlocks(pieces, blocks), html, textFrom: 'markup', ...(image && { image }) }
}

function unmarked(text: string, textFrom: FactOrigin, evidence: PageEvidence): MainText {
  const image = imageOf(evidence)
  return { text: text.replaceAll('\n', '\n\n'), html: paragraphs(text), textFrom, ...(image && { image }) }
}

type Present<T> = { [K in keyof T]?: Exclude<T[K], undefined> }

/** Without the facts that were not found. */
function present<T extends object>(facts: T): Present<T> {
  return Object.fromEntries(Object.entries(facts).filter(([, fact]) => fact !== undefined)) as Present<T>
}
