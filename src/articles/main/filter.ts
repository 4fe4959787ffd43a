/** Filters the blocks of the chosen element, by length, links, punctuation and position. */
import { normalizeLetters } from '../page/characters.ts'
import type { Page } from '../page/page-node.ts'
import type { Block } from './blocks.ts'
import { isBoilerplateHeading, isBoilerplateLine, isInvitation, isPlaceholder } from './boilerplate-phrases.ts'
import type { SearchMode } from './search-state.ts'
import { endsSentence } from './weights.ts'

export function filterBlocks(
  page: Page,
  blocks: readonly Block[],
  entries: ReadonlySet<Block>,
  title: string,
  mode: SearchMode,
): Block[] {
  const titleLetters = normalizeLetters(title)
  const isTitle = ({ text }: Block) => text.length < 2 * title.length && normalizeLetters(text) === titleLetters
  const lists = listsOf(blocks)
  const style = styleOf(blocks)
  const firsts = new Map<string, Block>()
  const result: Block[] = []
  for (const block of blocks) {
    if (!/[\p{L}\p{N}]/u.test(block.text) || isTitle(block)) continue
    if (block.size < MAX_PLACEHOLDER_LENGTH && isPlaceholder(block.text)) continue
    if (block.size < MAX_INVITATION_LENGTH && block.quote === 0 && isInvitation(block.text)) continue
    if (mode === 'listing' ? !isListing(block) : !entries.has(block) && !isArticle(block, lists, style)) continue
    // lists and tables may repeat a text for several things
    if (block.size > 40 && block.kind !== 'item' && block.kind !== 'cell') {
      const first = firsts.get(block.text)
      if (first && !isRefrain(page, first, block)) continue
      if (!first) firsts.set(block.text, block)
    }
    result.push(block)
  }
  const lastLead = result.filter(
    (block, i) => block.kind !== 'heading' || entries.has(block) || hasTextAfter(result, i),
  )
  return mode === 'listing' ? lastLead : removeScraps(lastLead, entries)
}

/**
 * A block repeated beside the first, or in a similar box, belongs to the text; elsewhere it is a copy for another screen
 * size, or a pull quote.
 */
function isRefrain({ nodes }: Page, first: Block, repeated: Block): boolean {
  if (first.home === repeated.home) return true
  const [firstHome, repeatedHome] = [nodes[first.home]!, nodes[repeated.home]!]
  if (firstHome.name !== repeatedHome.name || firstHome.attributes.class !== repeatedHome.attributes.class) return false
  if (firstHome.parent === repeatedHome.parent) return true
  const [firstBox, repeatedBox] = [nodes[firstHome.parent]!, nodes[repeatedHome.parent]!]
  return (
    firstBox.parent === repeatedBox.parent &&
    firstBox.name === repeatedBox.name &&
    firstBox.attributes.class === repeatedBox.attributes.class
  )
}

const MAX_PLACEHOLDER_LENGTH = 500
const MAX_INVITATION_LENGTH = 300

/** Removes remnants after the text. */
function removeScraps(led: Block[], entries: ReadonlySet<Block>): Block[] {
  // a note in italics after the text is the newspaper's, not the author's, unless the whole text is italic
  let noteSize = 0.08 * led.reduce((sum, { size }) => sum + size, 0)
  while (led.length > 3) {
    const last = led[led.length - 1]!
    if (last.italic && last.size < noteSize) noteSize -= last.size
    else if (entries.has(last) || !isScrap(last)) break
    led.pop()
  }
  return led
}

interface ListFacts {
  count: number
  chars: number
  linkChars: number
}

function listsOf(blocks: readonly Block[]): Map<number, ListFacts> {
  const lists = new Map<number, ListFacts>()
  for (const { list, text, linkShare } of blocks) {
    if (list === 0) continue
    const facts = lists.get(list) ?? { count: 0, chars: 0, linkChars: 0 }
    facts.count++
    facts.chars += text.length
    facts.linkChars += text.length * linkShare
    lists.set(list, facts)
  }
  return lists
}

/** The page's style: whether most text is in paragraphs, and most headings are links. */
interface Style {
  marked: boolean
  linked: boolean
}

function styleOf(blocks: readonly Block[]): Style {
  let total = 0
  let paragraphs = 0
  let headings = 0
  let links = 0
  for (const { kind, text, linkShare } of blocks) {
    total += text.length
    if (kind === 'paragraph') paragraphs += text.length
    if (kind === 'heading') headings++
    if (kind === 'heading' && linkShare > 0.7) links++
  }
  return { marked: paragraphs > 0.6 * total, linked: links >= 3 && links > 0.6 * headings }
}

function isArticle(block: Block, lists: Map<number, ListFacts>, { marked, linked }: Style): boolean {
  const { kind, size, linkShare, text, quote } = block
  if (kind === 'heading') return !isBoilerplateHeading(text) && (linkShare <= 0.7 || linked || block.level === 2)
  if (kind === 'code') return true
  if (kind === 'item' || kind === 'cell') return isListed(block, lists.get(block.list))
  if ((linkShare > (quote > 0 ? 0.75 : 0.55) && size < 220) || (linkShare > 0.8 && size < 500)) return false
  if (size < 120 && isBoilerplateLine(text)) return false
  if (kind === 'plain') return marked ? size >= 80 && endsSentence(text) : size >= 25 || endsSentence(text)
  return true
}

function isListing({ kind, size, text, linkShare }: Block): boolean {
  return !isBoilerplateLine(text) && (kind === 'heading' || (linkShare > 0.5 ? size >= 15 : size >= 25))
}

function isListed({ size, linkShare, text }: Block, list: ListFacts | undefined): boolean {
  if (size < 100 && isBoilerplateLine(text)) return false
  if (!list) return size >= 40 && (linkShare <= 0.6 || size >= 150)
  const linked = list.linkChars / Math.max(1, list.chars)
  const mean = list.chars / list.count
  if (linked > 0.85 || (linked > 0.45 && mean < 70)) return false
  if (linkShare > 0.8 && size < 150 && linked > 0.4) return false
  return mean >= 12 || list.count >= 3
}

/** A heading needs text after it, or a lower heading with text. A step may have a picture instead of text. */
function hasTextAfter(filtered: readonly Block[], i: number): boolean {
  const next = filtered[i + 1]
  if (!next) return false
  if (next.kind !== 'heading' || isStep(filtered[i]!)) return true
  const second = filtered[i + 2]
  return second !== undefined && second.kind !== 'heading' && next.level > filtered[i]!.level
}

/** "Step 3: Open the sluice", "4. Open the sluice". */
function isStep({ text, linkShare }: Block): boolean {
  return linkShare < 0.5 && STEP.test(text)
}

const STEP =
  /^(?:step|schritt|étape|paso|passo|etapa|stap|steg|trin|trinn|krok|vaihe|lépés|pasul|adım|langkah|bước|шаг|крок)\s*#?\d{1,3}(?!\d)|^#?\d{1,2}[.):]\s+\S/i

function isScrap({ kind, size, text, linkShare }: Block): boolean {
  if (kind === 'item' || kind === 'cell' || kind === 'code') return false
  return kind === 'heading' || (size < 60 && !endsSentence(text)) || (size < 140 && linkShare > 0.4)
}
