/** Groups the methods of a store by topic, as the drivers divide them among files. The ports group them by caller instead. */
import type { ArticleId, Instant, Owned, StoredArticle } from '../model/index.ts'
import type { ArticleContext, GroupCatalogue, ReaderState, Store } from '../ports/index.ts'

export type ArticleMethods = Pick<DueDates, 'nextArticleAt'> &
  ArticlesAt &
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
    | 'entriesOfArticles'
    | 'feedUrlsOfArticles'
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

/** Part of `articleContext`. */
export interface ArticlesAt {
  /** Read articles whose page has one of these addresses. */
  articlesAt(pageUrls: string[]): Promise<StoredArticle[]>
}

type ArticleLookups = ArticlesAt & Pick<Store, 'articlesById' | 'entriesOfArticles' | 'feedsById'>

/** Adds the calls of the ports that answer several of the drivers' methods at once: a call to a store in a thread costs two messages. */
export function withCombinedReads<Methods extends DueDates & ArticleLookups>({
  nextPollAt,
  nextArticleAt,
  nextHubAt,
  articlesAt,
  ...methods
}: Methods) {
  const { articlesById, entriesOfArticles, feedsById } = methods
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
    async articleContext(ids: ArticleId[], pageUrls: string[]): Promise<ArticleContext> {
      const articles = await articlesById(ids)
      const firsts = (await entriesOfArticles(ids)).map(([first]) => first)
      const scheduled = await feedsById([...new Set(firsts.flatMap((first) => first?.feedId ?? []))])
      const feeds = scheduled.flatMap((found) => (found ? [found.feed] : []))
      return { articles, firsts, feeds, atAddresses: await articlesAt(pageUrls) }
    },
  }
}
