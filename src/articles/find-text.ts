/**
 * Finds an article's text. First among what the page displays: the chosen blocks, or those confirmed by the text that the
 * page states in metadata, with their lead. If it displays nothing, or only a dialog in front of the text, the text is taken
 * from <noscript> or from the data of the page's scripts; failing that, the description has to do.
 */
import type { Article, FactOrigin } from './article.ts'
import type { PageEvidence } from './facts/evidence.ts'
import { factTextLines } from './facts/fact-text.ts'
import { indexOfTitle } from './facts/lines-near-title.ts'
import { findLeadImage } from './facts/urls.ts'
import { type Block, splitIntoBlocks } from './main/blocks.ts'
import { classifyNames } from './main/class-names.ts'
import { isDialog } from './main/dialogs.ts'
import { leadBefore, withLead } from './main/lead.ts'
import { mainBlocks, type TextHints } from './main/main-text.ts'
import { htmlInScriptState } from './main/script-state-text.ts'
import { matchStatedText } from './main/stated-text.ts'
import { blocksToHtml, paragraphs } from './output/html.ts'
import { findPictures } from './output/pictures.ts'
import { blocksToText } from './output/text.ts'
import { normalizeLetters } from './page/characters.ts'
import type { Page } from './page/piece.ts'
import { readPage } from './page/read-page.ts'
import { findScriptStates } from './page/script-state.ts'

type FoundText = Pick<Article, 'text' | 'html' | 'textFrom' | 'image'>

interface KnownFacts extends TextHints {
  description: string
}

export function findText(
  source: string,
  evidence: PageEvidence,
  blocks: readonly Block[],
  facts: KnownFacts,
): FoundText {
  const { page } = evidence
  const { pieces } = page
  const said = classifyNames(pieces)
  const chosen = mainBlocks(page, blocks, said, facts)
  const body = statedBody(evidence)
  const verdict = matchStatedText(body, chosen, blocks)
  const stated = () => {
    const lead = leadBefore(pieces, blocks, said, body, facts).map(({ text }) => text)
    return unmarked([...lead, body].join('\n'), 'json-ld', evidence)
  }
  if (verdict.kind === 'statement') return stated()
  const found = verdict.kind === 'blocks' ? verdict.blocks : chosen
  const isOther = isDialog(found) && !shows(found, facts.description)
  if (isOther || sizeOfAll(found) < LITTLE) {
    const unseen = unseenText(source, evidence, isOther ? [] : found, facts)
    if (unseen) return unseen
  }
  if (found.length > 0 && !(isOther && (body !== '' || facts.description !== ''))) {
    return marked(page, withLead(pieces, blocks, said, found, facts), 'markup', evidence)
  }
  if (body !== '') return stated()
  if (facts.description !== '') return unmarked(facts.description, 'meta', evidence)
  const rest = blocks.filter(({ linkShare }) => linkShare < 0.5)
  return marked(page, rest, 'markup', evidence)
}

/** With less text than this on the page, look elsewhere. */
const LITTLE = 250

/** The text that the page states in metadata, one line per paragraph. */
function statedBody({ linkedData }: PageEvidence): string {
  const own = linkedData.article?.articleBody
  const body =
    typeof own === 'string' ? own : linkedData.nodes.find((node) => typeof node.articleBody === 'string')?.articleBody
  return typeof body === 'string' ? factTextLines(body) : ''
}

function shows(found: readonly Block[], description: string): boolean {
  const beginning = normalizeLetters(description).slice(0, 30)
  return beginning !== '' && found.some(({ text }) => normalizeLetters(text).includes(beginning))
}

/**
 * Text hidden from view: in <noscript>, or in the data that scripts render the page from. It must be much longer than what
 * is visible.
 */
function unseenText(
  source: string,
  evidence: PageEvidence,
  seen: readonly Block[],
  facts: KnownFacts,
): FoundText | undefined {
  const least = Math.max(LITTLE, 2 * sizeOfAll(seen))
  if (/<noscript/i.test(source)) {
    const page = readPage(source, true)
    const { pieces } = page
    const blocks = splitIntoBlocks(pieces)
    const said = classifyNames(pieces)
    const hints = { ...facts, titlePlace: indexOfTitle(blocks, facts.title) }
    const found = mainBlocks(page, blocks, said, hints)
    if (sizeOfAll(found) >= least && !isDialog(found)) {
      return marked(page, withLead(pieces, blocks, said, found, hints), 'markup', evidence)
    }
  }
  for (const state of findScriptStates(source)) {
    const html = htmlInScriptState(state, facts.title, seen.length === 0)
    if (html === undefined) continue
    const page = readPage(html)
    const blocks = withoutRepeats(splitIntoBlocks(page.pieces))
    if (sizeOfAll(blocks) >= least) return marked(page, blocks, 'state', evidence)
  }
  return undefined
}

/** Scripts may contain a text in several forms. */
function withoutRepeats(blocks: readonly Block[]): Block[] {
  const said = new Set<string>()
  return blocks.filter(({ text }) => text.length < 40 || (!said.has(text) && said.add(text)))
}

function sizeOfAll(blocks: readonly Block[]): number {
  return blocks.reduce((sum, { size }) => sum + size, 0)
}

function marked(page: Page, blocks: readonly Block[], textFrom: FactOrigin, evidence: PageEvidence): FoundText {
  const { pieces } = page
  const pictures = findPictures(page, blocks, evidence.address)
  const image = findLeadImage(evidence) ?? (pictures[0] && { value: pictures[0].src, from: 'markup' })
  const html = blocksToHtml(pieces, blocks, pictures, evidence.address)
  return { text: blocksToText(pieces, blocks), html, textFrom, ...(image && { image }) }
}

function unmarked(text: string, textFrom: FactOrigin, evidence: PageEvidence): FoundText {
  const image = findLeadImage(evidence)
  return { text: text.replaceAll('\n', '\n\n'), html: paragraphs(text), textFrom, ...(image && { image }) }
}
