/**
 * What was said since some date, and how much of it before. Gone through in pieces, each found by its last row and then
 * counted by SQLite itself; between two others get their turn, so that nobody waits for all of it.
 */
import { type FeedId, fittingSize, type Instant, type Statistics } from '../../../model/index.ts'
import type { GroupCatalogue } from '../../../ports/index.ts'
import { levelColumn } from './group-rows.ts'
import { isRepeated } from './groups.ts'
import { isKept } from './removals.ts'
import { FAILED } from './rows.ts'
import { othersTurn, type SqliteSession } from './session.ts'
import { sortInPieces } from './sort-in-pieces.ts'

/** Rows of a piece. How many there are follows from what the last one took: little of a large store is in memory. */
const FIRST_PIECE = 200
const PIECES = { least: 25, most: 2000, longestMs: 8 }
const SORTED = 10_000 // feeds: some milliseconds, likewise

/** A row's place in the order of dates; the last is after everything. */
interface Place {
  at: Instant
  place: number
}
const END: Place = { at: Number.MAX_SAFE_INTEGER, place: Number.MAX_SAFE_INTEGER }

type OfFeed = Statistics['byFeed'][number]

type Bounds = [Instant, number, Instant, number]

interface SaidRow {
  feed_id: FeedId
  hour: number
  entries: number
  copies: number
}

interface PolledRow {
  count: number
  failed: number
  tookMs: number
  bytes: number
}

export function statisticsQueries(session: SqliteSession): Pick<GroupCatalogue, 'statistics'> {
  const { db } = session
  const lastSaid = db.prepare<[Instant, number, number], Place>(
    `SELECT sort_at AS at, id AS place FROM entries WHERE (sort_at, id) > (?, ?)
     ORDER BY sort_at, id LIMIT 1 OFFSET ?`,
  )
  const said = db.prepare<Bounds, SaidRow>(
    `SELECT feed_id, (CASE WHEN date_only THEN seen_at ELSE sort_at END) / 3600000 % 24 AS hour, count(*) AS entries,
     sum(${isRepeated('copy')}) AS copies FROM entries e
     WHERE (sort_at, id) > (?, ?) AND (sort_at, id) <= (?, ?) AND ${isKept('e')} GROUP BY feed_id, hour`,
  )
  const lastPolled = db.prepare<[Instant, number, number], Place>(
    `SELECT at, place FROM polls WHERE (at, place) > (?, ?) ORDER BY at, place LIMIT 1 OFFSET ?`,
  )
  const polled = db.prepare<Bounds, PolledRow>(
    `SELECT count(*) AS count, ifnull(sum(result = ${FAILED}), 0) AS failed, ifnull(sum(took_ms), 0) AS tookMs,
     ifnull(sum(bytes), 0) AS bytes FROM polls p WHERE (at, place) > (?, ?) AND (at, place) <= (?, ?) AND ${isKept('p')}`,
  )
  const lastTold = db.prepare<[Instant, number, number], Place>(
    `SELECT last_at AS at, id AS place FROM groups WHERE level = ${levelColumn('story')} AND (last_at, id) > (?, ?)
     ORDER BY last_at, id LIMIT 1 OFFSET ?`,
  )
  const told = db.prepare<Bounds, { stories: number }>(
    `SELECT count(*) AS stories FROM groups
     WHERE level = ${levelColumn('story')} AND (last_at, id) > (?, ?) AND (last_at, id) <= (?, ?)`,
  )

  /** All that comes after `since`, piece by piece. */
  async function* walk<Row>(
    since: Instant,
    last: (at: Instant, place: number, offset: number) => Place | undefined,
    count: (...bounds: Bounds) => Row[],
  ): AsyncGenerator<Row> {
    let from: Place | undefined = { at: since, place: 0 }
    let size = FIRST_PIECE
    while (from) {
      const { at, place }: Place = from
      const beganAt = performance.now()
      const [to, rows] = await session.read((): [Place | undefined, Row[]] => {
        const to = last(at, place, size - 1)
        const end = to ?? END
        return [to, count(at, place, end.at, end.place)]
      })
      size = fittingSize(size, performance.now() - beganAt, PIECES)
      yield* rows
      from = to
      await othersTurn()
    }
  }

  return {
    async statistics(since) {
      const all: Omit<Statistics, 'byFeed'> = {
        entries: 0,
        copies: 0,
        stories: 0,
        byHour: Array.from({ length: 24 }, () => ({ entries: 0, copies: 0 })),
        polls: { count: 0, failed: 0, tookMs: 0, bytes: 0 },
      }
      const byFeed = new Map<FeedId, OfFeed>()
      const pieces = walk(
        since,
        (...from) => lastSaid.get(...from),
        (...bounds) => said.all(...bounds),
      )
      for await (const { feed_id: feedId, hour, entries, copies } of pieces) {
        const feed = byFeed.get(feedId) ?? { feedId, entries: 0, copies: 0 }
        byFeed.set(feedId, feed)
        for (const one of [all, feed, all.byHour[hour]!]) {
          one.entries += entries
          one.copies += copies
        }
      }
      for await (const { count, failed, tookMs, bytes } of walk(
        since,
        (...from) => lastPolled.get(...from),
        (...bounds) => polled.all(...bounds),
      )) {
        all.polls.count += count
        all.polls.failed += failed
        all.polls.tookMs += tookMs
        all.polls.bytes += bytes
      }
      for await (const { stories } of walk(
        since,
        (...from) => lastTold.get(...from),
        (...bounds) => told.all(...bounds),
      ))
        all.stories += stories
      return { ...all, byFeed: await sortInPieces([...byFeed.values()], SORTED, largestFirst) }
    },
  }
}

/** Those with most first, in the order of ids where they are equal. */
function largestFirst(a: OfFeed, b: OfFeed): number {
  return b.entries - a.entries || a.feedId - b.feedId
}
