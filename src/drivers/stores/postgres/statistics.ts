/**
 * What was said since some date, and how much of it before. PostgreSQL counts by itself, beside whoever writes: hours and feeds are
 * what comes over the wire, whatever was counted.
 */
import { type FoundBy, type FragmentHabit, HOUR, type Statistics } from '../../../model/index.ts'
import type { GroupCatalogue, Ledger } from '../../../ports/index.ts'
import { isKept, isRepeated } from '../sql/conditions.ts'
import { levelColumn } from '../sql/group-rows.ts'
import { FAILED } from '../sql/rows.ts'
import { createStatisticsSums, largestFirst, type PolledRow, type SaidRow } from '../sql/statistics-sums.ts'
import type { PostgresSession } from './session.ts'

const SAID = `SELECT e.feed_id, (CASE WHEN e.date_only IS NOT NULL THEN e.seen_at ELSE e.sort_at END) / ${HOUR} AS hour,
  count(*) AS entries, count(*) FILTER (WHERE ${isRepeated('copy')}) AS copies
  FROM entries e WHERE e.sort_at >= $1 AND ${isKept('e')} GROUP BY 1, 2`

const POLLED = `SELECT f.failure ->> 'kind' AS kind, (f.failure ->> 'status')::integer AS status, f.failure ->> 'detail' AS detail,
  p.at / ${HOUR} AS hour, count(*) AS count, count(*) FILTER (WHERE p.result = ${FAILED}) AS failed,
  sum(p.took_ms)::bigint AS took_ms, sum(p.bytes)::bigint AS bytes FROM polls p
  LEFT JOIN LATERAL (SELECT p.failure::json AS failure WHERE p.result = ${FAILED}) AS f ON true
  WHERE p.at >= $1 AND ${isKept('p')} GROUP BY 1, 2, 3, 4`

export function statisticsMethods(
  session: PostgresSession,
): Pick<GroupCatalogue, 'statistics'> & Pick<Ledger, 'recordRun'> {
  async function discovered(): Promise<Statistics['discovery']> {
    const foundBy = await session.rows<{ by: FoundBy; count: number }>(
      'SELECT found_by AS by, count(*) AS count FROM feeds WHERE found_by IS NOT NULL GROUP BY found_by',
    )
    const fragments = await session.rows<{ habit: FragmentHabit; count: number }>(
      'SELECT fragments AS habit, count(*) AS count FROM feeds WHERE fragments IS NOT NULL GROUP BY fragments',
    )
    return {
      foundBy: Object.fromEntries(foundBy.map(({ by, count }) => [by, count])),
      fragments: { shared: 0, apart: 0, ...Object.fromEntries(fragments.map((one) => [one.habit, one.count])) },
    }
  }

  return {
    async recordRun({ beganAt, lastAt }) {
      await session.write((tx) =>
        tx.run(
          'INSERT INTO runs (began_at, last_at) VALUES ($1, $2) ON CONFLICT (began_at) DO UPDATE SET last_at = excluded.last_at',
          [beganAt, lastAt],
        ),
      )
    },

    async statistics(since) {
      const sums = createStatisticsSums()
      for (const row of await session.rows<SaidRow>(SAID, [since])) sums.said(row)
      for (const row of await session.rows<PolledRow>(POLLED, [since])) sums.polled(row)
      const [told] = await session.rows<{ stories: number }>(
        'SELECT count(*) AS stories FROM groups WHERE level = $1 AND last_at >= $2',
        [levelColumn('story'), since],
      )
      const [runs] = await session.rows<Statistics['runs']>(
        'SELECT count(*) AS count, coalesce(sum(last_at - began_at), 0)::bigint AS ms FROM runs WHERE began_at >= $1',
        [since],
      )
      return {
        ...sums.whole(),
        stories: told!.stories,
        runs: runs!,
        discovery: await discovered(),
        byFeed: sums.ofFeeds().sort(largestFirst),
      }
    },
  }
}
