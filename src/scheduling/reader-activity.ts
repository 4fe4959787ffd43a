/** How much a feed's readers read of it, relative to the average of all readers. Between 1/4 and 4. */
export function activityOf(ofFeed: Reads, total: Reads): number {
  if (total.readers === 0 || total.reads === 0 || ofFeed.readers === 0) return 1
  const ratio = ofFeed.reads / ofFeed.readers / (total.reads / total.readers)
  return Math.min(MAX_RATIO, Math.max(1 / MAX_RATIO, ratio))
}

interface Reads {
  readers: number
  reads: number
}

const MAX_RATIO = 4
