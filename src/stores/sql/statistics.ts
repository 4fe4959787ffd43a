/** Statistics since a date: entries, duplicates, polls and failures. The database counts them per hour and feed. */
import {
  type FoundBy,
  type FragmentHabit,
  HOUR,
  type Instant,
  type Reach,
  type Statistics,
  type UserId,
} from '../../model/index.ts'
import type { GroupCatalogue, PollResults } from '../../ports/index.ts'
import {
  hasTwoMembersInReachSql,
  isDuplicateInReachSql,
  isDuplicateSql,
  isFeedInReachSql,
  isNotRemovedSql,
} from './conditions.ts'
import type { Dialect } from './dialect.ts'
import { levelColumn } from './group-rows.ts'
import { FAILED } from './poll-codes.ts'
import { OPEN_RUN } from './poll-log.ts'
import type { PollRow } from './poll-rows.ts'
import type { SqlSession } from './session.ts'
import {
  createEntryHours,
  createStatisticsSums,
  type EntryCountRow,
  largestFirst,
  type PollCountRow,
} from './statistics-sums.ts'

/** User $2, or NULL. */
const USER = 'CAST($2 AS bigint)'
const HOUR_OF_ENTRY = `(CASE WHEN e.date_only IS NOT NULL THEN e.seen_at ELSE e.sort_at END) / ${HOUR} AS hour`

/** Statements that count since $1, for all feeds or for those within the reach of user $2. */
function statisticsQueries({ jsonField, list }: Dialect, reach: Reach | undefined) {
  const isSeen = (feedId: string) => (reach ? isFeedInReachSql(reach, feedId, USER) : `${USER} IS NULL`)
  const isCopy = reach ? isDuplicateInReachSql('copy', reach, USER) : isDuplicateSql('copy')
  const entries = `${HOUR_OF_ENTRY}, count(*) AS entries, count(*) FILTER (WHERE ${isCopy}) AS copies`
  const ofFailure = (name: string) =>
    `CASE WHEN p.result = ${FAILED} THEN ${jsonField('p.failure', name)} END AS ${name}`
  return {
    entries: `SELECT e.feed_id, ${entries} FROM entries e
      WHERE e.sort_at >= $1 AND ${isNotRemovedSql('e')} AND ${isSeen('e.feed_id')} GROUP BY 1, 2`,
    entriesByFeeds: `SELECT ${entries} FROM ${list('$3')} CROSS JOIN entries e WHERE e.feed_id = w.value AND e.sort_at >= $1
      AND (${USER} IS NULL OR true) AND ${isNotRemovedSql('e')} GROUP BY 1`,
    polls: `SELECT ${ofFailure('kind')}, ${ofFailure('status')}, ${ofFailure('detail')}, p.at / ${HOUR} AS hour, count(*) AS count,
      count(*) FILTER (WHERE p.result = ${FAILED}) AS failed, CAST(sum(p.took_ms) AS bigint) AS took_ms, CAST(sum(p.bytes) AS bigint) AS bytes
      FROM polls p WHERE p.at >= $1 AND p.run IS NULL AND ${isNotRemovedSql('p')} AND ${isSeen('p.feed_id')} GROUP BY 1, 2, 3, 4`,
    /** Read in chunks, because runs are unpacked. */
    runs: `SELECT p.* FROM polls p WHERE p.run IS NOT NULL AND p.at >= $1 AND p.place > $3 AND ${isNotRemovedSql('p')} AND ${isSeen('p.feed_id')}
      ORDER BY p.place LIMIT ${RUNS_PER_QUERY}`,
    openRuns: `SELECT ${OPEN_RUN} FROM schedules s WHERE s.run IS NOT NULL AND s.polled_at >= $1 AND s.feed_id > $3
      AND ${isSeen('s.feed_id')} ORDER BY s.feed_id LIMIT ${RUNS_PER_QUERY}`,
    stories: `SELECT count(*) AS count FROM groups g WHERE level = ${levelColumn('story')} AND last_at >= $1
      AND ${reach ? hasTwoMembersInReachSql(reach, USER) : `${USER} IS NULL`}`,
    discovered: `SELECT found_by AS by, fragments AS habit, count(*) AS count FROM feeds f
      WHERE (found_by IS NOT NULL OR fragments IS NOT NULL) AND CAST($1 AS bigint) IS NOT NULL AND ${isSeen('f.id')} GROUP BY 1, 2`,
  }
}

const RUNS_PER_QUERY = 500

type QueryParameters = [since: Instant, user: UserId | null]

export function statisticsMethods(
  session: SqlSession,
): Pick<GroupCatalogue, 'statistics' | 'entriesByHour'> & Pick<PollResults, 'recordRun'> {
  async function discovered(sql: string, parameters: QueryParameters): Promise<Statistics['discovery']> {
    const foundBy: Statistics['discovery']['foundBy'] = {}
    const fragments = { shared: 0, apart: 0 }
    const rows = await session.rows<{ by: FoundBy | null; habit: FragmentHabit | null; count: number }>(sql, parameters)
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
      const { entriesByFeeds } = statisticsQueries(session.dialect, within?.reach)
      const parameters = [since, within?.userId ?? null, feedIds]
      for (const row of await session.rows<EntryCountRow>(entriesByFeeds, parameters)) hours.add(row)
      return hours.sorted()
    },

    async statistics(since, within) {
      const queries = statisticsQueries(session.dialect, within?.reach)
      const parameters: QueryParameters = [since, within?.userId ?? null]
      const sums = createStatisticsSums()
      for (const row of await session.rows<EntryCountRow>(queries.entries, parameters)) sums.addEntries(row)
      // Uses one snapshot, because a run that ends meanwhile moves from the schedules to the log.
      await session.read(function* (query) {
        for (const row of yield* query.rows<PollCountRow>(queries.polls, parameters))
          sums.addPolls({ ...row, status: row.status === null ? null : Number(row.status) })
        for (const [sql, key] of [
          [queries.runs, 'place'],
          [queries.openRuns, 'feed_id'],
        ] as const)
          for (let after: number | undefined = 0; after !== undefined; ) {
            const rows: PollRow[] = yield* query.rows<PollRow>(sql, [...parameters, after])
            for (const row of rows) sums.addLogLine(row, since)
            after = rows.at(-1)?.[key]
          }
      })
      const stories = await session.row<{ count: number }>(queries.stories, parameters)
      const runs = await session.row<Statistics['runs']>(
        'SELECT count(*) AS count, CAST(coalesce(sum(last_at - began_at), 0) AS bigint) AS ms FROM runs WHERE began_at >= $1',
        [since],
      )
      return {
        ...sums.totals(),
        stories: stories!.count,
        runs: runs!,
        discovery: await discovered(queries.discovered, parameters),
        byFeed: sums.byFeed().sort(largestFirst),
      }
    },
  }
}
