/** A full disk: the failed write leaves nothing behind, and the store continues when there is space. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import type { FeedId } from '../../model/index.ts'
import type { Store } from '../../ports/index.ts'
import { draft, newFeed, record, START } from '../../ports/store-samples.contract.ts'
import { openSqliteStore } from './index.ts'
import { readMigrations } from './migrate.ts'

const folder = mkdtempSync(join(tmpdir(), 'freshet-'))
afterAll(() => rmSync(folder, { recursive: true }))

/** SQLite says the same when it may not grow as when the disk is full; a migration is run by the writer's connection. */
const SMALL_DISK = 'PRAGMA max_page_count = 400'

it('rejects a write on a full disk, writes none of it, and works again when there is space', async () => {
  const migrations = [...readMigrations(), SMALL_DISK]
  const { store } = openSqliteStore({ file: join(folder, 'store.db'), mode: 'write', now: () => START, migrations })
  const [answer] = await store.addFeeds([newFeed('a')])
  const feedId = answer!.id
  let written = 0
  const fill = async () => {
    for (;;) await store.recordPolls([batch(feedId, written)]).then(() => written++)
  }

  await expect(fill()).rejects.toMatchObject({
    name: 'StoreError',
    kind: 'no-access',
    message: expect.stringContaining('the disk is full'),
    hint: expect.stringContaining('Free some space'),
    isTransient: true,
  })
  expect(written).toBeGreaterThan(3)
  await expectWritten(store, written)

  let forgotten = 0
  for (let chunk = 1; chunk > 0; forgotten += chunk) chunk = await store.forget('entries', START + 2, 1000)
  expect(forgotten).toBe(2 * ENTRIES)
  expect(await store.recordPolls([batch(feedId, written)])).toEqual(['recorded'])
  expect((await store.counts()).entries).toBe((written - 1) * ENTRIES)
  await store.close()
})

const ENTRIES = 20

function batch(feedId: FeedId, number: number) {
  const fresh = Array.from({ length: ENTRIES }, (_, i) => draft(`${number}-${i}`, { content: 'x'.repeat(2000) }))
  return record(feedId, START + number, { fresh })
}

async function expectWritten(store: Store, batches: number): Promise<void> {
  expect(await store.counts()).toMatchObject({ entries: batches * ENTRIES, polls: batches })
  expect(await store.entries({ limit: 10_000 })).toHaveLength(batches * ENTRIES)
  const [scheduled] = await store.feeds({ order: 'id', limit: 1 })
  expect(scheduled?.schedule.polledAt).toBe(START + batches - 1)
}
