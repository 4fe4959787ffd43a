/** The SQLite store in threads, held to the contracts of the store. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll } from 'vitest'
import { searchContract } from '../../../ports/search.contract.ts'
import { storeContract } from '../../../ports/store.contract.ts'
import { openThreadedSqliteStore, type ThreadedSqliteStore } from './threaded.ts'

const folder = mkdtempSync(join(tmpdir(), 'freshet-'))
const opened: ThreadedSqliteStore[] = []
afterAll(async () => {
  for (const { store } of opened) await store.close()
  rmSync(folder, { recursive: true })
})

/** Each has threads, so only the last few stay open. */
async function open(): Promise<ThreadedSqliteStore> {
  await opened.at(-3)?.store.close()
  const one = await openThreadedSqliteStore({ file: join(folder, `${opened.length}.db`), now: () => 0 })
  opened.push(one)
  return one
}

const ALONE = 'a file has one owner, who has all buckets'
const skip = {
  'gives a bucket to one only, and to who comes as soon as the other has let go': ALONE,
  'gives the buckets of who has died or retired to those who live': ALONE,
  'gives an owner what is in its buckets, and who comes with an old epoch nothing': ALONE,
  'gives pages and hubs by their buckets, too, and says which leases there are': ALONE,
  'has one leader for each role, and another when that one dies or resigns': ALONE,
  'lets one of many who ask at once lead': ALONE,
}

storeContract('sqlite in threads', async () => (await open()).store, { skip })
searchContract('sqlite in threads', async () => (await open()).search)
