/** Subscriptions at hubs. */
import { bucketOf, type Push } from '../../../model/index.ts'
import type { PushMethods } from '../methods.ts'
import { type PushRow, pushOf } from '../sql/push-rows.ts'
import { atMost, inOrder, manyRows } from './columns.ts'
import { ownedSql } from './rows.ts'
import type { PostgresSession } from './session.ts'

const PIECE = 500

export function pushMethods(session: PostgresSession): PushMethods {
  return {
    async pushByToken(token) {
      const [row] = await session.rows<PushRow>('SELECT * FROM pushes WHERE token = $1', [token])
      return row && pushOf(row)
    },

    async pushesOf(ids) {
      const rows = await session.rows<PushRow>(
        "SELECT * FROM pushes WHERE feed_id = ANY ($1::bigint[]) AND state <> 'ending'",
        [ids],
      )
      return inOrder(ids, rows, (row) => row.feed_id, pushOf)
    },

    async *everyPush() {
      for (let after = ''; ; ) {
        const rows = await session.rows<PushRow>(
          "SELECT * FROM pushes WHERE token > $1 AND state <> 'ending' ORDER BY token LIMIT $2",
          [after, PIECE],
        )
        yield* rows.map(pushOf)
        const last = rows.at(-1)
        if (!last || rows.length < PIECE) return
        after = last.token
      }
    },

    async duePushes(now, limit, owned) {
      const mine = ownedSql(owned, 3)
      const rows = await session.rows<PushRow>(
        `SELECT * FROM pushes WHERE due_at <= $1 AND ${mine.sql('bucket')} ORDER BY due_at, token LIMIT $2`,
        [now, atMost(limit), ...mine.values],
      )
      return rows.map(pushOf)
    },

    async nextPushAt(owned) {
      const mine = ownedSql(owned, 1)
      const [row] = await session.rows<{ due_at: number }>(
        `SELECT due_at FROM pushes WHERE ${mine.sql('bucket')} ORDER BY due_at, token LIMIT 1`,
        mine.values,
      )
      return row?.due_at
    },

    recordPushes(pushes) {
      const given = pushes.map((push) => {
        const { token, revision, feedId, state, dueAt, ...facts } = push
        return [token, revision ?? null, feedId, bucketOfPush(push), state, dueAt, JSON.stringify(facts)]
      })
      const { sql, values } = manyRows(
        'g',
        [
          'token text',
          'revision integer',
          'feed_id bigint',
          'bucket smallint',
          'state text',
          'due_at bigint',
          'facts text',
        ],
        given,
      )
      return session.write(async (tx) => {
        const added = await tx.rows<{ token: string }>(
          `INSERT INTO pushes (token, feed_id, bucket, state, due_at, facts)
           SELECT token, feed_id, bucket, state, due_at, facts FROM ${sql} WHERE revision IS NULL ORDER BY token
           ON CONFLICT (token) DO NOTHING RETURNING token`,
          values,
        )
        const changed = await tx.rows<{ token: string }>(
          `UPDATE pushes p SET revision = p.revision + 1, feed_id = g.feed_id, bucket = g.bucket, state = g.state,
           due_at = g.due_at, facts = g.facts
           FROM ${sql} WHERE p.token = g.token AND p.revision = g.revision RETURNING p.token`,
          values,
        )
        const [isAdded, isChanged] = [added, changed].map((rows) => new Set(rows.map(({ token }) => token)))
        return pushes.map(({ token, revision }) => (revision === undefined ? isAdded! : isChanged!).has(token))
      })
    },

    dropPushes(pushes) {
      const { sql, values } = manyRows(
        'g',
        ['token text', 'revision integer'],
        pushes.map(({ token, revision = null }) => [token, revision]),
      )
      return session.write(async (tx) => {
        const rows = await tx.rows<{ token: string }>(
          `DELETE FROM pushes p USING ${sql} WHERE p.token = g.token AND p.revision = g.revision RETURNING p.token`,
          values,
        )
        const dropped = new Set(rows.map(({ token }) => token))
        return pushes.map(({ token }) => dropped.has(token))
      })
    },
  }
}

/** Old ones do not know their hub's root: its name is as good. */
function bucketOfPush({ bucket, hub }: Push): number {
  return bucket ?? bucketOf(new URL(hub).hostname)
}
