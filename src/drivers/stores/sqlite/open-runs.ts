/**
 * Runs of unchanged polls that are still open, of all feeds. They stand with the schedules and are in no index, which every poll would
 * have to write: who wants them goes through all schedules, a piece at a time.
 *
 * A run may end between two pieces, and is then a line of the log. So that each poll is met once, one takes the newest place of the log
 * first, reads the log no further than there, and finds here what has been added since, too.
 */
import type { FeedId, Instant } from '../../../model/index.ts'
import type { PollRow } from '../sql/poll-rows.ts'
import type { SqliteSession } from './session.ts'

/** Numbers of feeds, given or not, that are looked at together. */
const TOGETHER = 1000

/** An open run in the shape of a line. */
export const OPEN_RUN = `0 AS place, last_poll AS previous, feed_id, polled_at AS at, 0 AS took_ms, 0 AS bytes, 0 AS asked,
  0 AS occasion, NULL AS rest_until, 0 AS result, NULL AS fresh, NULL AS changed, NULL AS window_size, NULL AS failure,
  0 AS times, NULL AS began_at, run`

export interface OpenRuns {
  /** The newest place of the log. */
  logEnd(): Promise<number>
  /**
   * Open runs whose newest poll is at `notBefore()` or later, and lines that were added after that place. Of runs, `most` at most of each
   * piece, those with the newest polls.
   */
  linesAfter(end: number, wishes: { notBefore: () => Instant; most?: number }): AsyncGenerator<PollRow>
}

export function createOpenRuns(session: SqliteSession): OpenRuns {
  const { db } = session
  const newestPlace = db.prepare<[], number | null>('SELECT max(place) FROM polls').pluck()
  const newestFeed = db.prepare<[], FeedId | null>('SELECT max(feed_id) FROM schedules').pluck()
  const openIn = db.prepare<[number, number, Instant, number], PollRow>(
    `SELECT ${OPEN_RUN} FROM schedules WHERE feed_id > ? AND feed_id <= ? AND run IS NOT NULL AND polled_at >= ?
     ORDER BY polled_at DESC, feed_id DESC LIMIT ?`,
  )
  const loggedIn = db
    .prepare<[number, number, number], number>(
      'SELECT last_poll FROM schedules WHERE feed_id > ? AND feed_id <= ? AND last_poll > ?',
    )
    .pluck()
  const byPlace = db.prepare<[number], PollRow>('SELECT * FROM polls WHERE place = ?')

  function* chainAfter(end: number, from: number): Generator<PollRow> {
    for (let place: number | null = from; place !== null && place > end; ) {
      const line = byPlace.get(place)
      if (!line) return
      yield line
      place = line.previous
    }
  }

  async function* inPieces<What>(from: number, look: (from: number, upTo: number) => What): AsyncGenerator<What> {
    const last = await session.read(() => newestFeed.get() ?? 0)
    for (let at = from; at < last; at += TOGETHER) {
      yield await session.read(() => look(at, at + TOGETHER))
    }
  }

  return {
    logEnd: () => session.read(() => newestPlace.get() ?? 0),

    async *linesAfter(end, { notBefore, most = Number.MAX_SAFE_INTEGER }) {
      const look = (from: number, upTo: number) => [
        ...openIn.all(from, upTo, notBefore(), most),
        ...loggedIn.all(from, upTo, end).flatMap((place) => [...chainAfter(end, place)]),
      ]
      for await (const rows of inPieces(0, look)) yield* rows
    },
  }
}
