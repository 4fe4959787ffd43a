/** New entries and fetched articles per feed and hour, kept for two days. */
import { DAY, type FeedId, HOUR, type Instant } from '../../model/index.ts'
import type { Store } from '../../ports/index.ts'
import { insertRowsSql, type TypedColumn } from './dialect.ts'
import type { SqlSession, SqlTransaction, SqlWork } from './session.ts'

export interface HourlyCounts {
  at: Instant
  entries: number
  pages: number
}

const RETENTION_MS = 2 * DAY

const HOURS: TypedColumn[] = ['feed_id bigint', 'hour bigint', 'entries integer', 'pages integer']
const COUNT = [
  'DELETE FROM feed_hours USING given g WHERE feed_hours.feed_id = g.feed_id AND feed_hours.hour < g.oldest',
  `${insertRowsSql('feed_hours', 'feed_id', HOURS)} ON CONFLICT (feed_id, hour) DO UPDATE
   SET entries = feed_hours.entries + excluded.entries, pages = feed_hours.pages + excluded.pages`,
]

/** Skips feeds without new entries or articles. */
export function addHourlyCounts(tx: SqlTransaction, counts: ReadonlyMap<FeedId, HourlyCounts>): SqlWork<void> {
  const rows = [...counts].flatMap(([feedId, { at, entries, pages }]) =>
    entries > 0 || pages > 0 ? [[feedId, hourOf(at), entries, pages, hourOf(at - RETENTION_MS)]] : [],
  )
  return tx.runEach(COUNT, [...HOURS, 'oldest bigint'], rows)
}

export function feedHourMethods(session: SqlSession): Pick<Store, 'countStoredSince'> {
  return {
    async countStoredSince(ids, since) {
      const rows = await session.rowOfEach<{ entries: number; pages: number }>(
        `SELECT CAST(coalesce(sum(h.entries), 0) AS bigint) AS entries, CAST(coalesce(sum(h.pages), 0) AS bigint) AS pages
         FROM given g, feed_hours h WHERE h.feed_id = g.feed_id AND h.hour >= g.since GROUP BY g.n`,
        ['feed_id bigint', 'since bigint'],
        ids.map((id) => [id, hourOf(since)]),
      )
      return rows.map((row) => ({ entries: row?.entries ?? 0, pages: row?.pages ?? 0 }))
    },
  }
}

function hourOf(at: Instant): number {
  return Math.floor(at / HOUR)
}
