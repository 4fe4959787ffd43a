/**
 * Drops what is certainly not the article: navigation, footers, hidden elements, pictures with captions, boxes with telling
 * class names. An element with a large share of the page's prose is always kept, whatever its name.
 */
import { isOneInside, type Page, type PageNode } from '../page/page-node.ts'
import { isBoilerplateHeading } from './boilerplate-phrases.ts'
import { BODY, BOILERPLATE, DOUBTFUL, PICTURE } from './class-names.ts'
import { isHidden, isHiddenByStyle, isOverlay } from './hidden.ts'
import { drop, dropBlock, type SearchState } from './search-state.ts'

/** An element with this share of the prose is the text, or a large part of it. */
const LARGE_SHARE = 0.35
/** Elements with this share of the prose are kept even if they are hidden or footers. */
const LARGEST_SHARE = 0.6
/** A box with a doubtful name and more prose than this is text. */
const DOUBTFUL_PROSE = 200
/** The prose of a short sentence. */
const SENTENCE_PROSE = 15

export function prune(state: SearchState): void {
  const { nodes, dropped, weights } = state
  const isGallery = proseOfPictures(state) >= LARGE_SHARE * weights.prose[0]!
  for (let i = 1; i < nodes.length; i++) {
    const node = nodes[i]!
    // without a block inside it is inline
    if (weights.size[i] === 0 || node.name === '' || dropped[i] === 1) continue
    const facts = factsOf(state, i)
    if (isGallery && isOfPictures(node, facts, state.page) && facts.prose >= SENTENCE_PROSE) continue
    if (!isBoilerplate(node, facts, state.page)) continue
    drop(state, i)
    i = node.end - 1
  }
}

/** For pages that consist of pictures with long captions. */
function proseOfPictures(state: SearchState): number {
  const { nodes, weights, page } = state
  let prose = 0
  let pictures = 0
  for (let i = 1; i < nodes.length; i++) {
    const node = nodes[i]!
    if (weights.size[i] === 0 || node.name === '' || !isOfPictures(node, factsOf(state, i), page)) continue
    prose += weights.prose[i]!
    if (weights.prose[i]! >= SENTENCE_PROSE) pictures++
    i = node.end - 1
  }
  return pictures >= MIN_PICTURES ? prose : 0
}

const MIN_PICTURES = 4

function isOfPictures({ name }: PageNode, facts: Facts, page: Page): boolean {
  return name === 'figure' || name === 'figcaption' || isPictureBox(facts, page)
}

function factsOf({ nameFlags, weights }: SearchState, index: number): Facts {
  const { prose, size, linkSize } = weights
  return {
    index,
    share: prose[0]! > 0 ? prose[index]! / prose[0]! : 0,
    prose: prose[index]!,
    size: size[index]!,
    linkShare: linkSize[index]! / size[index]!,
    nameFlags: nameFlags[index]!,
  }
}

/** Lines entirely inside an inline element with such a name: <div><span class="caption">. */
export function pruneLines(state: SearchState): void {
  const { nodes, blocks, nameFlags, dropped } = state
  for (const block of blocks) {
    if (dropped[block.from] === 1 || block.size > 300) continue
    let at = nodes[block.from]!.parent
    for (let i = 0; i < MAX_ANCESTORS && at > block.home; i++) {
      const { end, parent } = nodes[at]!
      if ((nameFlags[at]! & (BOILERPLATE | DOUBTFUL)) !== 0 && end >= block.to) dropBlock(state, block)
      at = parent
    }
  }
}

/** Boxes that begin with a heading of other articles. */
export function pruneBoxes(state: SearchState): void {
  const { blocks, worths } = state
  const firsts = firstBlocks(state)
  let proseBefore = 0
  for (let i = 0; i < blocks.length; i++) {
    const { kind, text, size, home } = blocks[i]!
    if (firsts[home] !== -1) proseBefore += Math.max(0, worths[i]!)
    if (firsts[home] !== i || size > MAX_HEADING_LENGTH || kind === 'item' || kind === 'cell') continue
    // after a text, it may be as long as the text
    if (isBoilerplateHeading(text)) dropBox(state, firsts, i, proseBefore >= TEXT_PROSE ? LARGEST_SHARE : LARGE_SHARE)
  }
}

/** The largest box that begins with this block and has at most this share of the prose. */
function dropBox(state: SearchState, firsts: Int32Array, block: number, share: number): void {
  const { nodes, blocks } = state
  const { prose } = state.weights
  const { home } = blocks[block]!
  let box = home
  for (
    let ancestor = nodes[home]!.parent;
    ancestor > 0 && firsts[ancestor] === block;
    ancestor = nodes[ancestor]!.parent
  ) {
    if (UNNAMED.has(nodes[ancestor]!.name) || prose[ancestor]! >= share * prose[0]!) break
    box = ancestor
  }
  if (box !== home) drop(state, box)
}

const MAX_HEADING_LENGTH = 80
const TEXT_PROSE = 300

/** For every element the index of its first block; -1 for none. */
function firstBlocks({ nodes, blocks, dropped }: SearchState): Int32Array {
  const firsts = new Int32Array(nodes.length).fill(-1)
  for (let i = 0; i < blocks.length; i++) {
    const { home, from } = blocks[i]!
    if (dropped[from] === 1) continue
    for (let round = home; round > 0 && firsts[round] === -1; round = nodes[round]!.parent) firsts[round] = i
  }
  return firsts
}

/** How many ancestors of a line are examined. */
const MAX_ANCESTORS = 6

interface Facts {
  index: number
  /** Share of the page's prose. */
  share: number
  prose: number
  size: number
  linkShare: number
  /** Flags of its class names. */
  nameFlags: number
}

function isBoilerplate(node: PageNode, facts: Facts, page: Page): boolean {
  const { name, attributes } = node
  if (facts.share >= LARGEST_SHARE) return false
  if (isOverlay(attributes) || (isHidden(attributes) && !opensLater(node, facts))) return true
  if (name === 'figure' || isPictureBox(facts, page)) {
    // tables, quotations and code are text, even in a <figure>
    return facts.share < LARGE_SHARE && !isOneInside(page.insets, page.nodes, facts.index)
  }
  if (EDGES.has(name) || EDGE_ROLES.has(attributes.role ?? '')) return true
  if (facts.share >= LARGE_SHARE) return false
  if (ASIDES.has(name) || (name === 'form' && facts.prose < 300)) return true
  if (ASIDE_ROLES.has(attributes.role ?? '')) return true
  return !UNNAMED.has(name) && isNamedForContent(node, facts, page)
}

/** Collapsed answers and other parts that a script opens: hidden, but text. */
function opensLater({ name, attributes }: PageNode, { prose, linkShare, nameFlags }: Facts): boolean {
  if (name === 'pre' || isHiddenByStyle(attributes) || prose < SENTENCE_PROSE || linkShare > 0.33) return false
  return (nameFlags & (BOILERPLATE | DOUBTFUL)) === 0
}

const EDGES: ReadonlySet<string> = new Set(['nav', 'footer', 'aside'])
const ASIDES: ReadonlySet<string> = new Set(['menu', 'figcaption', 'caption'])
const EDGE_ROLES: ReadonlySet<string> = new Set(['navigation', 'contentinfo'])
const ASIDE_ROLES: ReadonlySet<string> = new Set(
  'alertdialog banner complementary dialog menu menubar search tablist toolbar'.split(' '),
)

/** Elements whose names describe their content, not their role. */
const UNNAMED: ReadonlySet<string> = new Set(['article', 'main', 'tr', 'td', 'th', 'tbody'])

function isNamedForContent({ name, attributes }: PageNode, facts: Facts, { nodes, quotes }: Page): boolean {
  const { nameFlags } = facts
  if ((nameFlags & (BOILERPLATE | DOUBTFUL)) === 0) return false
  if ((nameFlags & BODY) !== 0 && facts.share > 0.05) return false
  // embedded posts are in boxes named after their site
  if ((nameFlags & BOILERPLATE) === 0 && facts.linkShare < 0.5 && isOneInside(quotes, nodes, facts.index)) return false
  if (name === 'p' && facts.size > 200) return false
  if ((nameFlags & BOILERPLATE) === 0 && facts.prose > DOUBTFUL_PROSE && facts.linkShare < 0.33) return false
  // many short points without links are no menu, even with little prose
  if ((nameFlags & BOILERPLATE) === 0 && facts.size > DOUBTFUL_PROSE && facts.linkShare < 0.05) return false
  return !attributes.itemprop?.includes('articleBody')
}

/** A <figure> that is a <div>. */
function isPictureBox({ index, size, nameFlags }: Facts, { images, nodes }: Page): boolean {
  return (nameFlags & PICTURE) !== 0 && size < 400 && isOneInside(images, nodes, index)
}
