/**
 * A store in PostgreSQL, version 15 or later, by the package `pg`: any number of processes share it, each with a pool of
 * connections (session.ts). Each role's methods stand in a file of their own and are put together here.
 *
 * What is due is taken without waiting for others who take (due.ts); who owns which buckets is agreed under a lock
 * (ownership.ts); what grows without end comes in months of arrival (migrations/000001.sql, and docs/decisions/postgresql-store.md).
 */
import type { Ferry, Search, Store } from '../../ports/index.ts'
import { withNextDue } from '../methods.ts'
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
import { countMethods } from './counts.ts'
import { diskUsageOf } from './disk-usage.ts'
import { entryMethods } from './entries.ts'
import { POSTGRES_KEYS } from './entry-keys.ts'
import { entryListMethods } from './entry-list.ts'
import { feedMethods } from './feeds.ts'
import { postgresFerry, refuseHalfFilledDatabase, refuseInUse } from './ferry.ts'
import { leadershipMethods } from './leadership.ts'
import { checkShape, migratePostgres, postgresMigrations } from './migrate.ts'
import { createNews, type EntryNews, tellingNews } from './news.ts'
import { ownershipMethods } from './ownership.ts'
import { createMonths } from './partitions.ts'
import { searchMethods } from './search.ts'
import { openSession, type PostgresSession } from './session.ts'
import { spendingMethods } from './spending.ts'
import { createSharedSession } from './sql-session.ts'
import { troubleInWords } from './trouble.ts'

export interface PostgresStoreOptions {
  /** `postgres://user:password@host:port/database`, with whatever else `pg` reads of an address. */
  address: string
  mode: 'write' | 'read'
  /** At most so many at once. */
  connections?: number
  /** How long a refused login is retried once the server has let us in. */
  loginRetryMs?: number
  /** For who carries over what is in it, or fills it: also if that was begun and not ended; not while somebody crawls. */
  ferrying?: boolean
  /** For tests of migrations; else those beside this module. */
  migrations?: string[]
}

export interface PostgresStore extends Pick<EntryNews, 'onNews'> {
  store: Store
  /** Closed together with the store, as is the ferry. */
  search: Search
  ferry: Ferry
  /** Its address, without the password. */
  name: string
}

/** Throws a StoreError if it cannot be used. */
export async function openPostgresStore(options: PostgresStoreOptions): Promise<PostgresStore> {
  const session = await openSession(options)
  const migrations = options.migrations ?? postgresMigrations()
  try {
    if (options.mode === 'write') {
      await migratePostgres(session, migrations)
      await session.write((tx) => tx.run("DELETE FROM endings WHERE at < now() - interval '1 day'")) // of connections that are gone
    } else await checkShape(session, migrations.length)
    if (options.ferrying) await refuseInUse(session)
    else await refuseHalfFilledDatabase(session)
  } catch (error) {
    await session.close()
    throw troubleInWords(error, 'open', session.name)
  }
  return assemble(session)
}

function assemble(session: PostgresSession): PostgresStore {
  const shared = createSharedSession(session)
  const news = createNews(session, session.connect)
  const close = async () => {
    await news.close()
    await session.close()
  }
  const readings = createReadingWriter(shared.dialect)
  const parts = createCrawlParts(shared, { keys: POSTGRES_KEYS, months: createMonths(shared), readings })
  const bringing = { ...pollRecords(shared, parts.polls), ...sourceMethods(shared, parts.sources) }
  return {
    name: session.name,
    store: withNextDue({
      ...ownershipMethods(session),
      ...leadershipMethods(session),
      ...feedMethods(session),
      ...feedChangeMethods(shared, parts.feeds),
      ...dueMethods(shared, createLeaseTokens()),
      ...bringing,
      ...tellingNews(bringing, news),
      ...hourMethods(shared),
      ...entryMethods(session),
      ...pushMethods(shared),
      ...robotsMethods(shared),
      ...hostMethods(shared),
      ...marketMethods(shared),
      ...spendingMethods(session),
      ...mendMethods(shared),
      ...peopleMethods(shared, readings.personRemoved),
      ...readingMethods(shared, readings),
      ...markMethods(shared, readings),
      ...readerListMethods(shared),
      ...handoutMethods(shared),
      ...articleMethods(shared, parts.articles),
      ...forgetArticleMethods(shared, parts.articles, parts.months),
      diskUsage: () => diskUsageOf(session),
      ...entryListMethods(session),
      ...groupMethods(shared, parts.groups),
      ...indexLineMethods(shared),
      ...statisticsMethods(shared),
      ...pollLogMethods(shared),
      ...countMethods(session),
      ...removalMethods(shared, parts),
      ...forgetMethods(shared, parts),
      packEntries: async () => 0, // PostgreSQL packs what is long when it is written
      close,
    }) as Store,
    search: searchMethods(session),
    ferry: postgresFerry(session, close),
    onNews: news.onNews,
  }
}
