/** Removes readers' comments under an article: they are prose, and may be longer than the article. */
import { isOneInside } from '../page/page-node.ts'
import { BODY, COMMENTS } from './class-names.ts'
import { drop, type SearchState } from './search-state.ts'

/** `nameFlags`: of each element, even if the current mode ignores them. */
export function dropComments(state: SearchState, nameFlags: Uint8Array): void {
  const before: ProseBefore = { sum: 0, block: 0 }
  let next = nextCommentsElement(nameFlags, 1)
  while (next < nameFlags.length) {
    const isDropped = isCommentsSection(state, next, before)
    if (isDropped) drop(state, next)
    next = nextCommentsElement(nameFlags, isDropped ? state.nodes[next]!.end : next + 1)
  }
}

/** Index of the next element with a class name of comments. */
function nextCommentsElement(nameFlags: Uint8Array, from: number): number {
  let at = from
  while (at < nameFlags.length && (nameFlags[at]! & (COMMENTS | BODY)) !== COMMENTS) at++
  return at
}

/** Amount of prose before an element, and the index of the next block. */
interface ProseBefore {
  sum: number
  block: number
}

function isCommentsSection(
  { page, nodes, blocks, worths, weights }: SearchState,
  index: number,
  before: ProseBefore,
): boolean {
  const { name } = nodes[index]!
  if (name === 'article' || name === 'main' || isOneInside(page.titles, nodes, index)) return false
  for (; before.block < blocks.length && blocks[before.block]!.from < index; before.block++)
    before.sum += Math.max(0, worths[before.block]!)
  // "comments-open" is set on the article itself; real comments come after it
  return weights.prose[index]! < 0.35 * weights.prose[0]! || before.sum >= MIN_ARTICLE_LENGTH
}

const MIN_ARTICLE_LENGTH = 150
