/** A store in PostgreSQL keeps every promise, also to two handles. */
import { afterAll, describe, it } from 'vitest'
import { postgresForTests } from '../../../../test/postgres-server.ts'
import type { Store } from '../../../ports/index.ts'
import { storeContract } from '../../../ports/store.contract.ts'
import { openPostgresStore } from './index.ts'

const { server, reason } = await postgresForTests()

if (server) {
  // Two handles for all promises, emptied before each: what makes new connections slow is read by them once.
  const address = await server.freshStore()
  const opened = async () => (await openPostgresStore({ address, mode: 'write', connections: 4 })).store
  const [one, other] = [await opened(), await opened()]

  afterAll(async () => {
    await one.close()
    await other.close()
    await server.close()
  })

  const keptOpen = (store: Store): Store => ({ ...store, close: async () => {} })
  const open = async () => {
    await server.empty(address)
    return keptOpen(one)
  }

  storeContract(`postgres ${server.version}`, open, { again: async () => keptOpen(other) })
} else {
  describe.skip(`the postgres store (${reason})`, () => it('keeps every promise', () => {}))
}
