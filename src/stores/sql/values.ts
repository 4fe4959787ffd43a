/** Helpers for statement values and result rows. */

/** Databases need a whole number where callers pass Infinity for "no limit". */
export function atMost(limit: number): number {
  return Math.min(limit, Number.MAX_SAFE_INTEGER)
}

/** Sorts rows into the order of `ids`. */
export function inOrder<Id, Row, Result>(
  ids: readonly Id[],
  rows: readonly Row[],
  idOf: (row: Row) => Id,
  toResult: (row: Row) => Result,
): (Result | undefined)[] {
  const byId = new Map(rows.map((row) => [idOf(row), row]))
  return ids.map((id) => {
    const row = byId.get(id)
    return row && toResult(row)
  })
}

export function firstOfEach<Item>(all: readonly Item[], keyOf: (item: Item) => unknown): Item[] {
  const seen = new Set<unknown>()
  return all.filter((item) => {
    const key = keyOf(item)
    return !seen.has(key) && seen.add(key)
  })
}

/** The last item with each key, in the order in which the keys first appeared. */
export function lastOfEach<Item>(all: readonly Item[], keyOf: (item: Item) => unknown): Item[] {
  return [...new Map(all.map((item) => [keyOf(item), item])).values()]
}
