/**
 * Everything that is remembered. Each method is one transaction and is named for what its caller wants, not for a table;
 * nothing here knows SQL, and nothing above knows that there is any. What a resolved promise has acknowledged survives
 * the death of the process.
 *
 * Methods that are hot take arrays. All of an array is written or none of it.
 */
import type {
  Entry,
  EntryDraft,
  EntryId,
  EntryVersion,
  Failure,
  Feed,
  FeedId,
  FeedState,
  Host,
  Instant,
  KnownEntry,
  Level,
  Market,
  Memory,
  Miss,
  Poll,
  Schedule,
  ScheduledFeed,
  SiteRobots,
  Source,
  SourceId,
  Wants,
  WebAddress,
} from '../model/index.ts'
import type { ArticleCounts, ArticleStore, PageWant } from './article-store.ts'
import type { GroupStore } from './group-store.ts'
import type { PushStore } from './push-store.ts'

export interface NewFeed {
  feed: Omit<Feed, 'id'>
  schedule: Schedule
}

export type NewSource = Omit<Source, 'id' | 'state' | 'feedId' | 'others' | 'failures' | 'trouble'>

/** What is absent stays as it is, null takes it away. `validators` are replaced as a whole. */
export type FeedChange = {
  [Name in Changeable]?: Exclude<Feed[Name], undefined> | (Feed extends Record<Name, unknown> ? never : null)
}
type Changeable = Exclude<keyof Feed, 'id' | 'addedAt'>

/** All that one poll changes. */
export interface PollRecord {
  poll: Poll
  schedule: Schedule
  feed?: FeedChange
  fresh: EntryDraft[]
  /** Entries known under their key that now say something else. */
  changed: EntryDraft[]
  /** Entries are written, and log, schedule, lease and feed stay as they are: a hub brought them, or they are many and this is a part. */
  entriesOnly?: true
  /** Which of these entries, by their keys, want their page fetched; see `wantArticles`. */
  pages?: (PageWant & { key: string })[]
}

export interface Taken {
  feeds: ScheduledFeed[]
  sources: Source[]
}

/** Something that was taken and is given back unperformed; without `dueAt` it is due when it was before. */
export type HandedBack =
  | { kind: 'feed'; id: FeedId; dueAt?: Instant }
  | { kind: 'source'; id: SourceId; dueAt?: Instant }

export type Lease = { kind: 'feed'; id: FeedId; takenAt: Instant } | { kind: 'source'; id: SourceId; takenAt: Instant }

export interface FeedQuery {
  state?: FeedState
  folder?: string
  /** Only feeds whose last poll failed. */
  troubled?: boolean
  /** Part of the title or address, whatever its case. */
  text?: string
  /** id: oldest first. due: those next due first; only feeds that can become due. */
  order: 'id' | 'due'
  offset?: number
  limit: number
}

export interface EntryQuery {
  feedId?: FeedId
  /** Not older than this, by the date they are ordered by. */
  since?: Instant
  /** Of each group at this level only the primary. */
  unique?: Level
  /** The last entry of the page before. */
  after?: Entry
  limit: number
}

export interface PollQuery {
  feedId?: FeedId
  since?: Instant
  offset?: number
  limit: number
}

export interface Counts {
  feeds: Record<FeedState, number>
  /** Active feeds whose last poll failed. */
  troubled: number
  /** Active feeds never polled. */
  unpolled: number
  /** Sources whose feed is still to be found. */
  looking: number
  entries: number
  polls: number
  articles: ArticleCounts
  /** Entries that still wait for the search index, and for their place among copies and stories; of ten thousands, about. */
  waiting: { index: number; groups: number }
  /** What the store occupies, in bytes. */
  bytes: number
}

export interface Store extends ArticleStore, GroupStore, PushStore {
  /** Answers in the order of `feeds`. A feed whose address is there already is left as it is, and its id given. */
  addFeeds(feeds: NewFeed[]): Promise<{ id: FeedId; added: boolean }[]>
  /** The same for sources; one that is there and still looking becomes due at the new `dueAt`, and has the new login, if there is one. */
  addSources(sources: NewSource[]): Promise<{ id: SourceId; added: boolean }[]>

  /**
   * Active feeds and looking sources due at `now` and in nobody's hands, longest due first, at most `limit` of each; they
   * are the caller's until `until`, at which they are free again. Nothing is given to two callers while its lease holds.
   */
  takeDue(now: Instant, limit: number, until: Instant): Promise<Taken>
  /** What somebody has, and since when; an owner who has only just begun finds here what the one before him had when he died. */
  leases(): Promise<Lease[]>
  /** Ends leases without a poll. What is not leased, or gone, is left alone unless it has a `dueAt`. */
  handBack(items: HandedBack[]): Promise<void>
  /** The earliest instant at which takeDue would give something, leases included; undefined if there is nothing at all. */
  nextDueAt(): Promise<Instant | undefined>

  /** In the order of `ids`; undefined for those that are gone. */
  feedsById(ids: FeedId[]): Promise<(ScheduledFeed | undefined)[]>
  /** Which of these keys each feed has shown us before, in the order of the questions. */
  known(questions: { feedId: FeedId; keys: string[] }[]): Promise<Map<string, KnownEntry>[]>
  /** How many entries of each feed were written since then, whoever brought them; counted by the hour, for two days. */
  newEntries(ids: FeedId[], since: Instant): Promise<number[]>
  /** The same for pages that its records have had fetched, for the first time or again. */
  newPages(ids: FeedId[], since: Instant): Promise<number[]>
  /**
   * Log lines, entries, feeds' changes, schedules and the ends of leases. Idempotent: a record whose feed is gone, or was
   * polled at or after `poll.at` (unless it has entries only), writes nothing and answers false. A fresh entry whose key is known is not written
   * twice; a changed one that is not known is left out; a new address of the feed that another feed has is left out, and its
   * root with it.
   */
  recordPolls(records: PollRecord[]): Promise<boolean[]>
  /**
   * The source has led to a feed: adds it unless its address is there already, records the first poll on a feed that was
   * added, ends the source's lease. `poll.feedId` is ignored. Undefined if the source is gone; if it was found before, the
   * feed it led to then.
   */
  sourceFound(
    id: SourceId,
    feed: NewFeed,
    record: PollRecord,
    others?: WebAddress[],
  ): Promise<{ feedId: FeedId; added: boolean } | undefined>
  /** The source led nowhere this time: counts a failure, ends the lease. */
  sourceFailed(id: SourceId, failure: Failure, dueAt: Instant): Promise<void>

  /** The feed that has this address. */
  feedAt(url: string): Promise<FeedId | undefined>
  /** False, and nothing is changed, if it is gone, or if its new address is another feed's. */
  changeFeed(id: FeedId, change: FeedChange, schedule?: Partial<Schedule>): Promise<boolean>
  /**
   * With its entries, polls, and the sources that led to it; its push is ending, and due at once. False if it was gone
   * already. Nobody sees any of it afterwards; where there is much, `sweepRemoved` does the rest, and groups go on without
   * its entries when they are swept.
   */
  removeFeed(id: FeedId): Promise<boolean>
  /** Takes out at most `limit` entries, keys and polls that are left of removed feeds; how many, 0 if nothing is left. */
  sweepRemoved(limit: number): Promise<number>
  removeSource(id: SourceId): Promise<boolean>

  feeds(query: FeedQuery): Promise<ScheduledFeed[]>
  /** In the order of `ids`; undefined for those that are gone. */
  sourcesById(ids: SourceId[]): Promise<(Source | undefined)[]>
  /** In the order they were added; after the last of the page before, whether that is still there or not. */
  sources(query: { state?: Source['state']; after?: SourceId; limit: number }): Promise<Source[]>
  /** Newest first: by when they were published (never later than seen), else by when they were seen; then by id. */
  entries(query: EntryQuery): Promise<Entry[]>
  /** In the order of `ids`; undefined for those that are gone. */
  entriesById(ids: EntryId[]): Promise<(Entry | undefined)[]>
  /** What an entry said before, oldest first; only so many are kept. */
  versions(id: EntryId): Promise<EntryVersion[]>
  /** Newest first. */
  polls(query: PollQuery): Promise<Poll[]>
  /** Everything, in the order of arrival, for exports; what arrives meanwhile may or may not be among it. */
  everyFeed(): AsyncIterable<ScheduledFeed>
  everyEntry(filter: { feedId?: FeedId; since?: Instant; unique?: Level }): AsyncIterable<Entry>
  everyPoll(filter: { feedId?: FeedId; since?: Instant }): AsyncIterable<Poll>
  /** Costs the same however much is stored. */
  counts(): Promise<Counts>

  /** What the strategy of this name keeps of feeds of this root, at most `limit` of them. */
  memoriesAt(root: string, strategy: string, limit: number): Promise<Memory[]>
  /** The price of a poll and how many were bought; undefined until it was recorded. */
  market(): Promise<Market | undefined>
  recordMarket(market: Market): Promise<void>
  /** What is wanted of folders, by their names. */
  folders(): Promise<Map<string, Wants>>
  /** Replaces what was wanted of a folder; nothing wanted drops it. */
  wantOfFolder(folder: string, wants: Wants): Promise<void>

  /** Hosts that there is something to say of. */
  hosts(): Promise<Host[]>
  /** Hosts that are left alone at `now`, those that wake first before the others, and how many there are in all. */
  restingHosts(now: Instant, limit: number): Promise<{ hosts: Host[]; all: number }>
  /** Replaces what was known of them; a host with neither strikes nor a budget, delay or incident is dropped. */
  recordHosts(hosts: Host[]): Promise<void>
  /** In the order of `origins`; undefined where robots.txt was never asked for. */
  robots(origins: string[]): Promise<(SiteRobots['record'] | undefined)[]>
  /** Of each of these roots, what was fetched last is kept, and no more than so many bytes of it beside the very last. */
  recordRobots(sites: (SiteRobots & { root: string })[], mostBytesOfRoot: number): Promise<void>
  /** Likely places of these hosts that had no feed, `since` then or later; the latest first, and of each host `MOST_MISSES` at most. */
  misses(hosts: string[], since: Instant): Promise<Miss[]>
  /** Forgets all that are older than `before`. */
  recordMisses(misses: Miss[], before: Instant): Promise<void>

  /**
   * Entries whose text has to be put into the search index (`entry`), or whose id has to be dropped from it (no entry),
   * longest waiting first; with the text of its article, where that was read. They are named again until `indexed(upTo)`
   * says that they were dealt with. Where their texts are long, fewer than `limit`, but not none.
   */
  unindexed(limit: number): Promise<{ upTo: number; changes: { id: EntryId; entry?: Entry; text?: string }[] }>
  indexed(upTo: number): Promise<void>

  /** Forgets what at most `limit` entries seen before `before` said, oldest first. Their keys stay known; groups go on without them. */
  forgetEntries(before: Instant, limit: number): Promise<number>
  /** Drops at most `limit` log lines older than `before`. */
  forgetPolls(before: Instant, limit: number): Promise<number>
  /** Drops at most `limit` robots.txt that were last fetched before `before`. */
  forgetRobots(before: Instant, limit: number): Promise<number>
  /** Drops at most `limit` robots.txt, those first that were fetched first, until all together take no more than `bytes`. */
  shrinkRobots(bytes: number, limit: number): Promise<number>

  /**
   * What a clock that was ahead has left behind is as if that had not been. What is due or leased after `furthest` is so
   * at `now`; what was polled, seen or fetched after `now` was so at `now` at the latest, and the memories of such
   * feeds are emptied. Answers how much there was of it. Costs next to nothing where there is none.
   */
  mendDates(now: Instant, furthest: Instant): Promise<number>

  close(): Promise<void>
}
