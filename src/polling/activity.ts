/** How much the readers of a feed read of it, where 1 is usual among all who read here; never less than a quarter, nor more than four. */
export function activityOf(own: Reads, all: Reads): number {
  if (all.readers === 0 || all.reads === 0 || own.readers === 0) return 1
  const ratio = own.reads / own.readers / (all.reads / all.readers)
  return Math.min(MOST, Math.max(1 / MOST, ratio))
}

interface Reads {
  readers: number
  reads: number
}

const MOST = 4
