/** Long answers, a chunk at a time. */

const CHUNK = 200

/** Each chunk in a transaction of its own; `place` says after which row the next begins. */
export async function* rowsInChunks<Row>(
  fetch: (after: number, limit: number) => Promise<Row[]>,
  place: (row: Row) => number,
  begin = 0,
): AsyncGenerator<Row> {
  for (let after = begin; ; ) {
    const rows = await fetch(after, CHUNK)
    const last = rows.at(-1)
    if (last === undefined) return
    yield* rows
    after = place(last)
  }
}
