/** After SIGKILL at any moment, the store has everything it acknowledged, nothing twice, and nothing partial. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import Database from 'better-sqlite3'
import { afterAll, expect, it } from 'vitest'
import { all, START } from '../../ports/store-samples.contract.ts'
import { openSqliteStore } from './index.ts'

const folder = mkdtempSync(join(tmpdir(), 'freshet-'))
const file = join(folder, 'store.db')
afterAll(() => rmSync(folder, { recursive: true }))

const WRITER = fileURLToPath(new URL('./crash-writer.fixture.ts', import.meta.url))
const FEEDS = 20
const QUIET_FEEDS = 5
const ENTRIES_PER_BATCH = 60

it('loses nothing in twenty crashes', { timeout: 300_000 }, async () => {
  let batches = 0
  for (let death = 0; death < 20; death++) {
    const acknowledged = await writeAndDie(batches)
    expect(acknowledged).toBeGreaterThan(0)
    batches = await expectWhole(batches + acknowledged)
  }
})

/** Returns the number of acknowledged batches. */
async function writeAndDie(first: number): Promise<number> {
  const writer = spawn(process.execPath, [WRITER, file, String(first)], { stdio: ['ignore', 'pipe', 'inherit'] })
  let output = ''
  writer.stdout.on('data', (data) => {
    if (output === '') setTimeout(() => writer.kill('SIGKILL'), Math.random() * 60)
    output += data
  })
  await once(writer, 'close')
  const numbers = output.split('\n').slice(0, -1).map(Number)
  expect(numbers).toEqual(numbers.map((_, i) => first + i))
  return numbers.length
}

/** Returns the number of stored batches: those that were acknowledged, and possibly one that was not. */
async function expectWhole(acknowledged: number): Promise<number> {
  const { store } = openSqliteStore({ file, mode: 'write', now: () => START })
  const { entries, polls, feeds, unpolled } = await store.counts()
  const db = new Database(file, { readonly: true })
  const ask = (sql: string) => db.prepare(sql).raw().all()
  expect(ask('PRAGMA integrity_check')).toEqual([['ok']])
  const batches = polls / (FEEDS + QUIET_FEEDS)
  expect(batches - acknowledged).toBeOneOf([0, 1])
  expect({ entries, feeds, unpolled }).toEqual({
    entries: batches * ENTRIES_PER_BATCH,
    feeds: { active: FEEDS + QUIET_FEEDS, paused: 0, gone: 0 },
    unpolled: 0,
  })
  expect(ask(`SELECT count(*), count(DISTINCT feed_id || '/' || key) FROM entries`)).toEqual([[entries, entries]])
  for await (const { feed } of store.everyFeed()) {
    const dates = (await all(store.everyPoll({ feedId: feed.id }))).map(({ at }) => at)
    expect(dates).toEqual(dates.map((_, i) => START + i))
    expect(dates).toHaveLength(batches)
  }
  expect(ask('SELECT DISTINCT count(*) FROM entries GROUP BY seen_at')).toEqual([[ENTRIES_PER_BATCH]])
  db.close()
  await store.close()
  return batches
}
