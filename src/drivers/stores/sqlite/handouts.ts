/** Saved searches, feeds of people's own, and webhooks. */
import {
  type FeedOutId,
  type Instant,
  MINUTE,
  type PersonId,
  type SavedSearchId,
  type WebhookId,
} from '../../../model/index.ts'
import type { Handouts } from '../../../ports/index.ts'
import {
  type FeedOutRow,
  feedOutColumns,
  feedOutOfRow,
  handoutChanged,
  type SavedSearchRow,
  savedSearchOf,
  type WebhookRow,
  webhookOf,
} from '../sql/handout-rows.ts'
import { foldedName } from '../sql/people-rows.ts'
import { jsonOrNull } from '../sql/rows.ts'
import { bounded, type SqliteSession } from './session.ts'

export function handoutQueries(session: SqliteSession): Handouts {
  const { db } = session
  const own = <Row>(table: string) =>
    db.prepare<[PersonId], Row>(
      `SELECT * FROM ${table} WHERE person_id = ? AND person_id IN (SELECT id FROM people) ORDER BY id`,
    )
  const one = <Row>(table: string) =>
    db.prepare<[PersonId, number], Row>(`SELECT * FROM ${table} WHERE person_id = ? AND id = ?`)
  const drop = (table: string) => db.prepare<[PersonId, number]>(`DELETE FROM ${table} WHERE person_id = ? AND id = ?`)

  const searches = own<SavedSearchRow>('saved_searches')
  const search = one<SavedSearchRow>('saved_searches')
  const addSearch = db.prepare(
    `INSERT INTO saved_searches (person_id, name, folded, query, found_by, unique_level, added_at)
     VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`,
  )
  const changeSearch = db.prepare(
    'UPDATE OR IGNORE saved_searches SET name = ?, folded = ?, query = ?, found_by = ?, unique_level = ? WHERE id = ?',
  )
  const dropSearch = drop('saved_searches')
  const dropOfSearch = ['feeds_out', 'webhooks'].map((table) =>
    db.prepare<[SavedSearchId]>(`DELETE FROM ${table} WHERE search_id = ?`),
  )

  const feedsOut = own<FeedOutRow>('feeds_out')
  const feedOut = one<FeedOutRow>('feeds_out')
  const addFeedOut = db.prepare(
    `INSERT INTO feeds_out (name, what, feed_id, search_id, text, unique_level, key, person_id, added_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  )
  const changeFeedOut = db.prepare(
    'UPDATE feeds_out SET name = ?, what = ?, feed_id = ?, search_id = ?, text = ?, unique_level = ?, key = ? WHERE id = ?',
  )
  const dropFeedOut = drop('feeds_out')
  const withKey = db.prepare<[string], FeedOutRow>(
    'SELECT * FROM feeds_out WHERE key = ? AND person_id IN (SELECT id FROM people)',
  )
  const used = db.prepare('UPDATE feeds_out SET used_at = ? WHERE id = ?')

  const webhooks = own<WebhookRow>('webhooks')
  const webhook = one<WebhookRow>('webhooks')
  const addWebhook = db.prepare(
    `INSERT INTO webhooks (name, url, secret, search_id, state, due_at, failures, person_id, added_at, cursor)
     VALUES (?, ?, ?, ?, ?, ?, 0, ?, ?, ?)`,
  )
  const changeWebhook = db.prepare(
    'UPDATE webhooks SET name = ?, url = ?, secret = ?, search_id = ?, state = ?, due_at = ?, failures = ? WHERE id = ?',
  )
  const dropWebhook = drop('webhooks')
  const due = db.prepare<[Instant, number], WebhookRow>(
    `SELECT * FROM webhooks WHERE state = 'active' AND due_at <= ? AND person_id IN (SELECT id FROM people)
     ORDER BY due_at, id LIMIT ?`,
  )
  const nextAt = db
    .prepare<[], Instant | null>(
      "SELECT min(due_at) FROM webhooks WHERE state = 'active' AND person_id IN (SELECT id FROM people)",
    )
    .pluck()
  const delivered = db.prepare(
    `UPDATE webhooks SET state = CASE state WHEN 'paused' THEN state ELSE ? END, due_at = ?, cursor = ?, failures = ?,
     last = coalesce(?, last) WHERE id = ?`,
  )

  return {
    savedSearches: (personId) => session.read(() => searches.all(personId).map(savedSearchOf)),

    addSavedSearch({ personId, name, query, order = null, unique = null, addedAt }) {
      return session.write(() => {
        const row = addSearch.run(personId, name, foldedName(name), query, order, unique, addedAt)
        return row.changes > 0 ? (Number(row.lastInsertRowid) as SavedSearchId) : undefined
      })
    },

    changeSavedSearch(personId, id, change) {
      return session.write(() => {
        const row = search.get(personId, id)
        if (!row) return false
        const { name, query, order = null, unique = null } = handoutChanged(savedSearchOf(row), change)
        return changeSearch.run(name, foldedName(name), query, order, unique, id).changes > 0
      })
    },

    removeSavedSearch(personId, id) {
      return session.write(() => {
        if (dropSearch.run(personId, id).changes === 0) return false
        for (const statement of dropOfSearch) statement.run(id)
        return true
      })
    },

    feedsOut: (personId) => session.read(() => feedsOut.all(personId).flatMap((row) => feedOutOfRow(row) ?? [])),

    addFeedOut(given) {
      return session.write(() => {
        const { personId, addedAt } = given
        const row = addFeedOut.run(...feedOutColumns(given), personId, addedAt)
        return Number(row.lastInsertRowid) as FeedOutId
      })
    },

    changeFeedOut(personId, id, change) {
      return session.write(() => {
        const row = feedOut.get(personId, id)
        const old = row && feedOutOfRow(row)
        return old ? changeFeedOut.run(...feedOutColumns(handoutChanged(old, change)), id).changes > 0 : false
      })
    },

    removeFeedOut: (personId, id) => session.write(() => dropFeedOut.run(personId, id).changes > 0),

    async feedOutWith(key, now) {
      const found = await session.read(() => {
        const row = withKey.get(key)
        return row && feedOutOfRow(row)
      })
      if (found && now - (found.usedAt ?? 0) >= MINUTE) await session.write(() => void used.run(now, found.id))
      return found
    },

    webhooks: (personId) => session.read(() => webhooks.all(personId).map(webhookOf)),

    addWebhook(given) {
      return session.write(() => {
        const { name, url, secret, searchId, state, dueAt, personId, addedAt, cursor } = given
        const row = addWebhook.run(name, url, secret, searchId, state, dueAt, personId, addedAt, cursor)
        return Number(row.lastInsertRowid) as WebhookId
      })
    },

    changeWebhook(personId, id, change) {
      return session.write(() => {
        const row = webhook.get(personId, id)
        if (!row) return false
        const { name, url, secret, searchId, state, dueAt, failures } = handoutChanged(webhookOf(row), change)
        return changeWebhook.run(name, url, secret, searchId, state, dueAt, failures, id).changes > 0
      })
    },

    removeWebhook: (personId, id) => session.write(() => dropWebhook.run(personId, id).changes > 0),
    dueWebhooks: (now, limit) => session.read(() => due.all(now, bounded(limit)).map(webhookOf)),
    nextWebhookAt: () => session.read(() => nextAt.get() ?? undefined),

    recordDelivery(id, { state, dueAt, cursor, failures, last }) {
      return session.write(() => delivered.run(state, dueAt, cursor, failures, jsonOrNull(last), id).changes > 0)
    },
  }
}
