/** Opens a store in PostgreSQL. Loads its modules on demand: most commands use SQLite and start faster without them. */
import type { PostgresStore, PostgresStoreOptions } from './postgres/index.ts'

export async function openPostgres(options: PostgresStoreOptions): Promise<PostgresStore> {
  const { openPostgresStore } = await import('./postgres/index.ts')
  return openPostgresStore(options)
}
