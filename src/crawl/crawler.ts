/** The types of a running crawl, as the server and the commands use it. */
import type {
  AboutFeed,
  ArticleId,
  ArticlePreference,
  EntryId,
  Failure,
  Feed,
  FeedCredentials,
  FeedId,
  FetchSettings,
  GroupLevel,
  GroupMove,
  Instant,
  Millis,
  PollingGoals,
  PollResult,
  SourceId,
  Task,
  UserId,
  WebAddress,
} from '../model/index.ts'
import type { EntryLink, FollowTarget, GroupJoin, Refusal, StoreError, SubscriptionChange } from '../ports/index.ts'

/** An address as a user gives it, perhaps with credentials in it or beside it. Kind `feed`: the address is a feed's own, as in an OPML file. */
export interface Address {
  url: string
  kind: 'any' | 'feed'
  credentials?: FeedCredentials
  title?: string
  folder?: string
  siteUrl?: string
  about?: AboutFeed
}

export type SubscribeResult =
  /** `added`: new to the crawl. `followed`: new to the user. */
  | { kind: 'feed'; url: string; feedId: FeedId; added: boolean; followed?: boolean }
  | { kind: 'source'; url: string; sourceId: SourceId; added: boolean; followed?: boolean }
  | { kind: 'refused'; url: string; reason: string }

/** An entry of another reader. */
export interface EntryToImport {
  guid?: string | undefined
  url?: string | undefined
  title: string
  publishedAt?: Instant | undefined
  author?: string | undefined
  /** Untrusted HTML. */
  content?: string | undefined
  /** Absent if it is not known. */
  read?: boolean | undefined
  starred?: true | undefined
  labels?: readonly string[] | undefined
}

/** Positions are those of the given entries. */
export interface ImportedEntries {
  /** Found in the store. */
  matched: number
  /** Of these, newly read and newly starred. */
  read: number
  starred: number
  /** Entries that were given labels. */
  labeled: number
  /** Labels were not added because the user has too many. */
  labelsRefused: boolean
  /** Starred or labeled entries that the feed no longer has: they were stored. */
  created: number[]
  /** Read entries that were stored for the first poll to find. */
  waiting: number
  missing: number[]
}

/** Changes to a feed; an empty text removes a value. */
export interface FeedEdit {
  title?: string
  folder?: string
  titlePrefix?: string
  /** A unique name. */
  name?: string
  /** Replaces the publisher's category. */
  category?: string
  strategy?: string
  url?: WebAddress
  /** User name and password for its address; null removes them. They are removed if the feed moves to another origin. */
  credentials?: FeedCredentials | null
  /** Replaces its settings for fetching; null removes them. */
  fetching?: FetchSettings | null
  /** Replaces its goals. */
  wants?: PollingGoals
  /** The number of readers that is reported to its server. */
  subscribers?: number
  /** Whether the article pages of its entries are fetched. */
  articles?: ArticlePreference | ''
}

/** A `FeedEdit` as a user gives it, with an unchecked address. */
export type FeedEditInput = Omit<FeedEdit, 'url' | 'fetching'> & { url?: string }

/** Bucket ownership of one of several controllers. */
export interface BucketStatus {
  owned: number
  /** How many of them it does not work on yet, because the takeover has not succeeded; and since when. */
  notTakenUp: number
  sinceAt?: Instant
}

export interface Activity {
  startedAt: Instant
  /** Set if several controllers share the store. */
  buckets?: BucketStatus
  /** The store fails: nothing is polled, and nothing is lost. */
  refusal?: Refusal
  /** The queue between machines fails. */
  queueRefusal?: Refusal
  /** Tasks in flight. */
  inFlight: { kind: Task['kind']; url: WebAddress; sinceAt: Instant }[]
  /** Since the start. */
  totals: {
    polls: number
    notModified: number
    failures: number
    fresh: number
    changed: number
    bytes: number
    gaps: number
    /** Articles that were fetched, and those that could not be; their bytes count in `bytes`. */
    articles: number
    articleFailures: number
    /** Internal errors. */
    internalErrors: number
  }
  /** The latest internal errors, newest first. */
  internalErrors: { at: Instant; words: string }[]
}

/** Events of a crawl, for logs, progress and the event stream. */
export type CrawlEvent =
  | {
      kind: 'polled'
      at: Instant
      feedId: FeedId
      title: string
      url: string
      tookMs: Millis
      bytes: number
      result: PollResult
      dueAt: Instant
    }
  | {
      kind: 'found'
      at: Instant
      sourceId: SourceId
      url: string
      feedId: FeedId
      feedUrl: string
      title: string
      entries: number
      bytes: number
      others: string[]
      added: boolean
    }
  | { kind: 'not-found'; at: Instant; sourceId: SourceId; url: string; failure: Failure; dueAt: Instant }
  /** An article page was fetched. `same`: it is an article that is stored already. A failure without `dueAt` is final. */
  | {
      kind: 'article'
      at: Instant
      articleId: ArticleId
      url: string
      tookMs: Millis
      bytes: number
      /** The entries that link to it, up to a limit. */
      links: EntryLink[]
      result:
        | { kind: 'read'; title?: string; words: number }
        | { kind: 'same' }
        | { kind: 'failed'; failure: Failure; dueAt?: Instant }
    }
  /** A feed that was gone was found at another address of its site, and moved there. */
  | { kind: 'moved'; at: Instant; feedId: FeedId; title: string; from: string; to: string }
  /** The site of a feed that is gone has another feed; a user has to decide whether it is the successor. */
  | { kind: 'successor'; at: Instant; feedId: FeedId; title: string; url: string; successorUrl: string }
  /** A feed redirects permanently to the address of another feed. It stays where it is; a user may remove one of them. */
  | { kind: 'duplicate'; at: Instant; feedId: FeedId; title: string; url: string; to: string; sameAs: FeedId }
  /** Another feed redirected to the same address and had the same entries: it was removed, and its followers follow this one. */
  | {
      kind: 'merged'
      at: Instant
      feedId: FeedId
      title: string
      url: string
      mergedId: FeedId
      mergedUrl: string
    }
  /** A feed redirects to another site without any known entry: nothing is read there until a user confirms the move. */
  | { kind: 'move-on-hold'; at: Instant; feedId: FeedId; title: string; url: string; to: string }
  /** Many feeds of a root fail alike: an incident of the host. Only a few canaries are polled until it is over. */
  | { kind: 'incident'; at: Instant; root: string; sign: string }
  | { kind: 'incident-over'; at: Instant; root: string }
  /** A hub pushed an update. */
  | {
      kind: 'pushed'
      at: Instant
      feedId: FeedId
      title: string
      url: string
      hub: string
      bytes: number
      fresh: number
      changed: number
    }
  | { kind: 'push'; at: Instant; what: PushEventKind; feedId: FeedId; hub: string; failure?: Failure }
  | { kind: 'host-backing-off'; at: Instant; root: string; until: Instant; failure: Failure }
  /** An entry moved to another group, because its text changed or its article arrived. */
  | ({ kind: 'regrouped'; title: string } & GroupMove)
  /** An entry joined a group for the first time: on which level, and similar to which entry. */
  | ({ kind: 'joined'; at: Instant; entryId: EntryId; title: string; level: GroupLevel } & Pick<
      GroupJoin,
      'likeId' | 'likeness' | 'reason'
    >)
  /** The signatures in the store are of an earlier version: entries are compared again. */
  | { kind: 'signatures-outdated'; at: Instant; entries: number }
  /** A feed exceeds its daily limit: `left` new entries were postponed, `pagesLeft` pages are not fetched. */
  | { kind: 'flood'; at: Instant; feedId: FeedId; title: string; url: string; left: number; pagesLeft: number }
  /** The store fails. Work waits and is retried, unless `isLast`: the crawl is stopping. */
  | { kind: 'store-unavailable'; at: Instant; error: StoreError; isLast?: true }
  | { kind: 'store-recovered'; at: Instant; afterMs: Millis }
  /** The machine's clock was set. */
  | { kind: 'clock-set'; at: Instant; byMs: Millis }
  /** Dates too far in the future, as after a wrong clock, were corrected. */
  | { kind: 'dates-repaired'; at: Instant; dates: number }
  /** This process started or stopped leading a task of the fleet. */
  | { kind: 'leader-task'; at: Instant; role: string; what: 'started' | 'ended' }
  /** A fetcher joined or left, was quarantined because of its results, or is trusted again. */
  | { kind: 'fetcher'; at: Instant; name: string; what: 'joined' | 'left' | 'quarantined' | 'trusted'; reason?: string }
  /** An internal error. */
  | { kind: 'internal-error'; at: Instant; error: unknown; doing: string }

/**
 * begins: the hub confirmed the subscription. refused: it refused. broken: a poll found an entry that the hub did not push. empty: it
 * announced an update without content, so the feed is polled. unsigned: a push in its name had no valid signature.
 */
export type PushEventKind = 'begins' | 'refused' | 'broken' | 'empty' | 'unsigned'

/** A request to the address that a hub was given. */
export interface PushRequest {
  /** Names in lower case. */
  headers: Record<string, string>
  /** From the Content-Length header. */
  declaredBytes?: number
  /** The body as it arrives. Called at most once, and only if a push is expected. */
  chunks: () => AsyncIterable<Uint8Array>
}

export interface PushResponse {
  status: 200 | 404 | 503
  body?: string
}

/** Handles requests of hubs (WebSub). */
export interface PushReceiver {
  /** Handles the verification of a subscription, or its denial. */
  confirm(token: string, query: Record<string, string>): Promise<PushResponse>
  /** Accepts a push if its signature is valid, and processes it afterwards. 410: no longer subscribed. 503: not now. */
  receive(token: string, push: PushRequest): Promise<{ status: 202 | 410 | 503 }>
}

export interface AddressTaken {
  /** Set if the other feed has the same name, not the same address. */
  name?: string
  by: Pick<Feed, 'id' | 'title' | 'url'>
}

export type ArticleRequestResult =
  /** `why`: why it is not fetched at once. */
  | { kind: 'queued'; articleId: ArticleId; dueAt: Instant; why?: string }
  /** It was read a short while ago. */
  | { kind: 'stored' }
  /** The entry has no address, or none that can be fetched. */
  | { kind: 'no-link' }

export interface Crawler {
  /**
   * Adds addresses. Feeds are due at once; other addresses become sources, whose feed is discovered. Duplicates are not added again. The
   * user follows them; the default is the first user.
   */
  subscribe(addresses: Address[], how?: { userId?: UserId; listed?: true }): Promise<SubscribeResult[]>
  /** Lets the user follow existing feeds. Returns for each whether they did not follow it before. */
  follow(userId: UserId, feedIds: FeedId[]): Promise<boolean[]>
  /** Lets the user unfollow feeds. A feed without followers is removed unless freshet.toml lists it. Returns for each whether they followed it. */
  unsubscribe(userId: UserId, what: FollowTarget[]): Promise<boolean[]>
  /** Changes the user's title and folder of a feed; false if they do not follow it. The folder of a single user is also that of the crawl. */
  editSubscription(userId: UserId, feedId: FeedId, change: SubscriptionChange): Promise<boolean>
  /**
   * Applies the state of entries of another reader to a feed that the user follows; see lifecycle/import-entries. `mayCreate`: starred
   * entries that are not in the store are added to the feed, where all followers see them.
   */
  importEntries(
    userId: UserId,
    feedId: FeedId,
    entries: readonly EntryToImport[],
    how: { mayCreate: boolean; isDryRun?: boolean },
  ): Promise<ImportedEntries>
  /** Renames a folder of the user, as `ReaderState.renameFolder`. The folders of a single user are also those of the crawl. */
  renameFolder(userId: UserId, from: string, to: string | null): Promise<number>
  /** Makes a feed due as soon as its host slot allows. Returns when that is; undefined if there is no such feed. */
  pollNow(id: FeedId): Promise<{ dueAt: Instant; why?: string } | undefined>
  /** Fetches the page of an entry before all others, as soon as its host allows. Undefined if there is no such entry. */
  requestArticle(id: EntryId): Promise<ArticleRequestResult | undefined>
  /**
   * Edits a feed; false if there is no such feed. A new strategy learns from the stored entries; a new address is polled at once. If another
   * feed has the address or name, nothing is changed.
   */
  edit(id: FeedId, edit: FeedEdit): Promise<boolean | AddressTaken>
  /** Replaces the goals of a folder. Feeds that would be polled sooner are rescheduled. */
  setFolderPreferences(folder: string, wants: PollingGoals): Promise<void>
  /**
   * Sets the budget, in polls per day for all feeds; undefined restores the configured one. It has no effect if the configuration sets a
   * fixed budget. The price is recalculated at once, and feeds follow it from their next poll on.
   */
  setBudget(pollsPerDay: number | undefined): Promise<void>
  /** Groups the entries of the window again, as after a change of settings. Returns how many. */
  regroupEntries(): Promise<number>
  pause(id: FeedId): Promise<boolean>
  resume(id: FeedId): Promise<boolean>
  remove(id: FeedId): Promise<boolean>
  removeSource(id: SourceId): Promise<boolean>
  activity(): Activity
  /** Absent if hubs cannot reach this server. */
  readonly pushReceiver?: PushReceiver
  /** Returns a function that removes the listener. */
  onEvent(listener: (event: CrawlEvent) => void): () => void
}
