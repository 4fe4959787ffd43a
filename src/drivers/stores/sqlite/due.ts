/**
 * What is due, and leases. Feeds and sources are taken in the same way: an index has them by due date, and those that
 * somebody has already, which stand in a small table of leases, are passed over. Leases that ran out are ended before
 * anything is taken, and so what was lost is in its old place again.
 */
import type { FeedId, Instant, LeaseToken, SourceId } from '../../../model/index.ts'
import type { Store, Taken } from '../../../ports/index.ts'
import type { DueDates } from '../methods.ts'
import type { NewToken } from '../sql/lease-tokens.ts'
import { FEED_COLUMNS, type FeedRow, feedOf, type SourceRow, sourceOf } from '../sql/rows.ts'
import { bounded, type SqliteSession } from './session.ts'

type DueMethods = 'takeDue' | 'takeThese' | 'leases' | 'handBack'

/** All buckets are the one owner's: which of them are meant is not looked at. */
export function dueQueries(
  session: SqliteSession,
  newToken: NewToken,
): Pick<Store, DueMethods> & Pick<DueDates, 'nextPollAt'> {
  const { db } = session
  const feeds = leasing<FeedId>(session, newToken, 'schedules', 'feed_id', 'active', 'feed_leases')
  const sources = leasing<SourceId>(session, newToken, 'sources', 'id', 'looking', 'source_leases')
  const dueFeeds = db.prepare<[Instant, number], FeedRow>(
    `SELECT ${FEED_COLUMNS} FROM schedules s JOIN feeds f ON f.id = s.feed_id WHERE s.state = 'active' AND s.due_at <= ?
     AND NOT EXISTS (SELECT 1 FROM feed_leases l WHERE l.id = s.feed_id) ORDER BY s.due_at, s.feed_id LIMIT ?`,
  )
  const dueSources = db.prepare<[Instant, number], SourceRow>(
    `SELECT * FROM sources s WHERE s.state = 'looking' AND s.due_at <= ?
     AND NOT EXISTS (SELECT 1 FROM source_leases l WHERE l.id = s.id) ORDER BY s.due_at, s.id LIMIT ?`,
  )

  const freeFeed = db.prepare<[FeedId], FeedRow>(
    `SELECT ${FEED_COLUMNS} FROM schedules s JOIN feeds f ON f.id = s.feed_id WHERE s.feed_id = ?
     AND NOT EXISTS (SELECT 1 FROM feed_leases l WHERE l.id = s.feed_id)`,
  )
  const freeSource = db.prepare<[SourceId], SourceRow>(
    `SELECT * FROM sources s WHERE s.id = ? AND s.state = 'looking'
     AND NOT EXISTS (SELECT 1 FROM source_leases l WHERE l.id = s.id)`,
  )

  const noteReason = db.prepare<[string, FeedId]>('UPDATE schedules SET because = ? WHERE feed_id = ?')

  function take(feedRows: FeedRow[], sourceRows: SourceRow[], now: Instant, until: Instant): Taken {
    return {
      feeds: feedRows.map((row) => ({ ...feedOf(row), lease: feeds.lease(row.id, until, now) })),
      sources: sourceRows.map((row) => ({ ...sourceOf(row), lease: sources.lease(row.id, until, now) })),
    }
  }

  return {
    takeDue(now, limit, until) {
      return session.write(() => {
        feeds.endThoseBefore(now)
        sources.endThoseBefore(now)
        const feedRows = dueFeeds.all(now, bounded(limit))
        const sourceRows = dueSources.all(now, bounded(limit))
        return take(feedRows, sourceRows, now, until)
      })
    },

    takeThese(what, now, until) {
      return session.write(() => {
        feeds.endThoseBefore(now)
        sources.endThoseBefore(now)
        return take(
          [...new Set(what.feeds)].flatMap((id) => freeFeed.get(id) ?? []),
          [...new Set(what.sources)].flatMap((id) => freeSource.get(id) ?? []),
          now,
          until,
        )
      })
    },

    leases() {
      return session.read(() => [
        ...feeds.all().map((lease) => ({ kind: 'feed' as const, ...lease })),
        ...sources.all().map((lease) => ({ kind: 'source' as const, ...lease })),
      ])
    },

    handBack(items) {
      return session.write(() => {
        for (const item of items) {
          const isBack = item.kind === 'feed' ? feeds.handBack(item) : sources.handBack(item)
          if (isBack && item.kind === 'feed' && item.because && item.dueAt !== undefined)
            noteReason.run(JSON.stringify(item.because), item.id)
        }
      })
    },

    nextPollAt() {
      return session.read(() => {
        const next = Math.min(feeds.nextPollAt(), sources.nextPollAt())
        return Number.isFinite(next) ? next : undefined
      })
    },
  }
}

/** The same statements for both: `table` has due dates by `key`, which count only in that `state`. */
function leasing<Id extends number>(
  { db }: SqliteSession,
  newToken: NewToken,
  table: string,
  key: string,
  state: string,
  leases: string,
) {
  const lease = db.prepare(`INSERT INTO ${leases} (id, token, until, taken_at) VALUES (?, ?, ?, ?)`)
  const all = db.prepare<[], { id: Id; lease: LeaseToken; takenAt: Instant }>(
    `SELECT id, token AS lease, taken_at AS takenAt FROM ${leases} ORDER BY id`,
  )
  const tokenOf = db.prepare<[Id], LeaseToken>(`SELECT token FROM ${leases} WHERE id = ?`).pluck()
  const end = db.prepare(`DELETE FROM ${leases} WHERE id = ?`)
  const endThoseBefore = db.prepare(`DELETE FROM ${leases} WHERE until <= ?`)
  const postpone = db.prepare(`UPDATE ${table} SET due_at = ? WHERE ${key} = ?`)
  const nextFree = db
    .prepare<[], Instant>(
      `SELECT due_at FROM ${table} t WHERE state = '${state}'
       AND NOT EXISTS (SELECT 1 FROM ${leases} l WHERE l.id = t.${key}) ORDER BY due_at LIMIT 1`,
    )
    .pluck()
  // CROSS JOIN is how SQLite is told to go through the leases, not through all feeds.
  const leased = db.prepare<[], { until: Instant; due_at: Instant }>(
    `SELECT l.until, t.due_at FROM ${leases} l CROSS JOIN ${table} t ON t.${key} = l.id WHERE t.state = '${state}'
     ORDER BY l.until`,
  )

  return {
    lease(id: Id, until: Instant, now: Instant): LeaseToken {
      const token = newToken()
      lease.run(id, token, until, now)
      return token
    },
    all: () => all.all(),
    endThoseBefore: (now: Instant) => endThoseBefore.run(now),

    /** Whether it was under that lease. */
    handBack({ id, lease, dueAt }: { id: Id; lease?: LeaseToken; dueAt?: Instant }): boolean {
      if (lease !== undefined && tokenOf.get(id) !== lease) return false
      end.run(id)
      if (dueAt !== undefined) postpone.run(dueAt, id)
      return true
    },

    nextPollAt(): Instant {
      let next = nextFree.get() ?? Number.POSITIVE_INFINITY
      for (const { until, due_at } of leased.iterate()) {
        if (until >= next) break // what is leased for longer cannot be due earlier
        next = Math.min(next, Math.max(until, due_at))
      }
      return next
    },
  }
}
