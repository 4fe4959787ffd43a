/** Groups the methods of a store by topic, as the drivers divide them among files. The ports group them by caller instead. */
import type { ArticleId, Instant, Owned, StoredArticle, WebAddress } from '../model/index.ts'
import {
  ALL_FEEDS,
  type ArticleContext,
  type GroupCatalogue,
  type Leased,
  type LeasedArticle,
  type PendingChanges,
  type PendingGroups,
  type ReaderState,
  type Store,
  type UngroupedEntry,
} from '../ports/index.ts'

export type ArticleMethods = Pick<DueDates, 'nextArticleAt'> &
  ArticlesAt &
  ArticleLeasing &
  Pick<
    Store,
    | 'queueArticles'
    | 'cancelArticles'
    | 'releaseArticleLeases'
    | 'articleLeases'
    | 'recordArticles'
    | 'articlesById'
    | 'articlesOfEntries'
    | 'entriesOfArticles'
    | 'articleTexts'
    | 'rawPage'
    | 'everyArticle'
    | 'forgetPages'
    | 'trimPages'
    | 'forgetArticles'
    | 'diskUsage'
  >

export type GroupQueryMethods = Omit<GroupCatalogue, 'feedBoilerplate' | 'statistics' | 'entriesByHour'>

export type GroupingMethods = UngroupedEntries &
  Pick<Store, 'recordGroups' | 'feedBoilerplate' | 'settleGroups' | 'regroupSince' | 'signatures' | 'forgetSignatures'>

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

/** The parts of `leaseDueArticles`. */
export interface ArticleLeasing {
  leaseArticles(now: Instant, limit: number, until: Instant, owned?: Owned): Promise<Leased<StoredArticle>[]>
  /** The addresses of the distinct feeds of their entries, without loading the entries, which may be large. */
  feedUrlsOfArticles(ids: ArticleId[]): Promise<WebAddress[][]>
}

/** Part of `ungrouped`. */
export interface UngroupedEntries {
  ungroupedEntries(limit: number): Promise<PendingChanges<UngroupedEntry>>
}

type ArticleLookups = ArticlesAt & Pick<Store, 'articlesById' | 'entriesOfArticles' | 'feedsById'>

/** Adds the calls of the ports that answer several of the drivers' methods at once: a call to a store in a thread costs two messages. */
export function withCombinedReads<
  Methods extends DueDates & ArticleLookups & ArticleLeasing & UngroupedEntries & Pick<Store, 'feedBoilerplate'>,
>({
  nextPollAt,
  nextArticleAt,
  nextHubAt,
  articlesAt,
  leaseArticles,
  feedUrlsOfArticles,
  ungroupedEntries,
  ...methods
}: Methods) {
  const { articlesById, entriesOfArticles, feedsById, feedBoilerplate } = methods
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
    async leaseDueArticles(now: Instant, limit: number, until: Instant, owned?: Owned): Promise<LeasedArticle[]> {
      const leased = await leaseArticles(now, limit, until, owned)
      const feedUrls = leased.length > 0 ? await feedUrlsOfArticles(leased.map(({ id }) => id)) : []
      return leased.map((article, i) => ({ ...article, feedUrls: feedUrls[i] ?? [] }))
    },
    async ungrouped(limit: number): Promise<PendingGroups> {
      const pending = await ungroupedEntries(limit)
      const feedIds = new Set(pending.changes.flatMap(({ entry }) => entry?.feedId ?? []))
      const ids = feedIds.size > 0 ? [ALL_FEEDS, ...feedIds] : []
      const memories = ids.length > 0 ? await feedBoilerplate(ids) : []
      const boilerplate = ids.flatMap((feedId, i) => (memories[i] ? [{ feedId, memory: memories[i] }] : []))
      return { ...pending, boilerplate }
    },
  }
}
