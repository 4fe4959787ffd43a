/** Groups the methods of a store by topic, as the drivers divide them among files. The ports group them by caller instead. */
import type { Instant, Owned, StoredArticle, UserId } from '../model/index.ts'
import type {
  GroupCatalogue,
  Lease,
  LeaseRelease,
  ReaderState,
  SharedKind,
  SharedKinds,
  Store,
} from '../ports/index.ts'

export type ArticleMethods = Pick<DueDates, 'nextArticleAt'> &
  Pick<LeaseMethods, 'articleLeases' | 'releaseArticleLeases'> &
  Pick<RetentionMethods, 'forgetPages' | 'trimPages' | 'forgetArticles'> &
  ArticlesAt &
  Pick<
    Store,
    | 'queueArticles'
    | 'cancelArticles'
    | 'leaseDueArticles'
    | 'recordArticles'
    | 'articlesById'
    | 'articlesOfEntries'
    | 'entriesOfArticles'
    | 'feedUrlsOfArticles'
    | 'articleTexts'
    | 'rawPage'
    | 'everyArticle'
    | 'diskUsage'
  >

export type GroupQueryMethods = Omit<GroupCatalogue, 'feedBoilerplate' | 'statistics' | 'entriesByHour'>

export type GroupingMethods = Pick<RetentionMethods, 'forgetSignatures'> &
  Pick<Store, 'ungrouped' | 'recordGroups' | 'feedBoilerplate' | 'settleGroups' | 'regroupSince' | 'signatures'>

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

type ArticleRelease = Extract<LeaseRelease, { kind: 'article' }>

/** `leases` and `releaseLeases`, for feeds and sources, and for articles. */
export interface LeaseMethods {
  itemLeases(owned?: Owned): Promise<Lease[]>
  releaseItemLeases(items: Exclude<LeaseRelease, ArticleRelease>[]): Promise<void>
  articleLeases(owned?: Owned): Promise<Lease[]>
  releaseArticleLeases(items: ArticleRelease[]): Promise<void>
}

type Forget = (before: Instant, limit: number) => Promise<number>
type Trim = (bytes: number, limit: number) => Promise<number>

/** `forget` and `trim`, by kind. */
export interface RetentionMethods {
  forgetEntries: Forget
  forgetPolls: Forget
  forgetArticles: Forget
  forgetPages: Forget
  forgetSignatures: Forget
  forgetRobots: Forget
  trimPages: Trim
  trimRobots: Trim
}

/** `sharedItems`, `addSharedItem` and `changeSharedItem` for one kind. */
interface SharedMethods<Kind extends SharedKind> {
  list(userId: UserId): Promise<SharedKinds[Kind]['item'][]>
  add(item: SharedKinds[Kind]['added']): Promise<SharedKinds[Kind]['addedId']>
  change(userId: UserId, id: SharedKinds[Kind]['item']['id'], change: SharedKinds[Kind]['change']): Promise<boolean>
}

export function sharingByKind(
  methods: { [Kind in SharedKind]: SharedMethods<Kind> },
): Pick<Store, 'sharedItems' | 'addSharedItem' | 'changeSharedItem'> {
  return {
    sharedItems: (kind, userId) => methods[kind].list(userId),
    addSharedItem: (kind, item) => methods[kind].add(item),
    changeSharedItem: (kind, userId, id, change) => methods[kind].change(userId, id, change),
  }
}

/** Part of `articleContext`. */
export interface ArticlesAt {
  /** Read articles whose page has one of these addresses. */
  articlesAt(pageUrls: string[]): Promise<StoredArticle[]>
}

type PortMethods = Pick<Store, 'leases' | 'releaseLeases' | 'forget' | 'trim' | 'nextDue' | 'articleContext'>

type ArticleLookups = ArticlesAt & Pick<Store, 'articlesById' | 'entriesOfArticles' | 'feedsById'>

/**
 * Makes the methods of the ports from those of the drivers: some answer several of these at once, because a call to a store in a thread costs
 * two messages, and some choose one by kind.
 */
export function withPortMethods<Methods extends DueDates & LeaseMethods & RetentionMethods & ArticleLookups>(
  methods: Methods,
) {
  const { nextPollAt, nextArticleAt, nextHubAt, articlesAt, ...afterDates } = methods
  const {
    itemLeases,
    releaseItemLeases,
    articleLeases,
    releaseArticleLeases,
    forgetEntries: entries,
    forgetPolls: polls,
    forgetArticles: articles,
    forgetPages: pages,
    forgetSignatures: signatures,
    forgetRobots: robots,
    trimPages,
    trimRobots,
    ...others
  } = afterDates
  const { articlesById, entriesOfArticles, feedsById } = methods
  const forgetByKind = { entries, polls, articles, pages, signatures, robots }
  const trimByKind = { pages: trimPages, robots: trimRobots }
  const combined: PortMethods = {
    forget: (kind, before, limit) => forgetByKind[kind](before, limit),
    trim: (kind, bytes, limit) => trimByKind[kind](bytes, limit),
    leases: async (owned) => (await Promise.all([itemLeases(owned), articleLeases(owned)])).flat(),
    async releaseLeases(items) {
      const articles = items.filter((item) => item.kind === 'article')
      const others = items.filter((item) => item.kind !== 'article')
      if (others.length > 0) await releaseItemLeases(others)
      if (articles.length > 0) await releaseArticleLeases(articles)
    },
    async nextDue(owned) {
      const [pollAt, articleAt, hubAt] = await Promise.all([nextPollAt(owned), nextArticleAt(owned), nextHubAt(owned)])
      return {
        ...(pollAt !== undefined && { pollAt }),
        ...(articleAt !== undefined && { articleAt }),
        ...(hubAt !== undefined && { hubAt }),
      }
    },
    async articleContext(ids, pageUrls) {
      const articles = await articlesById(ids)
      const firsts = (await entriesOfArticles(ids)).map(([first]) => first)
      const scheduled = await feedsById([...new Set(firsts.flatMap((first) => first?.feedId ?? []))])
      const feeds = scheduled.flatMap((found) => (found ? [found.feed] : []))
      return { articles, firsts, feeds, atAddresses: await articlesAt(pageUrls) }
    },
  }
  return { ...others, ...combined }
}
