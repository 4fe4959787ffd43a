/** Any store with a content store passes the store contract. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, it } from 'vitest'
import { openHandles } from '../../../test/postgres-handles.ts'
import { postgresForTests } from '../../../test/postgres-server.ts'
import { contentStoreContract } from '../../ports/content-store.contract.ts'
import type { ContentStore } from '../../ports/index.ts'
import { storeContract } from '../../ports/store.contract.ts'
import { createMemoryContentStore } from '../memory/content-store.ts'
import { createMemoryStore } from '../memory/index.ts'
import { openSqliteStore } from '../sqlite/index.ts'
import { withContentStore } from './index.ts'

/** Externalizes every text, however short. */
const ALL = { now: Date.now, minLength: 0 }

/** The parts of the contract that read or write content. */
const ABOUT = ['entries', 'read articles', 'indexing queue', 'grouping queue', 'read and starred state']

contentStoreContract('memory', async () => {
  const contentStore = createMemoryContentStore()
  return { contentStore, other: contentStore }
})

storeContract('memory store with a content store', async () =>
  withContentStore(createMemoryStore(), createMemoryContentStore(), ALL),
)

const folder = mkdtempSync(join(tmpdir(), 'freshet-'))
afterAll(() => rmSync(folder, { recursive: true }))
let files = 0
storeContract(
  'SQLite store with a content store',
  async () => {
    const { store } = openSqliteStore({ file: join(folder, `${++files}.db`), mode: 'write', now: () => 0 })
    return withContentStore(store, createMemoryContentStore(), ALL)
  },
  { about: ABOUT },
)

const { server, reason } = await postgresForTests()
if (server) {
  const { fresh, again, close } = await openHandles(server)
  afterAll(close)
  let contentStore: ContentStore = createMemoryContentStore()
  storeContract(
    `postgres ${server.version} store with a content store`,
    async () => {
      contentStore = createMemoryContentStore()
      return withContentStore(await fresh(), contentStore, ALL)
    },
    { about: [...ABOUT, 'concurrent callers'], again: async () => withContentStore(again(), contentStore, ALL) },
  )
} else {
  describe.skip(`the postgres store with a content store (${reason})`, () => it('keeps every promise', () => {}))
}
