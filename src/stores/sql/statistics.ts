/** What was said since some date, and how much of it before. The database counts: hours and feeds are what comes out, whatever was counted. */
import {
  type FoundBy,
  type FragmentHabit,
  HOUR,
  type Instant,
  type PersonId,
  type Reach,
  type Statistics,
} from '../../model/index.ts'
import type { GroupCatalogue, Ledger } from '../../ports/index.ts'
import { hasTwoWithin, isKept, isRepeated, isRepeatedWithin, isWithin } from './conditions.ts'
import type { Dialect } from './dialect.ts'
import { levelColumn } from './group-rows.ts'
import { FAILED } from './poll-codes.ts'
import { OPEN_RUN } from './poll-log.ts'
import type { PollRow } from './poll-rows.ts'
import type { SqlSession } from './session.ts'
import {
  createEntryHours,
  createStatisticsSums,
  largestFirst,
  type PolledRow,
  type SaidRow,
} from './statistics-sums.ts'

/** User $2, or none. */
const PERSON = 'CAST($2 AS bigint)'
const HOUR_OF_ENTRY = `(CASE WHEN e.date_only IS NOT NULL THEN e.seen_at ELSE e.sort_at END) / ${HOUR} AS hour`

/** What is counted since $1, of all feeds or within a reach, of user $2. */
function countedOf({ jsonField, list }: Dialect, reach: Reach | undefined) {
  const isSeen = (feedId: string) => (reach ? isWithin(reach, feedId, PERSON) : `${PERSON} IS NULL`)
  const isCopy = reach ? isRepeatedWithin('copy', reach, PERSON) : isRepeated('copy')
  const entries = `${HOUR_OF_ENTRY}, count(*) AS entries, count(*) FILTER (WHERE ${isCopy}) AS copies`
  const ofFailure = (name: string) =>
    `CASE WHEN p.result = ${FAILED} THEN ${jsonField('p.failure', name)} END AS ${name}`
  return {
    said: `SELECT e.feed_id, ${entries} FROM entries e
      WHERE e.sort_at >= $1 AND ${isKept('e')} AND ${isSeen('e.feed_id')} GROUP BY 1, 2`,
    saidByFeeds: `SELECT ${entries} FROM ${list('$3')} CROSS JOIN entries e WHERE e.feed_id = w.value AND e.sort_at >= $1
      AND (${PERSON} IS NULL OR true) AND ${isKept('e')} GROUP BY 1`,
    polled: `SELECT ${ofFailure('kind')}, ${ofFailure('status')}, ${ofFailure('detail')}, p.at / ${HOUR} AS hour, count(*) AS count,
      count(*) FILTER (WHERE p.result = ${FAILED}) AS failed, CAST(sum(p.took_ms) AS bigint) AS took_ms, CAST(sum(p.bytes) AS bigint) AS bytes
      FROM polls p WHERE p.at >= $1 AND p.run IS NULL AND ${isKept('p')} AND ${isSeen('p.feed_id')} GROUP BY 1, 2, 3, 4`,
    /** Some at a time: they are unpacked. */
    runs: `SELECT p.* FROM polls p WHERE p.run IS NOT NULL AND p.at >= $1 AND p.place > $3 AND ${isKept('p')} AND ${isSeen('p.feed_id')}
      ORDER BY p.place LIMIT ${RUNS_TOGETHER}`,
    openRuns: `SELECT ${OPEN_RUN} FROM schedules s WHERE s.run IS NOT NULL AND s.polled_at >= $1 AND s.feed_id > $3
      AND ${isSeen('s.feed_id')} ORDER BY s.feed_id LIMIT ${RUNS_TOGETHER}`,
    stories: `SELECT count(*) AS count FROM groups g WHERE level = ${levelColumn('story')} AND last_at >= $1
      AND ${reach ? hasTwoWithin(reach, PERSON) : `${PERSON} IS NULL`}`,
    discovered: `SELECT found_by AS by, fragments AS habit, count(*) AS count FROM feeds f
      WHERE (found_by IS NOT NULL OR fragments IS NOT NULL) AND CAST($1 AS bigint) IS NOT NULL AND ${isSeen('f.id')} GROUP BY 1, 2`,
  }
}

const RUNS_TOGETHER = 500

/** Since when, and whose reach, if it is somebody's. */
type Given = [since: Instant, person: PersonId | null]

export function statisticsMethods(
  session: SqlSession,
): Pick<GroupCatalogue, 'statistics' | 'entriesByHour'> & Pick<Ledger, 'recordRun'> {
  async function discovered(sql: string, given: Given): Promise<Statistics['discovery']> {
    const foundBy: Statistics['discovery']['foundBy'] = {}
    const fragments = { shared: 0, apart: 0 }
    const rows = await session.rows<{ by: FoundBy | null; habit: FragmentHabit | null; count: number }>(sql, given)
    for (const { by, habit, count } of rows) {
      if (by !== null) foundBy[by] = (foundBy[by] ?? 0) + count
      if (habit !== null) fragments[habit] += count
    }
    return { foundBy, fragments }
  }

  return {
    async recordRun({ beganAt, lastAt }) {
      await session.run(
        'INSERT INTO runs (began_at, last_at) VALUES ($1, $2) ON CONFLICT (began_at) DO UPDATE SET last_at = excluded.last_at',
        [beganAt, lastAt],
      )
    },

    async entriesByHour(feedIds, since, within) {
      const hours = createEntryHours()
      const { saidByFeeds } = countedOf(session.dialect, within?.reach)
      const given = [since, within?.personId ?? null, feedIds]
      for (const row of await session.rows<SaidRow>(saidByFeeds, given)) hours.add(row)
      return hours.whole()
    },

    async statistics(since, within) {
      const counted = countedOf(session.dialect, within?.reach)
      const given: Given = [since, within?.personId ?? null]
      const sums = createStatisticsSums()
      for (const row of await session.rows<SaidRow>(counted.said, given)) sums.said(row)
      // On one snapshot: a run that ends meanwhile goes from the schedules to the log.
      await session.read(function* (query) {
        for (const row of yield* query.rows<PolledRow>(counted.polled, given))
          sums.polled({ ...row, status: row.status === null ? null : Number(row.status) })
        for (const [sql, place] of [
          [counted.runs, 'place'],
          [counted.openRuns, 'feed_id'],
        ] as const)
          for (let after: number | undefined = 0; after !== undefined; ) {
            const rows: PollRow[] = yield* query.rows<PollRow>(sql, [...given, after])
            for (const row of rows) sums.line(row, since)
            after = rows.at(-1)?.[place]
          }
      })
      const stories = await session.row<{ count: number }>(counted.stories, given)
      const runs = await session.row<Statistics['runs']>(
        'SELECT count(*) AS count, CAST(coalesce(sum(last_at - began_at), 0) AS bigint) AS ms FROM runs WHERE began_at >= $1',
        [since],
      )
      return {
        ...sums.whole(),
        stories: stories!.count,
        runs: runs!,
        discovery: await discovered(counted.discovered, given),
        byFeed: sums.ofFeeds().sort(largestFirst),
      }
    },
  }
}
