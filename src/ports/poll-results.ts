/**
 * Written by the recorder: results of polls and article fetches with all their changes, host state, and hub subscriptions. Frequently
 * called methods take arrays and write all items or none.
 */
import type {
  ArticleId,
  ArticleResult,
  Entry,
  EntryDraft,
  EntryExtras,
  EntryId,
  FailedProbe,
  Failure,
  Feed,
  FeedId,
  Host,
  HubSubscription,
  Instant,
  KnownEntry,
  LeaseToken,
  Poll,
  Schedule,
  SiteRobots,
  SourceId,
  StoredArticle,
  WebAddress,
} from '../model/index.ts'
import type { FeedChange, NewFeed, PageRequest } from './feed-registry.ts'

export type { ArticleResult } from '../model/index.ts'

/** recorded: written. stale: computed from an outdated feed or schedule. void: its feed or lease is gone, or it is older than the last poll. */
export type RecordResult = 'recorded' | 'stale' | 'void'

/** Renames the key of a stored entry. */
export interface KeyChange {
  from: string
  to: string
}

/** The entries of a window that have to be written. */
export interface EntryChanges {
  /** Applied first. Skipped where another entry has the new key. */
  keyChanges?: KeyChange[]
  fresh: EntryDraft[]
  /** Stored entries whose content has changed. */
  changed: EntryDraft[]
  /** Stored entries that now have extras that were missing. The extras are added and indexed. */
  completed?: { key: string; extras: EntryExtras }[]
  /** Pages to fetch for these entries, by key; see `queueArticles`. */
  articles?: (PageRequest & { key: string })[]
}

/** Entries without a poll: pushed by a hub, or written in several chunks because there are so many. */
export interface EntriesRecord extends EntryChanges {
  feedId: FeedId
  at: Instant
}

/** All changes made by one poll. */
export interface PollRecord extends EntryChanges {
  /** The lease of the poll; nothing is written under another one. Without a lease, the record is written if it is newer than the last poll. */
  lease?: LeaseToken
  /** The revision of the feed and schedule this was computed from. Absent: any. */
  revision?: number
  poll: Poll
  schedule: Schedule
  feed?: FeedChange
}

/** The first poll of a feed that has no id yet. */
export type PollRecordDraft = Omit<PollRecord, 'poll'> & { poll: Omit<Poll, 'feedId'> }

/** All changes made by one fetch of an article. */
export interface ArticleRecord {
  id: ArticleId
  /** The lease of the article queue; nothing is written under another one. Without a lease, the record is written if it is newer than the last attempt. */
  lease?: LeaseToken
  /** When the task was sent. */
  at: Instant
  /** When the article queue of its root is due again. */
  queueDueAt: Instant
  result: ArticleResult
}

/** An entry that links to an article. */
export interface EntryLink {
  entryId: EntryId
  feedId: FeedId
}

/** Lists are in the order of the ids; undefined for what is gone. */
export interface ArticleContext {
  articles: (StoredArticle | undefined)[]
  /** The first entry that links to each of them. */
  firsts: (Entry | undefined)[]
  /** The entries that link to each of them, the first 50. */
  links: EntryLink[][]
  /** The feeds of the first entries. */
  feeds: Feed[]
  /** Read articles whose page has one of the addresses. */
  atAddresses: StoredArticle[]
}

/** What was learned about sites. */
export interface SiteRecords {
  /** Replaces their state. Drops hosts without strikes, learned gap, crawl delay and incident. */
  hosts?: Host[]
  /** Keeps the most recently fetched files of each root: the very last, and others up to this many bytes. */
  robots?: { sites: (SiteRobots & { root: string })[]; maxBytesPerRoot: number }
  /** Also drops all that are older than `keepSince`. */
  failedProbes?: { found: FailedProbe[]; keepSince: Instant }
}

export interface PollResults {
  /** The stored entries with these keys, one map per item of `questions`. */
  knownEntries(questions: { feedId: FeedId; keys: string[] }[]): Promise<Map<string, KnownEntry>[]>
  /** Per feed, the number of entries written, and of pages fetched for its entries, since then. Counted by the hour for two days. */
  countStoredSince(ids: FeedId[], since: Instant): Promise<{ entries: number; pages: number }[]>
  /**
   * Writes poll log lines, entries, feed changes and schedules, and ends leases. A record is void if its feed or lease is gone, or if it
   * is older than the last poll. It is stale if its feed or schedule has changed since it was computed; the caller has to compute it
   * again. Void and stale records write nothing. Skips fresh entries whose key is stored, changed entries that are not stored, and a new
   * feed address (with its root) that another feed has.
   */
  recordPolls(records: PollRecord[]): Promise<RecordResult[]>
  /** Writes entries as `recordPolls` does, without changing the log, schedule, lease or feed. Skips feeds that are gone. */
  recordEntries(records: EntriesRecord[]): Promise<void>
  /**
   * Records that a source led to a feed: adds the feed unless one with its address exists, records the first poll of an added feed, and
   * ends the source's lease. Returns undefined if the source is gone. If it was found before, returns the feed found then.
   */
  recordSourceFound(
    id: SourceId,
    feed: NewFeed,
    record: PollRecordDraft,
    otherFeeds?: WebAddress[],
  ): Promise<{ feedId: FeedId; added: boolean } | undefined>
  /** Records that no feed was found this time: counts a failure and ends the lease. */
  recordSourceFailed(id: SourceId, failure: Failure, dueAt: Instant, lease?: LeaseToken): Promise<void>
  /**
   * Writes results of article fetches and ends leases. Entries whose article was read are queued for the search index. Idempotent: a
   * record writes nothing and returns false if its article is gone, was identified as another one, or was attempted at or after `at`, or
   * if it names an article as the same that has not been read.
   */
  recordArticles(records: ArticleRecord[]): Promise<boolean[]>
  /** What recording results of these articles needs, `pageUrls` being the possible addresses of their pages. */
  articleContext(ids: ArticleId[], pageUrls: string[]): Promise<ArticleContext>
  hubSubscriptionByToken(token: string): Promise<HubSubscription | undefined>
  /**
   * Without a revision, a subscription is new and is added unless its token exists. With a revision, it replaces the stored one if that
   * still has this revision, and the revision is incremented. Returns which were written. Each token may occur once.
   */
  recordHubSubscriptions(subscriptions: HubSubscription[]): Promise<boolean[]>
  /** Drops those that still have this revision. Returns which were dropped. */
  dropHubSubscriptions(subscriptions: Pick<HubSubscription, 'token' | 'revision'>[]): Promise<boolean[]>
  /** The stored state of these hosts, or of all, in no particular order. */
  hosts(roots?: string[]): Promise<Host[]>
  recordSites(records: SiteRecords): Promise<void>
  /** In the order of `origins`; undefined where robots.txt was never requested. */
  robots(origins: string[]): Promise<(SiteRobots['record'] | undefined)[]>
  /** Records a run of the crawl: when it began and when it was last alive. A later call with the same `beganAt` replaces it. */
  recordRun(run: { beganAt: Instant; lastAt: Instant }): Promise<void>
  /** Probed addresses of these hosts that had no feed, probed at `since` or later, latest first; at most `MAX_FAILED_PROBES` per host. */
  failedProbes(hosts: string[], since: Instant): Promise<FailedProbe[]>
}
