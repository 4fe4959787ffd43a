/**
 * What was said since some date, and how much of it before. PostgreSQL counts by itself, beside whoever writes: hours and feeds are
 * what comes over the wire, whatever was counted.
 */
import {
  createFailureTexts,
  createSeries,
  type Failure,
  type FailureCount,
  type FeedId,
  type FoundBy,
  type FragmentHabit,
  HOUR,
  mostFrequentFirst,
  type Statistics,
} from '../../../model/index.ts'
import type { GroupCatalogue, Ledger } from '../../../ports/index.ts'
import { isKept, isRepeated } from '../sql/conditions.ts'
import { levelColumn } from '../sql/group-rows.ts'
import { FAILED } from '../sql/rows.ts'
import type { PostgresSession } from './session.ts'

interface SaidRow {
  feed_id: FeedId
  hour: number
  entries: number
  copies: number
}

interface PolledRow {
  kind: FailureCount['kind'] | null
  status: number | null
  detail: string | null
  hour: number
  count: number
  failed: number
  took_ms: number
  bytes: number
}

const SAID = `SELECT e.feed_id, (CASE WHEN e.date_only IS NOT NULL THEN e.seen_at ELSE e.sort_at END) / ${HOUR} AS hour,
  count(*) AS entries, count(*) FILTER (WHERE ${isRepeated('copy')}) AS copies
  FROM entries e WHERE e.sort_at >= $1 AND ${isKept('e')} GROUP BY 1, 2`

const POLLED = `SELECT f.failure ->> 'kind' AS kind, (f.failure ->> 'status')::integer AS status, f.failure ->> 'detail' AS detail,
  p.at / ${HOUR} AS hour, count(*) AS count, count(*) FILTER (WHERE p.result = ${FAILED}) AS failed,
  sum(p.took_ms)::bigint AS took_ms, sum(p.bytes)::bigint AS bytes FROM polls p
  LEFT JOIN LATERAL (SELECT p.failure::json AS failure WHERE p.result = ${FAILED}) AS f ON true
  WHERE p.at >= $1 AND ${isKept('p')} GROUP BY 1, 2, 3, 4`

type OfFeed = Statistics['byFeed'][number]

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
      const series = createSeries()
      const texts = createFailureTexts()
      const all: Pick<Statistics, 'entries' | 'copies' | 'byHour' | 'polls'> = {
        entries: 0,
        copies: 0,
        byHour: Array.from({ length: 24 }, () => ({ entries: 0, copies: 0 })),
        polls: { count: 0, failed: 0, tookMs: 0, bytes: 0 },
      }
      const byFeed = new Map<FeedId, OfFeed>()
      for (const { feed_id: feedId, hour, entries, copies } of await session.rows<SaidRow>(SAID, [since])) {
        const feed = byFeed.get(feedId) ?? { feedId, entries: 0, copies: 0 }
        byFeed.set(feedId, feed)
        for (const one of [all, feed, all.byHour[hour % 24]!, series.at(hour)]) {
          one.entries += entries
          one.copies += copies
        }
      }
      const failures = new Map<string, FailureCount>()
      for (const row of await session.rows<PolledRow>(POLLED, [since])) {
        const { kind, status, detail, hour, count, failed, took_ms: tookMs, bytes } = row
        const one = series.at(hour)
        one.polls += count
        one.failed += failed
        one.bytes += bytes
        if (kind !== null && detail !== null)
          texts.add({ kind, detail, ...(status !== null && { status }) } as Failure, count)
        if (kind !== null) {
          const before = failures.get(`${kind} ${status}`)?.count ?? 0
          failures.set(`${kind} ${status}`, { kind, ...(status !== null && { status }), count: before + count })
        }
        all.polls.count += count
        all.polls.failed += failed
        all.polls.tookMs += tookMs
        all.polls.bytes += bytes
      }
      const [told] = await session.rows<{ stories: number }>(
        'SELECT count(*) AS stories FROM groups WHERE level = $1 AND last_at >= $2',
        [levelColumn('story'), since],
      )
      const [runs] = await session.rows<Statistics['runs']>(
        'SELECT count(*) AS count, coalesce(sum(last_at - began_at), 0)::bigint AS ms FROM runs WHERE began_at >= $1',
        [since],
      )
      return {
        ...all,
        stories: told!.stories,
        failures: [...failures.values()].sort(mostFrequentFirst),
        failureTexts: texts.first(),
        series: series.whole(),
        runs: runs!,
        discovery: await discovered(),
        byFeed: [...byFeed.values()].sort((a, b) => b.entries - a.entries || a.feedId - b.feedId),
      }
    },
  }
}
