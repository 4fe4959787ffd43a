/** Reads long results in chunks. */

const CHUNK = 200

/** Reads each chunk in its own transaction. `positionOf` returns the key after which the next chunk starts. */
export async function* rowsInChunks<Row>(
  fetch: (after: number, limit: number) => Promise<Row[]>,
  positionOf: (row: Row) => number,
  start = 0,
): AsyncGenerator<Row> {
  for (let after = start; ; ) {
    const rows = await fetch(after, CHUNK)
    const last = rows.at(-1)
    if (last === undefined) return
    yield* rows
    after = positionOf(last)
  }
}
