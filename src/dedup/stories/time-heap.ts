/** A binary heap by time, earliest first. */
import type { Instant } from '../../model/index.ts'
import { isEarlier } from '../groups/primary.ts'

export interface TimeHeap<One> {
  push(one: One): void
  first(): One | undefined
  /** Takes the first one out. */
  shift(): void
}

export function createTimeHeap<One extends { id: number; at: Instant }>(): TimeHeap<One> {
  const heap: One[] = []

  function rise(one: One): void {
    let place = heap.length
    while (place > 0) {
      const above = (place - 1) >> 1
      if (!isEarlier(one, heap[above]!)) break
      heap[place] = heap[above]!
      place = above
    }
    heap[place] = one
  }

  function sink(one: One): void {
    let place = 0
    for (let below = 1; below < heap.length; below = 2 * place + 1) {
      const other = heap[below + 1]
      if (other && isEarlier(other, heap[below]!)) below++
      if (!isEarlier(heap[below]!, one)) break
      heap[place] = heap[below]!
      place = below
    }
    heap[place] = one
  }

  return {
    push: rise,
    first: () => heap[0],
    shift() {
      const last = heap.pop()
      if (last && heap.length > 0) sink(last)
    },
  }
}
