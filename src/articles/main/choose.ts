/**
 * Chooses the element that contains the article: the one with the highest worth. Among those with almost the same worth the
 * markup decides: itemprop, class names, <article>, <main>.
 */
import type { PagePiece } from '../page/piece.ts'
import { BODY } from './class-names.ts'
import type { SearchState } from './search-state.ts'

/** Minimum worth, relative to the best, of an element marked as the article. */
const ALMOST = 0.8

export function chooseMain(scene: SearchState): number {
  const { pieces, said, dropped, weights } = scene
  const { worth } = weights
  const best = worthMost(scene)
  let hinted = best
  let strongest = 0
  for (let i = best + 1; i < pieces[best]!.end; i++) {
    if (dropped[i] === 1 || worth[i]! < ALMOST * worth[best]!) continue
    const hint = hintOf(pieces[i]!, said[i]!)
    if (hint > strongest) {
      hinted = i
      strongest = hint
    }
  }
  return hinted
}

function worthMost({ pieces, dropped, weights: { worth } }: SearchState): number {
  let best = 0
  for (let i = 1; i < pieces.length; i++) {
    // of equal worth, the deeper one has the same text with fewer scraps
    if (worth[i]! >= worth[best]! && dropped[i] === 0 && pieces[i]!.name !== '') best = i
  }
  return best
}

function hintOf(piece: PagePiece, said: number): number {
  if (piece.name === '') return 0
  if (piece.attributes.itemprop?.toLowerCase().includes('articlebody')) return 4
  if ((said & BODY) !== 0) return 3
  if (piece.name === 'article') return 2
  return piece.name === 'main' || piece.attributes.role === 'main' ? 1 : 0
}
