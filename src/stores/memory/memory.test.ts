/** The memory store, held to the contract. */
import { storeContract } from '../../ports/store.contract.ts'
import { createMemoryStore } from './index.ts'

storeContract('memory', async () => createMemoryStore())
