/**
 * Hashes of words. Two 32-bit lanes walk over a word at once; together they are the 64 bits of a SimHash feature, and the
 * first alone identifies a word elsewhere. The constants are part of the stored format: a stored signature is only
 * comparable with one made by the same hash, so they never change without a new version in pack.ts.
 */

/** Both lanes of the last call of `hashWord`; module-level so that hashing a word allocates nothing. */
export const lanes = new Uint32Array(2)

/** A 32-bit hash of a word; the second, independent one is left in `lanes`. */
export function hashWord(word: string): number {
  let a = 0x2c1b3c6d
  let b = 0x297a2d39
  for (let i = 0; i < word.length; i++) {
    const code = word.charCodeAt(i)
    a = Math.imul(a ^ code, 0x01000193)
    b = Math.imul(b + code, 0x5bd1e995)
    b ^= b >>> 15
  }
  lanes[0] = mix(a)
  lanes[1] = mix(b ^ word.length)
  return lanes[0]!
}

/** Spreads every bit of a number over all 32 bits of the result; a bijection, so nothing is lost. */
export function mix(value: number): number {
  let x = value ^ (value >>> 16)
  x = Math.imul(x, 0x7feb352d)
  x ^= x >>> 15
  x = Math.imul(x, 0x846ca68b)
  return (x ^ (x >>> 16)) >>> 0
}
