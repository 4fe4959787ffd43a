/** What a store of before there were people's own things becomes: folders and titles are the first person's. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { FeedId, PersonId, SourceId } from '../../model/index.ts'
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

/** Two feeds with three entries, and a site whose feed is looked for. */
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

it('without accounts they are those of who becomes the first, and what came before is read', async () => {
  fillOldStore()
  const store = open()
  const first = await store.firstPerson()
  expect(await store.people()).toEqual([])
  expect(await store.readings(first, { limit: 9 })).toEqual([
    { feedId: 1, title: 'A', folder: 'News / Local', addedAt: 5, unread: 0 },
    { feedId: 2, addedAt: 6, unread: 0 },
  ])
  expect(await store.readings(first, { folder: 'news', limit: 9 })).toHaveLength(1)
  expect(await store.waitingReadings(first, { limit: 9 })).toEqual([
    { sourceId: 7 as SourceId, folder: 'Sites', addedAt: 7 },
  ])
  expect((await store.entriesFor(first, { read: true, limit: 9 })).entries).toHaveLength(3)
  await store.recordPolls([record(2 as FeedId, START, { fresh: [draft('b2')] })])
  expect(await store.standing(first)).toMatchObject({ feeds: 2, unread: 1, starred: 0 })
  const [, b] = await all(store.everyFeed())
  expect(b?.feed).toMatchObject({ subscribers: 3 })
  expect(b?.feed).not.toHaveProperty('listed')
  expect(await store.addPerson({ name: 'Ada', allows: 'admin', addedAt: START, password: 'x' })).toBe(first)
  expect(await store.readings(first, { limit: 9 })).toHaveLength(2)
  expect(await store.unwanted(9)).toEqual([])
  await store.close()
})

it('with accounts they are the first one’s', async () => {
  fillOldStore(
    "INSERT INTO people (id, name, folded, allows, password, added_at) VALUES (4, 'Ada', 'ada', 'admin', 'x', 1), (5, 'Bob', 'bob', 'write', 'x', 2);",
  )
  const store = open()
  expect(await store.firstPerson()).toBe(4)
  expect((await store.people()).map(({ name }) => name)).toEqual(['Ada', 'Bob'])
  expect(await store.readings(4 as PersonId, { limit: 9 })).toHaveLength(2)
  expect(await store.readings(5 as PersonId, { limit: 9 })).toEqual([])
  await store.close()
})
