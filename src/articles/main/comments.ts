/** What readers have written under an article: it is prose, and may be more of it than the article. */
import type { PagePiece } from '../page/piece.ts'
import { BODY, COMMENTS, type NameJudge } from './names.ts'
import { drop, type Scene } from './scene.ts'
import { weigh } from './weights.ts'

export function dropComments(scene: Scene, names: NameJudge): void {
  const { pieces, blocks, worths } = scene
  const { prose } = weigh(scene)
  const titles = titlesInside(pieces)
  let proseBefore = 0
  let block = 0
  for (let i = 1; i < pieces.length; i++) {
    const { name, attributes, end } = pieces[i]!
    if (name === '' || name === 'article' || name === 'main' || titles[i]! > 0) continue
    if ((names(attributes) & (COMMENTS | BODY)) !== COMMENTS) continue
    for (; block < blocks.length && blocks[block]!.from < i; block++) proseBefore += Math.max(0, worths[block]!)
    // "comments-open" is written on the article itself; real ones stand behind it.
    if (prose[i]! >= 0.35 * prose[0]! && proseBefore < SHORTEST_ARTICLE) continue
    drop(scene, i)
    i = end - 1
  }
}

const SHORTEST_ARTICLE = 150

/** How many h1 stand in every element. */
function titlesInside(pieces: readonly PagePiece[]): Uint32Array {
  const inside = new Uint32Array(pieces.length)
  for (let i = pieces.length - 1; i > 0; i--) {
    const { name, parent } = pieces[i]!
    inside[parent]! += inside[i]! + (name === 'h1' ? 1 : 0)
  }
  return inside
}
