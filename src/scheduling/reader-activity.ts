/** How much a feed's readers read of it, relative to the average of all readers. Between 1/4 and 4. */
export function activityOf(own: Reads, all: Reads): number {
  if (all.readers === 0 || all.reads === 0 || own.readers === 0) return 1
  const ratio = own.reads / own.readers / (all.reads / all.readers)
  return Math.min(MAX_RATIO, Math.max(1 / MAX_RATIO, ratio))
}

interface Reads {
  readers: number
  reads: number
}

const MAX_RATIO = 4
