/** The SQLite store and its index, held to the contracts. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll } from 'vitest'
import { searchContract } from '../../../ports/search.contract.ts'
import { storeContract } from '../../../ports/store.contract.ts'
import { openSqliteStore, type SqliteStore } from './index.ts'

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

storeContract('sqlite', async () => open().store)
searchContract('sqlite', async () => open().search)
