/** The log of polls: a chain for each feed, from its open run and its newest line to its oldest. */
import type { FeedId, Instant, Poll } from '../../../model/index.ts'
import { LONGEST_RUN_MS, type Store } from '../../../ports/index.ts'
import { isKept } from '../sql/conditions.ts'
import { createNewestPolls, type PollSpan } from '../sql/newest-polls.ts'
import { type PollRow, pollsInLine } from '../sql/poll-rows.ts'
import { atMost } from '../sql/values.ts'
import { TYPED_OPEN_RUN } from './open-run.ts'
import { type PostgresSession, pieceByPiece } from './session.ts'

const EVER: Instant = -Number.MAX_SAFE_INTEGER
const LATEST = { at: Number.MAX_SAFE_INTEGER, skip: 0 }

type PollMethods = 'polls' | 'everyPoll' | 'pollsToForget'

/**
 * Lines of feeds $1 that are not older than $2, newest first: the dates of a feed's polls only ever grow, so the chain is in their
 * order. `total`: how many polls its lines have up to this one, without those that may be later than $3.
 */
const CHAIN = `WITH RECURSIVE chain AS (
    SELECT ${TYPED_OPEN_RUN}, 0 AS nth, 0::bigint AS total FROM schedules s WHERE s.feed_id = ANY ($1::bigint[])
    UNION ALL SELECT p.*, c.nth + 1, c.total + CASE WHEN p.at <= $3 THEN p.times ELSE 0 END
      FROM chain c JOIN polls p ON p.place = c.previous WHERE p.at >= $2 AND c.total < $4
  )`

/** Feeds whose chains are gone along together, and lines that are read together. */
const FEEDS_TOGETHER = 20
const LINES_TOGETHER = 500

/** $1 to $2: the lines of a span, newest first; of runs that ended after it, those that began in it; and the same of open runs. */
const SPANNED = [
  `SELECT p.* FROM polls p WHERE p.at BETWEEN $1 AND $2 AND ${isKept('p')}
   ORDER BY p.at DESC, p.feed_id DESC, p.place DESC LIMIT $3`,
  `SELECT p.* FROM polls p WHERE p.at > $2 AND p.at <= $2 + ${LONGEST_RUN_MS} AND p.began_at <= $2 AND ${isKept('p')}
   AND $1::bigint IS NOT NULL AND $3::bigint IS NOT NULL`,
  `SELECT ${TYPED_OPEN_RUN} FROM schedules s WHERE s.run IS NOT NULL AND s.polled_at BETWEEN $1 AND $2
   ORDER BY s.polled_at DESC, s.feed_id DESC LIMIT $3`,
  `SELECT ${TYPED_OPEN_RUN} FROM schedules s WHERE s.run IS NOT NULL AND s.polled_at > $2
   AND $1::bigint IS NOT NULL AND $3::bigint IS NOT NULL`,
]

export function pollMethods(session: PostgresSession): Pick<Store, PollMethods> {
  /** In one snapshot: a run that ends meanwhile goes from the schedules to the log. */
  function newest(span: PollSpan): Promise<Poll[]> {
    return session.read(async (query) => {
      const found = createNewestPolls(span)
      const bounds = [span.since, span.until, atMost(span.skip + span.limit)]
      for (const sql of SPANNED) for (const row of await query.rows<PollRow>(sql, bounds)) found.add(row)
      return found.polls()
    })
  }

  /** Oldest first, feed by feed: the places are gathered along the chains, then read in pieces. */
  async function* linesOf(feedIds: FeedId[], since: Instant): AsyncGenerator<PollRow> {
    const chains = await session.rows<PollRow>(
      `${CHAIN} SELECT place, feed_id, run FROM (SELECT place, feed_id, CASE WHEN place = 0 THEN run END AS run, nth FROM chain) AS c
       ORDER BY feed_id, nth DESC`,
      [feedIds, since, LATEST.at, LATEST.at],
    )
    for (let i = 0; i < chains.length; i += LINES_TOGETHER) {
      const some = chains.slice(i, i + LINES_TOGETHER)
      const rows = await session.rows<PollRow>('SELECT * FROM polls WHERE place = ANY ($1::bigint[])', [
        some.flatMap(({ place }) => (place === 0 ? [] : [place])),
      ])
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
      const rows = await session.rows<PollRow>(`${CHAIN} SELECT * FROM chain`, [
        [feedId],
        since,
        until,
        atMost(skip + limit),
      ])
      for (const row of rows) found.add(row)
      return found.polls()
    },

    async *everyPoll({ feedId, since = EVER }) {
      for await (const ids of feedId === undefined ? feedsTogether() : [[feedId]])
        for await (const row of linesOf(ids, since))
          for (const poll of pollsInLine(row)) if (poll.at >= since) yield poll
    },

    async *pollsToForget(before) {
      const open = (after: number, limit: number) =>
        session.rows<PollRow>(
          `SELECT ${TYPED_OPEN_RUN} FROM schedules s WHERE s.run IS NOT NULL AND s.polled_at < $1 AND s.feed_id > $2
           ORDER BY s.feed_id LIMIT $3`,
          [before, after, limit],
        )
      for await (const row of pieceByPiece(open, ({ feed_id }) => feed_id)) yield* pollsInLine(row)
      const lines = (after: number, limit: number) =>
        session.rows<PollRow>(
          `SELECT * FROM polls p WHERE at < $1 AND place > $2 AND ${isKept('p')} ORDER BY place LIMIT $3`,
          [before, after, limit],
        )
      for await (const row of pieceByPiece(lines, ({ place }) => place)) yield* pollsInLine(row)
    },
  }
}
