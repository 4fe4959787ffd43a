/** Groups the methods of a store by topic, as the drivers divide them among files. The ports group them by caller instead. */
import type { ArticleId, Instant, Owned, StoredArticle, UserId } from '../model/index.ts'
import {
  ALL_FEEDS,
  type GroupCatalogue,
  type Lease,
  type Leased,
  type LeaseRelease,
  type LinkingFeed,
  type PendingChanges,
  type ReaderState,
  type SharedKind,
  type SharedKinds,
  type Store,
  type UngroupedEntry,
} from '../ports/index.ts'

export type ArticleMethods = Pick<DueDates, 'nextArticleAt'> &
  Pick<LeaseMethods, 'articleLeases' | 'releaseArticleLeases'> &
  Pick<RetentionMethods, 'forgetPages' | 'trimPages' | 'forgetArticles'> &
  ArticlesAt &
  ArticleLeasing &
  Pick<
    Store,
    | 'queueArticles'
    | 'cancelArticles'
    | 'recordArticles'
    | 'articlesById'
    | 'articlesOfEntries'
    | 'entriesOfArticles'
    | 'articleTexts'
    | 'rawPage'
    | 'everyArticle'
    | 'diskUsage'
  >

export type GroupQueryMethods = Omit<GroupCatalogue, 'feedBoilerplate' | 'statistics' | 'entriesByHour'>

export type GroupingMethods = UngroupedEntries &
  Pick<RetentionMethods, 'forgetSignatures'> &
  Pick<Store, 'recordGroups' | 'feedBoilerplate' | 'settleGroups' | 'regroupSince' | 'signatures'>

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
  | 'followedFeeds'
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

/** The parts of `leaseDueArticles`. */
export interface ArticleLeasing {
  leaseArticles(now: Instant, limit: number, until: Instant, owned?: Owned): Promise<Leased<StoredArticle>[]>
  /** The distinct feeds of their entries, without loading the entries, which may be large. */
  feedsOfArticles(ids: ArticleId[]): Promise<LinkingFeed[][]>
}

/** Part of `ungrouped`. */
export interface UngroupedEntries {
  ungroupedEntries(limit: number): Promise<PendingChanges<UngroupedEntry>>
}

type PortMethods = Pick<
  Store,
  'leases' | 'releaseLeases' | 'forget' | 'trim' | 'nextDue' | 'articleContext' | 'leaseDueArticles' | 'ungrouped'
>

type ArticleLookups = ArticlesAt & Pick<Store, 'articlesById' | 'entriesOfArticles' | 'feedsById'>

/** Entries of an article whose users are told that it was read. */
const MAX_LINKS = 50

/**
 * Makes the methods of the ports from those of the drivers: some answer several of these at once, because a call to a store in a thread costs
 * two messages, and some choose one by kind.
 */
export function withPortMethods<
  Methods extends DueDates &
    LeaseMethods &
    RetentionMethods &
    ArticleLookups &
    ArticleLeasing &
    UngroupedEntries &
    Pick<Store, 'feedBoilerplate'>,
>(methods: Methods) {
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
    leaseArticles,
    feedsOfArticles,
    ungroupedEntries,
    ...others
  } = afterDates
  const { articlesById, entriesOfArticles, feedsById, feedBoilerplate } = methods
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
      const entries = await entriesOfArticles(ids)
      const firsts = entries.map(([first]) => first)
      const links = entries.map((list) => list.slice(0, MAX_LINKS).map(({ id, feedId }) => ({ entryId: id, feedId })))
      const scheduled = await feedsById([...new Set(firsts.flatMap((first) => first?.feedId ?? []))])
      const feeds = scheduled.flatMap((found) => (found ? [found.feed] : []))
      return { articles, firsts, links, feeds, atAddresses: await articlesAt(pageUrls) }
    },
    async leaseDueArticles(now, limit, until, owned) {
      const leased = await leaseArticles(now, limit, until, owned)
      const feeds = leased.length > 0 ? await feedsOfArticles(leased.map(({ id }) => id)) : []
      return leased.map((article, i) => ({ ...article, feeds: feeds[i] ?? [] }))
    },
    async ungrouped(limit) {
      const pending = await ungroupedEntries(limit)
      const feedIds = new Set(pending.changes.flatMap(({ entry }) => entry?.feedId ?? []))
      const ids = feedIds.size > 0 ? [ALL_FEEDS, ...feedIds] : []
      const memories = ids.length > 0 ? await feedBoilerplate(ids) : []
      const boilerplate = ids.flatMap((feedId, i) => (memories[i] ? [{ feedId, memory: memories[i] }] : []))
      return { ...pending, boilerplate }
    },
  }
  return { ...others, ...combined }
}
