/**
 * Chooses the element that contains the article: the one with the highest worth. Among those with almost the same worth the
 * markup decides: itemprop, class names, <article>, <main>.
 */
import type { PageNode } from '../page/page-node.ts'
import { BODY } from './class-names.ts'
import type { SearchState } from './search-state.ts'

/** Minimum worth, relative to the best, of an element marked as the article. */
const MIN_RELATIVE_WORTH = 0.8

export function chooseMain(state: SearchState): number {
  const { nodes, nameFlags, dropped, weights } = state
  const { worth } = weights
  const best = indexOfHighestWorth(state)
  let hinted = best
  let strongest = 0
  for (let i = best + 1; i < nodes[best]!.end; i++) {
    if (dropped[i] === 1 || worth[i]! < MIN_RELATIVE_WORTH * worth[best]!) continue
    const hint = hintOf(nodes[i]!, nameFlags[i]!)
    if (hint > strongest) {
      hinted = i
      strongest = hint
    }
  }
  return hinted
}

function indexOfHighestWorth({ nodes, dropped, weights: { worth } }: SearchState): number {
  let best = 0
  for (let i = 1; i < nodes.length; i++) {
    // of equal worth, the deeper one has the same text with fewer scraps
    if (worth[i]! >= worth[best]! && dropped[i] === 0 && nodes[i]!.name !== '') best = i
  }
  return best
}

function hintOf(node: PageNode, nameFlags: number): number {
  if (node.name === '') return 0
  if (node.attributes.itemprop?.toLowerCase().includes('articlebody')) return 4
  if ((nameFlags & BODY) !== 0) return 3
  if (node.name === 'article') return 2
  return node.name === 'main' || node.attributes.role === 'main' ? 1 : 0
}
