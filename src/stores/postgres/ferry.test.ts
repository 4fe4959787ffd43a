/** What is carried between a file and a database arrives as it was, both ways. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { postgresForTests } from '../../../test/postgres-server.ts'
import { ferryContract } from '../../ports/store-migration.contract.ts'
import { openSqliteStore } from '../sqlite/index.ts'
import { openPostgresStore } from './index.ts'

const { server, reason } = await postgresForTests()
const folder = mkdtempSync(join(tmpdir(), 'freshet-'))
let files = 0

afterAll(async () => {
  await server?.close()
  rmSync(folder, { recursive: true })
})

if (server) {
  const sqlite = async () => openSqliteStore({ file: join(folder, `${files++}.db`), mode: 'write', now: () => 0 })
  const postgres = async () => openPostgresStore({ address: await server.freshStore(), mode: 'write', connections: 3 })

  ferryContract('sqlite to postgres', { from: sqlite, to: postgres })
  ferryContract('postgres to sqlite', { from: postgres, to: sqlite })
  ferryContract('postgres to postgres', { from: postgres, to: postgres })

  it('is the only one who may open what is half filled, and does not come while somebody crawls', async () => {
    const address = await server.freshStore()
    const filling = await openPostgresStore({ address, mode: 'write', ferrying: true })
    await filling.ferry.begin('some.db')
    for (const mode of ['write', 'read'] as const)
      await expect(openPostgresStore({ address, mode })).rejects.toThrow('half filled from some.db')
    await filling.store.claim('ada', Date.now(), Date.now() + 600_000)
    await expect(openPostgresStore({ address, mode: 'write', ferrying: true })).rejects.toThrow('ada crawls on it')
    await filling.store.retire('ada')
    await (await openPostgresStore({ address, mode: 'write', ferrying: true })).store.close()
    await filling.store.close()
  })
} else {
  describe.skip(`the ferry between sqlite and postgres (${reason})`, () => it('carries over everything', () => {}))
}
