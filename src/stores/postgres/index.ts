/**
 * PostgreSQL store (version 15 or later), through the package `pg`. Any number of processes share it, each with a connection pool
 * (session.ts). This module assembles the methods from the other files.
 *
 * What is due is taken without waiting for others who take (due.ts); who owns which buckets is agreed under a lock
 * (ownership.ts); what grows without end comes in months of arrival (migrations/000001.sql, and docs/decisions/postgresql-store.md).
 */
import type { Search, Store, StoreMigration } from '../../ports/index.ts'
import { createStoreMethods } from '../sql/store-methods.ts'
import { createStoreMigration } from '../sql/store-migration.ts'
import { POSTGRES_KEYS } from './entry-keys.ts'
import { createEntryNotifications, type EntryNotifications, notifyingMethods } from './entry-notifications.ts'
import { toPostgresStoreError } from './errors.ts'
import { leadershipMethods } from './leadership.ts'
import { checkShape, migratePostgres, postgresMigrations } from './migrate.ts'
import { ownershipMethods } from './ownership.ts'
import { createMonths } from './partitions.ts'
import { searchMethods } from './search.ts'
import { openSession, type PostgresSession } from './session.ts'
import { spendingMethods } from './spending.ts'
import { createSharedSession } from './sql-session.ts'
import { postgresMigrationParts, refuseIncompletePostgresMigration, refuseInUse } from './store-migration.ts'
import { postgresSize } from './store-size.ts'

export interface PostgresStoreOptions {
  /** `postgres://user:password@host:port/database`, with any parameters that `pg` knows. */
  address: string
  mode: 'write' | 'read'
  /** Size of the connection pool. */
  connections?: number
  /** How long a refused login is retried after an earlier login succeeded. */
  loginRetryMs?: number
  /** Opens the source or target of a store migration, also one that was interrupted. Refused while a crawl runs. */
  isMigrating?: boolean
  /** For tests of migrations. Defaults to the migrations beside this module. */
  migrations?: string[]
}

export interface PostgresStore extends Pick<EntryNotifications, 'onNewEntries'> {
  store: Store
  /** Closed together with the store, like `migration`. */
  search: Search
  migration: StoreMigration
  /** The address, without the password. */
  name: string
}

/** Throws a StoreError if the store cannot be used. */
export async function openPostgresStore(options: PostgresStoreOptions): Promise<PostgresStore> {
  const session = await openSession(options)
  const migrations = options.migrations ?? postgresMigrations()
  try {
    if (options.mode === 'write') {
      await migratePostgres(session, migrations)
      await session.write((tx) => tx.run("DELETE FROM endings WHERE at < now() - interval '1 day'")) // of connections that are gone
    } else await checkShape(session, migrations.length)
    if (options.isMigrating) await refuseInUse(session)
    else await refuseIncompletePostgresMigration(createSharedSession(session), session.name)
  } catch (error) {
    await session.close()
    throw toPostgresStoreError(error, 'open', session.name)
  }
  return assemble(session)
}

function assemble(session: PostgresSession): PostgresStore {
  const sqlSession = createSharedSession(session)
  const notifications = createEntryNotifications(session, session.connect)
  const close = async () => {
    await notifications.close()
    await session.close()
  }
  const size = postgresSize(session)
  const methods = createStoreMethods(sqlSession, { keys: POSTGRES_KEYS, months: createMonths(sqlSession), size })
  return {
    name: session.name,
    store: {
      ...methods,
      ...notifyingMethods(methods, notifications),
      ...ownershipMethods(session),
      ...leadershipMethods(session),
      ...spendingMethods(session),
      compressEntries: async () => 0, // PostgreSQL compresses long values when they are written
      close,
    },
    search: searchMethods(session),
    migration: createStoreMigration(sqlSession, postgresMigrationParts(session, close)),
    onNewEntries: notifications.onNewEntries,
  }
}
