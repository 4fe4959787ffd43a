/** Runs the store contract against PostgreSQL, also with two handles. */
import { afterAll, describe, it } from 'vitest'
import { openHandles } from '../../../test/postgres-handles.ts'
import { postgresForTests } from '../../../test/postgres-server.ts'
import { storeContract } from '../../ports/store.contract.ts'

const { server, reason } = await postgresForTests()

if (server) {
  const { fresh, again, close } = await openHandles(server)
  afterAll(close)
  storeContract(`postgres ${server.version}`, fresh, { again: async () => again() })
} else {
  describe.skip(`the postgres store (${reason})`, () => it('keeps every promise', () => {}))
}
