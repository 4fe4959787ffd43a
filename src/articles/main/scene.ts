/** What the steps of the search for the main text share. Each marks what it takes away; none looks at it again. */
import type { PagePiece } from '../page/piece.ts'
import type { Block } from './blocks.ts'
import type { NameJudge } from './names.ts'

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
}

export interface Scene {
  readonly pieces: readonly PagePiece[]
  readonly blocks: readonly Block[]
  /** Those that are entries of a list that is the article's own. */
  readonly entries: ReadonlySet<Block>
  /** What each block is worth. */
  readonly worths: Float64Array
  /** Room for what the elements are worth; `weigh` fills it. */
  readonly weights: ElementWeights
  /** 1 for every piece that was taken away. */
  readonly dropped: Uint8Array
  readonly names: NameJudge
  /** Index of the block that is the title; absent when there is none. */
  readonly titlePlace: number | undefined
  readonly host: string | undefined
}

export function drop({ pieces, dropped }: Scene, index: number): void {
  dropped.fill(1, index, pieces[index]!.end)
}

export function dropBlock({ dropped }: Scene, { from, to }: Block): void {
  dropped.fill(1, from, to)
}
