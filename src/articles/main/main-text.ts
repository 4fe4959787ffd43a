/** The blocks of a page that are its article: weigh, take away, choose, filter; and look again if that was too little. */
import type { Piece } from '../page/piece.ts'
import type { Block } from './blocks.ts'
import { chooseMain } from './choose.ts'
import { dropComments } from './comments.ts'
import { filterBlocks } from './filter.ts'
import { createNames, type Names } from './names.ts'
import { prune, pruneLines } from './prune.ts'
import type { Mode, Scene } from './scene.ts'
import { withoutStamps } from './stamps.ts'
import { dropOutside } from './stretch.ts'
import { dropNextArticles, dropTeasers } from './teasers.ts'
import { ENDS, worthsOf } from './weights.ts'

export interface Hints {
  title: string
  /** Index of the block that is the title; absent when there is none. */
  titlePlace: number | undefined
  host: string | undefined
  authors: readonly string[]
  /** The page says that it is an article. */
  isArticle: boolean
}

export function mainBlocks(pieces: readonly Piece[], blocks: readonly Block[], hints: Hints): Block[] {
  const names = createNames()
  let best = attempt(pieces, blocks, hints, names, 'strict')
  for (const mode of ['unnamed', 'listing'] as const) {
    const size = sizeOfAll(best)
    if (size >= ENOUGH || (mode === 'listing' && hints.isArticle)) return best
    const other = attempt(pieces, blocks, hints, names, mode)
    if (sizeOfAll(other) > 2 * size) best = other
  }
  return best
}

/** With less than that, it is worth looking again. */
const ENOUGH = 400

function attempt(pieces: readonly Piece[], blocks: readonly Block[], hints: Hints, names: Names, mode: Mode): Block[] {
  const { titlePlace, host } = hints
  const dropped = new Uint8Array(pieces.length)
  const heard = mode === 'strict' ? names : () => 0
  const scene: Scene = { pieces, blocks, worths: worthsOf(blocks, mode), dropped, names: heard, mode, titlePlace, host }
  // On a page that is no article, what readers write may be what the page is for.
  if (mode === 'strict' || hints.isArticle) dropComments(scene, names)
  prune(scene)
  pruneLines(scene)
  if (mode !== 'listing') {
    dropTeasers(scene)
    dropNextArticles(scene)
  }
  dropOutside(scene)
  const top = chooseMain(scene)
  const left = blocks.filter(({ from }) => dropped[from] === 0 && from < pieces[top]!.end)
  const inside = left.filter(({ from }) => from > top)
  const leads = left.filter((block) => block.from < top && isLead(block))
  const found = sizeOfAll(leads) >= SHORTEST_LEAD ? [...leads, ...inside] : inside
  return withoutStamps(filterBlocks(found, hints.title, mode), hints.authors)
}

/** Less than that is a subtitle. */
const SHORTEST_LEAD = 300

/** Between the title and the element that was chosen, sentences are the lead. */
function isLead({ kind, size, linkShare, text }: Block): boolean {
  return (kind === 'paragraph' || kind === 'plain') && size >= 60 && linkShare < 0.3 && ENDS.test(text)
}

function sizeOfAll(blocks: readonly Block[]): number {
  return blocks.reduce((sum, { size }) => sum + size, 0)
}
