/** A ledger with a library beside it is a store like any other; and what is kept where. */
import { libraryContract } from '../../../ports/library.contract.ts'
import { storeContract } from '../../../ports/store.contract.ts'
import { createMemoryStore } from '../memory/index.ts'
import { createMemoryLibrary } from '../memory/library.ts'
import { withLibrary } from './index.ts'

libraryContract('memory', async () => createMemoryLibrary())
storeContract('memory ledger with a library', async () =>
  withLibrary(createMemoryStore(), createMemoryLibrary(), { shortest: 0 }),
)
