/**
 * Weighs blocks and the elements that contain them. Prose is worth its size; links, breadcrumbs and fragments have
 * negative worth. The article is the element with the largest sum: anything that a larger element adds must have
 * positive worth. The numbers were found by experiment on two public sets of pages; none is sensitive.
 */
import type { PageNode } from '../page/page-node.ts'
import type { Block } from './blocks.ts'
import type { ElementWeights, SearchMode, SearchState } from './search-state.ts'

export function createWeights(count: number): ElementWeights {
  return {
    worth: new Float64Array(count),
    prose: new Float64Array(count),
    size: new Float64Array(count),
    linkSize: new Float64Array(count),
    areStale: true,
  }
}

/** Weighs elements without what was dropped. Overwrites the previous weights if they are stale. */
export function weighElements(state: SearchState): void {
  const { weights } = state
  if (!weights.areStale) return
  weights.worth.fill(0)
  weights.prose.fill(0)
  weights.size.fill(0)
  weights.linkSize.fill(0)
  addBlocks(state)
  addToParents(state.nodes, weights)
  weights.areStale = false
}

function addBlocks({ blocks, worths, weights, dropped }: SearchState): void {
  const { worth, prose, size, linkSize } = weights
  for (let i = 0; i < blocks.length; i++) {
    const block = blocks[i]!
    if (dropped[block.from] === 1) continue
    worth[block.home]! += worths[i]!
    prose[block.home]! += Math.max(0, worths[i]!)
    size[block.home]! += block.size
    linkSize[block.home]! += block.size * block.linkShare
  }
}

/** Adds each element's weight to its parent's. */
function addToParents(nodes: readonly PageNode[], { worth, prose, size, linkSize }: ElementWeights): void {
  for (let i = nodes.length - 1; i > 0; i--) {
    if (size[i] === 0) continue
    const { parent } = nodes[i]!
    worth[parent]! += worth[i]!
    prose[parent]! += prose[i]!
    size[parent]! += size[i]!
    linkSize[parent]! += linkSize[i]!
  }
}

export function weighBlocks(blocks: readonly Block[], entries: ReadonlySet<Block>, mode: SearchMode): Float64Array {
  return Float64Array.from(blocks, (block) => {
    const worth = worthOf(block, mode)
    return entries.has(block) ? Math.max(worth, worthOfEntry(block)) : worth
  })
}

/** Small, so that no list is chosen for its length. */
function worthOfEntry({ size, linkShare }: Block): number {
  return linkShare > 0.9 ? 1 : size * 0.1
}

/** A link of at least this size is a title. */
const TITLE = 20
const SHORT = 40
const LONG = 80

function worthOf({ kind, size, linkShare, text }: Block, mode: SearchMode): number {
  if (mode === 'listing' && linkShare >= 0.5) return size >= TITLE ? size * 0.3 : -5
  if (kind === 'heading') return linkShare > 0.5 ? -20 : 0
  if (linkShare >= 0.5) return -Math.min(size, 60)
  if (kind === 'code') return size * 0.7
  if (size < SHORT && !endsSentence(text)) return kind === 'cell' || kind === 'item' ? size * 0.1 : -8
  const length = size >= LONG ? 1 : 0.4
  return size * (1 - linkShare) ** 2 * (KINDS[kind] ?? 1) * length
}

const KINDS: Partial<Record<Block['kind'], number>> = { item: 0.35, cell: 0.5, plain: 0.7 }

/** Whether the text ends like a sentence, in scripts with such punctuation. */
export function endsSentence(text: string): boolean {
  return ENDS.has(text.charCodeAt(text.length - 1))
}

const ENDS: ReadonlySet<number> = new Set(
  Array.from('.!?…。！？؟।۔։።။។:"“”’»«›‹」』）)]', (sign) => sign.charCodeAt(0)),
)
