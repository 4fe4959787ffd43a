/** Encodes strategy memories: numbers packed as bytes, in little-endian order, which all supported machines use. */
import type { Memory } from '../model/index.ts'

export const EMPTY_MEMORY: Memory = new Uint8Array(0)

/**
 * Copies the bytes into a buffer of their own, so that they are aligned. `slice` does not copy a Node Buffer, which is what
 * database drivers return.
 */
export function copyToOwnBuffer(memory: Memory): ArrayBuffer {
  return new Uint8Array(memory).buffer
}

/** Undefined if the length is not a multiple of eight bytes. */
export function decodeDoubles(memory: Memory): Float64Array | undefined {
  return memory.length % 8 === 0 ? new Float64Array(copyToOwnBuffer(memory)) : undefined
}

export function encodeDoubles(numbers: ArrayLike<number>): Memory {
  return new Uint8Array(Float64Array.from(numbers).buffer)
}
