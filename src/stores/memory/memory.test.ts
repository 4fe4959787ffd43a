/** Runs the store contract against the memory store. */
import { storeContract } from '../../ports/store.contract.ts'
import { createMemoryStore } from './index.ts'

storeContract('memory', async () => createMemoryStore())
