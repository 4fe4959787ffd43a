/** Opens a store in PostgreSQL. Its modules are loaded only then: most commands use a file, and start sooner without them. */
import type { PostgresStore, PostgresStoreOptions } from './postgres/index.ts'

export async function openPostgres(options: PostgresStoreOptions): Promise<PostgresStore> {
  const { openPostgresStore } = await import('./postgres/index.ts')
  return openPostgresStore(options)
}
