/**
 * Finds the range of the article in the sequence of blocks. It begins at the title and ends where the sum of the blocks'
 * worths is largest: after that, more boilerplate separates the next paragraph than it is worth. Without a title it is the
 * range with the largest sum.
 */
import { dropBlock, type SearchState } from './search-state.ts'

/** Drops blocks outside the range. */
export function dropOutsideRange(state: SearchState): void {
  const { blocks, titleBlock } = state
  const values = blockValues(state)
  const free = bestRange(values)
  let chosen = free
  if (titleBlock >= 0) {
    const titled = bestEnd(values, titleBlock)
    // if most of the text comes before it, it was not the title
    if (titled.sum >= 0.4 * free.sum) chosen = titled
  }
  for (let i = 0; i < blocks.length; i++) if (i < chosen.start || i >= chosen.end) dropBlock(state, blocks[i]!)
}

function blockValues({ blocks, worths, dropped }: SearchState): Float64Array {
  const values = worths.slice()
  for (let i = 0; i < blocks.length; i++) if (dropped[blocks[i]!.from] === 1) values[i] = -cost(blocks[i]!.size)
  return values
}

/** Dropped blocks still separate paragraphs. */
function cost(size: number): number {
  return Math.min(size, 60) * 0.7
}

interface BlockRange {
  start: number
  end: number
  sum: number
}

function bestEnd(values: Float64Array, start: number): BlockRange {
  const best: BlockRange = { start, end: start, sum: 0 }
  let sum = 0
  for (let i = start; i < values.length; i++) {
    sum += values[i]!
    if (sum > best.sum) {
      best.sum = sum
      best.end = i + 1
    }
  }
  return best
}

/** Kadane's algorithm. */
function bestRange(values: Float64Array): BlockRange {
  let best: BlockRange = { start: 0, end: 0, sum: 0 }
  let start = 0
  let sum = 0
  for (let i = 0; i < values.length; i++) {
    if (sum <= 0) {
      sum = 0
      start = i
    }
    sum += values[i]!
    if (sum > best.sum) best = { start, end: i + 1, sum }
  }
  return best
}
