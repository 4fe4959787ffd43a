/** Users and their credentials. */
import { type CredentialId, type Instant, MINUTE, type User, type UserId } from '../../model/index.ts'
import { MAX_ONE_TIME_VALUES, type Users } from '../../ports/index.ts'
import { CLEAR_PERSONAL_FIELDS } from './personal-fields.ts'
import type { SqlSession, SqlTransaction, SqlWork } from './session.ts'
import { type CredentialRow, credentialOf, foldedName, type UserRow, userOf } from './user-rows.ts'

/** Removes the subscriptions and data of a removed user. */
export type UserRemoved = (tx: SqlTransaction, id: UserId) => SqlWork<void>

interface UserOfCredential {
  user_name: string
  user_scope: User['scope']
  user_added_at: Instant
}

export function userMethods(session: SqlSession, userRemoved: UserRemoved): Users {
  /** Locks all admins until the transaction ends, so if two admins demote each other, the second transaction sees the first. */
  function* isLastAdmin(tx: SqlTransaction, id: UserId): SqlWork<boolean> {
    const admins = yield* tx.rows<{ id: UserId }>(
      `SELECT id FROM users WHERE folded_name <> '' AND scope = 'admin' ORDER BY id ${session.dialect.forUpdate}`,
    )
    return admins.length === 1 && admins[0]?.id === id
  }

  function* changeUserRow(
    tx: SqlTransaction,
    id: UserId,
    { scope, password }: Parameters<Users['changeUser']>[1],
  ): SqlWork<'done' | 'gone' | 'last-admin'> {
    if (scope !== undefined && scope !== 'admin' && (yield* isLastAdmin(tx, id))) return 'last-admin'
    const changed = yield* tx.run(
      "UPDATE users SET scope = coalesce($1, scope), password = coalesce($2, password) WHERE id = $3 AND folded_name <> ''",
      [scope ?? null, password ?? null, id],
    )
    return changed > 0 ? 'done' : 'gone'
  }

  return {
    async firstUser() {
      const row = await session.row<{ id: UserId }>('SELECT id FROM users ORDER BY id LIMIT 1')
      return row!.id
    },

    async allUsers() {
      const rows = await session.rows<UserRow>("SELECT * FROM users WHERE folded_name <> '' ORDER BY id")
      return rows.map(userOf)
    },

    async userByName(name) {
      const row = await session.row<UserRow>("SELECT * FROM users WHERE folded_name = $1 AND folded_name <> ''", [
        foldedName(name),
      ])
      return row && { ...userOf(row), password: row.password }
    },

    addUser({ name, scope, addedAt, password }) {
      return session.write(function* (tx) {
        const columns = [name, foldedName(name), scope, password, addedAt]
        const unnamed = yield* tx.row<{ id: UserId }>(
          `UPDATE users SET name = $1, folded_name = $2, scope = $3, password = $4, added_at = $5 WHERE folded_name = '' RETURNING id`,
          columns,
        )
        if (unnamed) return unnamed.id
        const added = yield* tx.insert<UserId>(
          `INSERT INTO users (name, folded_name, scope, password, added_at) VALUES ($1, $2, $3, $4, $5)
           ON CONFLICT (folded_name) DO NOTHING`,
          columns,
        )
        if (added === undefined) return undefined
        const all = yield* tx.row<{ count: number }>("SELECT count(*) AS count FROM users WHERE folded_name <> ''")
        if (all?.count === 2) for (const sql of CLEAR_PERSONAL_FIELDS) yield* tx.run(sql)
        return added
      })
    },

    changeUser: (id, change) => session.write((tx) => changeUserRow(tx, id, change)),

    removeUser(id) {
      return session.write(function* (tx) {
        if (yield* isLastAdmin(tx, id)) return 'last-admin'
        yield* tx.run('DELETE FROM credentials WHERE user_id = $1', [id])
        if ((yield* tx.run("DELETE FROM users WHERE id = $1 AND folded_name <> ''", [id])) === 0) return 'gone'
        yield* userRemoved(tx, id)
        yield* tx.run(
          `INSERT INTO users (name, folded_name, scope, password, added_at)
           SELECT '', '', 'admin', '', 0 WHERE NOT EXISTS (SELECT 1 FROM users)`, // there is always one user
        )
        return 'done'
      })
    },

    addCredential({ userId, kind, name, scope, addedAt, usedAt, endsAt, method, address }, hash) {
      return session.write(function* (tx) {
        yield* tx.run('DELETE FROM credentials WHERE user_id = $1 AND expires_at <= $2', [userId, addedAt])
        const id = yield* tx.insert<CredentialId>(
          `INSERT INTO credentials (user_id, kind, name, scope, hash, added_at, used_at, expires_at, method, address)
           VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
          [userId, kind, name, scope, hash, addedAt, usedAt ?? null, endsAt ?? null, method ?? null, address ?? null],
        )
        return id!
      })
    },

    async credentialByHash(hash, now) {
      const row = await session.row<CredentialRow & UserOfCredential>(
        `SELECT s.*, p.name AS user_name, p.scope AS user_scope, p.added_at AS user_added_at
         FROM credentials s JOIN users p ON p.id = s.user_id AND p.folded_name <> ''
         WHERE s.hash = $1 AND (s.expires_at IS NULL OR s.expires_at > $2)`,
        [hash, now],
      )
      if (!row) return undefined
      const { user_id: id, user_name: name, user_scope: scope, user_added_at: addedAt } = row
      const result = { credential: credentialOf(row), user: { id, name, scope, addedAt } }
      if (now - (result.credential.usedAt ?? 0) >= MINUTE)
        await session.run('UPDATE credentials SET used_at = $1 WHERE id = $2', [now, result.credential.id])
      return result
    },

    async credentialsOf(id, now) {
      const rows = await session.rows<CredentialRow>(
        'SELECT * FROM credentials WHERE user_id = $1 AND (expires_at IS NULL OR expires_at > $2) ORDER BY id',
        [id, now],
      )
      return rows.map(credentialOf)
    },

    removeCredentials(userId, selection) {
      const [condition, id] =
        'id' in selection ? ['id = $2', selection.id] : ["id <> $2 AND kind <> 'identity'", selection.except ?? 0]
      return session.run(`DELETE FROM credentials WHERE user_id = $1 AND ${condition}`, [userId, id])
    },

    addOneTimeValue({ purpose, hash, value, endsAt }, now) {
      return session.write(function* (tx) {
        yield* tx.run('DELETE FROM one_time_values WHERE purpose = $1 AND expires_at <= $2', [purpose, now])
        const added = yield* tx.run(
          `INSERT INTO one_time_values (purpose, hash, value, expires_at) VALUES ($1, $2, $3, $4)
           ON CONFLICT (purpose, hash) DO NOTHING`,
          [purpose, hash, value, endsAt],
        )
        yield* tx.run(
          `DELETE FROM one_time_values WHERE purpose = $1 AND hash IN
           (SELECT hash FROM one_time_values WHERE purpose = $1 ORDER BY expires_at DESC, hash LIMIT 100 OFFSET $2)`,
          [purpose, MAX_ONE_TIME_VALUES],
        )
        return added > 0
      })
    },

    takeOneTimeValue(purpose, hash, now) {
      return session.write(function* (tx) {
        const taken = yield* tx.row<{ value: string; expires_at: Instant }>(
          'DELETE FROM one_time_values WHERE purpose = $1 AND hash = $2 RETURNING value, expires_at',
          [purpose, hash],
        )
        return taken && taken.expires_at > now ? taken.value : undefined
      })
    },
  }
}
