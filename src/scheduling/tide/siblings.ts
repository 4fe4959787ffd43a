/** A new feed begins with the publishing hours of its siblings: feeds of one site share them. */
import type { Memory } from '../../model/index.ts'
import { EMPTY_MEMORY } from '../memory-encoding.ts'
import { decodeKnowledge, encodeKnowledge, newKnowledge } from './knowledge.ts'

/** Acts' worth of evidence taken from the siblings. */
const SIBLING_ACTS = 6

export function memoryFromSiblings(siblings: readonly Memory[]): Memory {
  const known = siblings.flatMap((memory) => decodeKnowledge(memory) ?? []).filter(({ hours }) => sumOf(hours) > 0)
  if (known.length === 0) return EMPTY_MEMORY
  const like = newKnowledge()
  for (const sibling of known)
    for (const name of ['hours', 'weekdays', 'minutes'] as const) {
      const share = SIBLING_ACTS / known.length / Math.max(1e-9, sumOf(sibling[name]))
      sibling[name].forEach((count, i) => {
        like[name][i]! += share * count
      })
    }
  return encodeKnowledge(like)
}

function sumOf(counts: Float32Array): number {
  return counts.reduce((sum, count) => sum + count, 0)
}
