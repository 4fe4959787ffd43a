/**
 * Finds the lead: one or a few sentences between headline and body that summarize the article. It is not near the rest of
 * the text, but in the page's header, before the byline and the picture, and is a <p>, a heading or a bare <div>. Three
 * signs identify it: a class name, the description in the metadata says the same, or it is a sentence where a lead would be.
 * Text in a box of a picture, an author or an advertisement is not a lead.
 */
import { normalizeLetters } from '../page/characters.ts'
import type { PageNode } from '../page/page-node.ts'
import type { Block } from './blocks.ts'
import { isBoilerplateLine, isNotice } from './boilerplate-phrases.ts'
import { BOILERPLATE, DOUBTFUL, LEAD, PICTURE } from './class-names.ts'
import { edgeLineTest } from './edge-lines.ts'
import { isHidden } from './hidden.ts'
import { endsSentence } from './weights.ts'

interface LeadHints {
  title: string
  /** Index of the title's block; -1 for none. */
  titleBlock: number
  authors: readonly string[]
  description: string
}

/** Adds the lead to the text. `nameFlags`: of each element; `body`: the blocks of the text, in order. */
export function withLead(
  nodes: readonly PageNode[],
  blocks: readonly Block[],
  nameFlags: Uint8Array,
  body: readonly Block[],
  hints: LeadHints,
): Block[] {
  const isLeadBlock = createLeadTest(nodes, nameFlags, body, hints)
  const firstBodyBlock = blocks.indexOf(body[0]!)
  const byForm = hints.titleBlock >= 0
  const start = byForm ? hints.titleBlock + 1 : Math.max(0, firstBodyBlock - MAX_BLOCKS_AFTER_TITLE)
  const begin = byForm ? blocks[hints.titleBlock]!.from : 0
  const found: Block[] = []
  let blocksSeen = 0
  let before = begin
  for (let i = start; i < blocks.length && i < start + MAX_BLOCKS_AFTER_TITLE && blocksSeen < MAX_FIRST_BLOCKS; i++) {
    const block = blocks[i]!
    if (block === body[blocksSeen]) {
      found.push(block)
      before = block.from
      blocksSeen++
    } else if (
      isLeadBlock(block, { begin: before, end: body[blocksSeen]?.from ?? nodes.length }, byForm && blocksSeen === 0)
    )
      found.push(block)
  }
  // a title inside or after the text was another's
  if (blocksSeen === 0) return firstBodyBlock < start ? [...body] : [...found, ...body]
  return [...found, ...body.slice(blocksSeen)]
}

/** For a text that the page does not show: the visible part is its lead. */
export function leadBefore(
  nodes: readonly PageNode[],
  blocks: readonly Block[],
  nameFlags: Uint8Array,
  text: string,
  hints: LeadHints,
): Block[] {
  if (hints.titleBlock < 0) return []
  const isLeadBlock = createLeadTest(nodes, nameFlags, [], hints)
  const gap = { begin: blocks[hints.titleBlock]!.from, end: nodes.length }
  const candidates = blocks.slice(hints.titleBlock + 1, hints.titleBlock + 1 + MAX_BLOCKS_AFTER_TITLE)
  const letters = normalizeLetters(text)
  return candidates.filter((block) => isLeadBlock(block, gap, false) && !repeats(letters, normalizeLetters(block.text)))
}

/** The nodes between the title, or the body before it, and the body after it. */
interface Gap {
  begin: number
  end: number
}

function createLeadTest(nodes: readonly PageNode[], names: Uint8Array, body: readonly Block[], hints: LeadHints) {
  const isStamp = edgeLineTest(hints.authors)
  const title = normalizeLetters(hints.title)
  const description = normalizeLetters(hints.description)
  /** The beginning of the text, computed lazily: few pages need it. */
  let beginnings: string[] | undefined
  /** `byForm`: whether its form alone is enough. */
  return (block: Block, gap: Gap, byForm: boolean): boolean => {
    const { text } = block
    if (!mayBeLead(block) || isStamp(text) || isBoilerplateLine(text) || isNotice(text)) return false
    const letters = normalizeLetters(text)
    if (letters === title) return false
    const { isNamed, isDoubtful, isForeign } = leadHint(nodes, block, gap, names)
    const isDescribed = block.kind !== 'item' && startsWithSame(description, letters)
    const isMeant = isForeign ? isNamed && isDescribed : isNamed || isDescribed
    if (!isMeant && (isForeign || isDoubtful || !byForm || !looksLikeLead(block))) return false
    beginnings ??= body.slice(0, MAX_FIRST_BLOCKS).map((first) => normalizeLetters(first.text.slice(0, MAX_LEAD_CHARS)))
    if (
      beginnings.some((beginning) => repeats(beginning, letters)) ||
      body.some((bodyBlock) => bodyBlock.text.includes(text))
    )
      return false
    beginnings.push(letters)
    return true
  }
}

/** How many blocks after the title, and of the body, are examined. */
const MAX_BLOCKS_AFTER_TITLE = 40
const MAX_FIRST_BLOCKS = 4
const MIN_LEAD_CHARS = 25
const MAX_LEAD_CHARS = 1_500
/** A block recognized by form alone must be longer than a subtitle. */
const MIN_SENTENCE_CHARS = 60

function mayBeLead({ kind, size, linkShare }: Block): boolean {
  if (kind === 'code' || kind === 'cell') return false
  return size >= MIN_LEAD_CHARS && size <= MAX_LEAD_CHARS && linkShare < 0.35
}

function looksLikeLead({ kind, size, text }: Block): boolean {
  return size >= MIN_SENTENCE_CHARS && kind !== 'item' && (kind === 'heading' || endsSentence(text))
}

/** The body contains it, or begins the same. */
function repeats(body: string, letters: string): boolean {
  return body.includes(letters) || (letters.length >= BEGINNING && body.startsWith(letters.slice(0, BEGINNING)))
}

/** Descriptions are cut off, and leads are longer, or the other way round. */
function startsWithSame(description: string, letters: string): boolean {
  if (description.length < MIN_LEAD_CHARS) return false
  if (description.includes(letters)) return true
  return letters.includes(description.slice(0, Math.max(BEGINNING, Math.floor(0.8 * description.length))))
}

const BEGINNING = 40

/**
 * Whether the names of the surrounding elements, except those with title and body, mark it as the lead, or as
 * something else.
 */
function leadHint(
  nodes: readonly PageNode[],
  block: Block,
  { begin, end }: Gap,
  names: Uint8Array,
): { isNamed: boolean; isDoubtful: boolean; isForeign: boolean } {
  let isNamed = false
  let isDoubtful = false
  let isForeign = false
  let index = nodes[block.from]!.parent
  for (let i = 0; i < MAX_ANCESTORS && index > begin && nodes[index]!.end <= end; i++) {
    const { name, attributes, parent } = nodes[index]!
    if (NOT_ROUND_LEADS.has(name) || isHidden(attributes)) return { isNamed: false, isDoubtful: true, isForeign: true }
    const flags = names[index]!
    // "lead-image" is a picture's, "dek no-image" is not
    if ((flags & (LEAD | PICTURE)) === LEAD) isNamed = true
    if ((flags & BOILERPLATE) !== 0 || (flags & (LEAD | PICTURE)) === PICTURE) isForeign = true
    if ((flags & DOUBTFUL) !== 0 && !isNamed) isDoubtful = true
    index = parent
  }
  return { isNamed, isDoubtful, isForeign }
}

const MAX_ANCESTORS = 12
const NOT_ROUND_LEADS: ReadonlySet<string> = new Set(
  'article aside blockquote caption details figcaption figure footer form menu nav table'.split(' '),
)
