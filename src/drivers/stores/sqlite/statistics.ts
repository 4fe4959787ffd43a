/** What was said since some date, and how much of it before. Walked through in pieces: nobody waits for all of it. */
import type { EntryId, FeedId, Instant, Statistics } from '../../../model/index.ts'
import type { GroupStore } from '../../../ports/index.ts'
import { levelColumn } from './group-rows.ts'
import { isRepeated } from './groups.ts'
import { isKept } from './removals.ts'
import { FAILED } from './rows.ts'
import type { Session } from './session.ts'

const PIECE = 5000

interface SaidRow {
  place: EntryId
  at: Instant
  feed_id: FeedId
  hour: number
  is_copy: 0 | 1
}

interface PollRow {
  place: number
  at: Instant
  took_ms: number
  bytes: number
  failed: 0 | 1
}

export function statisticsQueries(session: Session): Pick<GroupStore, 'statistics'> {
  const { db } = session
  const said = db.prepare<[Instant, number, number], SaidRow>(
    `SELECT id AS place, sort_at AS at, feed_id, ${isRepeated('copy')} AS is_copy,
     (CASE WHEN date_only THEN seen_at ELSE sort_at END) / 3600000 % 24 AS hour
     FROM entries e WHERE (sort_at, id) > (?, ?) AND ${isKept('e')} ORDER BY sort_at, id LIMIT ?`,
  )
  const polled = db.prepare<[Instant, number, number], PollRow>(
    `SELECT place, at, took_ms, bytes, result = ${FAILED} AS failed FROM polls p
     WHERE (at, place) > (?, ?) AND ${isKept('p')} ORDER BY at, place LIMIT ?`,
  )
  const stories = db
    .prepare<[Instant], number>(`SELECT count(*) FROM groups WHERE level = ${levelColumn('story')} AND last_at >= ?`)
    .pluck()

  async function* walk<Row extends { at: Instant; place: number }>(
    since: Instant,
    fetch: (at: Instant, place: number, limit: number) => Row[],
  ): AsyncGenerator<Row> {
    for (let last = { at: since, place: 0 }; ; ) {
      const rows = await session.read(() => fetch(last.at, last.place, PIECE))
      yield* rows
      if (rows.length < PIECE) return
      last = rows.at(-1)!
    }
  }

  return {
    async statistics(since) {
      const all: Omit<Statistics, 'byFeed'> = {
        entries: 0,
        copies: 0,
        stories: (await session.read(() => stories.get(since))) ?? 0,
        byHour: Array.from({ length: 24 }, () => ({ entries: 0, copies: 0 })),
        polls: { count: 0, failed: 0, tookMs: 0, bytes: 0 },
      }
      const byFeed = new Map<FeedId, { feedId: FeedId; entries: number; copies: number }>()
      for await (const { feed_id: feedId, hour, is_copy } of walk(since, (...bounds) => said.all(...bounds))) {
        const feed = byFeed.get(feedId) ?? { feedId, entries: 0, copies: 0 }
        byFeed.set(feedId, feed)
        for (const one of [all, feed, all.byHour[hour]!]) {
          one.entries++
          one.copies += is_copy
        }
      }
      for await (const { failed, took_ms, bytes } of walk(since, (...bounds) => polled.all(...bounds))) {
        all.polls.count++
        all.polls.failed += failed
        all.polls.tookMs += took_ms
        all.polls.bytes += bytes
      }
      const largestFirst = [...byFeed.values()].sort((a, b) => b.entries - a.entries || a.feedId - b.feedId)
      return { ...all, byFeed: largestFirst }
    },
  }
}
