/**
 * Open runs of unchanged polls of all feeds. They are stored with the schedules and not indexed, because every poll would have to update
 * the index. Finding them scans all schedules in chunks.
 */
import type { FeedId, Instant } from '../../model/index.ts'
import type { SqlSession } from './session.ts'

/** Range of feed ids per query, including unused ones. */
const IDS_PER_QUERY = 1000

/** Feeds whose open run ended before `before`, in chunks, with ids greater than `from`. */
export async function* openRunsBefore(
  session: SqlSession,
  before: Instant,
  from: FeedId,
): AsyncGenerator<{ ids: FeedId[]; upTo: FeedId }> {
  const newest = await session.row<{ id: FeedId | null }>('SELECT max(feed_id) AS id FROM schedules')
  for (let at: number = from; at < (newest?.id ?? 0); at += IDS_PER_QUERY) {
    const rows = await session.rows<{ id: FeedId }>(
      `SELECT feed_id AS id FROM schedules WHERE feed_id > $1 AND feed_id <= $2 AND run IS NOT NULL AND polled_at < $3
       ORDER BY feed_id`,
      [at, at + IDS_PER_QUERY, before],
    )
    yield { ids: rows.map(({ id }) => id), upTo: (at + IDS_PER_QUERY) as FeedId }
  }
}
