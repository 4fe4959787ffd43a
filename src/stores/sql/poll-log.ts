/** Reads the poll log: a linked list per feed, from its open run and newest line to its oldest. */
import type { FeedId, Instant, Poll } from '../../model/index.ts'
import { MAX_RUN_MS, type Store } from '../../ports/index.ts'
import { isNotRemovedSql } from './conditions.ts'
import type { Dialect } from './dialect.ts'
import { rowsAfterSql } from './keyset-pagination.ts'
import { createNewestPolls, type PollSpan } from './newest-polls.ts'
import { LOG_COLUMNS, type PollRow, pollsInLine } from './poll-rows.ts'
import type { SqlSession } from './session.ts'
import { atMost } from './values.ts'

const MIN_INSTANT: Instant = -Number.MAX_SAFE_INTEGER
const LATEST = { at: Number.MAX_SAFE_INTEGER, skip: 0 }

const FEEDS_PER_QUERY = 20
const LINES_PER_QUERY = 500

type PollMethods = 'polls' | 'everyPoll' | 'pollsToForget'

/**
 * The open run of unchanged polls of a feed, from `schedules s`, with the columns of a log line (poll-rows.ts). Also selected for feeds
 * without an open run, then with no polls, because the feed's list starts with it. Open runs are not indexed, because every poll would
 * have to update the index; finding those of all feeds scans all schedules.
 */
export const OPEN_RUN = `CAST(0 AS bigint) AS place, s.last_poll AS previous, s.feed_id AS feed_id, s.polled_at AS at,
  CAST(0 AS bigint) AS took_ms, CAST(0 AS bigint) AS bytes, CAST(0 AS smallint) AS asked, CAST(0 AS smallint) AS occasion,
  CAST(NULL AS bigint) AS rest_until, CAST(0 AS smallint) AS result, CAST(NULL AS integer) AS fresh, CAST(NULL AS integer) AS changed,
  CAST(NULL AS integer) AS window_size, CAST(NULL AS text) AS failure, 0 AS times, CAST(NULL AS bigint) AS began_at, s.run AS run`

const LINE = ['place', 'previous', 'feed_id', ...LOG_COLUMNS].map((name) => `p.${name}`).join(', ')

/**
 * Lines of the feeds in list $1 not older than $2, newest first: dates of a feed's polls always increase, so the list is ordered by date.
 * `total` is the number of polls so far, without those later than $3; stops at $4.
 */
function chainSql({ list }: Dialect): string {
  return `WITH RECURSIVE chain AS (
    SELECT ${OPEN_RUN}, 0 AS nth, CAST(0 AS bigint) AS total FROM ${list('$1')} CROSS JOIN schedules s WHERE s.feed_id = w.value
    UNION ALL SELECT ${LINE}, c.nth + 1, c.total + CASE WHEN p.at <= $3 THEN p.times ELSE 0 END
      FROM chain c JOIN polls p ON p.place = c.previous WHERE p.at >= $2 AND c.total < $4
  )`
}

/** Lines and open runs from $1 to $2, at most $3, newest first. */
const LINES_IN_SPAN = [
  `SELECT p.* FROM polls p WHERE p.at BETWEEN $1 AND $2 AND ${isNotRemovedSql('p')}
   ORDER BY p.at DESC, p.feed_id DESC, p.place DESC LIMIT $3`,
  `SELECT ${OPEN_RUN} FROM schedules s WHERE s.run IS NOT NULL AND s.polled_at BETWEEN $1 AND $2
   ORDER BY s.polled_at DESC, s.feed_id DESC LIMIT $3`,
]
/** Lines and open runs that ended after $1 and may have begun before. */
const ENDED_LATER = [
  `SELECT p.* FROM polls p WHERE p.at > $1 AND p.at <= $1 + ${MAX_RUN_MS} AND p.began_at <= $1 AND ${isNotRemovedSql('p')}`,
  `SELECT ${OPEN_RUN} FROM schedules s WHERE s.run IS NOT NULL AND s.polled_at > $1`,
]
const LINES_BY_DATE = rowsAfterSql({
  columns: 'p.*',
  from: 'polls p',
  at: 'p.at',
  id: 'p.place',
  only: isNotRemovedSql('p'),
  parameters: ['$1', '$2', '$3'],
})

export function pollLogMethods(session: SqlSession): Pick<Store, PollMethods> {
  const { dialect } = session
  const chain = chainSql(dialect)

  /** Uses one snapshot, because a run that ends meanwhile moves from the schedules to the log. */
  function newest(span: PollSpan): Promise<Poll[]> {
    return session.read(function* (query) {
      const newestPolls = createNewestPolls(span)
      const bounds = [span.since, span.until, atMost(span.skip + span.limit)]
      for (const sql of LINES_IN_SPAN) for (const row of yield* query.rows<PollRow>(sql, bounds)) newestPolls.add(row)
      if (span.until < LATEST.at)
        for (const sql of ENDED_LATER)
          for (const row of yield* query.rows<PollRow>(sql, [span.until])) newestPolls.add(row)
      return newestPolls.polls()
    })
  }

  /** Lines feed by feed, oldest first. Collects positions along the lists, then reads the lines in chunks. */
  async function* linesOf(feedIds: FeedId[], since: Instant): AsyncGenerator<PollRow> {
    const positions = await session.rows<PollRow>(
      `${chain} SELECT place, feed_id, CASE WHEN place = 0 THEN run END AS run FROM chain ORDER BY feed_id, nth DESC`,
      [feedIds, since, LATEST.at, LATEST.at],
    )
    for (let i = 0; i < positions.length; i += LINES_PER_QUERY) {
      const chunk = positions.slice(i, i + LINES_PER_QUERY)
      const rows = await session.rows<PollRow>(
        `SELECT p.* FROM ${dialect.list('$1')} CROSS JOIN polls p WHERE p.place = w.value`,
        [chunk.flatMap(({ place: position }) => (position === 0 ? [] : [position]))],
      )
      const byPosition = new Map(rows.map((row) => [row.place, row]))
      for (const line of chunk) {
        const row = line.place === 0 ? line : byPosition.get(line.place)
        if (row) yield row
      }
    }
  }

  async function* feedBatches(): AsyncGenerator<FeedId[]> {
    for (let after = 0; ; ) {
      const rows = await session.rows<{ id: FeedId }>(
        'SELECT feed_id AS id FROM schedules WHERE feed_id > $1 ORDER BY feed_id LIMIT $2',
        [after, FEEDS_PER_QUERY],
      )
      if (rows.length === 0) return
      yield rows.map(({ id }) => id)
      after = rows.at(-1)!.id
    }
  }

  return {
    async polls({ feedId, since = MIN_INSTANT, after: { at: until, skip } = LATEST, limit }) {
      const span = { since, until, skip, limit }
      if (feedId === undefined) return newest(span)
      const newestPolls = createNewestPolls(span)
      const bounds = [[feedId], since, until, atMost(skip + limit)]
      for (const row of await session.rows<PollRow>(`${chain} SELECT * FROM chain`, bounds)) newestPolls.add(row)
      return newestPolls.polls()
    },

    async *everyPoll({ feedId, since = MIN_INSTANT }) {
      for await (const ids of feedId === undefined ? feedBatches() : [[feedId]])
        for await (const row of linesOf(ids, since))
          for (const poll of pollsInLine(row)) if (poll.at >= since) yield poll
    },

    async *pollsToForget(before) {
      for (let after: number | undefined = 0; after !== undefined; ) {
        const rows: PollRow[] = await session.rows<PollRow>(
          `SELECT ${OPEN_RUN} FROM schedules s WHERE s.run IS NOT NULL AND s.polled_at < $1 AND s.feed_id > $2
           ORDER BY s.feed_id LIMIT $3`,
          [before, after, LINES_PER_QUERY],
        )
        for (const row of rows) yield* pollsInLine(row)
        after = rows.at(-1)?.feed_id
      }
      for (let from = { at: MIN_INSTANT, place: 0 }; ; ) {
        const rows: PollRow[] = await session.rows<PollRow>(LINES_BY_DATE, [from.at, from.place, LINES_PER_QUERY])
        for (const row of rows) if (row.at < before) yield* pollsInLine(row)
        const last = rows.at(-1)
        if (!last || last.at >= before) return
        from = last
      }
    },
  }
}
