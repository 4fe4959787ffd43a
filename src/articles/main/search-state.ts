/** The state that the steps of the search for the main text share. Each step marks what it drops; later steps skip it. */
import type { Page, PagePiece } from '../page/piece.ts'
import type { Block } from './blocks.ts'

/**
 * - strict:  everything is asked
 * - unnamed: nothing is taken away for its name, which may be wrong on a whole page
 * - listing: the page has no text of its own; its teasers and links are what it says
 */
export type Mode = 'strict' | 'unnamed' | 'listing'

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
  readonly pieces: readonly PagePiece[]
  readonly blocks: readonly Block[]
  /** Entries of lists that belong to the article. */
  readonly entries: ReadonlySet<Block>
  /** The worth of each block. */
  readonly worths: Float64Array
  /** Weights without what was dropped; `weighElements` updates them before each step. */
  readonly weights: ElementWeights
  /** 1 for every dropped piece. */
  readonly dropped: Uint8Array
  /** Flags of the class names of each element; empty in modes that ignore names. */
  readonly said: Uint8Array
  /** Index of the title's block; -1 for none. */
  readonly titlePlace: number
  readonly host: string | undefined
  /** The page claims to be an article. */
  readonly isArticle: boolean
}

export function drop({ pieces, dropped, weights }: SearchState, index: number): void {
  weights.areStale = true
  dropped.fill(1, index, pieces[index]!.end)
}

export function dropBlock({ dropped, weights }: SearchState, { from, to }: Block): void {
  weights.areStale = true
  dropped.fill(1, from, to)
}
