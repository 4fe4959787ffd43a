/** Saved searches, outgoing feeds and webhooks. */
import {
  type FeedOutId,
  type Instant,
  MINUTE,
  type SavedSearchId,
  type UserId,
  type WebhookId,
} from '../../model/index.ts'
import type { SharedKind, Sharing } from '../../ports/index.ts'
import { sharingByKind } from '../methods.ts'
import { jsonOrNull } from './rows.ts'
import type { SqlSession, SqlTransaction, SqlWork } from './session.ts'
import {
  type FeedOutRow,
  feedOutColumns,
  feedOutOfRow,
  type SavedSearchRow,
  savedSearchOf,
  type WebhookRow,
  webhookOf,
  withChange,
} from './sharing-rows.ts'
import { foldedName } from './user-rows.ts'
import { atMost } from './values.ts'

const TABLES = { search: 'saved_searches', feedOut: 'outgoing_feeds', webhook: 'webhooks' } as const

type Table = (typeof TABLES)[SharedKind]

const USER_EXISTS = 'user_id IN (SELECT id FROM users)'

export function sharingMethods({ dialect, ...session }: SqlSession): Sharing {
  const userRows = <Row>(table: Table, userId: UserId) =>
    session.rows<Row>(`SELECT * FROM ${table} WHERE user_id = $1 AND ${USER_EXISTS} ORDER BY id`, [userId])

  function locked<Row>(tx: SqlTransaction, table: Table, userId: UserId, id: number): SqlWork<Row | undefined> {
    const sql = `SELECT * FROM ${table} WHERE user_id = $1 AND id = $2 ${dialect.forUpdate}`
    return tx.row<Row>(sql, [userId, id])
  }

  function* remove(tx: SqlTransaction, table: Table, userId: UserId, id: number): SqlWork<boolean> {
    const deletedCount = yield* tx.run(`DELETE FROM ${table} WHERE user_id = $1 AND id = $2`, [userId, id])
    if (deletedCount > 0 && table === 'saved_searches')
      for (const dependentTable of ['outgoing_feeds', 'webhooks'])
        yield* tx.run(`DELETE FROM ${dependentTable} WHERE search_id = $1`, [id])
    return deletedCount > 0
  }

  const byKind = sharingByKind({
    search: {
      list: async (userId) => (await userRows<SavedSearchRow>('saved_searches', userId)).map(savedSearchOf),

      add({ userId, name, query, order = null, unique = null, addedAt }) {
        return session.insert<SavedSearchId>(
          `INSERT INTO saved_searches (user_id, name, folded_name, query, found_by, unique_level, added_at)
           VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT DO NOTHING`,
          [userId, name, foldedName(name), query, order, unique, addedAt],
        )
      },

      change(userId, id, change) {
        return session.write(function* (tx) {
          const row = yield* locked<SavedSearchRow>(tx, 'saved_searches', userId, id)
          if (!row) return false
          const { name, query, order = null, unique = null } = withChange(savedSearchOf(row), change)
          const changed = yield* tx.run(
            `UPDATE saved_searches SET name = $2, folded_name = $3, query = $4, found_by = $5, unique_level = $6 WHERE id = $1
             AND NOT EXISTS (SELECT 1 FROM saved_searches s WHERE s.user_id = $7 AND s.folded_name = $3 AND s.id <> $1)`,
            [id, name, foldedName(name), query, order, unique, userId],
          )
          return changed > 0
        })
      },
    },

    feedOut: {
      list: async (userId) =>
        (await userRows<FeedOutRow>('outgoing_feeds', userId)).flatMap((row) => feedOutOfRow(row) ?? []),

      async add(feedOut) {
        const id = await session.insert<FeedOutId>(
          `INSERT INTO outgoing_feeds (name, what, feed_id, search_id, text, unique_level, key, user_id, added_at)
           VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
          [...feedOutColumns(feedOut), feedOut.userId, feedOut.addedAt],
        )
        return id!
      },

      change(userId, id, change) {
        return session.write(function* (tx) {
          const row = yield* locked<FeedOutRow>(tx, 'outgoing_feeds', userId, id)
          const old = row && feedOutOfRow(row)
          if (!old) return false
          const changed = yield* tx.run(
            `UPDATE outgoing_feeds SET name = $1, what = $2, feed_id = $3, search_id = $4, text = $5, unique_level = $6, key = $7
             WHERE id = $8`,
            [...feedOutColumns(withChange(old, change)), id],
          )
          return changed > 0
        })
      },
    },

    webhook: {
      list: async (userId) => (await userRows<WebhookRow>('webhooks', userId)).map(webhookOf),

      async add({ name, url, secret, searchId, state, dueAt, userId, addedAt, cursor }) {
        const id = await session.insert<WebhookId>(
          `INSERT INTO webhooks (name, url, secret, search_id, state, due_at, failures, user_id, added_at, cursor)
           VALUES ($1, $2, $3, $4, $5, $6, 0, $7, $8, $9)`,
          [name, url, secret, searchId, state, dueAt, userId, addedAt, cursor],
        )
        return id!
      },

      change(userId, id, change) {
        return session.write(function* (tx) {
          const row = yield* locked<WebhookRow>(tx, 'webhooks', userId, id)
          if (!row) return false
          const { name, url, secret, searchId, state, dueAt, failures } = withChange(webhookOf(row), change)
          const changed = yield* tx.run(
            `UPDATE webhooks SET name = $1, url = $2, secret = $3, search_id = $4, state = $5, due_at = $6, failures = $7
             WHERE id = $8`,
            [name, url, secret, searchId, state, dueAt, failures, id],
          )
          return changed > 0
        })
      },
    },
  })

  return {
    ...byKind,

    removeSharedItem: (kind, userId, id) => session.write((tx) => remove(tx, TABLES[kind], userId, id)),

    async feedOutByKey(key, now) {
      const row = await session.row<FeedOutRow>(`SELECT * FROM outgoing_feeds WHERE key = $1 AND ${USER_EXISTS}`, [key])
      const found = row && feedOutOfRow(row)
      if (found && now - (found.usedAt ?? 0) >= MINUTE)
        await session.run('UPDATE outgoing_feeds SET used_at = $1 WHERE id = $2', [now, found.id])
      return found
    },

    async dueWebhooks(now, limit) {
      const rows = await session.rows<WebhookRow>(
        `SELECT * FROM webhooks WHERE state = 'active' AND due_at <= $1 AND ${USER_EXISTS} ORDER BY due_at, id LIMIT $2`,
        [now, atMost(limit)],
      )
      return rows.map(webhookOf)
    },

    async nextWebhookAt() {
      const row = await session.row<{ at: Instant | null }>(
        `SELECT min(due_at) AS at FROM webhooks WHERE state = 'active' AND ${USER_EXISTS}`,
      )
      return row?.at ?? undefined
    },

    async recordDelivery(id, { state, dueAt, cursor, failures, last }) {
      const changed = await session.run(
        `UPDATE webhooks SET state = CASE state WHEN 'paused' THEN state ELSE $2 END, due_at = $3, cursor = $4, failures = $5,
         last = coalesce($6, last) WHERE id = $1`,
        [id, state, dueAt, cursor, failures, jsonOrNull(last)],
      )
      return changed > 0
    },
  }
}
