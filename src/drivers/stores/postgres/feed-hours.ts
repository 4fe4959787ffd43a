/** How many entries each feed brought in which hour, and how many pages it has had fetched: for two days, a row an hour. */
import { DAY, type FeedId, HOUR, type Instant } from '../../../model/index.ts'
import { manyRows } from './columns.ts'
import type { Transaction } from './session.ts'

export interface BroughtInHour {
  at: Instant
  entries: number
  pages: number
}

const KEPT_MS = 2 * DAY

/** Those that brought nothing are not looked at. */
export async function countHours(tx: Transaction, brought: Map<FeedId, BroughtInHour>): Promise<void> {
  const some = [...brought].filter(([, { entries, pages }]) => entries > 0 || pages > 0)
  if (some.length === 0) return
  const given = some.map(([feedId, { at, entries, pages }]) => [
    feedId,
    hourOf(at),
    entries,
    pages,
    hourOf(at - KEPT_MS),
  ])
  const { sql, values } = manyRows(
    'g',
    ['feed_id bigint', 'hour bigint', 'entries integer', 'pages integer', 'oldest bigint'],
    given,
  )
  await tx.run(
    `WITH given AS MATERIALIZED (SELECT * FROM ${sql}),
     forgotten AS (DELETE FROM feed_hours h USING given g WHERE h.feed_id = g.feed_id AND h.hour < g.oldest)
     INSERT INTO feed_hours (feed_id, hour, entries, pages) SELECT feed_id, hour, entries, pages FROM given ORDER BY feed_id
     ON CONFLICT (feed_id, hour) DO UPDATE SET entries = feed_hours.entries + excluded.entries,
     pages = feed_hours.pages + excluded.pages`,
    values,
  )
}

function hourOf(at: Instant): number {
  return Math.floor(at / HOUR)
}
