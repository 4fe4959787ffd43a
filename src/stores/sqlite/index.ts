/**
 * SQLite store: one file that also holds the search index, through better-sqlite3, whose synchronous calls are wrapped in promises.
 * The file is in WAL mode: one process writes, any number may read meanwhile, and a commit survives the death of the process.
 *
 * Nothing is written before the file is known to be a Freshet store: it is inspected through a read-only connection, then ownership is
 * acquired (owner.ts), then the file is opened for writing and migrated (migrate.ts).
 */
import type Database from 'better-sqlite3'
import type { Instant } from '../../model/index.ts'
import { type Search, type Store, StoreError, type StoreMigration } from '../../ports/index.ts'
import { createPollSpending } from '../spending.ts'
import { NO_MONTHS } from '../sql/months.ts'
import { createStoreMethods } from '../sql/store-methods.ts'
import { createStoreMigration } from '../sql/store-migration.ts'
import { SQLITE_KEYS } from './entry-keys.ts'
import { migrate, readMigrations, shapeOf } from './migrate.ts'
import { fileExists, openFile, resolveStoreFile, takeOwnership } from './open-file.ts'
import { announceOwner, writeOwner } from './owner.ts'
import { createSoleOwnership } from './ownership.ts'
import { entryPacking } from './pack-entries.ts'
import { makePrivateFile } from './private-file.ts'
import { searchQueries } from './search.ts'
import { createSession } from './session.ts'
import { createSqlSession } from './sql-session.ts'
import { refuseIncompleteSqliteMigration, sqliteMigrationParts } from './store-migration.ts'
import { sqliteSize } from './store-size.ts'
import { isUnwritable, openCopy } from './unwritable.ts'

export interface SqliteStoreOptions {
  file: string
  mode: 'write' | 'read'
  now: () => Instant
  /** Shown to processes that find the store in use. */
  owner?: { url?: string }
  /** Opens the source or target of a store migration, also one that was interrupted. */
  isMigrating?: boolean
  /** For tests of migrations. Defaults to the migrations beside this module. */
  migrations?: string[]
  /** This process already owns the file (`takeOwnership`). */
  isOwned?: boolean
}

export interface SqliteStore {
  store: Store
  /** Closed together with the store, like `migration`. */
  search: Search
  migration: StoreMigration
  /** Stores where the owner's API listens, for other processes. */
  announce(url: string): void
  /** Where the owner's API listens. The owner may have ended since. */
  ownerUrl(): string | undefined
}

/** After this time the session waits for the lock instead, without blocking the event loop. */
const BUSY_TIMEOUT_MS = 10
/** Size to which the WAL is truncated after it grew during a long read. */
const MAX_WAL_BYTES = 64 * 1024 * 1024
/** Polls touch the same database pages repeatedly: with SQLite's default of 1,000, writing takes a tenth longer. */
const CHECKPOINT_PAGES = 4000

/** Throws a StoreError if the file cannot be used. */
export function openSqliteStore(options: SqliteStoreOptions): SqliteStore {
  const file = resolveStoreFile(options.file)
  const migrations = options.migrations ?? readMigrations()
  if (options.mode === 'write') return openForWriting(file, migrations, options)
  const { db, forget: removeCopy } = openForReading(file, migrations.length)
  return assemble(db, file, removeCopy)
}

function openForReading(file: string, newest: number): { db: Database.Database; forget: () => void } {
  if (!fileExists(file)) {
    throw new StoreError('missing', `could not open ${file}: there is no such file`, 'Run Freshet once to create it.')
  }
  const prepare = (db: Database.Database) => {
    if (shapeOf(db, file, newest) >= newest) return refuseIncompleteSqliteMigration(db, file)
    throw new StoreError(
      'no-access',
      `could not open ${file} for reading: an older version of Freshet wrote it`,
      'Run Freshet once to migrate it.',
    )
  }
  try {
    return { db: openFile(file, true, prepare), forget: () => {} }
  } catch (error) {
    if (!isUnwritable(error, file)) throw error
    const { opened, forget: removeCopy } = openCopy(file, (copy) => openFile(copy, true, prepare))
    return { db: opened, forget: removeCopy }
  }
}

function openForWriting(
  file: string,
  migrations: string[],
  { now, owner, isMigrating, isOwned }: SqliteStoreOptions,
): SqliteStore {
  const release = isOwned ? () => {} : takeOwnership(file, migrations).release
  try {
    makePrivateFile(file)
    const db = openFile(file, false, (db) => {
      db.pragma('journal_mode = WAL')
      db.pragma('synchronous = NORMAL')
      db.pragma(`journal_size_limit = ${MAX_WAL_BYTES}`)
      db.pragma(`wal_autocheckpoint = ${CHECKPOINT_PAGES}`)
      db.pragma('temp_store = MEMORY')
      migrate(db, file, migrations)
      if (!isMigrating) refuseIncompleteSqliteMigration(db, file)
      writeOwner(db, now(), owner?.url)
    })
    return assemble(db, file, release)
  } catch (error) {
    release()
    throw error
  }
}

function assemble(db: Database.Database, file: string, release: () => void): SqliteStore {
  db.pragma(`busy_timeout = ${BUSY_TIMEOUT_MS}`)
  const session = createSession(db, file)
  const sqlSession = createSqlSession(session)
  async function close(): Promise<void> {
    try {
      db.close()
    } finally {
      release()
    }
  }
  return {
    store: {
      ...createStoreMethods(sqlSession, { keys: SQLITE_KEYS, months: NO_MONTHS, size: sqliteSize(file) }),
      ...createSoleOwnership(),
      ...createPollSpending(),
      ...entryPacking(sqlSession),
      close,
    },
    migration: createStoreMigration(sqlSession, sqliteMigrationParts(file, close)),
    search: searchQueries(session),
    announce: (url) => announceOwner(db, file, url),
    ownerUrl: () => db.prepare<[], string | null>('SELECT url FROM owner').pluck().get() ?? undefined,
  }
}
