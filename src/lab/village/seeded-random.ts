/**
 * Reproducible random numbers. A generator is seeded by names ("gazette", day 19,843) and always returns the same
 * numbers for them, so the past of a site can be computed anywhere, in any order, without storage.
 */
export interface SeededRandom {
  /** From 0 up to, but not including, 1. */
  next(): number
  /** A whole number from 0 up to, but not including, `bound`. */
  below(bound: number): number
  happens(probability: number): boolean
  pick<T>(list: readonly T[]): T
}

export function seededRandom(...names: (string | number)[]): SeededRandom {
  let state = hash32(names.join('\u0000'))
  function next(): number {
    // mulberry32: a scrambled Weyl sequence; sufficient for choosing words
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  return {
    next,
    below: (bound) => Math.floor(next() * bound),
    happens: (probability) => next() < probability,
    pick: (list) => list[Math.floor(next() * list.length)]!,
  }
}

/** FNV-1a over the code units, with a final mix so that similar names give unrelated numbers. */
function hash32(text: string): number {
  let hash = 0x811c9dc5
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193)
  hash = Math.imul(hash ^ (hash >>> 16), 0x7feb352d)
  return (hash ^ (hash >>> 15)) >>> 0
}
