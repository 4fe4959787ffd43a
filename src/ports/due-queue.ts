/**
 * Due work for the scheduler. Work is leased, and the lease ends by releasing it or by recording a result (poll-results.ts). Feeds and
 * sources are leased one by one. Articles wait in one queue per root, newest first, and the lease is on the queue: so a root with ten
 * thousand pages gets as many turns as a root with one, and a delay (`dueAt`) applies to all articles of the root. Hub subscriptions
 * need no leases: before sending a request, the scheduler moves their due date.
 */
import type {
  ArticleId,
  DueReason,
  FeedId,
  HubSubscription,
  Instant,
  LeaseToken,
  Owned,
  PageSettings,
  ScheduledFeed,
  Source,
  SourceId,
  StoredArticle,
  WebAddress,
} from '../model/index.ts'

/** A leased item with the token of its lease. */
export type Leased<What> = What & { lease: LeaseToken }

export type LeasedArticle = Leased<StoredArticle> & {
  /** The distinct feeds that link to it. */
  feeds: LinkingFeed[]
}

/** A feed that links to an article, with its settings for pages. */
export interface LinkingFeed extends PageSettings {
  url: WebAddress
}

export interface LeasedItems {
  feeds: Leased<ScheduledFeed>[]
  sources: Leased<Source>[]
}

type Item = { kind: 'feed'; id: FeedId } | { kind: 'source'; id: SourceId } | { kind: 'article'; id: ArticleId }

/**
 * Ends the lease of an item, or of the article queue that an article was taken from, if the item was not visited. Without `dueAt`, its due date does not change. If `lease` is not its current
 * lease, nothing happens. `because`: the reason of the new due date of a feed, if it differs from the previous one.
 */
export type LeaseRelease = Item & { lease?: LeaseToken; dueAt?: Instant; because?: DueReason }

export type Lease = Item & { lease: LeaseToken; leasedAt: Instant }

/** When the next item is due or its lease expires; absent if nothing is waiting. */
export interface NextDue {
  /** When `leaseDue` returns something. */
  pollAt?: Instant
  /** When `leaseDueArticles` returns something. */
  articleAt?: Instant
  /** When `dueHubSubscriptions` returns something. */
  hubAt?: Instant
}

export interface DueQueue {
  /**
   * Leases active feeds and looking sources that are due at `now` and not leased, longest due first, at most `limit` of each. The
   * leases expire at `until`; until then no other caller receives the items. Covers all buckets, or only those in `owned`; a bucket
   * with an outdated epoch returns nothing.
   */
  leaseDue(now: Instant, limit: number, until: Instant, owned?: Owned): Promise<LeasedItems>
  /** Leases these items whether they are due or not, in the given order. Omits items that are gone or already leased. */
  leaseThese(items: { feeds: FeedId[]; sources: SourceId[] }, now: Instant, until: Instant): Promise<LeasedItems>
  /**
   * All current leases; for a leased article queue, of the article taken from it. A new bucket owner finds here the items its predecessor
   * had leased when it died.
   */
  leases(owned?: Owned): Promise<Lease[]>
  /** Ends leases without a visit. Items that are gone or not leased are ignored, unless they have a `dueAt`. */
  releaseLeases(items: LeaseRelease[]): Promise<void>
  nextDue(owned?: Owned): Promise<NextDue>
  /**
   * Leases article queues that are due at `now` and not leased, longest due first, at most `limit`. Returns the newest due article of
   * each. The leases expire at `until`.
   */
  leaseDueArticles(now: Instant, limit: number, until: Instant, owned?: Owned): Promise<LeasedArticle[]>
  /** Hub subscriptions due at `now`, longest due first. Returned again until their due date changes. */
  dueHubSubscriptions(now: Instant, limit: number, owned?: Owned): Promise<HubSubscription[]>
  /**
   * Repairs dates written while the clock was ahead. Due dates and leases after `furthest` become `now`. Poll, arrival and fetch
   * dates after `now` become `now`, and the strategy memories of these feeds are cleared. Returns the number of repaired items. Cheap if
   * there are none.
   */
  repairDates(now: Instant, furthest: Instant): Promise<number>
}
