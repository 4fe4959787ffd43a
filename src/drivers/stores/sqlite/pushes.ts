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
  const add = db.prepare('INSERT OR IGNORE INTO pushes (token, feed_id, state, due_at, facts) VALUES (?, ?, ?, ?, ?)')
  const change = db.prepare(
    `UPDATE pushes SET revision = revision + 1, feed_id = ?, state = ?, due_at = ?, facts = ?
     WHERE token = ? AND revision = ?`,
  )
  const drop = db.prepare('DELETE FROM pushes WHERE token = ? AND revision = ?')

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
        return pushes.map(({ token, revision, feedId, state, dueAt, ...facts }) => {
          const columns = [feedId, state, dueAt, JSON.stringify(facts)]
          const { changes } =
            revision === undefined ? add.run(token, ...columns) : change.run(...columns, token, revision)
          return changes > 0
        })
      })
    },
    dropPushes(pushes) {
      return session.write(() => pushes.map(({ token, revision }) => drop.run(token, revision).changes > 0))
    },
  }
}

function pushIfAny(row: PushRow | undefined): Push | undefined {
  return row && pushOf(row)
}
