/** Migration of a store without subscriptions: folders and titles become those of the first user. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { FeedId, SourceId, UserId } from '../../model/index.ts'
import { all, draft, record, START } from '../../ports/store-samples.contract.ts'
import { openSqliteStore } from './index.ts'
import { migrate, readMigrations } from './migrate.ts'

let folder: string
let file: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'freshet-'))
  file = join(folder, 'old.db')
})
afterEach(() => rmSync(folder, { recursive: true }))

/** Two feeds with three entries, and a site whose feed is being searched. */
function fillOldStore(more = ''): void {
  const migrations = readMigrations()
  const db = new Database(file)
  migrate(
    db,
    file,
    migrations.slice(
      0,
      migrations.findIndex((sql) => sql.includes('CREATE TABLE readings')),
    ),
  )
  const feed = `INSERT INTO feeds (id, url, root, title, folder, subscribers, added_at, haystack) VALUES`
  const schedule = `INSERT INTO schedules (feed_id, state, due_at, failures, strategy, memory) VALUES`
  const entry = `INSERT INTO entries (feed_id, key_hash, sort_at, seen_at, key, title) VALUES`
  db.exec(`
    ${feed} (1, 'https://a.example/', 'a.example', 'A', 'News / Local', 1, 5, ''), (2, 'https://b.example/', 'b.example', '', NULL, 3, 6, '');
    ${schedule} (1, 'active', 0, 0, 'fix', x''), (2, 'active', 0, 0, 'fix', x'');
    ${entry} (1, 1, 1, 1, 'a1', 'a1'), (1, 2, 2, 2, 'a2', 'a2'), (2, 1, 3, 3, 'b1', 'b1');
    INSERT INTO sources (id, url, root, folder, added_at, state, due_at, failures) VALUES (7, 'https://c.example/', 'c.example', 'Sites', 7, 'looking', 0, 0);
    ${more}`)
  db.close()
}

const open = () => openSqliteStore({ file, mode: 'write', now: () => START }).store

it('without accounts, assigns subscriptions to the first account, and marks earlier entries read', async () => {
  fillOldStore()
  const store = open()
  const first = await store.firstUser()
  expect(await store.allUsers()).toEqual([])
  expect(await store.subscriptionsOf(first, { limit: 9 })).toEqual([
    { feedId: 1, title: 'A', folder: 'News / Local', addedAt: 5, unread: 0 },
    { feedId: 2, addedAt: 6, unread: 0 },
  ])
  expect(await store.subscriptionsOf(first, { folder: 'news', limit: 9 })).toHaveLength(1)
  expect(await store.pendingSubscriptions(first, { limit: 9 })).toEqual([
    { sourceId: 7 as SourceId, folder: 'Sites', addedAt: 7 },
  ])
  expect((await store.entriesFor(first, { read: true, limit: 9 })).entries).toHaveLength(3)
  await store.recordPolls([record(2 as FeedId, START, { fresh: [draft('b2')] })])
  expect(await store.readerCounts(first)).toMatchObject({ feeds: 2, unread: 1, starred: 0 })
  const [, b] = await all(store.everyFeed())
  expect(b?.feed).toMatchObject({ subscribers: 3 })
  expect(b?.feed).not.toHaveProperty('listed')
  expect(await store.addUser({ name: 'Ada', scope: 'admin', addedAt: START, password: 'x' })).toBe(first)
  expect(await store.subscriptionsOf(first, { limit: 9 })).toHaveLength(2)
  expect(await store.unfollowedFeeds(9)).toEqual([])
  await store.close()
})

it('with accounts, assigns subscriptions to the first one', async () => {
  fillOldStore(
    "INSERT INTO people (id, name, folded, allows, password, added_at) VALUES (4, 'Ada', 'ada', 'admin', 'x', 1), (5, 'Bob', 'bob', 'write', 'x', 2);",
  )
  const store = open()
  expect(await store.firstUser()).toBe(4)
  expect((await store.allUsers()).map(({ name }) => name)).toEqual(['Ada', 'Bob'])
  expect(await store.subscriptionsOf(4 as UserId, { limit: 9 })).toHaveLength(2)
  expect(await store.subscriptionsOf(5 as UserId, { limit: 9 })).toEqual([])
  await store.close()
})
