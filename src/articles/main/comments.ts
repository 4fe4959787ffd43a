/** What readers have written under an article: it is prose, and may be more of it than the article. */
import { isOneInside } from '../page/piece.ts'
import { BODY, COMMENTS } from './class-names.ts'
import { drop, type SearchState } from './search-state.ts'

/** `said`: what the names of each element say, whether they are heard otherwise or not. */
export function dropComments(scene: SearchState, said: Uint8Array): void {
  const before: ProseBefore = { sum: 0, block: 0 }
  let next = nextNamed(said, 1)
  while (next < said.length) {
    const isDropped = areComments(scene, next, before)
    if (isDropped) drop(scene, next)
    next = nextNamed(said, isDropped ? scene.pieces[next]!.end : next + 1)
  }
}

/** Index of the next element that is named for comments. */
function nextNamed(said: Uint8Array, from: number): number {
  let at = from
  while (at < said.length && (said[at]! & (COMMENTS | BODY)) !== COMMENTS) at++
  return at
}

/** How much prose stands before an element, and which block comes next. */
interface ProseBefore {
  sum: number
  block: number
}

function areComments(
  { page, pieces, blocks, worths, weights }: SearchState,
  index: number,
  before: ProseBefore,
): boolean {
  const { name } = pieces[index]!
  if (name === 'article' || name === 'main' || isOneInside(page.titles, pieces, index)) return false
  for (; before.block < blocks.length && blocks[before.block]!.from < index; before.block++)
    before.sum += Math.max(0, worths[before.block]!)
  // "comments-open" is written on the article itself; real ones stand behind it.
  return weights.prose[index]! < 0.35 * weights.prose[0]! || before.sum >= SHORTEST_ARTICLE
}

const SHORTEST_ARTICLE = 150
