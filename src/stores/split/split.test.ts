/** A ledger of any kind with a library beside it is a store like any other. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, it } from 'vitest'
import { openHandles } from '../../../test/postgres-handles.ts'
import { postgresForTests } from '../../../test/postgres-server.ts'
import { libraryContract } from '../../ports/content-store.contract.ts'
import type { Library } from '../../ports/index.ts'
import { storeContract } from '../../ports/store.contract.ts'
import { createMemoryStore } from '../memory/index.ts'
import { createMemoryLibrary } from '../memory/library.ts'
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
  const { fresh, again, close } = await openHandles(server)
  afterAll(close)
  let library: Library = createMemoryLibrary()
  storeContract(
    `postgres ${server.version} ledger with a library`,
    async () => {
      library = createMemoryLibrary()
      return withLibrary(await fresh(), library, ALL)
    },
    { about: [...ABOUT, 'two at once'], again: async () => withLibrary(again(), library, ALL) },
  )
} else {
  describe.skip(`the postgres ledger with a library (${reason})`, () => it('keeps every promise', () => {}))
}
