/** Store migration between SQLite and PostgreSQL, both ways. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { postgresForTests } from '../../../test/postgres-server.ts'
import { migrationContract } from '../../ports/store-migration.contract.ts'
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

  migrationContract('sqlite to postgres', { from: sqlite, to: postgres })
  migrationContract('postgres to sqlite', { from: postgres, to: sqlite })
  migrationContract('postgres to postgres', { from: postgres, to: postgres })

  it('can open an unfinished store, which no one else can, and is refused while a crawl runs', async () => {
    const address = await server.freshStore()
    const filling = await openPostgresStore({ address, mode: 'write', isMigrating: true })
    await filling.migration.begin('some.db')
    for (const mode of ['write', 'read'] as const)
      await expect(openPostgresStore({ address, mode })).rejects.toThrow('a migration from some.db is unfinished')
    await filling.store.claim('ada', Date.now(), Date.now() + 600_000)
    await expect(openPostgresStore({ address, mode: 'write', isMigrating: true })).rejects.toThrow(
      'ada is crawling with it',
    )
    await filling.store.releaseBuckets('ada')
    await (await openPostgresStore({ address, mode: 'write', isMigrating: true })).store.close()
    await filling.store.close()
  })
} else {
  describe.skip(`store migration between sqlite and postgres (${reason})`, () => it('copies everything', () => {}))
}
