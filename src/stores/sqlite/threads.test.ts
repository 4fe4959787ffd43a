/** Calls during a crash, a timeout or the end of a thread of the SQLite store. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { afterAll, afterEach, beforeEach, expect, it } from 'vitest'
import { openStoreAt } from '../../app/store-at.ts'
import { address } from '../../model/address.fixture.ts'
import { StoreError } from '../../ports/index.ts'
import { addFeed, newFeed, record, START } from '../../ports/store-samples.contract.ts'
import { BLOCK, CRASH } from './crashing-store-thread.fixture.ts'
import { openSqliteStore } from './index.ts'
import { openThreadedSqliteStore, type ThreadedSqliteStore } from './threaded.ts'

const folder = mkdtempSync(join(tmpdir(), 'freshet-'))
afterAll(() => rmSync(folder, { recursive: true }))

let files = 0
let file = ''
let opened: ThreadedSqliteStore
const threadModule = new URL('./crashing-store-thread.fixture.ts', import.meta.url).href

beforeEach(async () => {
  file = join(folder, `${++files}.db`)
  opened = await openThreadedSqliteStore({ file, now: () => START, threadModule, maxReadMs: 300 })
})
afterEach(() => opened.store.close())

const names = (count: number) => Array.from({ length: count }, (_, i) => `feed-${i}`)

it('keeps all acknowledged writes when the store thread crashes', async () => {
  const { store } = opened
  const writes = names(60).map((name) => store.addFeeds([newFeed(name)]))
  const crash = expect(store.feedAt(address(CRASH))).rejects.toMatchObject({ isTransient: true })
  const later = names(20).map((name) => store.addFeeds([newFeed(`later-${name}`)]))
  const outcomes = await Promise.allSettled([...writes, ...later])
  await crash
  const acknowledged = outcomes.flatMap((one) => (one.status === 'fulfilled' ? one.value.map(({ id }) => id) : []))
  expect(acknowledged.length).toBeGreaterThan(0)
  expect(await store.feedsById(acknowledged)).not.toContain(undefined)
  for (const one of outcomes) if (one.status === 'rejected') expect(one.reason).toMatchObject({ isTransient: true })
  const id = await addFeed(store, 'after')
  expect(await store.recordPolls([record(id, START)])).toEqual(['recorded'])
  expect(opened.threads().find(({ name }) => name === 'store')?.crashes).toBe(1)
})

it('stays the owner of the file while the store thread is started again', async () => {
  await opened.store.feedAt(address(CRASH)).catch(() => {})
  expect(() => openSqliteStore({ file, mode: 'write', now: () => START })).toThrow(StoreError)
  await opened.store.addFeeds([newFeed('a')])
  expect(() => openSqliteStore({ file, mode: 'write', now: () => START })).toThrow('it is in use by')
})

it('answers reads that were queued when the reader crashed, without affecting the crawl', async () => {
  const { store, serving } = opened
  const id = await addFeed(store, 'a')
  const crash = serving.feedAt(address(CRASH))
  const [feeds, written] = await Promise.all([
    serving.feedsById([id]),
    store.addFeeds([newFeed('b')]),
    expect(crash).rejects.toMatchObject({ isTransient: true }),
  ])
  expect(feeds[0]?.feed.url).toBe(newFeed('a').feed.url)
  expect(written).toMatchObject([{ added: true }])
  expect(opened.threads().map(({ name, crashes }) => [name, crashes])).toEqual([
    ['store', 0],
    ['reader', 1],
    ['search', 0],
  ])
})

it('starts a reader for lists, but not for counters', async () => {
  const { serving } = opened
  const running = () => opened.threads().flatMap(({ name, isRunning }) => (isRunning ? [name] : []))
  await Promise.all([serving.counts(), serving.newestEntryId(), serving.allUsers(), serving.nextWebhookAt()])
  expect(running()).toEqual(['store'])
  await serving.feeds({ order: 'id', limit: 1 })
  expect(running()).toEqual(['store', 'reader'])
})

it('searches again after the search thread has crashed', async () => {
  await expect(opened.serving.statistics({} as never)).rejects.toMatchObject({ isTransient: true })
  expect(await opened.search.find({ all: [], none: [] }, 9)).toEqual([])
})

it('times out a read that takes too long, and answers the next', async () => {
  const { serving } = opened
  await serving.counts()
  await expect(serving.feedAt(address(BLOCK))).rejects.toMatchObject({ isTransient: true })
  expect((await serving.counts()).entries).toBe(0)
})

it('lets users read what was just written', async () => {
  const { store, serving } = opened
  for (const name of names(5)) {
    const id = await addFeed(store, name)
    expect((await serving.feedsById([id]))[0]?.feed.url).toBe(newFeed(name).feed.url)
  }
})

it('finishes pending calls before it closes, and releases the file', async () => {
  const { store } = opened
  const writes = names(40).map((name) => store.addFeeds([newFeed(name)]))
  await store.close()
  await Promise.all(writes)
  await expect(store.counts()).rejects.toThrow('closed')
  const again = openSqliteStore({ file, mode: 'write', now: () => START })
  expect((await again.store.counts()).feeds.active).toBe(40)
  await again.store.close()
})

it('refuses a second owner before it starts a thread', async () => {
  await expect(openThreadedSqliteStore({ file, now: () => START })).rejects.toMatchObject({ kind: 'in-use' })
})

it('keeps the WAL short during continuous writes', async () => {
  const { store } = opened
  for (let i = 0; i < 60; i++) await store.addFeeds(names(100).map((name) => newFeed(`${name}-${i}`)))
  const db = new Database(file, { readonly: true })
  const [{ log }] = db.pragma('wal_checkpoint(NOOP)') as [{ log: number }]
  db.close()
  expect(log).toBeLessThan(6000)
})

it('runs in process for short commands', async () => {
  const place = { store: join(folder, 'short.db'), contentStore: '', secretKeyFile: '', forgetSecrets: false }
  const short = await openStoreAt(place, { mode: 'write', now: () => START })
  expect(short.threads).toBeUndefined()
  await short.store.close()
})
