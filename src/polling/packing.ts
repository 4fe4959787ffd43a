/** Memories are bytes: numbers packed one after the other, in the byte order of every machine we run on. */
import type { Memory } from '../model/index.ts'

export const NOTHING: Memory = new Uint8Array(0)

/**
 * A copy with a buffer of its own, so that the bytes may lie at any address of the buffer that they came in. `slice` would not do:
 * of a Node Buffer, which is what databases answer, it is a view.
 */
export function ownBuffer(memory: Memory): ArrayBuffer {
  return new Uint8Array(memory).buffer
}

/** Undefined if the bytes are no row of doubles. */
export function doublesIn(memory: Memory): Float64Array | undefined {
  return memory.length % 8 === 0 ? new Float64Array(ownBuffer(memory)) : undefined
}

export function packedDoubles(numbers: ArrayLike<number>): Memory {
  return new Uint8Array(Float64Array.from(numbers).buffer)
}
