/** What polls change in the log, and how it is shortened. */
import type { FeedId, Instant } from '../../../model/index.ts'
import type { Store } from '../../../ports/index.ts'
import { pollsIn } from '../sql/poll-rows.ts'
import { createOpenRuns } from './open-runs.ts'
import type { PollWriter } from './poll-writer.ts'
import { bounded, type SqliteSession } from './session.ts'

export function pollQueries(
  session: SqliteSession,
  writer: PollWriter,
): Pick<Store, 'recordPolls' | 'recordNews' | 'forgetPolls'> {
  const { db } = session
  const openRuns = createOpenRuns(session)
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

  return {
    recordPolls(records) {
      return session.write((tally) => records.map((record) => writer.poll(record.poll.feedId, record, tally)))
    },

    recordNews(records) {
      return session.write((tally) => {
        for (const record of records) writer.news(record, tally)
      })
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
  }
}
