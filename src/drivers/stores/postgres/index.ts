/**
 * A store in PostgreSQL, version 15 or later, by the package `pg`: any number of processes share it, each with a pool of
 * connections (session.ts). Each role's methods stand in a file of their own and are put together here.
 *
 * What is due is taken without waiting for others who take (due.ts); who owns which buckets is agreed under a lock
 * (ownership.ts); what grows without end comes in months of arrival (migrations/000001.sql, and docs/decisions/postgresql-store.md).
 */
import type { Ferry, Search, Store } from '../../../ports/index.ts'
import { hourMethods } from '../sql/feed-hours.ts'
import { handoutMethods } from '../sql/handouts.ts'
import { hostMethods } from '../sql/hosts.ts'
import { marketMethods } from '../sql/market.ts'
import { markMethods } from '../sql/marks.ts'
import { peopleMethods } from '../sql/people.ts'
import { pollLogMethods } from '../sql/poll-log.ts'
import { pushMethods } from '../sql/pushes.ts'
import { readerListMethods } from '../sql/reader-lists.ts'
import { readingMethods } from '../sql/readings.ts'
import { robotsMethods } from '../sql/robots.ts'
import { sourceMethods } from '../sql/sources.ts'
import { statisticsMethods } from '../sql/statistics.ts'
import { articleMethods } from './articles.ts'
import { countMethods } from './counts.ts'
import { dueMethods } from './due.ts'
import { entryMethods } from './entries.ts'
import { entryListMethods } from './entry-list.ts'
import { feedMethods } from './feeds.ts'
import { postgresFerry, refuseHalfFilledDatabase, refuseInUse } from './ferry.ts'
import { groupMethods } from './groups.ts'
import { leadershipMethods } from './leadership.ts'
import { mendingMethods } from './mend-dates.ts'
import { checkShape, migratePostgres, postgresMigrations } from './migrate.ts'
import { createNews, type EntryNews, tellingNews } from './news.ts'
import { ownershipMethods } from './ownership.ts'
import { pollMethods } from './polls.ts'
import { readings } from './reading-writer.ts'
import { removalMethods } from './removals.ts'
import { searchMethods } from './search.ts'
import { openSession, type PostgresSession } from './session.ts'
import { SOURCE_PARTS } from './source-parts.ts'
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
  const bringing = { ...pollMethods(session), ...sourceMethods(shared, SOURCE_PARTS) }
  return {
    name: session.name,
    store: {
      ...ownershipMethods(session),
      ...leadershipMethods(session),
      ...feedMethods(session),
      ...dueMethods(session),
      ...bringing,
      ...tellingNews(bringing, news),
      ...hourMethods(shared),
      ...entryMethods(session),
      ...pushMethods(shared),
      ...robotsMethods(shared),
      ...hostMethods(shared),
      ...marketMethods(shared),
      ...spendingMethods(session),
      ...mendingMethods(session),
      ...peopleMethods(shared, readings.personRemoved),
      ...readingMethods(shared, readings),
      ...markMethods(shared, readings),
      ...readerListMethods(shared),
      ...handoutMethods(shared),
      ...articleMethods(session),
      ...entryListMethods(session),
      ...groupMethods(session),
      ...statisticsMethods(shared),
      ...pollLogMethods(shared),
      ...countMethods(session),
      ...removalMethods(session),
      close,
    } as Store,
    search: searchMethods(session),
    ferry: postgresFerry(session, close),
    onNews: news.onNews,
  }
}
