/**
 * Finds an article's text. First among what the page displays: the chosen blocks, or those confirmed by the text that the
 * page states in metadata, with their lead. If it displays nothing, or only a dialog in front of the text, the text is taken
 * from <noscript> or from the data of the page's scripts; failing that, the description has to do.
 */
import type { Article, FactOrigin } from './article.ts'
import type { PageMetadata } from './facts/evidence.ts'
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
import type { Page } from './page/page-node.ts'
import { readPage } from './page/read-page.ts'
import { findScriptStates } from './page/script-state.ts'

type FoundText = Pick<Article, 'text' | 'html' | 'textFrom' | 'image'>

interface KnownFacts extends TextHints {
  description: string
}

export function findText(
  source: string,
  evidence: PageMetadata,
  blocks: readonly Block[],
  facts: KnownFacts,
): FoundText {
  const { page } = evidence
  const { nodes } = page
  const nameFlags = classifyNames(nodes)
  const chosen = mainBlocks(page, blocks, nameFlags, facts)
  const body = statedBody(evidence)
  const match = matchStatedText(body, chosen, blocks)
  const stated = () => {
    const lead = leadBefore(nodes, blocks, nameFlags, body, facts).map(({ text }) => text)
    return textFromString([...lead, body].join('\n'), 'json-ld', evidence)
  }
  if (match.kind === 'statement') return stated()
  const found = match.kind === 'blocks' ? match.blocks : chosen
  const isOther = isDialog(found) && !showsDescription(found, facts.description)
  if (isOther || sizeOfAll(found) < MIN_VISIBLE_CHARS) {
    const hidden = hiddenText(source, evidence, isOther ? [] : found, facts)
    if (hidden) return hidden
  }
  if (found.length > 0 && !(isOther && (body !== '' || facts.description !== ''))) {
    return textFromBlocks(page, withLead(nodes, blocks, nameFlags, found, facts), 'markup', evidence)
  }
  if (body !== '') return stated()
  if (facts.description !== '') return textFromString(facts.description, 'meta', evidence)
  const unlinked = blocks.filter(({ linkShare }) => linkShare < 0.5)
  return textFromBlocks(page, unlinked, 'markup', evidence)
}

/** The text of the marked nodes; undefined if they have none. */
export function markedText(
  evidence: PageMetadata,
  blocks: readonly Block[],
  marked: Uint8Array | undefined,
): FoundText | undefined {
  const found = marked ? blocks.filter(({ from, to }) => marked.subarray(from, to).includes(1)) : []
  return found.length > 0 ? textFromBlocks(evidence.page, found, 'markup', evidence) : undefined
}

/** With less text than this on the page, look elsewhere. */
const MIN_VISIBLE_CHARS = 250

/** The text that the page states in metadata, one line per paragraph. */
function statedBody({ linkedData }: PageMetadata): string {
  const ownBody = linkedData.article?.articleBody
  const body =
    typeof ownBody === 'string'
      ? ownBody
      : linkedData.nodes.find((node) => typeof node.articleBody === 'string')?.articleBody
  return typeof body === 'string' ? factTextLines(body) : ''
}

function showsDescription(found: readonly Block[], description: string): boolean {
  const beginning = normalizeLetters(description).slice(0, 30)
  return beginning !== '' && found.some(({ text }) => normalizeLetters(text).includes(beginning))
}

/**
 * Text hidden from view: in <noscript>, or in the data that scripts render the page from. It must be much longer than what
 * is visible.
 */
function hiddenText(
  source: string,
  evidence: PageMetadata,
  visible: readonly Block[],
  facts: KnownFacts,
): FoundText | undefined {
  const minSize = Math.max(MIN_VISIBLE_CHARS, 2 * sizeOfAll(visible))
  if (/<noscript/i.test(source)) {
    const page = readPage(source, true)
    const { nodes } = page
    const blocks = splitIntoBlocks(nodes)
    const nameFlags = classifyNames(nodes)
    const hints = { ...facts, titlePlace: indexOfTitle(blocks, facts.title) }
    const found = mainBlocks(page, blocks, nameFlags, hints)
    if (sizeOfAll(found) >= minSize && !isDialog(found)) {
      return textFromBlocks(page, withLead(nodes, blocks, nameFlags, found, hints), 'markup', evidence)
    }
  }
  for (const state of findScriptStates(source)) {
    const html = htmlInScriptState(state, facts.title, visible.length === 0)
    if (html === undefined) continue
    const page = readPage(html)
    const blocks = withoutRepeats(splitIntoBlocks(page.nodes))
    if (sizeOfAll(blocks) >= minSize) return textFromBlocks(page, blocks, 'state', evidence)
  }
  return undefined
}

/** Scripts may contain a text in several forms. */
function withoutRepeats(blocks: readonly Block[]): Block[] {
  const seenTexts = new Set<string>()
  return blocks.filter(({ text }) => text.length < 40 || (!seenTexts.has(text) && seenTexts.add(text)))
}

function sizeOfAll(blocks: readonly Block[]): number {
  return blocks.reduce((sum, { size }) => sum + size, 0)
}

function textFromBlocks(page: Page, blocks: readonly Block[], textFrom: FactOrigin, evidence: PageMetadata): FoundText {
  const { nodes } = page
  const pictures = findPictures(page, blocks, evidence.address)
  const image = findLeadImage(evidence) ?? (pictures[0] && { value: pictures[0].src, from: 'markup' })
  const html = blocksToHtml(nodes, blocks, pictures, evidence.address)
  return { text: blocksToText(nodes, blocks), html, textFrom, ...(image && { image }) }
}

function textFromString(text: string, textFrom: FactOrigin, evidence: PageMetadata): FoundText {
  const image = findLeadImage(evidence)
  return { text: text.replaceAll('\n', '\n\n'), html: paragraphs(text), textFrom, ...(image && { image }) }
}
