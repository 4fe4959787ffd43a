/**
 * How much the people who follow a feed read of it, where 1 is usual: for strategies that weigh subscribers by what they do (Adam et
 * al. 2010). Counted anew now and then; what is known is lost with the process, and costs nothing but that everybody counts as one.
 */
import type { FeedId, Instant } from '../../model/index.ts'
import type { Readership } from '../../ports/index.ts'
import { activityOf } from '../../scheduling/index.ts'

export interface ReadingActivity {
  /** Undefined where nobody reads, or as much as is usual. */
  of(feedId: FeedId | undefined): number | undefined
  countAnew(now: Instant): Promise<void>
}

export function createReadingActivity(readership: Pick<Readership, 'everyFeedsReads'>): ReadingActivity {
  let known = new Map<FeedId, number>()
  return {
    of: (feedId) => (feedId === undefined ? undefined : known.get(feedId)),
    async countAnew(now) {
      const sum = { readers: 0, reads: 0 }
      const read = new Map<FeedId, { readers: number; reads: number }>()
      for await (const { feedId, readers, reads } of readership.everyFeedsReads(now)) {
        sum.readers += readers
        sum.reads += reads
        if (reads > 0) read.set(feedId, { readers, reads })
      }
      if (sum.reads < LEAST_READS) {
        known = new Map()
        return
      }
      const activities = new Map<FeedId, number>()
      for await (const { feedId } of readership.everyFeedsReads(now)) {
        const activity = activityOf(read.get(feedId) ?? { readers: 1, reads: 0 }, sum)
        if (activity !== 1) activities.set(feedId, activity)
      }
      known = activities
    },
  }
}

/** Of fewer, chance would speak. */
const LEAST_READS = 20
