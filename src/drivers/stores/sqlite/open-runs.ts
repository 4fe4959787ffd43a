/**
 * Runs of unchanged polls that are still open, of all feeds. They stand with the schedules and are in no index, which every poll would
 * have to write: who wants them goes through all schedules, a piece at a time.
 */
import type { FeedId, Instant } from '../../../model/index.ts'
import type { SqliteSession } from './session.ts'

/** Numbers of feeds, given or not, that are looked at together. */
const TOGETHER = 1000

export function createOpenRuns({ db, read }: SqliteSession) {
  const newestFeed = db.prepare<[], FeedId | null>('SELECT max(feed_id) FROM schedules').pluck()
  const oldIn = db
    .prepare<[number, number, Instant], FeedId>(
      'SELECT feed_id FROM schedules WHERE feed_id > ? AND feed_id <= ? AND run IS NOT NULL AND polled_at < ?',
    )
    .pluck()

  return {
    /** Feeds whose open run has no poll as new as that, a few at a time; numbers of feeds begin after `from`. */
    async *feedsBefore(before: Instant, from: FeedId): AsyncGenerator<{ ids: FeedId[]; upTo: FeedId }> {
      const last = await read(() => newestFeed.get() ?? 0)
      for (let at: number = from; at < last; at += TOGETHER)
        yield { ids: await read(() => oldIn.all(at, at + TOGETHER, before)), upTo: (at + TOGETHER) as FeedId }
    },
  }
}
