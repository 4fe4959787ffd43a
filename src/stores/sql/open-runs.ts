/**
 * Runs of unchanged polls that are still open, of all feeds. They stand with the schedules and are in no index, which every poll would
 * have to write: who wants them goes through all schedules, a piece at a time.
 */
import type { FeedId, Instant } from '../../model/index.ts'
import type { SqlSession } from './session.ts'

/** Numbers of feeds, given or not, that are looked at together. */
const TOGETHER = 1000

/** Feeds whose open run has no poll as new as that, a few at a time; numbers of feeds begin after `from`. */
export async function* openRunsBefore(
  session: SqlSession,
  before: Instant,
  from: FeedId,
): AsyncGenerator<{ ids: FeedId[]; upTo: FeedId }> {
  const newest = await session.row<{ id: FeedId | null }>('SELECT max(feed_id) AS id FROM schedules')
  for (let at: number = from; at < (newest?.id ?? 0); at += TOGETHER) {
    const rows = await session.rows<{ id: FeedId }>(
      `SELECT feed_id AS id FROM schedules WHERE feed_id > $1 AND feed_id <= $2 AND run IS NOT NULL AND polled_at < $3
       ORDER BY feed_id`,
      [at, at + TOGETHER, before],
    )
    yield { ids: rows.map(({ id }) => id), upTo: (at + TOGETHER) as FeedId }
  }
}
