/** Runs the store, search and migration contracts against SQLite. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { afterAll, expect, it } from 'vitest'
import type { FeedId } from '../../model/index.ts'
import { searchContract } from '../../ports/search.contract.ts'
import { storeContract } from '../../ports/store.contract.ts'
import { migrationContract } from '../../ports/store-migration.contract.ts'
import { draft, newFeed, record, START } from '../../ports/store-samples.contract.ts'
import { openSqliteStore, type SqliteStore } from './index.ts'
import { SINGLE_OWNER } from './single-owner.fixture.ts'

const folder = mkdtempSync(join(tmpdir(), 'freshet-'))
const opened: SqliteStore[] = []
afterAll(async () => {
  for (const { store } of opened) await store.close()
  rmSync(folder, { recursive: true })
})

function open(): SqliteStore {
  const one = openSqliteStore({ file: join(folder, `${opened.length}.db`), mode: 'write', now: () => 0 })
  opened.push(one)
  return one
}

storeContract('sqlite', async () => open().store, { skip: SINGLE_OWNER })
searchContract('sqlite', async () => open().search)
migrationContract('sqlite to sqlite', { from: async () => open(), to: async () => open() })

it('can only be opened by a store migration until the migration into it has finished', async () => {
  const file = join(folder, 'half.db')
  const openHalf = (more: { isMigrating?: boolean; mode?: 'read' } = {}) =>
    openSqliteStore({ file, mode: 'write', now: () => 0, ...more })
  const { store, migration } = openHalf({ isMigrating: true })
  await migration.begin('some.db')
  await store.close()
  expect(() => openHalf()).toThrow('a migration from some.db is unfinished')
  expect(() => openHalf({ mode: 'read' })).toThrow('a migration from some.db is unfinished')
  await openHalf({ isMigrating: true }).store.close()
})

it('continues to delete a removed feed after a crash, and hides it meanwhile', async () => {
  const file = join(folder, 'swept.db')
  const openFile = () => openSqliteStore({ file, mode: 'write', now: () => 0 }).store
  const first = openFile()
  const [{ id } = { id: 0 as FeedId }] = await first.addFeeds([newFeed('large')])
  const fresh = Array.from({ length: 1000 }, (_, i) => draft(`e${i}`))
  await first.recordPolls([record(id, START, { fresh })])
  await first.removeFeed(id)
  await first.sweepRemoved(100)
  await first.close()

  const second = openFile()
  expect(await second.entries({ limit: 9 })).toEqual([])
  expect((await second.counts()).entries).toBe(0)
  let swept = 0
  for (let chunk = 1; chunk > 0; swept += chunk) chunk = await second.sweepRemoved(100)
  expect(swept).toBeGreaterThan(600)
  await second.close()
  const db = new Database(file, { readonly: true })
  const left = ['entries', 'polls', 'forgotten', 'removals'].map((table) => db.prepare(`SELECT * FROM ${table}`).all())
  expect(left).toEqual([[], [], [], []])
  db.close()
})
