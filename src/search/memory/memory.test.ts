/** The memory index, held to the contract. */

import { searchContract } from '../../ports/search.contract.ts'
import { createMemorySearch } from '../memory-search.ts'

searchContract('memory', async () => createMemorySearch())
