/**
 * A store in one SQLite file, with the search index in the same file, by better-sqlite3: synchronous underneath,
 * asynchronous on the surface. The file is in WAL mode: one process writes, any number may read meanwhile, and a commit
 * survives the death of the process.
 *
 * Nothing is touched before it is known to be ours: the file is looked at through a connection that can only read, then
 * ownership is taken (owner.ts), then the file is opened for writing and brought to the newest shape (migrate.ts).
 */
import type Database from 'better-sqlite3'
import type { Instant } from '../../model/index.ts'
import { type Ferry, type Search, type Store, StoreError } from '../../ports/index.ts'
import { withNextDue } from '../methods.ts'
import { createSpending } from '../spending.ts'
import { articleMethods } from '../sql/articles.ts'
import { forgetArticleMethods } from '../sql/articles-forgotten.ts'
import { createCrawlParts } from '../sql/crawl-parts.ts'
import { dueMethods } from '../sql/due.ts'
import { feedChangeMethods } from '../sql/feed-changes.ts'
import { hourMethods } from '../sql/feed-hours.ts'
import { forgetMethods } from '../sql/forgetting.ts'
import { groupMethods } from '../sql/groups.ts'
import { handoutMethods } from '../sql/handouts.ts'
import { hostMethods } from '../sql/hosts.ts'
import { createLeaseTokens } from '../sql/lease-tokens.ts'
import { marketMethods } from '../sql/market.ts'
import { markMethods } from '../sql/marks.ts'
import { mendMethods } from '../sql/mend-dates.ts'
import { NO_MONTHS } from '../sql/months.ts'
import { peopleMethods } from '../sql/people.ts'
import { pollLogMethods } from '../sql/poll-log.ts'
import { pollRecords } from '../sql/poll-writer.ts'
import { pushMethods } from '../sql/pushes.ts'
import { readerListMethods } from '../sql/reader-lists.ts'
import { createReadingWriter } from '../sql/reading-writer.ts'
import { readingMethods } from '../sql/readings.ts'
import { removalMethods } from '../sql/removals.ts'
import { robotsMethods } from '../sql/robots.ts'
import { sourceMethods } from '../sql/sources.ts'
import { statisticsMethods } from '../sql/statistics.ts'
import { indexLineMethods } from '../sql/waiting-lines.ts'
import { countQueries } from './counts.ts'
import { diskUsageIn } from './disk-usage.ts'
import { entryQueries } from './entries.ts'
import { SQLITE_KEYS } from './entry-keys.ts'
import { entryLists } from './entry-list.ts'
import { feedQueries } from './feeds.ts'
import { refuseHalfFilled, sqliteFerry } from './ferry.ts'
import { migrate, readMigrations, shapeOf } from './migrate.ts'
import { isThere, openFile, realFile, takeOwnership } from './open-file.ts'
import { announceOwner, writeOwner } from './owner.ts'
import { soleOwnership } from './ownership.ts'
import { entryPacking } from './pack-entries.ts'
import { makePrivateFile } from './private-file.ts'
import { searchQueries } from './search.ts'
import { createSession } from './session.ts'
import { createSqlSession } from './sql-session.ts'
import { isUnwritable, openCopy } from './unwritable.ts'

export interface SqliteStoreOptions {
  file: string
  mode: 'write' | 'read'
  now: () => Instant
  /** What others are told who find the store in use. */
  owner?: { url?: string }
  /** For who carries over what is in it, or fills it: also if that was begun and not ended. */
  ferrying?: boolean
  /** For tests of migrations; else those beside this module. */
  migrations?: string[]
  /** This process is its owner already (`takeOwnership`). */
  isOwned?: boolean
}

export interface SqliteStore {
  store: Store
  /** Closed together with the store, as is the ferry. */
  search: Search
  ferry: Ferry
  /** Tells others where the owner's API listens. */
  announce(url: string): void
  /** Where it listens, or did: he may be gone. */
  ownerUrl(): string | undefined
}

/** Afterwards a lock is waited for by the session, which lets others do something meanwhile. */
const BUSY_MEANWHILE_MS = 10
/** What a log that has grown, because somebody was reading for long, is cut down to afterwards. */
const LOG_BYTES = 64 * 1024 * 1024
/** Polls touch the same pages again and again: with SQLite's 1,000 writing takes a tenth longer. */
const CHECKPOINT_PAGES = 4000

/** Throws a StoreError if the file cannot be used. */
export function openSqliteStore(options: SqliteStoreOptions): SqliteStore {
  const file = realFile(options.file)
  const migrations = options.migrations ?? readMigrations()
  if (options.mode === 'write') return openForWriting(file, migrations, options)
  const { db, forget } = openForReading(file, migrations.length)
  return assemble(db, file, forget)
}

function openForReading(file: string, newest: number): { db: Database.Database; forget: () => void } {
  if (!isThere(file)) {
    throw new StoreError('missing', `could not open ${file}: there is no such file`, 'Run Freshet once to create it.')
  }
  const check = (db: Database.Database) => {
    if (shapeOf(db, file, newest) >= newest) return refuseHalfFilled({ db, file })
    throw new StoreError(
      'no-access',
      `could not open ${file} for reading: an older version of Freshet wrote it`,
      'Run Freshet once to bring it up to date.',
    )
  }
  try {
    return { db: openFile(file, true, check), forget: () => {} }
  } catch (error) {
    if (!isUnwritable(error, file)) throw error
    const { opened, forget } = openCopy(file, (copy) => openFile(copy, true, check))
    return { db: opened, forget }
  }
}

function openForWriting(
  file: string,
  migrations: string[],
  { now, owner, ferrying, isOwned }: SqliteStoreOptions,
): SqliteStore {
  const letGo = isOwned ? () => {} : takeOwnership(file, migrations).release
  try {
    makePrivateFile(file)
    const db = openFile(file, false, (db) => {
      db.pragma('journal_mode = WAL')
      db.pragma('synchronous = NORMAL')
      db.pragma(`journal_size_limit = ${LOG_BYTES}`)
      db.pragma(`wal_autocheckpoint = ${CHECKPOINT_PAGES}`)
      db.pragma('temp_store = MEMORY')
      migrate(db, file, migrations)
      if (!ferrying) refuseHalfFilled({ db, file })
      writeOwner(db, now(), owner?.url)
    })
    return assemble(db, file, letGo)
  } catch (error) {
    letGo()
    throw error
  }
}

function assemble(db: Database.Database, file: string, letGo: () => void): SqliteStore {
  db.pragma(`busy_timeout = ${BUSY_MEANWHILE_MS}`)
  const session = createSession(db, file)
  const shared = createSqlSession(session)
  const readings = createReadingWriter(shared.dialect)
  const parts = createCrawlParts(shared, { keys: SQLITE_KEYS, months: NO_MONTHS, readings })
  async function close(): Promise<void> {
    try {
      db.close()
    } finally {
      letGo()
    }
  }
  return {
    store: withNextDue({
      ...soleOwnership(),
      ...feedQueries(session),
      ...feedChangeMethods(shared, parts.feeds),
      ...removalMethods(shared, parts),
      ...forgetMethods(shared, parts),
      ...sourceMethods(shared, parts.sources),
      ...dueMethods(shared, createLeaseTokens()),
      ...pollRecords(shared, parts.polls),
      ...hourMethods(shared),
      ...pushMethods(shared),
      ...robotsMethods(shared),
      ...articleMethods(shared, parts.articles),
      ...forgetArticleMethods(shared, parts.articles, parts.months),
      ...entryQueries(session),
      ...entryPacking(session),
      ...entryLists(session),
      ...groupMethods(shared, parts.groups),
      ...indexLineMethods(shared),
      ...statisticsMethods(shared),
      ...pollLogMethods(shared),
      ...countQueries(session),
      ...hostMethods(shared),
      ...marketMethods(shared),
      ...createSpending(),
      ...mendMethods(shared),
      ...peopleMethods(shared, readings.personRemoved),
      ...readingMethods(shared, readings),
      ...markMethods(shared, readings),
      ...readerListMethods(shared),
      ...handoutMethods(shared),
      diskUsage: () => diskUsageIn(session),
      close,
    }),
    ferry: sqliteFerry(session, close),
    search: searchQueries(session),
    announce: (url) => announceOwner(db, file, url),
    ownerUrl: () => db.prepare<[], string | null>('SELECT url FROM owner').pluck().get() ?? undefined,
  }
}
