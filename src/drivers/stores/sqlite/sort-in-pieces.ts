/** Sorts what may be long. What is sorted already is soon merged by another sort: so pieces first, then ever longer runs of them. */
import { letOthers } from '../../../ports/index.ts'

/** Between two steps others get their turn. */
export async function sortInPieces<One>(
  all: readonly One[],
  size: number,
  compare: (a: One, b: One) => number,
): Promise<One[]> {
  const sorted = async (some: One[]) => {
    await letOthers()
    return some.sort(compare)
  }
  let runs: One[][] = []
  for (let from = 0; from < all.length; from += size) runs.push(await sorted(all.slice(from, from + size)))
  while (runs.length > 1) {
    const longer: One[][] = []
    for (let i = 0; i < runs.length; i += 2) longer.push(await sorted(runs[i]!.concat(runs[i + 1] ?? [])))
    runs = longer
  }
  return runs[0] ?? []
}
