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

/** Text bytes that are read and unpacked at once, which takes some milliseconds. */
const MAX_TEXT_BYTES = 1_000_000

/** The first rows, until their texts exceed the limit; at least one. */
export function withinTextLimit<Row extends { bytes: number }>(rows: Row[]): Row[] {
  let sum = 0
  const over = rows.findIndex(({ bytes }) => {
    sum += bytes
    return sum > MAX_TEXT_BYTES
  })
  return over === -1 ? rows : rows.slice(0, over + 1)
}
