/** The log of polls, and all that one poll changes. */

import type { FeedId, Instant, Poll } from '../../../model/index.ts'
import { LONGEST_RUN_MS, type Store } from '../../../ports/index.ts'
import { afterSql, beforeSql } from '../sql/by-date.ts'
import { isKept } from '../sql/conditions.ts'
import { createNewestPolls, type PollSpan } from '../sql/newest-polls.ts'
import { type PollRow, pollsIn, pollsInLine } from '../sql/poll-rows.ts'
import { createOpenRuns, OPEN_RUN } from './open-runs.ts'
import type { PollWriter } from './poll-writer.ts'
import { bounded, byIds, inChunks, type SqliteSession } from './session.ts'

const EVER: Instant = -Number.MAX_SAFE_INTEGER
const LINES = 1000 // of one feed's chain that are gone through at once: some milliseconds
const TOGETHER = 200 // lines of all feeds, by their dates
const LATEST = { at: Number.MAX_SAFE_INTEGER, skip: 0 }
const END = Number.MAX_SAFE_INTEGER

type PollMethods = 'recordPolls' | 'recordNews' | 'polls' | 'everyPoll' | 'forgetPolls' | 'pollsToForget'

export function pollQueries(session: SqliteSession, writer: PollWriter): Pick<Store, PollMethods> {
  const { db } = session
  const openRuns = createOpenRuns(session)
  const byDate = { columns: 'p.*', from: 'polls p', at: 'p.at', id: 'p.place', only: isKept('p') }
  type From = { at: Instant; id: number; limit: number }
  const newestLines = db.prepare<[From], PollRow>(beforeSql(byDate))
  const oldestLines = db.prepare<[From], PollRow>(afterSql(byDate))
  const byPlace = db.prepare<[number], PollRow>('SELECT * FROM polls WHERE place = ?')
  const openRun = db.prepare<[FeedId], PollRow>(`SELECT ${OPEN_RUN} FROM schedules WHERE feed_id = ?`)
  const feedsAfter = db.prepare<[number, number], { id: FeedId }>(
    'SELECT feed_id AS id FROM schedules WHERE feed_id > ? ORDER BY feed_id LIMIT ?',
  )
  const forget = db
    .prepare<[Instant, number], number>(
      `DELETE FROM polls WHERE place IN (SELECT place FROM polls WHERE at < ? ORDER BY at, place LIMIT ?) RETURNING times`,
    )
    .pluck()
  const runOf = db
    .prepare<[FeedId, Instant], Buffer>(
      'SELECT run FROM schedules WHERE feed_id = ? AND run IS NOT NULL AND polled_at < ?',
    )
    .pluck()
  const dropRun = db.prepare<[FeedId]>('UPDATE schedules SET run = NULL WHERE feed_id = ?')
  /** After which feed one looks for old runs next. */
  let lookedUpTo = 0 as FeedId

  /** One feed's lines, newest first: the dates of a feed's polls only ever grow, so the chain is in their order. */
  function* linesFrom(from: number | null, since: Instant): Generator<PollRow> {
    for (let place = from; place; ) {
      const row = byPlace.get(place)
      if (!row || row.at < since) return
      yield row
      place = row.previous
    }
  }

  function* pollsOfFeed(feedId: FeedId, since: Instant): Generator<Poll> {
    const open = openRun.get(feedId)
    if (!open) return
    yield* pollsInLine(open).reverse()
    for (const row of linesFrom(open.previous, since)) yield* pollsInLine(row).reverse()
  }

  /** Its open run, and the places of all of its lines, a part of the chain at a time. */
  async function placesOf(feedId: FeedId, since: Instant): Promise<{ places: number[]; open?: PollRow }> {
    const places: number[] = []
    const open = await session.read(() => openRun.get(feedId))
    let from = open?.previous
    while (from) {
      const begin = from
      from = await session.read(() => {
        let left = LINES
        for (const { place, previous } of linesFrom(begin, since)) {
          places.push(place)
          if (--left === 0) return previous
        }
        return null
      })
    }
    return { places, ...(open && { open }) }
  }

  async function* linesOf(feedId: FeedId, since: Instant): AsyncGenerator<PollRow> {
    const { places, open } = await placesOf(feedId, since)
    yield* byIds(session, places.reverse(), (place) => byPlace.get(place))
    if (open) yield open
  }

  async function* feedIds(): AsyncGenerator<FeedId> {
    const feeds = inChunks(
      session,
      (...bounds) => feedsAfter.all(...bounds),
      (row) => row.id,
    )
    for await (const { id } of feeds) yield id
  }

  /** Lines by their dates, from there on, some at a time. */
  async function* walk(lines: typeof newestLines, from: { at: Instant; id: number }): AsyncGenerator<PollRow[]> {
    for (let { at, id } = from; ; ) {
      const rows: PollRow[] = await session.read(() => lines.all({ at, id, limit: TOGETHER }))
      const last = rows.at(-1)
      if (!last) return
      yield rows
      ;({ at, place: id } = last)
    }
  }

  async function newest(span: PollSpan): Promise<Poll[]> {
    const found = createNewestPolls(span)
    const end = await openRuns.logEnd()
    const isLatest = span.until >= LATEST.at
    const wishes = { notBefore: found.oldest, ...(isLatest && { most: bounded(span.skip + span.limit) }) }
    for await (const row of openRuns.linesAfter(end, wishes)) found.add(row)
    for await (const rows of walk(newestLines, { at: span.until, id: END })) {
      if (rows[0]!.at < found.oldest()) break
      for (const row of rows) if (row.place <= end) found.add(row)
    }
    if (isLatest) return found.polls()
    // Runs that ended later, and may have begun before.
    for await (const rows of walk(oldestLines, { at: span.until, id: END })) {
      if (rows[0]!.at - LONGEST_RUN_MS > span.until) break
      for (const row of rows) if ((row.began_at ?? row.at) <= span.until && row.place <= end) found.add(row)
    }
    return found.polls()
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
      if (feedId === undefined) return newest({ since, until, skip, limit })
      return session.read(() => {
        const polls: Poll[] = []
        let shown = skip
        for (const poll of pollsOfFeed(feedId, since)) {
          if (polls.length >= limit || poll.at < since) break
          if (poll.at < until || (poll.at === until && shown-- <= 0)) polls.push(poll)
        }
        return polls
      })
    },

    async *everyPoll({ feedId, since = EVER }) {
      for await (const id of feedId === undefined ? feedIds() : [feedId])
        for await (const row of linesOf(id, since))
          for (const poll of pollsInLine(row)) if (poll.at >= since) yield poll
    },

    async forgetPolls(before, limit) {
      const most = bounded(limit)
      let dropped = await session.write((tally) => {
        const gone = forget.all(before, most)
        for (const times of gone) tally.polls -= times
        return gone.length
      })
      if (dropped >= most) return dropped
      for await (const { ids, upTo } of openRuns.feedsBefore(before, lookedUpTo)) {
        if (ids.length > 0)
          dropped += await session.write((tally) => {
            const runs = ids.slice(0, most - dropped).map((id) => ({ id, run: runOf.get(id, before) ?? null }))
            for (const { id, run } of runs) if (run) dropRun.run(id)
            for (const { run } of runs) tally.polls -= pollsIn(run)
            return runs.filter(({ run }) => run).length
          })
        if (dropped >= most) return dropped
        lookedUpTo = upTo
      }
      lookedUpTo = 0 as FeedId
      return dropped
    },

    async *pollsToForget(before) {
      for await (const { ids } of openRuns.feedsBefore(before, 0 as FeedId)) {
        const rows = await session.read(() => ids.map((id) => openRun.get(id)))
        for (const row of rows) if (row && row.at < before) yield* pollsInLine(row)
      }
      for await (const rows of walk(oldestLines, { at: EVER, id: 0 })) {
        for (const row of rows) if (row.at < before) yield* pollsInLine(row)
        if (rows.at(-1)!.at >= before) return
      }
    },
  }
}
