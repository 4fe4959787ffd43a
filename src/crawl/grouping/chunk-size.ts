/** After a chunk on which the analysis failed, its entries are taken one by one: one that it cannot bear harms no other. */
export interface ChunkSize {
  /** How many are to be taken now, of at most so many. */
  of(size: number): number
  /** The next so many are taken one by one. */
  oneByOne(count: number): void
}

export function createChunkSize(): ChunkSize {
  let alone = 0
  return {
    of: (size) => (alone-- > 0 ? 1 : size),
    oneByOne(count) {
      alone = count
    },
  }
}
