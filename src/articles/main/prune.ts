/**
 * Takes away what is surely not the article: navigation, footers, hidden things, pictures with their captions, boxes that
 * are named for what they are. Every rule yields to the text: an element that holds a large share of the page's prose stays
 * whatever it is called.
 */
import type { PagePiece } from '../page/piece.ts'
import { isHidden, isHiddenByStyle, isLaidOver } from './hidden.ts'
import { BODY, BOILERPLATE, DOUBTFUL, type NameJudge, PICTURE } from './names.ts'
import { headsRubbish } from './phrases.ts'
import { drop, dropBlock, type Scene } from './scene.ts'
import { weigh } from './weights.ts'

/** With this share of the prose an element is the text, or a large part of it. */
const MUCH = 0.35
/** With this share even what is hidden, or calls itself a footer. */
const MOST = 0.6
/** A box whose name is doubtful and that holds more prose than this is text. */
const DOUBTFUL_PROSE = 200
/** The prose of a short one. */
const A_SENTENCE = 15

export function prune(scene: Scene): void {
  const { pieces, names, dropped } = scene
  const { prose, size, linkSize } = weigh(scene)
  const holds = holdingsOf(pieces)
  for (let i = 1; i < pieces.length; i++) {
    const piece = pieces[i]!
    // Without a block inside it is part of a line.
    if (piece.name === '' || dropped[i] === 1 || size[i] === 0) continue
    const facts: Facts = {
      share: prose[0]! > 0 ? prose[i]! / prose[0]! : 0,
      prose: prose[i]!,
      size: size[i]!,
      linkShare: linkSize[i]! / size[i]!,
      holds: holds[i]!,
    }
    if (!isBoilerplate(piece, facts, names)) continue
    drop(scene, i)
    i = piece.end - 1
  }
}

/** Lines that stand as a whole in a part of a line with such a name: <div><span class="caption">. */
export function pruneLines(scene: Scene): void {
  const { pieces, blocks, names, dropped } = scene
  for (const block of blocks) {
    if (dropped[block.from] === 1 || block.size > 300) continue
    let at = pieces[block.from]!.parent
    for (let i = 0; i < NEAREST && at > block.home; i++) {
      const { attributes, end, parent } = pieces[at]!
      if (end >= block.to && (names(attributes) & (BOILERPLATE | DOUBTFUL)) !== 0) dropBlock(scene, block)
      at = parent
    }
  }
}

/** Boxes that begin with a heading which says that what follows is of other articles. */
export function pruneBoxes(scene: Scene): void {
  const { pieces, blocks, worths } = scene
  const { prose } = weigh(scene)
  const firsts = firstBlocks(scene)
  let proseBefore = 0
  for (const [i, { kind, text, size, home }] of blocks.entries()) {
    if (firsts[home] !== -1) proseBefore += Math.max(0, worths[i]!)
    if (firsts[home] !== i || size > LONGEST_HEADING || kind === 'item' || kind === 'cell') continue
    if (!headsRubbish(text)) continue
    // Behind a text, it may be as long as the text.
    const most = (proseBefore >= A_TEXT ? MOST : MUCH) * prose[0]!
    let box = home
    for (let round = pieces[home]!.parent; round > 0 && firsts[round] === i; round = pieces[round]!.parent) {
      if (UNNAMED.has(pieces[round]!.name) || prose[round]! >= most) break
      box = round
    }
    if (box !== home) drop(scene, box)
  }
}

const LONGEST_HEADING = 80
const A_TEXT = 300

/** For every element the index of the first block in it; -1 for none. */
function firstBlocks({ pieces, blocks, dropped }: Scene): Int32Array {
  const firsts = new Int32Array(pieces.length).fill(-1)
  for (const [i, { home, from }] of blocks.entries()) {
    if (dropped[from] === 1) continue
    for (let round = home; round > 0 && firsts[round] === -1; round = pieces[round]!.parent) firsts[round] = i
  }
  return firsts
}

/** How many elements round a line are asked. */
const NEAREST = 6

interface Facts {
  /** Of the page's prose. */
  share: number
  prose: number
  size: number
  linkShare: number
  holds: number
}

function isBoilerplate(piece: PagePiece, facts: Facts, names: NameJudge): boolean {
  const { name, attributes } = piece
  if (facts.share >= MOST) return false
  if (isLaidOver(attributes) || (isHidden(attributes) && !opensLater(piece, facts, names))) return true
  if (name === 'figure' || isPictureBox(piece, facts, names)) return facts.share < MUCH && (facts.holds & TEXT) === 0
  if (EDGES.has(name) || EDGE_ROLES.has(attributes.role ?? '')) return true
  if (facts.share >= MUCH) return false
  if (ASIDES.has(name) || (name === 'form' && facts.prose < 300)) return true
  if (ASIDE_ROLES.has(attributes.role ?? '')) return true
  return !UNNAMED.has(name) && isNamedForIt(piece, facts, names)
}

/** Answers that open when one clicks on the question, parts that a script shows: hidden by a mark, and text. */
function opensLater({ name, attributes }: PagePiece, { prose, linkShare }: Facts, names: NameJudge): boolean {
  if (name === 'pre' || isHiddenByStyle(attributes) || prose < A_SENTENCE || linkShare > 0.33) return false
  return (names(attributes) & (BOILERPLATE | DOUBTFUL)) === 0
}

const EDGES: ReadonlySet<string> = new Set(['nav', 'footer', 'aside'])
const ASIDES: ReadonlySet<string> = new Set(['menu', 'figcaption', 'caption'])
const EDGE_ROLES: ReadonlySet<string> = new Set(['navigation', 'contentinfo'])
const ASIDE_ROLES: ReadonlySet<string> = new Set(
  'alertdialog banner complementary dialog menu menubar search tablist toolbar'.split(' '),
)

/** Their own names say what they are, or they are named after what stands in them. */
const UNNAMED: ReadonlySet<string> = new Set(['article', 'main', 'tr', 'td', 'th', 'tbody'])

function isNamedForIt({ name, attributes }: PagePiece, facts: Facts, names: NameJudge): boolean {
  const said = names(attributes)
  if ((said & (BOILERPLATE | DOUBTFUL)) === 0) return false
  if ((said & BODY) !== 0 && facts.share > 0.05) return false
  // What somebody wrote elsewhere is shown in boxes that are named for where.
  if ((said & BOILERPLATE) === 0 && (facts.holds & QUOTE) !== 0 && facts.linkShare < 0.5) return false
  if (name === 'p' && facts.size > 200) return false
  if ((said & BOILERPLATE) === 0 && facts.prose > DOUBTFUL_PROSE && facts.linkShare < 0.33) return false
  // Short points are little prose; where many of them hold no link, they are no menu.
  if ((said & BOILERPLATE) === 0 && facts.size > DOUBTFUL_PROSE && facts.linkShare < 0.05) return false
  return !attributes.itemprop?.includes('articleBody')
}

const TEXT = 1
const IMAGE = 2
const QUOTE = 4

const HOLDINGS: Record<string, number | undefined> = {
  __proto__: null as never,
  table: TEXT,
  pre: TEXT,
  blockquote: TEXT | QUOTE,
  img: IMAGE,
}

/** What every element holds. Tables, quotations and code are text, even in a <figure>. */
function holdingsOf(pieces: readonly PagePiece[]): Uint8Array {
  const holds = new Uint8Array(pieces.length)
  for (let i = pieces.length - 1; i > 0; i--) {
    const { name, parent } = pieces[i]!
    holds[parent]! |= holds[i]! | (HOLDINGS[name] ?? 0)
  }
  return holds
}

/** A <figure> that is a <div>. */
function isPictureBox({ attributes }: PagePiece, { size, holds }: Facts, names: NameJudge): boolean {
  return (holds & IMAGE) !== 0 && size < 400 && (names(attributes) & PICTURE) !== 0
}
