/** Values on their way into statements, and rows on their way out. */

/** Databases want a whole number where callers say "no limit". */
export function atMost(limit: number): number {
  return Math.min(limit, Number.MAX_SAFE_INTEGER)
}

/** In the order of `ids`, of rows that came in any order. */
export function inOrder<Id, Row, What>(
  ids: readonly Id[],
  rows: readonly Row[],
  idOf: (row: Row) => Id,
  what: (row: Row) => What,
): (What | undefined)[] {
  const byId = new Map(rows.map((row) => [idOf(row), row]))
  return ids.map((id) => {
    const row = byId.get(id)
    return row && what(row)
  })
}

export function firstOfEach<One>(all: readonly One[], keyOf: (one: One) => unknown): One[] {
  const seen = new Set<unknown>()
  return all.filter((one) => {
    const key = keyOf(one)
    return !seen.has(key) && seen.add(key)
  })
}

/** The last with each key, in the order in which the keys first came. */
export function lastOfEach<One>(all: readonly One[], keyOf: (one: One) => unknown): One[] {
  return [...new Map(all.map((one) => [keyOf(one), one])).values()]
}
