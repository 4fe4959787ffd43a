/** Runs the store and search contracts against the SQLite store in threads. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll } from 'vitest'
import { searchContract } from '../../ports/search.contract.ts'
import { storeContract } from '../../ports/store.contract.ts'
import { SINGLE_OWNER } from './single-owner.fixture.ts'
import { openThreadedSqliteStore, type ThreadedSqliteStore } from './threaded.ts'

const folder = mkdtempSync(join(tmpdir(), 'freshet-'))
const opened: ThreadedSqliteStore[] = []
afterAll(async () => {
  for (const { store } of opened) await store.close()
  rmSync(folder, { recursive: true })
})

/** Each store has threads, so only the last few stay open. */
async function open(): Promise<ThreadedSqliteStore> {
  await opened.at(-3)?.store.close()
  const one = await openThreadedSqliteStore({ file: join(folder, `${opened.length}.db`), now: () => 0 })
  opened.push(one)
  return one
}

storeContract('sqlite in threads', async () => (await open()).store, { skip: SINGLE_OWNER })
searchContract('sqlite in threads', async () => (await open()).search)
