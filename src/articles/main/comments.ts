/** Removes readers' comments under an article: they are prose, and may be longer than the article. */
import { isOneInside } from '../page/piece.ts'
import { BODY, COMMENTS } from './class-names.ts'
import { drop, type SearchState } from './search-state.ts'

/** `said`: what class names say about each element, even if the current mode ignores them. */
export function dropComments(scene: SearchState, said: Uint8Array): void {
  const before: ProseBefore = { sum: 0, block: 0 }
  let next = nextNamed(said, 1)
  while (next < said.length) {
    const isDropped = areComments(scene, next, before)
    if (isDropped) drop(scene, next)
    next = nextNamed(said, isDropped ? scene.pieces[next]!.end : next + 1)
  }
}

/** Index of the next element with a class name of comments. */
function nextNamed(said: Uint8Array, from: number): number {
  let at = from
  while (at < said.length && (said[at]! & (COMMENTS | BODY)) !== COMMENTS) at++
  return at
}

/** Amount of prose before an element, and the index of the next block. */
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
  // "comments-open" is set on the article itself; real comments come after it
  return weights.prose[index]! < 0.35 * weights.prose[0]! || before.sum >= SHORTEST_ARTICLE
}

const SHORTEST_ARTICLE = 150
