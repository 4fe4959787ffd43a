/** Groups the methods of a store by topic, as the drivers divide them among files. The ports group them by caller instead. */
import type { Instant, Owned } from '../model/index.ts'
import type { GroupCatalogue, ReaderState, Store } from '../ports/index.ts'

export type ArticleMethods = Pick<DueDates, 'nextArticleAt'> &
  Pick<
    Store,
    | 'queueArticles'
    | 'cancelArticles'
    | 'leaseDueArticles'
    | 'releaseArticleLeases'
    | 'articleLeases'
    | 'recordArticles'
    | 'articlesById'
    | 'articlesOfEntries'
    | 'articlesAt'
    | 'entriesOfArticles'
    | 'feedsOfArticles'
    | 'articleTexts'
    | 'rawPage'
    | 'everyArticle'
    | 'forgetPages'
    | 'trimPages'
    | 'forgetArticles'
    | 'diskUsage'
  >

export type GroupQueryMethods = Omit<GroupCatalogue, 'feedBoilerplate' | 'statistics' | 'entriesByHour'>

export type GroupingMethods = Pick<
  Store,
  'ungrouped' | 'recordGroups' | 'feedBoilerplate' | 'settleGroups' | 'regroupSince' | 'signatures' | 'forgetSignatures'
>

export type HubSubscriptionMethods = Pick<DueDates, 'nextHubAt'> &
  Pick<
    Store,
    | 'hubSubscriptionByToken'
    | 'hubSubscriptionsOf'
    | 'everyHubSubscription'
    | 'dueHubSubscriptions'
    | 'recordHubSubscriptions'
    | 'dropHubSubscriptions'
  >

export type SubscriptionMethods = Pick<
  ReaderState,
  | 'follow'
  | 'unfollow'
  | 'changeSubscription'
  | 'renameFolder'
  | 'subscriptionsOf'
  | 'subscriptionsTo'
  | 'pendingSubscriptions'
  | 'readerCounts'
  | 'followerCounts'
  | 'feedsWithin'
  | 'unfollowedFeeds'
  | 'everyFeedReads'
>

/** The parts of `nextDue`. */
export interface DueDates {
  nextPollAt(owned?: Owned): Promise<Instant | undefined>
  nextArticleAt(owned?: Owned): Promise<Instant | undefined>
  nextHubAt(owned?: Owned): Promise<Instant | undefined>
}

export function withNextDue<Methods extends DueDates>({ nextPollAt, nextArticleAt, nextHubAt, ...methods }: Methods) {
  return {
    ...methods,
    async nextDue(owned?: Owned): Promise<{ pollAt?: Instant; articleAt?: Instant; hubAt?: Instant }> {
      const [pollAt, articleAt, hubAt] = await Promise.all([nextPollAt(owned), nextArticleAt(owned), nextHubAt(owned)])
      return {
        ...(pollAt !== undefined && { pollAt }),
        ...(articleAt !== undefined && { articleAt }),
        ...(hubAt !== undefined && { hubAt }),
      }
    },
  }
}
