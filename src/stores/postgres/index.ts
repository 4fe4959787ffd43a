/**
 * PostgreSQL store (version 15 or later), through the package `pg`. Any number of processes share it, each with a connection pool
 * (session.ts). This module assembles the methods from the other files.
 *
 * What is due is taken without waiting for others who take (due.ts); who owns which buckets is agreed under a lock
 * (ownership.ts); what grows without end comes in months of arrival (migrations/000001.sql, and docs/decisions/postgresql-store.md).
 */
import type { Search, Store, StoreMigration } from '../../ports/index.ts'
import { withPortMethods } from '../methods.ts'
import { articleRetentionMethods } from '../sql/article-retention.ts'
import { articleMethods } from '../sql/articles.ts'
import { createCrawlParts } from '../sql/crawl-parts.ts'
import { dueQueueMethods } from '../sql/due-queue.ts'
import { entryMethods } from '../sql/entries.ts'
import { entryListMethods } from '../sql/entry-list.ts'
import { feedHourMethods } from '../sql/feed-hours.ts'
import { feedMethods } from '../sql/feeds.ts'
import { groupQueryMethods } from '../sql/group-queries.ts'
import { groupingMethods } from '../sql/grouping.ts'
import { hubSubscriptionMethods } from '../sql/hub-subscriptions.ts'
import { createLeaseTokens } from '../sql/lease-tokens.ts'
import { marketMethods } from '../sql/market.ts'
import { indexQueueMethods } from '../sql/pending-work.ts'
import { pollLogMethods } from '../sql/poll-log.ts'
import { pollRecordMethods } from '../sql/poll-writer.ts'
import { readStateMethods } from '../sql/read-state.ts'
import { readerListMethods } from '../sql/reader-lists.ts'
import { removalMethods } from '../sql/removals.ts'
import { repairDateMethods } from '../sql/repair-dates.ts'
import { retentionMethods } from '../sql/retention.ts'
import { sharingMethods } from '../sql/sharing.ts'
import { siteMethods } from '../sql/sites.ts'
import { sourceMethods } from '../sql/sources.ts'
import { statisticsMethods } from '../sql/statistics.ts'
import { createStoreMigration } from '../sql/store-migration.ts'
import { sizeMethods } from '../sql/store-size.ts'
import { createSubscriptionWriter } from '../sql/subscription-writer.ts'
import { subscriptionMethods } from '../sql/subscriptions.ts'
import { userMethods } from '../sql/users.ts'
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
  const subscriptions = createSubscriptionWriter(sqlSession.dialect)
  const parts = createCrawlParts(sqlSession, { keys: POSTGRES_KEYS, months: createMonths(sqlSession), subscriptions })
  const entryWriters = { ...pollRecordMethods(sqlSession, parts.polls), ...sourceMethods(sqlSession, parts.sources) }
  return {
    name: session.name,
    store: withPortMethods({
      ...ownershipMethods(session),
      ...leadershipMethods(session),
      ...feedMethods(sqlSession, parts.feeds),
      ...dueQueueMethods(sqlSession, createLeaseTokens()),
      ...entryWriters,
      ...notifyingMethods(entryWriters, notifications),
      ...feedHourMethods(sqlSession),
      ...entryMethods(sqlSession, parts.keys),
      ...hubSubscriptionMethods(sqlSession),
      ...siteMethods(sqlSession),
      ...marketMethods(sqlSession),
      ...spendingMethods(session),
      ...repairDateMethods(sqlSession),
      ...userMethods(sqlSession, subscriptions.userRemoved),
      ...subscriptionMethods(sqlSession, subscriptions),
      ...readStateMethods(sqlSession, subscriptions),
      ...readerListMethods(sqlSession),
      ...sharingMethods(sqlSession),
      ...articleMethods(sqlSession, parts.articles),
      ...articleRetentionMethods(sqlSession, parts.articles, parts.months),
      ...entryListMethods(sqlSession),
      ...groupQueryMethods(sqlSession),
      ...groupingMethods(sqlSession, parts.groups),
      ...indexQueueMethods(sqlSession),
      ...statisticsMethods(sqlSession),
      ...pollLogMethods(sqlSession),
      ...sizeMethods(sqlSession, postgresSize(session)),
      ...removalMethods(sqlSession, parts),
      ...retentionMethods(sqlSession, parts),
      compressEntries: async () => 0, // PostgreSQL compresses long values when they are written
      close,
    }) as Store,
    search: searchMethods(session),
    migration: createStoreMigration(sqlSession, postgresMigrationParts(session, close)),
    onNewEntries: notifications.onNewEntries,
  }
}
