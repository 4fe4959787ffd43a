/** Shapes of the store, old and new. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { DAY, type FeedId } from '../../../model/index.ts'
import { draft, newFeed, record, START } from '../../../ports/store-samples.contract.ts'
import { openSqliteStore } from './index.ts'
import { readMigrations } from './migrate.ts'

let folder: string
let file: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'freshet-'))
  file = join(folder, 'store.db')
})

afterEach(() => rmSync(folder, { recursive: true }))

const open = (migrations?: string[]) =>
  openSqliteStore({ file, mode: 'write', now: () => START, ...(migrations && { migrations }) }).store

function shape(): unknown {
  const db = new Database(file, { readonly: true })
  try {
    return db.pragma('user_version', { simple: true })
  } finally {
    db.close()
  }
}

it('brings an older store to the newest shape and keeps what is in it', async () => {
  const store = open()
  await store.addFeeds([newFeed('a')])
  await store.close()
  const newest = readMigrations().length

  const later = [...readMigrations(), 'ALTER TABLE feeds ADD COLUMN mood TEXT', "UPDATE feeds SET mood = 'fine'"]
  const again = open(later)
  expect((await again.counts()).feeds.active).toBe(1)
  await again.close()
  expect(shape()).toBe(newest + 2)
})

it('leaves the file as it was when a migration breaks', async () => {
  const store = open()
  await store.addFeeds([newFeed('a')])
  await store.close()
  const before = readFileSync(file)

  const broken = 'CREATE TABLE half (x); INSERT INTO half VALUES (1); DROP TABLE feeds; SELECT nonsense FROM nowhere;'
  expect(() => open([...readMigrations(), broken])).toThrow(/shape \d+; it was left as it is/)
  expect(readFileSync(file)).toEqual(before)

  const again = open() // and nobody holds the lock
  expect((await again.counts()).feeds.active).toBe(1)
  await again.close()
})

it('keeps the migrations that went well before one that broke', async () => {
  await open().close()
  const newest = readMigrations().length
  expect(() => open([...readMigrations(), 'CREATE TABLE fine (x)', 'nonsense'])).toThrow(`shape ${newest + 2}`)
  expect(shape()).toBe(newest + 1)
})

it('can be opened after the very first migration broke', async () => {
  expect(() => open(['CREATE TABLE half (x); nonsense'])).toThrow(/shape 1/)
  const store = open()
  expect((await store.addFeeds([newFeed('a')]))[0]?.added).toBe(true)
  await store.close()
})

it('knows of an older store what each feed brought in its last days', async () => {
  const store = open()
  const [{ id } = { id: 0 as FeedId }] = await store.addFeeds([newFeed('a')])
  await store.recordPolls([record(id, START, { fresh: [draft('x'), draft('y')] })])
  await store.recordPolls([record(id, START + 5 * DAY, { fresh: [draft('z')] })])
  await store.close()
  const filling = readMigrations().find((sql) => sql.includes('CREATE TABLE feed_hours'))!
  const undone = `DROP TABLE feed_hours; DROP INDEX robots_by_root;
    ALTER TABLE robots DROP COLUMN root; ALTER TABLE robots DROP COLUMN bytes;`
  const again = open([...readMigrations(), undone + filling])
  expect(await again.newEntries([id], 0)).toEqual([1])
  await again.close()
})
