/** The log of polls: a chain for each feed, from its newest line to its oldest. */
import type { FeedId, Instant } from '../../../model/index.ts'
import type { Store } from '../../../ports/index.ts'
import { isKept } from '../sql/conditions.ts'
import { type PollRow, pollOf } from '../sql/rows.ts'
import { atMost } from './columns.ts'
import { recordNewsIn, recordPollsIn } from './poll-writer.ts'
import { type PostgresSession, pieceByPiece } from './session.ts'

const EVER: Instant = -Number.MAX_SAFE_INTEGER
const LATEST = { at: Number.MAX_SAFE_INTEGER, skip: 0 }

type PollMethods = 'recordPolls' | 'recordNews' | 'polls' | 'everyPoll'

/** Lines of feed $1 that are not older than $2, newest first: the dates of a feed's polls only ever grow, so the chain is in their order. */
const CHAIN = `WITH RECURSIVE chain AS (
    SELECT p.*, 1 AS nth FROM schedules s JOIN polls p ON p.place = s.last_poll WHERE s.feed_id = $1 AND p.at >= $2
    UNION ALL SELECT p.*, c.nth + 1 FROM chain c JOIN polls p ON p.place = c.previous WHERE p.at >= $2
  )`

export function pollMethods(session: PostgresSession): Pick<Store, PollMethods> {
  return {
    recordPolls: (records) => session.write((tx) => recordPollsIn(tx, records)),
    recordNews: (records) => session.write((tx) => recordNewsIn(tx, records)),

    async polls({ feedId, since = EVER, after: { at: until, skip } = LATEST, limit }) {
      const rows =
        feedId === undefined
          ? await session.rows<PollRow>(
              `SELECT * FROM polls p WHERE at BETWEEN $1 AND $2 AND ${isKept('p')}
               ORDER BY at DESC, place DESC LIMIT $3 OFFSET $4`,
              [since, until, atMost(limit), skip],
            )
          : await session.rows<PollRow>(
              // Walked no further than it is read: LIMIT without an order ends the recursion.
              `${CHAIN}, found AS (SELECT * FROM chain WHERE at <= $3 LIMIT $4 OFFSET $5) SELECT * FROM found ORDER BY nth`,
              [feedId, since, until, atMost(limit), skip],
            )
      return rows.map(pollOf)
    },

    async *everyPoll({ feedId, since = EVER }) {
      if (feedId !== undefined) {
        for await (const row of ofFeed(feedId, since)) yield pollOf(row)
        return
      }
      const after = (...bounds: [number, number]) =>
        session.rows<PollRow>(
          `SELECT * FROM polls p WHERE place > $1 AND at >= $3 AND ${isKept('p')} ORDER BY place LIMIT $2`,
          [...bounds, since],
        )
      for await (const row of pieceByPiece(after, (row) => row.place)) yield pollOf(row)
    },
  }

  /** Oldest first: the places are gathered along the chain, then read in pieces. */
  async function* ofFeed(feedId: FeedId, since: Instant): AsyncGenerator<PollRow> {
    const places = await session.rows<{ place: number }>(`${CHAIN} SELECT place FROM chain ORDER BY nth DESC`, [
      feedId,
      since,
    ])
    for (let i = 0; i < places.length; i += PIECE) {
      yield* await session.rows<PollRow>('SELECT * FROM polls WHERE place = ANY ($1::bigint[]) ORDER BY place', [
        places.slice(i, i + PIECE).map(({ place }) => place),
      ])
    }
  }
}

const PIECE = 500
