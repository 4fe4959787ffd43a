/** Subscriptions at hubs. All but what is asked for is kept in one JSON text. */
import { bucketOf, type Push } from '../../model/index.ts'
import type { PushMethods } from '../methods.ts'
import { columnNames, insertGiven, type TypedColumn } from './dialect.ts'
import { type PushRow, pushOf } from './push-rows.ts'
import type { SqlSession, SqlTransaction, SqlWork } from './session.ts'
import { atMost } from './values.ts'

const CHUNK = 500

export function pushMethods(session: SqlSession): PushMethods {
  const { dialect } = session
  const columns: TypedColumn[] = [
    'token text',
    'revision integer',
    'feed_id bigint',
    'state text',
    'due_at bigint',
    'facts text',
    ...dialect.bucketColumn,
  ]
  const names = columnNames(columns)
  const insert = `${insertGiven('pushes', 'token', columns)} ON CONFLICT (token) DO NOTHING`
  const assignments = names.slice(2).map((name) => `${name} = g.${name}`)
  const update = `UPDATE pushes SET revision = pushes.revision + 1, ${assignments.join(', ')} FROM given g
    WHERE pushes.token = g.token AND pushes.revision = g.revision`

  function* recordPushes(tx: SqlTransaction, pushes: Push[]): SqlWork<boolean[]> {
    const added = pushes.filter(({ revision }) => revision === undefined)
    const changed = pushes.filter(({ revision }) => revision !== undefined)
    const isAdded = yield* tx.changeEach(insert, 'pushes.token', columns, added.map(columnsOf))
    const isChanged = yield* tx.changeEach(update, 'pushes.token', columns, changed.map(columnsOf))
    return pushes.map(({ revision }) => (revision === undefined ? isAdded.shift()! : isChanged.shift()!))
  }

  return {
    async pushByToken(token) {
      const row = await session.row<PushRow>('SELECT * FROM pushes WHERE token = $1', [token])
      return row && pushOf(row)
    },

    async pushesOf(ids) {
      const rows = await session.rowOfEach<PushRow>(
        "SELECT p.* FROM given g, pushes p WHERE p.feed_id = g.feed_id AND p.state <> 'ending'",
        ['feed_id bigint'],
        ids.map((id) => [id]),
      )
      return rows.map((row) => row && pushOf(row))
    },

    async *everyPush() {
      for (let after = ''; ; ) {
        const rows = await session.rows<PushRow>(
          "SELECT * FROM pushes WHERE token > $1 AND state <> 'ending' ORDER BY token LIMIT $2",
          [after, CHUNK],
        )
        yield* rows.map(pushOf)
        const last = rows.at(-1)
        if (!last || rows.length < CHUNK) return
        after = last.token
      }
    },

    async duePushes(now, limit, owned) {
      const mine = dialect.owned(owned, 3)
      const rows = await session.rows<PushRow>(
        `SELECT * FROM pushes WHERE due_at <= $1 AND ${mine.sql} ORDER BY due_at, token LIMIT $2`,
        [now, atMost(limit), ...mine.values],
      )
      return rows.map(pushOf)
    },

    async nextHubAt(owned) {
      const mine = dialect.owned(owned, 1)
      const row = await session.row<PushRow>(
        `SELECT due_at FROM pushes WHERE ${mine.sql} ORDER BY due_at, token LIMIT 1`,
        mine.values,
      )
      return row?.due_at
    },

    recordPushes: (pushes) => session.write((tx) => recordPushes(tx, pushes)),

    dropPushes(pushes) {
      return session.write((tx) =>
        tx.changeEach(
          'DELETE FROM pushes USING given g WHERE pushes.token = g.token AND pushes.revision = g.revision',
          'pushes.token',
          ['token text', 'revision integer'],
          pushes.map(({ token, revision = null }) => [token, revision]),
        ),
      )
    },
  }
}

function columnsOf(push: Push): unknown[] {
  const { token, revision, feedId, state, dueAt, ...facts } = push
  return [token, revision ?? 0, feedId, state, dueAt, JSON.stringify(facts), bucketOfPush(push)]
}

/** Old ones do not know their hub's root: its name is as good. */
function bucketOfPush({ bucket, hub }: Push): number {
  return bucket ?? bucketOf(new URL(hub).hostname)
}
