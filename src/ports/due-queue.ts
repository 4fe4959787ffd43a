/**
 * What is due, for who dispatches: it is taken with a lease, and handed back, or recorded (poll-results.ts). Feeds and sources are
 * taken alike; articles wait in lines, one for each root: the newest goes first. What is due is a line; so a root with ten thousand
 * pages gets its turns like a root with one, and what is asked of a root (`dueAt`) holds for all who wait for it. Hubs need no
 * leases: who asks one first moves the date on which it is due.
 */
import type {
  ArticleId,
  DueReason,
  FeedId,
  Instant,
  LeaseToken,
  Owned,
  Push,
  ScheduledFeed,
  Source,
  SourceId,
  StoredArticle,
} from '../model/index.ts'

/** What somebody has taken, with the token that proves it. */
export type Leased<What> = What & { lease: LeaseToken }

export interface Taken {
  feeds: Leased<ScheduledFeed>[]
  sources: Leased<Source>[]
}

type Item = { kind: 'feed'; id: FeedId } | { kind: 'source'; id: SourceId }

/**
 * Something that was taken and is given back unperformed; without `dueAt` it is due when it was before. With a `lease` that is
 * not the one it is under now, nothing happens. `because`: why a feed is due then, where that is another reason than before.
 */
export type HandedBack = Item & { lease?: LeaseToken; dueAt?: Instant; because?: DueReason }

export type Lease = Item & { lease: LeaseToken; takenAt: Instant }

export interface PageLease {
  id: ArticleId
  /** Of the line that it was taken from. */
  lease: LeaseToken
  takenAt: Instant
}

/** The earliest instants at which something is due, leases included; absent where nothing waits. */
export interface NextDue {
  /** At which takeDue would give something. */
  pollAt?: Instant
  /** The same of takeDueArticles. */
  pageAt?: Instant
  /** The same of duePushes. */
  hubAt?: Instant
}

export interface Agenda {
  /**
   * Active feeds and looking sources due at `now` and in nobody's hands, longest due first, at most `limit` of each; they
   * are the caller's until `until`, at which they are free again. Nothing is given to two callers while its lease holds. Of
   * all buckets, or of those that are `owned`; whoever comes with an old epoch is given nothing of that bucket.
   */
  takeDue(now: Instant, limit: number, until: Instant, owned?: Owned): Promise<Taken>
  /** The same for just these, due or not, in the order in which they are named; those that are gone, or somebody has, are left out. */
  takeThese(what: { feeds: FeedId[]; sources: SourceId[] }, now: Instant, until: Instant): Promise<Taken>
  /** What somebody has, and since when; an owner who has only just begun finds here what the one before him had when he died. */
  leases(owned?: Owned): Promise<Lease[]>
  /** Ends leases without a poll. What is not leased, or gone, is left alone unless it has a `dueAt`. */
  handBack(items: HandedBack[]): Promise<void>
  nextDue(owned?: Owned): Promise<NextDue>
  /**
   * From each line that is due at `now` and in nobody's hands, the newest article that is due; lines that have been due for
   * longest first, at most `limit`. The line is the caller's until `until`.
   */
  takeDueArticles(now: Instant, limit: number, until: Instant, owned?: Owned): Promise<Leased<StoredArticle>[]>
  /** Ends leases of lines unperformed, unless the line is under another lease than this. With `dueAt`, nothing is given from the line before then. */
  handBackArticles(items: { id: ArticleId; lease?: LeaseToken; dueAt?: Instant }[]): Promise<void>
  /** Which pages somebody is fetching, and since when; as `leases`, where several share a store. */
  pageLeases(owned?: Owned): Promise<PageLease[]>
  /** Due at `now`, longest due first; the same again until their date is another. */
  duePushes(now: Instant, limit: number, owned?: Owned): Promise<Push[]>
  /**
   * What a clock that was ahead has left behind is as if that had not been. What is due or leased after `furthest` is so
   * at `now`; what was polled, seen or fetched after `now` was so at `now` at the latest, and the memories of such
   * feeds are emptied. Answers how much there was of it. Costs next to nothing where there is none.
   */
  mendDates(now: Instant, furthest: Instant): Promise<number>
}
