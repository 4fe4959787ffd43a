/** The SQLite store and its index, held to the contracts. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { afterAll, expect, it } from 'vitest'
import type { FeedId } from '../../model/index.ts'
import { searchContract } from '../../ports/search.contract.ts'
import { storeContract } from '../../ports/store.contract.ts'
import { ferryContract } from '../../ports/store-migration.contract.ts'
import { draft, newFeed, record, START } from '../../ports/store-samples.contract.ts'
import { openSqliteStore, type SqliteStore } from './index.ts'
import { ONE_OWNER } from './one-owner.fixture.ts'

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

storeContract('sqlite', async () => open().store, { skip: ONE_OWNER })
searchContract('sqlite', async () => open().search)
ferryContract('sqlite to sqlite', { from: async () => open(), to: async () => open() })

it('lets nobody open what is half filled, but who fills it', async () => {
  const file = join(folder, 'half.db')
  const openHalf = (more: { ferrying?: boolean; mode?: 'read' } = {}) =>
    openSqliteStore({ file, mode: 'write', now: () => 0, ...more })
  const { store, ferry } = openHalf({ ferrying: true })
  await ferry.begin('some.db')
  await store.close()
  expect(() => openHalf()).toThrow('half filled from some.db')
  expect(() => openHalf({ mode: 'read' })).toThrow('half filled from some.db')
  await openHalf({ ferrying: true }).store.close()
})

it('goes on sweeping after a crash, and shows nothing of the feed meanwhile', async () => {
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
  for (let bite = 1; bite > 0; swept += bite) bite = await second.sweepRemoved(100)
  expect(swept).toBeGreaterThan(600)
  await second.close()
  const db = new Database(file, { readonly: true })
  const left = ['entries', 'polls', 'forgotten', 'removals'].map((table) => db.prepare(`SELECT * FROM ${table}`).all())
  expect(left).toEqual([[], [], [], []])
  db.close()
})
