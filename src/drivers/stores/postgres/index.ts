/**
 * A store in PostgreSQL, version 15 or later, by the package `pg`: any number of processes share it, each with a pool of
 * connections (session.ts). Each role's methods stand in a file of their own and are put together here.
 *
 * What is due is taken without waiting for others who take (due.ts); who owns which buckets is agreed under a lock
 * (ownership.ts); what grows without end comes in months of arrival (migrations/000001.sql, and docs/decisions/0055).
 */
import type { Store } from '../../../ports/index.ts'
import { checkShape, migratePostgres, postgresMigrations } from './migrate.ts'
import { openSession, type PostgresSession } from './session.ts'
import { troubleInWords } from './trouble.ts'

export interface PostgresStoreOptions {
  /** `postgres://user:password@host:port/database`, with whatever else `pg` reads of an address. */
  address: string
  mode: 'write' | 'read'
  /** At most so many at once. */
  connections?: number
  /** For tests of migrations; else those beside this module. */
  migrations?: string[]
}

export interface PostgresStore {
  store: Store
  /** Its address, without the password. */
  name: string
}

/** Throws a StoreError if it cannot be used. */
export async function openPostgresStore(options: PostgresStoreOptions): Promise<PostgresStore> {
  const session = await openSession(options)
  const migrations = options.migrations ?? postgresMigrations()
  try {
    if (options.mode === 'write') await migratePostgres(session, migrations)
    else await checkShape(session, migrations.length)
  } catch (error) {
    await session.close()
    throw troubleInWords(error, 'open', session.name)
  }
  return assemble(session)
}

function assemble(session: PostgresSession): PostgresStore {
  return {
    name: session.name,
    store: {
      close: () => session.close(),
    } as Store,
  }
}
