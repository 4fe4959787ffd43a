/** A store in PostgreSQL keeps every promise, also to two handles. */
import { afterAll, describe, it } from 'vitest'
import { postgresForTests } from '../../../../test/postgres-server.ts'
import type { Store } from '../../../ports/index.ts'
import { storeContract } from '../../../ports/store.contract.ts'
import { openPostgresStore } from './index.ts'

const { server, reason } = await postgresForTests()

if (server) {
  const addresses = new WeakMap<Store, string>()
  const others = new WeakMap<Store, Store[]>()

  const opened = async (address: string) => {
    const { store } = await openPostgresStore({ address, mode: 'write', connections: 4 })
    addresses.set(store, address)
    const close = store.close
    return Object.assign(store, {
      async close() {
        for (const other of others.get(store) ?? []) await other.close()
        await close()
      },
    })
  }

  afterAll(() => server.close())

  const address = await server.freshStore()
  const open = async () => {
    await server.empty(address)
    return opened(address)
  }

  storeContract(`postgres ${server.version}`, open, {
    again: async (store) => {
      const other = await opened(addresses.get(store)!)
      others.set(store, [...(others.get(store) ?? []), other])
      return other
    },
  })
} else {
  describe.skip(`the postgres store (${reason})`, () => it('keeps every promise', () => {}))
}
