/** Another process that locks the file, such as a backup. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { afterAll, expect, it } from 'vitest'
import { newFeed, START } from '../../ports/store-samples.contract.ts'
import { openSqliteStore } from './index.ts'

const folder = mkdtempSync(join(tmpdir(), 'freshet-'))
afterAll(() => rmSync(folder, { recursive: true }))

function opened(name: string) {
  const file = join(folder, name)
  const { store } = openSqliteStore({ file, mode: 'write', now: () => START })
  const neighbour = new Database(file)
  return { store, neighbour }
}

it('waits for a lock without blocking the event loop, and then writes in order of arrival', async () => {
  const { store, neighbour } = opened('waits.db')
  neighbour.exec('BEGIN IMMEDIATE')
  const done: string[] = []
  const first = store.addFeeds([newFeed('a')]).then(() => done.push('a'))
  const second = store.addFeeds([newFeed('b')]).then(() => done.push('b'))
  let turns = 0
  for (; turns < 20; turns++) await new Promise((resolve) => setTimeout(resolve, 1))
  expect({ turns, done }).toEqual({ turns: 20, done: [] })
  expect((await store.counts()).feeds.active).toBe(0)

  neighbour.exec('ROLLBACK')
  await Promise.all([first, second])
  expect(done).toEqual(['a', 'b'])
  expect((await store.feeds({ order: 'id', limit: 9 })).map(({ feed }) => feed.title)).toEqual(['a', 'b'])
  neighbour.close()
  await store.close()
})

it('fails with a transient error after a while, and works again when the lock is released', async () => {
  const { store, neighbour } = opened('gives-up.db')
  neighbour.exec('BEGIN IMMEDIATE')
  await expect(store.addFeeds([newFeed('a')])).rejects.toMatchObject({
    name: 'StoreError',
    kind: 'in-use',
    isTransient: true,
  })
  neighbour.exec('ROLLBACK')
  expect(await store.addFeeds([newFeed('a')])).toMatchObject([{ added: true }])
  neighbour.close()
  await store.close()
})
