/** The log of polls: a chain for each feed, from its open run and its newest line to its oldest. */
import type { FeedId, Instant, Poll } from '../../model/index.ts'
import { LONGEST_RUN_MS, type Store } from '../../ports/index.ts'
import { afterSql } from './by-date.ts'
import { isKept } from './conditions.ts'
import type { Dialect } from './dialect.ts'
import { createNewestPolls, type PollSpan } from './newest-polls.ts'
import { LINE_NAMES, type PollRow, pollsInLine } from './poll-rows.ts'
import type { SqlSession } from './session.ts'
import { atMost } from './values.ts'

const EVER: Instant = -Number.MAX_SAFE_INTEGER
const LATEST = { at: Number.MAX_SAFE_INTEGER, skip: 0 }

/** Feeds whose chains are followed together, and lines that are read together. */
const FEEDS_TOGETHER = 20
const LINES_TOGETHER = 500

type PollMethods = 'polls' | 'everyPoll' | 'pollsToForget'

/**
 * The open run of unchanged polls of a feed, of `schedules s`, in the shape of a line of the log (poll-rows.ts). It is there where
 * there is none, too, and then has no polls: the feed's chain of lines begins with it. Open runs are in no index, which every poll
 * would have to write: who wants those of all feeds goes through all schedules.
 */
export const OPEN_RUN = `CAST(0 AS bigint) AS place, s.last_poll AS previous, s.feed_id AS feed_id, s.polled_at AS at,
  CAST(0 AS bigint) AS took_ms, CAST(0 AS bigint) AS bytes, CAST(0 AS smallint) AS asked, CAST(0 AS smallint) AS occasion,
  CAST(NULL AS bigint) AS rest_until, CAST(0 AS smallint) AS result, CAST(NULL AS integer) AS fresh, CAST(NULL AS integer) AS changed,
  CAST(NULL AS integer) AS window_size, CAST(NULL AS text) AS failure, 0 AS times, CAST(NULL AS bigint) AS began_at, s.run AS run`

const LINE = ['place', 'previous', 'feed_id', ...LINE_NAMES].map((name) => `p.${name}`).join(', ')

/**
 * Lines of the feeds of list $1 that are not older than $2, newest first: the dates of a feed's polls only ever grow, so the chain is
 * in their order. `total`: how many polls its lines have up to this one, without those that may be later than $3; $4 at most.
 */
function chainSql({ list }: Dialect): string {
  return `WITH RECURSIVE chain AS (
    SELECT ${OPEN_RUN}, 0 AS nth, CAST(0 AS bigint) AS total FROM ${list('$1')} CROSS JOIN schedules s WHERE s.feed_id = w.value
    UNION ALL SELECT ${LINE}, c.nth + 1, c.total + CASE WHEN p.at <= $3 THEN p.times ELSE 0 END
      FROM chain c JOIN polls p ON p.place = c.previous WHERE p.at >= $2 AND c.total < $4
  )`
}

/** $1 to $2, $3 at most: the lines of a span, newest first; and the open runs. */
const SPANNED = [
  `SELECT p.* FROM polls p WHERE p.at BETWEEN $1 AND $2 AND ${isKept('p')}
   ORDER BY p.at DESC, p.feed_id DESC, p.place DESC LIMIT $3`,
  `SELECT ${OPEN_RUN} FROM schedules s WHERE s.run IS NOT NULL AND s.polled_at BETWEEN $1 AND $2
   ORDER BY s.polled_at DESC, s.feed_id DESC LIMIT $3`,
]
/** Runs that ended after $1, and may have begun before: lines, and open runs. */
const ENDED_LATER = [
  `SELECT p.* FROM polls p WHERE p.at > $1 AND p.at <= $1 + ${LONGEST_RUN_MS} AND p.began_at <= $1 AND ${isKept('p')}`,
  `SELECT ${OPEN_RUN} FROM schedules s WHERE s.run IS NOT NULL AND s.polled_at > $1`,
]
const LINES_BY_DATE = afterSql({
  columns: 'p.*',
  from: 'polls p',
  at: 'p.at',
  id: 'p.place',
  only: isKept('p'),
  parameters: ['$1', '$2', '$3'],
})

export function pollLogMethods(session: SqlSession): Pick<Store, PollMethods> {
  const { dialect } = session
  const chain = chainSql(dialect)

  /** On one snapshot: a run that ends meanwhile goes from the schedules to the log. */
  function newest(span: PollSpan): Promise<Poll[]> {
    return session.read(function* (query) {
      const found = createNewestPolls(span)
      const bounds = [span.since, span.until, atMost(span.skip + span.limit)]
      for (const sql of SPANNED) for (const row of yield* query.rows<PollRow>(sql, bounds)) found.add(row)
      if (span.until < LATEST.at)
        for (const sql of ENDED_LATER) for (const row of yield* query.rows<PollRow>(sql, [span.until])) found.add(row)
      return found.polls()
    })
  }

  /** Oldest first, feed by feed: the places are gathered along the chains, then read in chunks. */
  async function* linesOf(feedIds: FeedId[], since: Instant): AsyncGenerator<PollRow> {
    const places = await session.rows<PollRow>(
      `${chain} SELECT place, feed_id, CASE WHEN place = 0 THEN run END AS run FROM chain ORDER BY feed_id, nth DESC`,
      [feedIds, since, LATEST.at, LATEST.at],
    )
    for (let i = 0; i < places.length; i += LINES_TOGETHER) {
      const some = places.slice(i, i + LINES_TOGETHER)
      const rows = await session.rows<PollRow>(
        `SELECT p.* FROM ${dialect.list('$1')} CROSS JOIN polls p WHERE p.place = w.value`,
        [some.flatMap(({ place }) => (place === 0 ? [] : [place]))],
      )
      const byPlace = new Map(rows.map((row) => [row.place, row]))
      for (const line of some) {
        const row = line.place === 0 ? line : byPlace.get(line.place)
        if (row) yield row
      }
    }
  }

  async function* feedsTogether(): AsyncGenerator<FeedId[]> {
    for (let after = 0; ; ) {
      const rows = await session.rows<{ id: FeedId }>(
        'SELECT feed_id AS id FROM schedules WHERE feed_id > $1 ORDER BY feed_id LIMIT $2',
        [after, FEEDS_TOGETHER],
      )
      if (rows.length === 0) return
      yield rows.map(({ id }) => id)
      after = rows.at(-1)!.id
    }
  }

  return {
    async polls({ feedId, since = EVER, after: { at: until, skip } = LATEST, limit }) {
      const span = { since, until, skip, limit }
      if (feedId === undefined) return newest(span)
      const found = createNewestPolls(span)
      const bounds = [[feedId], since, until, atMost(skip + limit)]
      for (const row of await session.rows<PollRow>(`${chain} SELECT * FROM chain`, bounds)) found.add(row)
      return found.polls()
    },

    async *everyPoll({ feedId, since = EVER }) {
      for await (const ids of feedId === undefined ? feedsTogether() : [[feedId]])
        for await (const row of linesOf(ids, since))
          for (const poll of pollsInLine(row)) if (poll.at >= since) yield poll
    },

    async *pollsToForget(before) {
      for (let after: number | undefined = 0; after !== undefined; ) {
        const rows: PollRow[] = await session.rows<PollRow>(
          `SELECT ${OPEN_RUN} FROM schedules s WHERE s.run IS NOT NULL AND s.polled_at < $1 AND s.feed_id > $2
           ORDER BY s.feed_id LIMIT $3`,
          [before, after, LINES_TOGETHER],
        )
        for (const row of rows) yield* pollsInLine(row)
        after = rows.at(-1)?.feed_id
      }
      for (let from = { at: EVER, place: 0 }; ; ) {
        const rows: PollRow[] = await session.rows<PollRow>(LINES_BY_DATE, [from.at, from.place, LINES_TOGETHER])
        for (const row of rows) if (row.at < before) yield* pollsInLine(row)
        const last = rows.at(-1)
        if (!last || last.at >= before) return
        from = last
      }
    },
  }
}
