/** A new feed begins with the publishing hours of its siblings: feeds of one site share them. */
import type { Memory } from '../../model/index.ts'
import { EMPTY_MEMORY } from '../memory-encoding.ts'
import { decodeKnowledge, encodeKnowledge, newKnowledge } from './knowledge.ts'

/** Acts' worth of evidence taken from the siblings. */
const SIBLING_ACTS = 6

export function memoryFromSiblings(siblings: readonly Memory[]): Memory {
  const knowledge = siblings.flatMap((memory) => decodeKnowledge(memory) ?? []).filter(({ hours }) => sumOf(hours) > 0)
  if (knowledge.length === 0) return EMPTY_MEMORY
  const prior = newKnowledge()
  for (const sibling of knowledge)
    for (const name of ['hours', 'weekdays', 'minutes'] as const) {
      const share = SIBLING_ACTS / knowledge.length / Math.max(1e-9, sumOf(sibling[name]))
      sibling[name].forEach((count, i) => {
        prior[name][i]! += share * count
      })
    }
  return encodeKnowledge(prior)
}

function sumOf(counts: Float32Array): number {
  return counts.reduce((sum, count) => sum + count, 0)
}
