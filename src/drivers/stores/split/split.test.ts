/** A ledger of any kind with a library beside it is a store like any other. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, it } from 'vitest'
import { postgresForTests } from '../../../../test/postgres-server.ts'
import type { Library, Store } from '../../../ports/index.ts'
import { libraryContract } from '../../../ports/library.contract.ts'
import { storeContract } from '../../../ports/store.contract.ts'
import { createMemoryStore } from '../memory/index.ts'
import { createMemoryLibrary } from '../memory/library.ts'
import { openPostgresStore } from '../postgres/index.ts'
import { openSqliteStore } from '../sqlite/index.ts'
import { withLibrary } from './index.ts'

/** All of what is said is moved, however short. */
const ALL = { now: Date.now, shortest: 0 }

/** What goes through the library, or is read beside it. */
const ABOUT = [
  'entries',
  'articles that were read',
  'the way to the search index',
  'entries on their way to a group',
  'what people have read and starred',
]

libraryContract('memory', async () => {
  const library = createMemoryLibrary()
  return { library, other: library }
})

storeContract('memory ledger with a library', async () => withLibrary(createMemoryStore(), createMemoryLibrary(), ALL))

const folder = mkdtempSync(join(tmpdir(), 'freshet-'))
afterAll(() => rmSync(folder, { recursive: true }))
let files = 0
storeContract(
  'SQLite ledger with a library',
  async () => {
    const { store } = openSqliteStore({ file: join(folder, `${++files}.db`), mode: 'write', now: () => 0 })
    return withLibrary(store, createMemoryLibrary(), ALL)
  },
  { about: ABOUT },
)

const { server, reason } = await postgresForTests()
if (server) {
  const address = await server.freshStore()
  const opened = async () => (await openPostgresStore({ address, mode: 'write', connections: 4 })).store
  const [one, other] = [await opened(), await opened()]
  afterAll(async () => {
    await one.close()
    await other.close()
    await server.close()
  })
  const keptOpen = (store: Store): Store => ({ ...store, close: async () => {} })
  let library: Library = createMemoryLibrary()
  storeContract(
    `postgres ${server.version} ledger with a library`,
    async () => {
      await server.empty(address)
      library = createMemoryLibrary()
      return withLibrary(keptOpen(one), library, ALL)
    },
    { about: [...ABOUT, 'two at once'], again: async () => withLibrary(keptOpen(other), library, ALL) },
  )
} else {
  describe.skip(`the postgres ledger with a library (${reason})`, () => it('keeps every promise', () => {}))
}
