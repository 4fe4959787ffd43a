/** The methods of a store that both databases implement alike. */
import { withPortMethods } from '../methods.ts'
import { articleRetentionMethods } from './article-retention.ts'
import { articleMethods } from './articles.ts'
import { createCrawlParts } from './crawl-parts.ts'
import { dueQueueMethods } from './due-queue.ts'
import { entryMethods } from './entries.ts'
import type { EntryKeys } from './entry-keys.ts'
import { entryLabelMethods } from './entry-labels.ts'
import { entryListMethods } from './entry-list.ts'
import { feedHourMethods } from './feed-hours.ts'
import { feedMethods } from './feeds.ts'
import { groupQueryMethods } from './group-queries.ts'
import { groupingMethods } from './grouping.ts'
import { hubSubscriptionMethods } from './hub-subscriptions.ts'
import { createLeaseTokens } from './lease-tokens.ts'
import { marketMethods } from './market.ts'
import type { Months } from './months.ts'
import { indexQueueMethods } from './pending-work.ts'
import { pollLogMethods } from './poll-log.ts'
import { pollRecordMethods } from './poll-writer.ts'
import { readStateMethods } from './read-state.ts'
import { readerListMethods } from './reader-lists.ts'
import { removalMethods } from './removals.ts'
import { repairDateMethods } from './repair-dates.ts'
import { retentionMethods } from './retention.ts'
import type { SqlSession } from './session.ts'
import { sharingMethods } from './sharing.ts'
import { siteMethods } from './sites.ts'
import { sourceMethods } from './sources.ts'
import { statisticsMethods } from './statistics.ts'
import { type SizeQueries, sizeMethods } from './store-size.ts'
import { createSubscriptionWriter } from './subscription-writer.ts'
import { subscriptionMethods } from './subscriptions.ts'
import { userValueMethods } from './user-values.ts'
import { userMethods } from './users.ts'

/** Parts that differ between databases. */
export interface SqlStoreParts {
  keys: EntryKeys
  months: Months
  size: SizeQueries
}

export function createStoreMethods(session: SqlSession, { keys, months, size }: SqlStoreParts) {
  const subscriptions = createSubscriptionWriter(session.dialect)
  const parts = createCrawlParts(session, { keys, months, subscriptions })
  return withPortMethods({
    ...feedMethods(session, parts.feeds),
    ...removalMethods(session, parts),
    ...retentionMethods(session, parts),
    ...sourceMethods(session, parts.sources),
    ...dueQueueMethods(session, createLeaseTokens()),
    ...pollRecordMethods(session, parts.polls),
    ...pollLogMethods(session),
    ...feedHourMethods(session),
    ...hubSubscriptionMethods(session),
    ...siteMethods(session),
    ...articleMethods(session, parts.articles),
    ...articleRetentionMethods(session, parts.articles, months),
    ...entryMethods(session, keys),
    ...entryListMethods(session),
    ...groupQueryMethods(session),
    ...groupingMethods(session, parts.groups),
    ...indexQueueMethods(session),
    ...statisticsMethods(session),
    ...sizeMethods(session, size),
    ...marketMethods(session),
    ...repairDateMethods(session),
    ...userMethods(session, subscriptions.userRemoved),
    ...subscriptionMethods(session, subscriptions),
    ...readStateMethods(session, subscriptions),
    ...entryLabelMethods(session),
    ...readerListMethods(session),
    ...sharingMethods(session),
    ...userValueMethods(session),
  })
}
