/**
 * How much the followers of a feed read of it, relative to the average (1), for strategies that weigh subscribers by their activity (Adam
 * et al. 2010). Recounted now and then and only kept in memory: until the first count every follower counts as one.
 */
import type { FeedId, Instant } from '../../model/index.ts'
import type { ReaderState } from '../../ports/index.ts'
import { activityOf } from '../../scheduling/index.ts'

export interface ReadingActivity {
  /** Undefined if the activity is average or unknown. */
  of(feedId: FeedId | undefined): number | undefined
  recount(now: Instant): Promise<void>
}

export function createReadingActivity(readerState: Pick<ReaderState, 'everyFeedReads'>): ReadingActivity {
  let activityByFeed = new Map<FeedId, number>()
  return {
    of: (feedId) => (feedId === undefined ? undefined : activityByFeed.get(feedId)),
    async recount(now) {
      const total = { readers: 0, reads: 0 }
      const read = new Map<FeedId, { readers: number; reads: number }>()
      for await (const { feedId, readers, reads } of readerState.everyFeedReads(now)) {
        total.readers += readers
        total.reads += reads
        if (reads > 0) read.set(feedId, { readers, reads })
      }
      if (total.reads < MIN_READS) {
        activityByFeed = new Map()
        return
      }
      const activities = new Map<FeedId, number>()
      for await (const { feedId } of readerState.everyFeedReads(now)) {
        const activity = activityOf(read.get(feedId) ?? { readers: 1, reads: 0 }, total)
        if (activity !== 1) activities.set(feedId, activity)
      }
      activityByFeed = activities
    },
  }
}

/** Fewer reads than this say nothing about activity. */
const MIN_READS = 20
