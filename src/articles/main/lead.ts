/**
 * Finds the lead: one or a few sentences between headline and body that summarize the article. It is not near the rest of
 * the text, but in the page's header, before the byline and the picture, and is a <p>, a heading or a bare <div>. Three
 * signs identify it: a class name, the description in the metadata says the same, or it is a sentence where a lead would be.
 * Text in a box of a picture, an author or an advertisement is not a lead.
 */
import { normalizeLetters } from '../page/characters.ts'
import type { PagePiece } from '../page/piece.ts'
import type { Block } from './blocks.ts'
import { isBoilerplateLine, isNotice } from './boilerplate-phrases.ts'
import { BOILERPLATE, DOUBTFUL, LEAD, PICTURE } from './class-names.ts'
import { edgeLineTest } from './edge-lines.ts'
import { isHidden } from './hidden.ts'
import { endsSentence } from './weights.ts'

interface LeadHints {
  title: string
  /** Index of the title's block; -1 for none. */
  titlePlace: number
  authors: readonly string[]
  description: string
}

/** Adds the lead to the text. `said`: what class names say about each element; `body`: the blocks of the text, in order. */
export function withLead(
  pieces: readonly PagePiece[],
  blocks: readonly Block[],
  said: Uint8Array,
  body: readonly Block[],
  hints: LeadHints,
): Block[] {
  const judge = createJudge(pieces, said, body, hints)
  const first = blocks.indexOf(body[0]!)
  const byForm = hints.titlePlace >= 0
  const start = byForm ? hints.titlePlace + 1 : Math.max(0, first - NEAR)
  const begin = byForm ? blocks[hints.titlePlace]!.from : 0
  const found: Block[] = []
  let taken = 0
  let before = begin
  for (let i = start; i < blocks.length && i < start + NEAR && taken < FIRST; i++) {
    const block = blocks[i]!
    if (block === body[taken]) {
      found.push(block)
      before = block.from
      taken++
    } else if (judge(block, { begin: before, end: body[taken]?.from ?? pieces.length }, byForm && taken === 0))
      found.push(block)
  }
  // a title inside or after the text was another's
  if (taken === 0) return first < start ? [...body] : [...found, ...body]
  return [...found, ...body.slice(taken)]
}

/** For a text that the page does not show: the visible part is its lead. */
export function leadBefore(
  pieces: readonly PagePiece[],
  blocks: readonly Block[],
  said: Uint8Array,
  text: string,
  hints: LeadHints,
): Block[] {
  if (hints.titlePlace < 0) return []
  const judge = createJudge(pieces, said, [], hints)
  const gap = { begin: blocks[hints.titlePlace]!.from, end: pieces.length }
  const candidates = blocks.slice(hints.titlePlace + 1, hints.titlePlace + 1 + NEAR)
  const letters = normalizeLetters(text)
  return candidates.filter((block) => judge(block, gap, false) && !repeats(letters, normalizeLetters(block.text)))
}

/** The pieces between the title, or the body before it, and the body after it. */
interface Gap {
  begin: number
  end: number
}

function createJudge(pieces: readonly PagePiece[], names: Uint8Array, body: readonly Block[], hints: LeadHints) {
  const isStamp = edgeLineTest(hints.authors)
  const title = normalizeLetters(hints.title)
  const description = normalizeLetters(hints.description)
  /** The beginning of the text, computed lazily: few pages need it. */
  let said: string[] | undefined
  /** `byForm`: whether its form alone is enough. */
  return (block: Block, gap: Gap, byForm: boolean): boolean => {
    const { text } = block
    if (!mayBeLead(block) || isStamp(text) || isBoilerplateLine(text) || isNotice(text)) return false
    const letters = normalizeLetters(text)
    if (letters === title) return false
    const { isNamed, isDoubtful, isForeign } = placeOf(pieces, block, gap, names)
    const isDescribed = block.kind !== 'item' && says(description, letters)
    const isMeant = isForeign ? isNamed && isDescribed : isNamed || isDescribed
    if (!isMeant && (isForeign || isDoubtful || !byForm || !looksLikeLead(block))) return false
    said ??= body.slice(0, FIRST).map((first) => normalizeLetters(first.text.slice(0, LONGEST)))
    if (said.some((other) => repeats(other, letters)) || body.some((other) => other.text.includes(text))) return false
    said.push(letters)
    return true
  }
}

/** How many blocks after the title, and of the body, are examined. */
const NEAR = 40
const FIRST = 4
const SHORTEST = 25
const LONGEST = 1_500
/** A block recognized by form alone must be longer than a subtitle. */
const SENTENCE = 60

function mayBeLead({ kind, size, linkShare }: Block): boolean {
  if (kind === 'code' || kind === 'cell') return false
  return size >= SHORTEST && size <= LONGEST && linkShare < 0.35
}

function looksLikeLead({ kind, size, text }: Block): boolean {
  return size >= SENTENCE && kind !== 'item' && (kind === 'heading' || endsSentence(text))
}

/** The body contains it, or begins the same. */
function repeats(body: string, letters: string): boolean {
  return body.includes(letters) || (letters.length >= BEGINNING && body.startsWith(letters.slice(0, BEGINNING)))
}

/** Descriptions are cut off, and leads are longer, or the other way round. */
function says(description: string, letters: string): boolean {
  if (description.length < SHORTEST) return false
  if (description.includes(letters)) return true
  return letters.includes(description.slice(0, Math.max(BEGINNING, Math.floor(0.8 * description.length))))
}

const BEGINNING = 40

/** What the surrounding elements without title and body say: that it is the lead, or that it is not. */
function placeOf(
  pieces: readonly PagePiece[],
  block: Block,
  { begin, end }: Gap,
  names: Uint8Array,
): { isNamed: boolean; isDoubtful: boolean; isForeign: boolean } {
  let isNamed = false
  let isDoubtful = false
  let isForeign = false
  let index = pieces[block.from]!.parent
  for (let i = 0; i < MOST_ROUND && index > begin && pieces[index]!.end <= end; i++) {
    const { name, attributes, parent } = pieces[index]!
    if (NOT_ROUND_LEADS.has(name) || isHidden(attributes)) return { isNamed: false, isDoubtful: true, isForeign: true }
    const said = names[index]!
    // "lead-image" is a picture's, "dek no-image" is not
    if ((said & (LEAD | PICTURE)) === LEAD) isNamed = true
    if ((said & BOILERPLATE) !== 0 || (said & (LEAD | PICTURE)) === PICTURE) isForeign = true
    if ((said & DOUBTFUL) !== 0 && !isNamed) isDoubtful = true
    index = parent
  }
  return { isNamed, isDoubtful, isForeign }
}

const MOST_ROUND = 12
const NOT_ROUND_LEADS: ReadonlySet<string> = new Set(
  'article aside blockquote caption details figcaption figure footer form menu nav table'.split(' '),
)
