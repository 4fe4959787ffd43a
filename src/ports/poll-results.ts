/**
 * What came of it, for who records: polls and pages with all that they change, what is known of hosts, and subscriptions at
 * hubs. Hot methods take arrays, all of which is written or nothing.
 */
import type {
  ArticleId,
  ArticleResult,
  EntryDraft,
  EntryExtras,
  Failure,
  FeedId,
  Host,
  Instant,
  KnownEntry,
  LeaseToken,
  Miss,
  Poll,
  Push,
  Schedule,
  SiteRobots,
  SourceId,
  StoredArticle,
  WebAddress,
} from '../model/index.ts'
import type { FeedChange, NewFeed, PageToFetch } from './feed-registry.ts'

export type { ArticleResult } from '../model/index.ts'

/** What became of a record. */
export type Recorded = 'recorded' | 'stale' | 'void'

/** An entry that is known from now on by another key. */
export interface Rekeyed {
  from: string
  to: string
}

/** What of a feed is not in the store yet. */
export interface News {
  /** Before all else; not where an entry has the new key already. */
  rekeyed?: Rekeyed[]
  fresh: EntryDraft[]
  /** Entries known under their key that now say something else. */
  changed: EntryDraft[]
  /** Entries that are known, and of which more is told now than is kept: it is added, and they are searched by it. */
  completed?: { key: string; extras: EntryExtras }[]
  /** Which of these entries, by their keys, want their page fetched; see `enlistArticles`. */
  pages?: (PageToFetch & { key: string })[]
}

/** News without a poll: a hub brought them, or they are so many that they are told in parts. */
export interface NewsRecord extends News {
  feedId: FeedId
  at: Instant
}

/** All that one poll changes. */
export interface PollRecord extends News {
  /** Under which the poll was made: under another nothing is written. Without one, whatever is newer than the last poll is. */
  lease?: LeaseToken
  /** Of the feed and schedule from which this was worked out; absent: whatever they are. */
  revision?: number
  poll: Poll
  schedule: Schedule
  feed?: FeedChange
}

/** The same of a feed that the store has still to name. */
export type PollRecordDraft = Omit<PollRecord, 'poll'> & { poll: Omit<Poll, 'feedId'> }

/** All that one fetch of an article changes. */
export interface ArticleRecord {
  id: ArticleId
  /** Of the line, under which the page was fetched: under another nothing is written. Without one, whatever is newer than the last try is. */
  lease?: LeaseToken
  /** When the task was sent. */
  at: Instant
  /** From when on the line of its root is due again. */
  lineDueAt: Instant
  result: ArticleResult
}

export interface Ledger {
  /** Which of these keys each feed has shown us before, in the order of the questions. */
  known(questions: { feedId: FeedId; keys: string[] }[]): Promise<Map<string, KnownEntry>[]>
  /** How many entries of each feed were written since then, whoever brought them, or how many pages its records have had fetched; counted by the hour, for two days. */
  storedSince(what: 'entries' | 'pages', ids: FeedId[], since: Instant): Promise<number[]>
  /**
   * Log lines, entries, feeds' changes, schedules and the ends of leases. A record whose feed
   * or lease is gone, or which is older than the last poll, is void; one whose feed or schedule has changed since it was worked
   * out is stale, and has to be worked out again. Neither writes anything. A fresh entry whose key is known is not written
   * twice; a changed one that is not known is left out; a new address of the feed that another feed has is left out, and its
   * root with it.
   */
  recordPolls(records: PollRecord[]): Promise<Recorded[]>
  /** Entries as with a poll; log, schedule, lease and feed stay as they are. Nothing is written of a feed that is gone. */
  recordNews(records: NewsRecord[]): Promise<void>
  /**
   * The source has led to a feed: adds it unless its address is there already, records the first poll on a feed that was
   * added, ends the source's lease. Undefined if the source is gone; if it was found before, the feed it led to then.
   */
  sourceFound(
    id: SourceId,
    feed: NewFeed,
    record: PollRecordDraft,
    others?: WebAddress[],
  ): Promise<{ feedId: FeedId; added: boolean } | undefined>
  /** The source led nowhere this time: counts a failure, ends the lease. */
  sourceFailed(id: SourceId, failure: Failure, dueAt: Instant, lease?: LeaseToken): Promise<void>
  /**
   * What came of fetches, and the ends of leases. Entries whose article was read wait for the search index. Idempotent: a
   * record whose article is gone, or turned out to be another, or was tried at or after `at`, or is said to be the same as
   * one that was not read, writes nothing and answers false.
   */
  recordArticles(records: ArticleRecord[]): Promise<boolean[]>
  /** Of articles that were read, those whose page is at one of these addresses. */
  articlesAt(pageUrls: string[]): Promise<StoredArticle[]>
  pushByToken(token: string): Promise<Push | undefined>
  /**
   * Without a revision a push is new, and is added unless there is one with its token. With one it replaces the one with its token, if
   * that still has the same; from then on it has the next. Answers which were written. Of one token, one at a time.
   */
  recordPushes(pushes: Push[]): Promise<boolean[]>
  /** Those that still have this revision; answers which were dropped. */
  dropPushes(pushes: Pick<Push, 'token' | 'revision'>[]): Promise<boolean[]>
  /** Hosts that there is something to say of. */
  hosts(): Promise<Host[]>
  /** The same of these alone, in no order. */
  hostsNamed(roots: string[]): Promise<Host[]>
  /** Replaces what was known of them; a host with neither strikes nor a budget, delay or incident is dropped. */
  recordHosts(hosts: Host[]): Promise<void>
  /** In the order of `origins`; undefined where robots.txt was never asked for. */
  robots(origins: string[]): Promise<(SiteRobots['record'] | undefined)[]>
  /** Of each of these roots, what was fetched last is kept, and no more than so many bytes of it beside the very last. */
  recordRobots(sites: (SiteRobots & { root: string })[], mostBytesOfRoot: number): Promise<void>
  /** When a crawl was begun, and until when it ran; told again, it takes the place of what was told before. */
  recordRun(run: { beganAt: Instant; lastAt: Instant }): Promise<void>
  /** Likely places of these hosts that had no feed, `since` then or later; the latest first, and of each host `MOST_MISSES` at most. */
  misses(hosts: string[], since: Instant): Promise<Miss[]>
  /** Forgets all that are older than `before`. */
  recordMisses(misses: Miss[], before: Instant): Promise<void>
}
