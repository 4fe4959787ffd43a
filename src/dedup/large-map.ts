/**
 * A Map with number keys for hundreds of thousands of entries. A native Map doubles when it is full and moves all entries at
 * once: with half a million, fifty milliseconds in which nothing else can run. Many small maps take the same time in all, a
 * millisecond each.
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
  // keys may be consecutive ids, or hashes whose lowest bits encode the kind of word
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
