/** Subscriptions at hubs. All but what is asked for stands in one JSON text. */
import type { FeedId, Instant, Push } from '../../../model/index.ts'
import type { PushMethods } from '../methods.ts'
import { type PushRow, pushOf } from '../sql/push-rows.ts'
import { bounded, type SqliteSession } from './session.ts'

const PIECE = 500 // some milliseconds

export function pushQueries(session: SqliteSession): PushMethods {
  const { db } = session
  const byToken = db.prepare<[string], PushRow>('SELECT * FROM pushes WHERE token = ?')
  const ofFeed = db.prepare<[FeedId], PushRow>("SELECT * FROM pushes WHERE feed_id = ? AND state <> 'ending'")
  const afterToken = db.prepare<[string, number], PushRow>(
    "SELECT * FROM pushes WHERE token > ? AND state <> 'ending' ORDER BY token LIMIT ?",
  )
  const due = db.prepare<[Instant, number], PushRow>(
    'SELECT * FROM pushes WHERE due_at <= ? ORDER BY due_at, token LIMIT ?',
  )
  const next = db.prepare<[], Instant>('SELECT due_at FROM pushes ORDER BY due_at LIMIT 1').pluck()
  const keep = db.prepare('INSERT OR REPLACE INTO pushes (token, feed_id, state, due_at, facts) VALUES (?, ?, ?, ?, ?)')
  const drop = db.prepare('DELETE FROM pushes WHERE token = ?')

  return {
    pushByToken(token) {
      return session.read(() => pushIfAny(byToken.get(token)))
    },
    pushesOf(ids) {
      return session.read(() => ids.map((id) => pushIfAny(ofFeed.get(id))))
    },
    async *everyPush() {
      for (let after = ''; ; ) {
        const rows = await session.read(() => afterToken.all(after, PIECE))
        yield* rows.map(pushOf)
        const last = rows.at(-1)
        if (!last || rows.length < PIECE) return
        after = last.token
      }
    },
    duePushes(now, limit) {
      return session.read(() => due.all(now, bounded(limit)).map(pushOf))
    },
    nextPushAt() {
      return session.read(() => next.get())
    },
    recordPushes(pushes) {
      return session.write(() => {
        for (const { token, feedId, state, dueAt, ...facts } of pushes)
          keep.run(token, feedId, state, dueAt, JSON.stringify(facts))
      })
    },
    dropPushes(tokens) {
      return session.write(() => {
        for (const token of tokens) drop.run(token)
      })
    },
  }
}

function pushIfAny(row: PushRow | undefined): Push | undefined {
  return row && pushOf(row)
}
