/** Small JSON values of users, by kind and key. */
import type { Instant, UserId } from '../../model/index.ts'
import { USER_VALUE_KINDS, type UserValue, type UserValues } from '../../ports/index.ts'
import type { TypedColumn } from './dialect.ts'
import type { SqlSession } from './session.ts'
import { atMost } from './values.ts'

interface UserValueRow {
  user_id: UserId
  key: string
  value: string
  changed_at: Instant
}

const COLUMNS: TypedColumn[] = ['user_id bigint', 'kind text', 'key text', 'value text', 'changed_at bigint']
const UPSERT = `INSERT INTO user_values (user_id, kind, key, value, changed_at)
  SELECT g.user_id, g.kind, g.key, g.value, g.changed_at FROM given g, users u WHERE u.id = g.user_id
  ON CONFLICT (user_id, kind, key) DO UPDATE SET value = excluded.value, changed_at = excluded.changed_at`
const OF_KIND = 'user_id = $1 AND kind = $2'
const CHUNK = 200

export function userValueMethods({ dialect, ...session }: SqlSession): UserValues {
  return {
    async userValues(userId, kind, { keys, changedBefore, limit }) {
      const values: unknown[] = [userId, kind, atMost(limit)]
      const isAmong = keys ? ` AND ${dialect.isOneOf('key', `$${values.push(keys)}`, 'text')}` : ''
      const isBefore = changedBefore === undefined ? '' : ` AND changed_at < $${values.push(changedBefore)}`
      const rows = await session.rows<UserValueRow>(
        `SELECT * FROM user_values WHERE ${OF_KIND}${isAmong}${isBefore}
         ORDER BY changed_at DESC, key DESC LIMIT $3`,
        values,
      )
      return rows.map(userValueOf)
    },

    putUserValues(userId, kind, changes, at) {
      const last = new Map(changes.map(({ key, value }) => [key, value]))
      const keys = [...last.keys()].sort() // in one order, so that concurrent transactions cannot deadlock
      const removed = keys.filter((key) => last.get(key) === undefined)
      const rows = keys
        .filter((key) => last.get(key) !== undefined)
        .map((key) => [userId, kind, key, JSON.stringify(last.get(key)), at])
      return session.write(function* (tx) {
        if (removed.length > 0)
          yield* tx.run(`DELETE FROM user_values WHERE ${OF_KIND} AND ${dialect.isOneOf('key', '$3', 'text')}`, [
            userId,
            kind,
            removed,
          ])
        if (rows.length === 0) return
        yield* tx.runEach(UPSERT, COLUMNS, rows)
        const counted = yield* tx.row<{ count: number }>(`SELECT count(*) AS count FROM user_values WHERE ${OF_KIND}`, [
          userId,
          kind,
        ])
        const excess = counted!.count - USER_VALUE_KINDS[kind]
        if (excess > 0)
          yield* tx.run(
            `DELETE FROM user_values WHERE ${OF_KIND} AND key IN
             (SELECT key FROM user_values WHERE ${OF_KIND} ORDER BY changed_at, key LIMIT $3)`,
            [userId, kind, excess],
          )
      })
    },

    async *everyUserValue(kind) {
      for (let after: [number, string] = [0, '']; ; ) {
        const rows = await session.rows<UserValueRow>(
          `SELECT * FROM user_values WHERE kind = $1 AND (user_id, key) > ($2, $3) ORDER BY user_id, key LIMIT $4`,
          [kind, ...after, CHUNK],
        )
        for (const row of rows) yield { userId: row.user_id, ...userValueOf(row) }
        const last = rows.at(-1)
        if (!last || rows.length < CHUNK) return
        after = [last.user_id, last.key]
      }
    },
  }
}

function userValueOf({ key, value, changed_at: changedAt }: UserValueRow): UserValue {
  return { key, value: JSON.parse(value) as unknown, changedAt }
}
