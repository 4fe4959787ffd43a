/** The log of polls, and all that one poll changes. */

import type { FeedId, Instant, Poll } from '../../../model/index.ts'
import { letOthers, type Store } from '../../../ports/index.ts'
import { isKept } from '../sql/conditions.ts'
import { type PollRow, pollOf } from '../sql/rows.ts'
import type { PollWriter } from './poll-writer.ts'
import { bounded, byIds, inChunks, type SqliteSession } from './session.ts'

const EVER: Instant = -Number.MAX_SAFE_INTEGER
const LINES = 1000 // of one feed's chain that are gone through at once: some milliseconds
const LATEST = { at: Number.MAX_SAFE_INTEGER, skip: 0 }

export function pollQueries(
  session: SqliteSession,
  writer: PollWriter,
): Pick<Store, 'recordPolls' | 'recordNews' | 'polls' | 'everyPoll' | 'forgetPolls'> {
  const { db } = session
  const newest = db.prepare<[Instant, Instant, number, number], PollRow>(
    `SELECT * FROM polls p WHERE at BETWEEN ? AND ? AND ${isKept('p')} ORDER BY at DESC, place DESC LIMIT ? OFFSET ?`,
  )
  const after = db.prepare<[number, number], PollRow>(
    `SELECT * FROM polls p WHERE place > ? AND ${isKept('p')} ORDER BY place LIMIT ?`,
  )
  const byPlace = db.prepare<[number], PollRow>('SELECT * FROM polls WHERE place = ?')
  const newestPlace = db.prepare<[FeedId], number | null>('SELECT last_poll FROM schedules WHERE feed_id = ?').pluck()
  const forget = db.prepare(
    'DELETE FROM polls WHERE place IN (SELECT place FROM polls WHERE at < ? ORDER BY at, place LIMIT ?)',
  )

  /** One feed's lines, newest first: the dates of a feed's polls only ever grow, so the chain is in their order. */
  function* linesOf(feedId: FeedId, since: Instant, from = newestPlace.get(feedId)): Generator<PollRow> {
    for (let place = from; place; ) {
      const row = byPlace.get(place)
      if (!row || row.at < since) return
      yield row
      place = row.previous
    }
  }

  /** Of all of them, a part of the chain at a time. */
  async function placesOf(feedId: FeedId, since: Instant): Promise<number[]> {
    const places: number[] = []
    let from = await session.read(() => newestPlace.get(feedId))
    while (from) {
      const begin = from
      from = await session.read(() => {
        let left = LINES
        for (const { place, previous } of linesOf(feedId, since, begin)) {
          places.push(place)
          if (--left === 0) return previous
        }
        return null
      })
      await letOthers()
    }
    return places
  }

  return {
    recordPolls(records) {
      return session.write((tally) => records.map((record) => writer.poll(record.poll.feedId, record, tally)))
    },

    recordNews(records) {
      return session.write((tally) => {
        for (const record of records) writer.news(record, tally)
      })
    },

    polls({ feedId, since = EVER, after: { at: until, skip } = LATEST, limit }) {
      return session.read(() => {
        if (feedId === undefined) return newest.all(since, until, bounded(limit), skip).map(pollOf)
        const polls: Poll[] = []
        let shown = skip
        for (const row of linesOf(feedId, since)) {
          if (polls.length >= limit) break
          if (row.at < until || (row.at === until && shown-- <= 0)) polls.push(pollOf(row))
        }
        return polls
      })
    },

    async *everyPoll({ feedId, since = EVER }) {
      const rows = feedId
        ? byIds(session, (await placesOf(feedId, since)).reverse(), (place) => byPlace.get(place))
        : inChunks(
            session,
            (...bounds) => after.all(...bounds),
            (row) => row.place,
          )
      for await (const row of rows) if (row.at >= since) yield pollOf(row)
    },

    forgetPolls(before, limit) {
      return session.writeBite((tally) => {
        const { changes } = forget.run(before, bounded(limit))
        tally.polls -= changes
        return changes
      })
    },
  }
}
