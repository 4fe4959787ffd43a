/** Saved searches, feeds of people's own, and webhooks. */
import {
  type FeedOutId,
  type Instant,
  MINUTE,
  type PersonId,
  type SavedSearchId,
  type WebhookId,
} from '../../model/index.ts'
import type { Handout, Handouts } from '../../ports/index.ts'
import {
  type FeedOutRow,
  feedOutColumns,
  feedOutOfRow,
  handoutChanged,
  type SavedSearchRow,
  savedSearchOf,
  type WebhookRow,
  webhookOf,
} from './handout-rows.ts'
import { foldedName } from './people-rows.ts'
import { jsonOrNull } from './rows.ts'
import type { SqlSession, SqlTransaction, SqlWork } from './session.ts'
import { atMost } from './values.ts'

type Table = 'saved_searches' | 'feeds_out' | 'webhooks'

const WITH_PERSON = 'person_id IN (SELECT id FROM people)'

export function handoutMethods({ dialect, ...session }: SqlSession): Handouts {
  const own = <Row>(table: Table, personId: PersonId) =>
    session.rows<Row>(`SELECT * FROM ${table} WHERE person_id = $1 AND ${WITH_PERSON} ORDER BY id`, [personId])

  function locked<Row>(tx: SqlTransaction, table: Table, personId: PersonId, id: number): SqlWork<Row | undefined> {
    const sql = `SELECT * FROM ${table} WHERE person_id = $1 AND id = $2 ${dialect.forUpdate}`
    return tx.row<Row>(sql, [personId, id])
  }

  function* remove(tx: SqlTransaction, personId: PersonId, what: Handout): SqlWork<boolean> {
    const [table, id] = placeOf(what)
    const gone = yield* tx.run(`DELETE FROM ${table} WHERE person_id = $1 AND id = $2`, [personId, id])
    if (gone > 0 && table === 'saved_searches')
      for (const made of ['feeds_out', 'webhooks']) yield* tx.run(`DELETE FROM ${made} WHERE search_id = $1`, [id])
    return gone > 0
  }

  return {
    removeHandout: (personId, what) => session.write((tx) => remove(tx, personId, what)),

    savedSearches: async (personId) => (await own<SavedSearchRow>('saved_searches', personId)).map(savedSearchOf),

    addSavedSearch({ personId, name, query, order = null, unique = null, addedAt }) {
      return session.insert<SavedSearchId>(
        `INSERT INTO saved_searches (person_id, name, folded, query, found_by, unique_level, added_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT DO NOTHING`,
        [personId, name, foldedName(name), query, order, unique, addedAt],
      )
    },

    changeSavedSearch(personId, id, change) {
      return session.write(function* (tx) {
        const row = yield* locked<SavedSearchRow>(tx, 'saved_searches', personId, id)
        if (!row) return false
        const { name, query, order = null, unique = null } = handoutChanged(savedSearchOf(row), change)
        const changed = yield* tx.run(
          `UPDATE saved_searches SET name = $2, folded = $3, query = $4, found_by = $5, unique_level = $6 WHERE id = $1
           AND NOT EXISTS (SELECT 1 FROM saved_searches s WHERE s.person_id = $7 AND s.folded = $3 AND s.id <> $1)`,
          [id, name, foldedName(name), query, order, unique, personId],
        )
        return changed > 0
      })
    },

    feedsOut: async (personId) =>
      (await own<FeedOutRow>('feeds_out', personId)).flatMap((row) => feedOutOfRow(row) ?? []),

    async addFeedOut(given) {
      const id = await session.insert<FeedOutId>(
        `INSERT INTO feeds_out (name, what, feed_id, search_id, text, unique_level, key, person_id, added_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
        [...feedOutColumns(given), given.personId, given.addedAt],
      )
      return id!
    },

    changeFeedOut(personId, id, change) {
      return session.write(function* (tx) {
        const row = yield* locked<FeedOutRow>(tx, 'feeds_out', personId, id)
        const old = row && feedOutOfRow(row)
        if (!old) return false
        const changed = yield* tx.run(
          `UPDATE feeds_out SET name = $1, what = $2, feed_id = $3, search_id = $4, text = $5, unique_level = $6, key = $7
           WHERE id = $8`,
          [...feedOutColumns(handoutChanged(old, change)), id],
        )
        return changed > 0
      })
    },

    async feedOutWith(key, now) {
      const row = await session.row<FeedOutRow>(`SELECT * FROM feeds_out WHERE key = $1 AND ${WITH_PERSON}`, [key])
      const found = row && feedOutOfRow(row)
      if (found && now - (found.usedAt ?? 0) >= MINUTE)
        await session.run('UPDATE feeds_out SET used_at = $1 WHERE id = $2', [now, found.id])
      return found
    },

    webhooks: async (personId) => (await own<WebhookRow>('webhooks', personId)).map(webhookOf),

    async addWebhook({ name, url, secret, searchId, state, dueAt, personId, addedAt, cursor }) {
      const id = await session.insert<WebhookId>(
        `INSERT INTO webhooks (name, url, secret, search_id, state, due_at, failures, person_id, added_at, cursor)
         VALUES ($1, $2, $3, $4, $5, $6, 0, $7, $8, $9)`,
        [name, url, secret, searchId, state, dueAt, personId, addedAt, cursor],
      )
      return id!
    },

    changeWebhook(personId, id, change) {
      return session.write(function* (tx) {
        const row = yield* locked<WebhookRow>(tx, 'webhooks', personId, id)
        if (!row) return false
        const { name, url, secret, searchId, state, dueAt, failures } = handoutChanged(webhookOf(row), change)
        const changed = yield* tx.run(
          `UPDATE webhooks SET name = $1, url = $2, secret = $3, search_id = $4, state = $5, due_at = $6, failures = $7
           WHERE id = $8`,
          [name, url, secret, searchId, state, dueAt, failures, id],
        )
        return changed > 0
      })
    },

    async dueWebhooks(now, limit) {
      const rows = await session.rows<WebhookRow>(
        `SELECT * FROM webhooks WHERE state = 'active' AND due_at <= $1 AND ${WITH_PERSON} ORDER BY due_at, id LIMIT $2`,
        [now, atMost(limit)],
      )
      return rows.map(webhookOf)
    },

    async nextWebhookAt() {
      const row = await session.row<{ at: Instant | null }>(
        `SELECT min(due_at) AS at FROM webhooks WHERE state = 'active' AND ${WITH_PERSON}`,
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

function placeOf(what: Handout): [table: Table, id: number] {
  if ('searchId' in what) return ['saved_searches', what.searchId]
  return 'feedOutId' in what ? ['feeds_out', what.feedOutId] : ['webhooks', what.webhookId]
}
