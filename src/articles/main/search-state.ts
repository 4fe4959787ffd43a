/** What the steps of the search for the main text share. Each marks what it takes away; none looks at it again. */
import type { Page, PagePiece } from '../page/piece.ts'
import type { Block } from './blocks.ts'

/**
 * - strict:  everything is asked
 * - unnamed: nothing is taken away for its name, which may be wrong on a whole page
 * - listing: the page has no text of its own; its teasers and links are what it says
 */
export type Mode = 'strict' | 'unnamed' | 'listing'

/** What every element is worth, by its index. */
export interface ElementWeights {
  /** Sum of what the blocks inside are worth. */
  worth: Float64Array
  /** The same without what is worth less than nothing. */
  prose: Float64Array
  size: Float64Array
  linkSize: Float64Array
  /** Something was taken away since they were found. */
  areStale: boolean
}

export interface SearchState {
  readonly page: Page
  readonly pieces: readonly PagePiece[]
  readonly blocks: readonly Block[]
  /** Those that are entries of a list that is the article's own. */
  readonly entries: ReadonlySet<Block>
  /** What each block is worth. */
  readonly worths: Float64Array
  /** What the elements are worth without what was taken away: every step finds them as `weigh` left them before it. */
  readonly weights: ElementWeights
  /** 1 for every piece that was taken away. */
  readonly dropped: Uint8Array
  /** What the names of each element say, by its index; nothing, where names are not heard. */
  readonly said: Uint8Array
  /** Index of the block that is the title; -1 when there is none. */
  readonly titlePlace: number
  readonly host: string | undefined
  /** The page says that it is one. */
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
