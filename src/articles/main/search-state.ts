/** The state that the steps of the search for the main text share. Each step marks what it drops; later steps skip it. */
import type { Page, PageNode } from '../page/page-node.ts'
import type { Block } from './blocks.ts'

/**
 * - strict:  all tests apply
 * - unnamed: class names are ignored, because they may be misleading on a whole page
 * - listing: the page has no text of its own; its teasers and links are its content
 */
export type SearchMode = 'strict' | 'unnamed' | 'listing'

/** The weight of every element, by index. */
export interface ElementWeights {
  /** Sum of the worths of the blocks inside. */
  worth: Float64Array
  /** The same without negative worths. */
  prose: Float64Array
  size: Float64Array
  linkSize: Float64Array
  /** Whether something was dropped since the weights were computed. */
  areStale: boolean
}

export interface SearchState {
  readonly page: Page
  readonly nodes: readonly PageNode[]
  readonly blocks: readonly Block[]
  /** Entries of lists that belong to the article. */
  readonly entries: ReadonlySet<Block>
  /** The worth of each block. */
  readonly worths: Float64Array
  /** Weights without what was dropped; `weighElements` updates them before each step. */
  readonly weights: ElementWeights
  /** 1 for every dropped node. */
  readonly dropped: Uint8Array
  /** Flags of the class names of each element; empty in modes that ignore names. */
  readonly nameFlags: Uint8Array
  /** Index of the title's block; -1 for none. */
  readonly titleBlock: number
  readonly host: string | undefined
  /** The page claims to be an article. */
  readonly isArticle: boolean
}

export function drop({ nodes, dropped, weights }: SearchState, index: number): void {
  weights.areStale = true
  dropped.fill(1, index, nodes[index]!.end)
}

export function dropBlock({ dropped, weights }: SearchState, { from, to }: Block): void {
  weights.areStale = true
  dropped.fill(1, from, to)
}
