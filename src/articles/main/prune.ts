/**
 * Drops what is certainly not the article: navigation, footers, hidden elements, pictures with captions, boxes with telling
 * class names. An element with a large share of the page's prose is always kept, whatever its name.
 */
import { isOneInside, type Page, type PagePiece } from '../page/piece.ts'
import { isBoilerplateHeading } from './boilerplate-phrases.ts'
import { BODY, BOILERPLATE, DOUBTFUL, PICTURE } from './class-names.ts'
import { isHidden, isHiddenByStyle, isOverlay } from './hidden.ts'
import { drop, dropBlock, type SearchState } from './search-state.ts'

/** An element with this share of the prose is the text, or a large part of it. */
const MUCH = 0.35
/** With this share even hidden elements and footers are kept. */
const MOST = 0.6
/** A box with a doubtful name and more prose than this is text. */
const DOUBTFUL_PROSE = 200
/** The prose of a short sentence. */
const A_SENTENCE = 15

export function prune(scene: SearchState): void {
  const { pieces, dropped, weights } = scene
  const isGallery = proseOfPictures(scene) >= MUCH * weights.prose[0]!
  for (let i = 1; i < pieces.length; i++) {
    const piece = pieces[i]!
    // without a block inside it is inline
    if (weights.size[i] === 0 || piece.name === '' || dropped[i] === 1) continue
    const facts = factsOf(scene, i)
    if (isGallery && isOfPictures(piece, facts, scene.page) && facts.prose >= A_SENTENCE) continue
    if (!isBoilerplate(piece, facts, scene.page)) continue
    drop(scene, i)
    i = piece.end - 1
  }
}

/** For pages that consist of pictures with long captions. */
function proseOfPictures(scene: SearchState): number {
  const { pieces, weights, page } = scene
  let prose = 0
  let pictures = 0
  for (let i = 1; i < pieces.length; i++) {
    const piece = pieces[i]!
    if (weights.size[i] === 0 || piece.name === '' || !isOfPictures(piece, factsOf(scene, i), page)) continue
    prose += weights.prose[i]!
    if (weights.prose[i]! >= A_SENTENCE) pictures++
    i = piece.end - 1
  }
  return pictures >= FEWEST_PICTURES ? prose : 0
}

const FEWEST_PICTURES = 4

function isOfPictures({ name }: PagePiece, facts: Facts, page: Page): boolean {
  return name === 'figure' || name === 'figcaption' || isPictureBox(facts, page)
}

function factsOf({ said, weights }: SearchState, index: number): Facts {
  const { prose, size, linkSize } = weights
  return {
    index,
    share: prose[0]! > 0 ? prose[index]! / prose[0]! : 0,
    prose: prose[index]!,
    size: size[index]!,
    linkShare: linkSize[index]! / size[index]!,
    said: said[index]!,
  }
}

/** Lines entirely inside an inline element with such a name: <div><span class="caption">. */
export function pruneLines(scene: SearchState): void {
  const { pieces, blocks, said, dropped } = scene
  for (const block of blocks) {
    if (dropped[block.from] === 1 || block.size > 300) continue
    let at = pieces[block.from]!.parent
    for (let i = 0; i < NEAREST && at > block.home; i++) {
      const { end, parent } = pieces[at]!
      if ((said[at]! & (BOILERPLATE | DOUBTFUL)) !== 0 && end >= block.to) dropBlock(scene, block)
      at = parent
    }
  }
}

/** Boxes that begin with a heading of other articles. */
export function pruneBoxes(scene: SearchState): void {
  const { blocks, worths } = scene
  const firsts = firstBlocks(scene)
  let proseBefore = 0
  for (let i = 0; i < blocks.length; i++) {
    const { kind, text, size, home } = blocks[i]!
    if (firsts[home] !== -1) proseBefore += Math.max(0, worths[i]!)
    if (firsts[home] !== i || size > LONGEST_HEADING || kind === 'item' || kind === 'cell') continue
    // after a text, it may be as long as the text
    if (isBoilerplateHeading(text)) dropBox(scene, firsts, i, proseBefore >= A_TEXT ? MOST : MUCH)
  }
}

/** The largest box that begins with this block and has at most this share of the prose. */
function dropBox(scene: SearchState, firsts: Int32Array, block: number, share: number): void {
  const { pieces, blocks } = scene
  const { prose } = scene.weights
  const { home } = blocks[block]!
  let box = home
  for (let round = pieces[home]!.parent; round > 0 && firsts[round] === block; round = pieces[round]!.parent) {
    if (UNNAMED.has(pieces[round]!.name) || prose[round]! >= share * prose[0]!) break
    box = round
  }
  if (box !== home) drop(scene, box)
}

const LONGEST_HEADING = 80
const A_TEXT = 300

/** For every element the index of its first block; -1 for none. */
function firstBlocks({ pieces, blocks, dropped }: SearchState): Int32Array {
  const firsts = new Int32Array(pieces.length).fill(-1)
  for (let i = 0; i < blocks.length; i++) {
    const { home, from } = blocks[i]!
    if (dropped[from] === 1) continue
    for (let round = home; round > 0 && firsts[round] === -1; round = pieces[round]!.parent) firsts[round] = i
  }
  return firsts
}

/** How many ancestors of a line are examined. */
const NEAREST = 6

interface Facts {
  index: number
  /** Of the page's prose. */
  share: number
  prose: number
  size: number
  linkShare: number
  /** Flags of its class names. */
  said: number
}

function isBoilerplate(piece: PagePiece, facts: Facts, page: Page): boolean {
  const { name, attributes } = piece
  if (facts.share >= MOST) return false
  if (isOverlay(attributes) || (isHidden(attributes) && !opensLater(piece, facts))) return true
  if (name === 'figure' || isPictureBox(facts, page)) {
    // tables, quotations and code are text, even in a <figure>
    return facts.share < MUCH && !isOneInside(page.insets, page.pieces, facts.index)
  }
  if (EDGES.has(name) || EDGE_ROLES.has(attributes.role ?? '')) return true
  if (facts.share >= MUCH) return false
  if (ASIDES.has(name) || (name === 'form' && facts.prose < 300)) return true
  if (ASIDE_ROLES.has(attributes.role ?? '')) return true
  return !UNNAMED.has(name) && isNamedForIt(piece, facts, page)
}

/** Collapsed answers and other parts that a script opens: hidden, but text. */
function opensLater({ name, attributes }: PagePiece, { prose, linkShare, said }: Facts): boolean {
  if (name === 'pre' || isHiddenByStyle(attributes) || prose < A_SENTENCE || linkShare > 0.33) return false
  return (said & (BOILERPLATE | DOUBTFUL)) === 0
}

const EDGES: ReadonlySet<string> = new Set(['nav', 'footer', 'aside'])
const ASIDES: ReadonlySet<string> = new Set(['menu', 'figcaption', 'caption'])
const EDGE_ROLES: ReadonlySet<string> = new Set(['navigation', 'contentinfo'])
const ASIDE_ROLES: ReadonlySet<string> = new Set(
  'alertdialog banner complementary dialog menu menubar search tablist toolbar'.split(' '),
)

/** Elements whose names describe their content, not their role. */
const UNNAMED: ReadonlySet<string> = new Set(['article', 'main', 'tr', 'td', 'th', 'tbody'])

function isNamedForIt({ name, attributes }: PagePiece, facts: Facts, { pieces, quotes }: Page): boolean {
  const { said } = facts
  if ((said & (BOILERPLATE | DOUBTFUL)) === 0) return false
  if ((said & BODY) !== 0 && facts.share > 0.05) return false
  // embedded posts are in boxes named after their site
  if ((said & BOILERPLATE) === 0 && facts.linkShare < 0.5 && isOneInside(quotes, pieces, facts.index)) return false
  if (name === 'p' && facts.size > 200) return false
  if ((said & BOILERPLATE) === 0 && facts.prose > DOUBTFUL_PROSE && facts.linkShare < 0.33) return false
  // many short points without links are no menu, even with little prose
  if ((said & BOILERPLATE) === 0 && facts.size > DOUBTFUL_PROSE && facts.linkShare < 0.05) return false
  return !attributes.itemprop?.includes('articleBody')
}

/** A <figure> that is a <div>. */
function isPictureBox({ index, size, said }: Facts, { images, pieces }: Page): boolean {
  return (said & PICTURE) !== 0 && size < 400 && isOneInside(images, pieces, index)
}
