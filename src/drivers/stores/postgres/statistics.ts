/**
 * What was said since some date, and how much of it before. PostgreSQL counts by itself, beside whoever writes: hours and feeds are
 * what comes over the wire, whatever was counted.
 */
import {
  type FoundBy,
  type FragmentHabit,
  HOUR,
  type Instant,
  type PersonId,
  type Reach,
  type Statistics,
} from '../../../model/index.ts'
import type { GroupCatalogue, Ledger } from '../../../ports/index.ts'
import { hasTwoWithin, isKept, isRepeated, isRepeatedWithin, isWithin } from '../sql/conditions.ts'
import { levelColumn } from '../sql/group-rows.ts'
import { FAILED } from '../sql/poll-codes.ts'
import type { PollRow } from '../sql/poll-rows.ts'
import {
  createEntryHours,
  createStatisticsSums,
  largestFirst,
  type PolledRow,
  type SaidRow,
  type StatisticsSums,
} from '../sql/statistics-sums.ts'
import { TYPED_OPEN_RUN } from './open-run.ts'
import { type PostgresSession, pieceByPiece } from './session.ts'

/** What is counted, of all feeds or within a reach, of person $2. */
function countedOf(reach?: Reach) {
  const isSeen = (feedId: string) => (reach ? isWithin(reach, feedId, '$2::bigint') : '$2::bigint IS NULL')
  const isCopy = reach ? isRepeatedWithin('copy', reach, '$2::bigint') : isRepeated('copy')
  return {
    said: `SELECT e.feed_id, (CASE WHEN e.date_only IS NOT NULL THEN e.seen_at ELSE e.sort_at END) / ${HOUR} AS hour,
  count(*) AS entries, count(*) FILTER (WHERE ${isCopy}) AS copies
  FROM entries e WHERE e.sort_at >= $1 AND ${isKept('e')} AND ${isSeen('e.feed_id')} GROUP BY 1, 2`,
    saidByFeeds: `SELECT (CASE WHEN e.date_only IS NOT NULL THEN e.seen_at ELSE e.sort_at END) / ${HOUR} AS hour,
  count(*) AS entries, count(*) FILTER (WHERE ${isCopy}) AS copies
  FROM entries e WHERE e.feed_id = ANY($3) AND e.sort_at >= $1 AND ($2::bigint IS NULL OR true) AND ${isKept('e')} GROUP BY 1`,
    polled: `SELECT f.failure ->> 'kind' AS kind, (f.failure ->> 'status')::integer AS status, f.failure ->> 'detail' AS detail,
  p.at / ${HOUR} AS hour, count(*) AS count, count(*) FILTER (WHERE p.result = ${FAILED}) AS failed,
  sum(p.took_ms)::bigint AS took_ms, sum(p.bytes)::bigint AS bytes FROM polls p
  LEFT JOIN LATERAL (SELECT p.failure::json AS failure WHERE p.result = ${FAILED}) AS f ON true
  WHERE p.at >= $1 AND p.run IS NULL AND ${isKept('p')} AND ${isSeen('p.feed_id')} GROUP BY 1, 2, 3, 4`,
    runs: `SELECT p.* FROM polls p WHERE p.run IS NOT NULL AND p.at >= $1 AND p.place > $3 AND ${isKept('p')} AND ${isSeen('p.feed_id')}
  ORDER BY p.place LIMIT $4`,
    openRuns: `SELECT ${TYPED_OPEN_RUN} FROM schedules s WHERE s.run IS NOT NULL AND s.polled_at >= $1 AND s.feed_id > $3
  AND ${isSeen('s.feed_id')} ORDER BY s.feed_id LIMIT $4`,
    told: `SELECT count(*) AS stories FROM groups g WHERE level = $3 AND last_at >= $1
  AND ${reach ? hasTwoWithin(reach, '$2::bigint') : '$2::bigint IS NULL'}`,
    foundBy: `SELECT found_by AS by, count(*) AS count FROM feeds f WHERE found_by IS NOT NULL AND $1::bigint IS NOT NULL
  AND ${isSeen('f.id')} GROUP BY found_by`,
    fragments: `SELECT fragments AS habit, count(*) AS count FROM feeds f WHERE fragments IS NOT NULL AND $1::bigint IS NOT NULL
  AND ${isSeen('f.id')} GROUP BY fragments`,
  }
}

type Counted = ReturnType<typeof countedOf>
/** Since when, and whose reach, if it is somebody's. */
type Given = [since: Instant, person: PersonId | null]

export function statisticsMethods(
  session: PostgresSession,
): Pick<GroupCatalogue, 'statistics' | 'entriesByHour'> & Pick<Ledger, 'recordRun'> {
  async function discovered({ foundBy, fragments }: Counted, given: Given): Promise<Statistics['discovery']> {
    const found = await session.rows<{ by: FoundBy; count: number }>(foundBy, given)
    const habits = await session.rows<{ habit: FragmentHabit; count: number }>(fragments, given)
    return {
      foundBy: Object.fromEntries(found.map(({ by, count }) => [by, count])),
      fragments: { shared: 0, apart: 0, ...Object.fromEntries(habits.map((one) => [one.habit, one.count])) },
    }
  }

  /** In one snapshot: a run that ends meanwhile goes from the schedules to the log. Runs are unpacked here, some at a time. */
  function countPolls({ polled, runs, openRuns }: Counted, given: Given, sums: StatisticsSums): Promise<void> {
    const [since] = given
    return session.read(async (query) => {
      for (const row of await query.rows<PolledRow>(polled, given)) sums.polled(row)
      const ended = (after: number, limit: number) => query.rows<PollRow>(runs, [...given, after, limit])
      for await (const row of pieceByPiece(ended, ({ place }) => place)) sums.line(row, since)
      const open = (after: number, limit: number) => query.rows<PollRow>(openRuns, [...given, after, limit])
      for await (const row of pieceByPiece(open, ({ feed_id }) => feed_id)) sums.line(row, since)
    })
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

    async entriesByHour(feedIds, since, within) {
      const hours = createEntryHours()
      const { saidByFeeds } = countedOf(within?.reach)
      const given = [since, within?.personId ?? null, feedIds]
      for (const row of await session.rows<SaidRow>(saidByFeeds, given)) hours.add(row)
      return hours.whole()
    },

    async statistics(since, within) {
      const counted = countedOf(within?.reach)
      const given: Given = [since, within?.personId ?? null]
      const sums = createStatisticsSums()
      for (const row of await session.rows<SaidRow>(counted.said, given)) sums.said(row)
      await countPolls(counted, given, sums)
      const [told] = await session.rows<{ stories: number }>(counted.told, [...given, levelColumn('story')])
      const [runs] = await session.rows<Statistics['runs']>(
        'SELECT count(*) AS count, coalesce(sum(last_at - began_at), 0)::bigint AS ms FROM runs WHERE began_at >= $1',
        [since],
      )
      return {
        ...sums.whole(),
        stories: told!.stories,
        runs: runs!,
        discovery: await discovered(counted, given),
        byFeed: sums.ofFeeds().sort(largestFirst),
      }
    },
  }
}
