/** Memories are bytes: numbers packed one after the other, in the byte order of every machine we run on. */
import type { Memory } from '../model/index.ts'

export const NOTHING: Memory = new Uint8Array(0)

/** A copy, so that what comes from a database may lie at any address; undefined if the bytes are no row of doubles. */
export function doublesIn(memory: Memory): Float64Array | undefined {
  return memory.length % 8 === 0 ? new Float64Array(memory.slice().buffer) : undefined
}

export function packedDoubles(numbers: ArrayLike<number>): Memory {
  return new Uint8Array(Float64Array.from(numbers).buffer)
}
