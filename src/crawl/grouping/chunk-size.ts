/** Chunk sizes for the analysis. After a failed chunk, its entries are processed one by one, so that one bad entry does not block others. */
export interface ChunkSize {
  /** The size of the next chunk, at most `size`. */
  of(size: number): number
  /** The next `count` entries are processed one by one. */
  oneByOne(count: number): void
}

export function createChunkSize(): ChunkSize {
  let remaining = 0
  return {
    of: (size) => (remaining-- > 0 ? 1 : size),
    oneByOne(count) {
      remaining = count
    },
  }
}
