/** Two connections to one PostgreSQL store, reused by all tests of a contract suite and emptied before each test. */

import type { Store } from '../src/ports/index.ts'
import { openPostgres } from '../src/stores/index.ts'
import type { PostgresServer } from './postgres-server.ts'

export interface PostgresHandles {
  /** An empty store. */
  fresh(): Promise<Store>
  /** A second handle on the same store. */
  again(): Store
  close(): Promise<void>
}

export async function openHandles(server: PostgresServer): Promise<PostgresHandles> {
  const address = await server.freshStore()
  const opened = async () => (await openPostgres({ address, mode: 'write', connections: 4 })).store
  const [one, other] = [await opened(), await opened()]
  const withoutClose = (store: Store): Store => ({ ...store, close: async () => {} })
  return {
    async fresh() {
      await server.empty(address)
      return withoutClose(one)
    },
    again: () => withoutClose(other),
    async close() {
      await one.close()
      await other.close()
      await server.close()
    },
  }
}
