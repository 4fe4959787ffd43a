/**
 * A Map by number for hundreds of thousands of entries. One of the platform's doubles when it is full, and moves all that it
 * holds at once: with half a million that takes fifty milliseconds, in which nothing else can happen. Many small ones
 * take the same time in all, and a millisecond each.
 */
export interface LargeMap<Value> {
  readonly size: number
  get(key: number): Value | undefined
  set(key: number, value: Value): void
  delete(key: number): void
}

const PARTS = 256

export function createLargeMap<Value>(): LargeMap<Value> {
  const parts = Array.from({ length: PARTS }, () => new Map<number, Value>())
  // Keys may be ids, one after the other, or hashes whose lowest bits say what kind of word it is.
  const partOf = (key: number) => parts[(key ^ (key >>> 8)) & (PARTS - 1)]!
  let size = 0
  return {
    get size() {
      return size
    },
    get: (key) => partOf(key).get(key),
    set(key, value) {
      const part = partOf(key)
      const before = part.size
      part.set(key, value)
      size += part.size - before
    },
    delete(key) {
      if (partOf(key).delete(key)) size--
    },
  }
}
