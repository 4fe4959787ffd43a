/** The memory index, held to the contract. */

import { searchContract } from '../../../ports/search.contract.ts'
import { createMemoryStore } from '../../stores/memory/index.ts'
import { createMemorySearch } from './index.ts'

searchContract('memory', async () => ({ search: createMemorySearch(), store: createMemoryStore() }))
