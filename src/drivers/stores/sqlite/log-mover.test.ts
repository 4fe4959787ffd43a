/** The log of a store that is written to for long goes into the file, whoever moves it. */
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { addFeed, all, draft, record, START } from '../../../ports/store-samples.contract.ts'
import { createThread, type Thread } from '../../threads/thread.ts'
import { openSqliteStore, WRITING_THREAD } from './index.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'freshet-log-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

const SUMMARY = 'a word or two '.repeat(200)
const PAGE_BYTES = 4096

function openWith(writingThread: Thread) {
  const file = join(folder, 'held.db')
  return { file, ...openSqliteStore({ file, mode: 'write', now: () => START, writingThread }) }
}

/** Megabytes, in many writes. */
async function writeMuch(store: ReturnType<typeof openWith>['store'], rounds: number): Promise<void> {
  const feedId = await addFeed(store, 'a')
  for (let i = 0; i < rounds; i++) {
    const fresh = Array.from({ length: 20 }, (_, j) => draft(`${i} ${j}`, { summary: SUMMARY + i + j }))
    await store.recordPolls([record(feedId, START + i, { fresh })])
    await new Promise((resolve) => setTimeout(resolve, 2))
  }
}

function logOf(file: string): { log: number; checkpointed: number } {
  const db = new Database(file, { readonly: true })
  const [row] = db.pragma('wal_checkpoint(NOOP)') as { log: number; checkpointed: number }[]
  db.close()
  return row!
}

it('a thread moves it while others write', async () => {
  const { file, store } = openWith(createThread(WRITING_THREAD))
  await writeMuch(store, 100)
  await vi.waitFor(() => expect(statSync(file).size).toBeGreaterThan(1000 * PAGE_BYTES), { timeout: 20_000 })
  expect(await all(store.everyEntry({}))).toHaveLength(2000)
  await store.close()
  expect(statSync(file).size).toBeGreaterThan(2000 * SUMMARY.length * 0.5)
})

it('the thread is asked once enough has come, and not again before it has answered', async () => {
  const { promise: answered, resolve: answer } = Promise.withResolvers<{ answer: undefined }>()
  const ask = vi.fn(() => answered)
  const { file, store } = openWith({ ask, close: async () => {} })
  await addFeed(store, 'b')
  expect(ask).not.toHaveBeenCalled()
  await writeMuch(store, 100)
  expect(ask).toHaveBeenCalledExactlyOnceWith({ file })
  answer({ answer: undefined })
  await store.close()
})

it('who writes without a pause lets the thread catch up, so that the log begins anew and SQLite never moves it itself', async () => {
  const { file, store } = openWith(createThread(WRITING_THREAD))
  const feedId = await addFeed(store, 'c')
  const lengths: number[] = []
  for (let i = 0; i < 300; i++) {
    const fresh = Array.from({ length: 50 }, (_, j) => draft(`${i} ${j}`, { summary: SUMMARY + i + j }))
    await store.recordPolls([record(feedId, START + i, { fresh })])
    if (i % 5 === 0) lengths.push(logOf(file).log)
  }
  await store.close()
  expect(Math.max(...lengths)).toBeLessThan(8000)
  expect(lengths.some((length, i) => length < (lengths[i - 1] ?? 0))).toBe(true)
})

it('a thread that does not answer is waited for, and then no more', async () => {
  const ask = vi.fn(() => new Promise<never>(() => {}))
  const { store } = openWith({ ask, close: async () => {} })
  let turns = 0
  const turn = setInterval(() => turns++, 1)
  await writeMuch(store, 250)
  clearInterval(turn)
  expect(turns).toBeGreaterThan(100)
  expect(ask).toHaveBeenCalledOnce()
  expect(await all(store.everyEntry({}))).toHaveLength(5000)
  await store.close()
})

it('without an answer, SQLite itself does it in the end', async () => {
  const { file, store } = openWith({ ask: async () => ({ gaveUp: 'no memory' }), close: async () => {} })
  await writeMuch(store, 500)
  const { log } = logOf(file)
  expect(log).toBeLessThan(9000)
  expect(statSync(file).size).toBeGreaterThan(1000 * PAGE_BYTES)
  await store.close()
})
