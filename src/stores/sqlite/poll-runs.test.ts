/** Rows of the poll log, and the log of an older store. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { FeedId } from '../../model/index.ts'
import { MAX_POLLS_IN_RUN } from '../../ports/index.ts'
import {
  addFeed,
  all,
  draft,
  failedRecord,
  newFeed,
  record,
  START,
  unchangedRecord,
} from '../../ports/store-samples.contract.ts'
import { openSqliteStore } from './index.ts'
import { migrate, readMigrations } from './migrate.ts'
import { expectRecounted } from './recount.fixture.ts'

let folder: string
let file: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'freshet-'))
  file = join(folder, 'store.db')
})
afterEach(() => rmSync(folder, { recursive: true }))

const open = () => openSqliteStore({ file, mode: 'write', now: () => START }).store

function rows(): { times: number; at: number; began_at: number | null }[] {
  const db = new Database(file, { readonly: true })
  try {
    return db
      .prepare<[], { times: number; at: number; began_at: number | null }>(
        `SELECT times, at - ${START} AS at, began_at - ${START} AS began_at FROM polls ORDER BY place`,
      )
      .all()
  } finally {
    db.close()
  }
}

it('writes one row for a run of unchanged polls, and none for a single one', async () => {
  const store = open()
  const feedId = await addFeed(store, 'f')
  let at = 0
  const poll = async (times: number) => {
    for (let i = 0; i < times; i++) await store.recordPolls([unchangedRecord(feedId, START + at++)])
  }
  await poll(5)
  expect(rows()).toEqual([])
  await store.recordPolls([record(feedId, START + at++, { fresh: [draft('x')] })])
  const first = [
    { times: 5, at: 4, began_at: 0 },
    { times: 1, at: 5, began_at: null },
  ]
  expect(rows()).toEqual(first)
  await poll(1)
  await store.recordPolls([failedRecord(feedId, START + at++)])
  expect(rows().slice(2)).toEqual([
    { times: 1, at: 6, began_at: null },
    { times: 1, at: 7, began_at: null },
  ])
  await poll(2 * MAX_POLLS_IN_RUN + 1)
  expect(rows().slice(4)).toEqual([
    { times: MAX_POLLS_IN_RUN, at: 7 + MAX_POLLS_IN_RUN, began_at: 8 },
    { times: MAX_POLLS_IN_RUN, at: 7 + 2 * MAX_POLLS_IN_RUN, began_at: 8 + MAX_POLLS_IN_RUN },
  ])
  expectRecounted(file, await store.counts())
  await store.close()
})

it('keeps acknowledged polls when the store is opened again', async () => {
  const store = open()
  const feedId = await addFeed(store, 'f')
  await store.recordPolls([unchangedRecord(feedId, START), unchangedRecord(feedId, START + 1)])
  await store.close()
  const again = open()
  await again.recordPolls([unchangedRecord(feedId, START + 2)])
  expect((await all(again.everyPoll({}))).map(({ at }) => at - START)).toEqual([0, 1, 2])
  await again.close()
})

it('returns each poll once if it is written to the log during a read', async () => {
  const store = open()
  const feeds = (await store.addFeeds(Array.from({ length: 2500 }, (_, i) => newFeed(`f${i}`)))).map(({ id }) => id)
  await store.recordPolls(feeds.map((id, i) => unchangedRecord(id, START + i)))
  const statistics = store.statistics(START)
  const polls = store.polls({ limit: 9999 })
  await store.recordPolls([feeds[1]!, feeds.at(-1)!].map((id) => failedRecord(id, START + 9999)))
  const counted = (await statistics).polls.count
  expect([2500, 2501, 2502]).toContain(counted)
  const found = (await polls).filter(({ result }) => result.kind === 'not-modified')
  expect(new Set(found.map(({ feedId }) => feedId)).size).toBe(2500)
  expect(found).toHaveLength(2500)
  await store.close()
})

it('continues the log of an older store', async () => {
  const migrations = readMigrations()
  const before = migrations.findIndex((sql) => sql.includes('ADD COLUMN began_at'))
  const db = new Database(file)
  migrate(db, file, migrations.slice(0, before))
  db.exec(`
    INSERT INTO feeds (id, url, root, title, subscribers, added_at, haystack)
      VALUES (1, 'https://a.example/feed', 'a.example', 'a', 1, ${START}, 'a');
    INSERT INTO schedules (feed_id, state, due_at, polled_at, failures, last_poll, strategy, memory)
      VALUES (1, 'active', ${START}, ${START + 2}, 0, 3, 'fix', x'');
    INSERT INTO polls (place, previous, feed_id, at, took_ms, bytes, asked, result, fresh, changed, window_size) VALUES
      (1, NULL, 1, ${START}, 9, 99, 1, 0, 3, 0, 10), (2, 1, 1, ${START + 1}, 9, 0, 1, 2, NULL, NULL, NULL),
      (3, 2, 1, ${START + 2}, 9, 0, 1, 3, NULL, NULL, NULL);
    UPDATE counters SET value = 3 WHERE name = 'polls';
    UPDATE counters SET value = 1 WHERE name = 'active';
  `)
  db.close()

  const store = open()
  const feedId = 1 as FeedId
  const kinds = async () =>
    (await store.polls({ feedId, limit: 9 })).map(({ at, result }) => [
      at - START,
      result.kind === 'not-modified' ? result.by : result.kind,
    ])
  const old = [
    [2, 'hash'],
    [1, 'server'],
    [0, 'read'],
  ]
  expect(await kinds()).toEqual(old)
  await store.recordPolls([unchangedRecord(feedId, START + 3), unchangedRecord(feedId, START + 4)])
  expect(await kinds()).toEqual([[4, 'server'], [3, 'server'], ...old])
  expect(rows()).toHaveLength(3)
  expectRecounted(file, await store.counts())
  expect(await store.forget('polls', START + 3, 9)).toBe(3)
  expect(await kinds()).toEqual([
    [4, 'server'],
    [3, 'server'],
  ])
  await store.close()
})
