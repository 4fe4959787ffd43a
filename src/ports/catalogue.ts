/** Read access to feeds, sources, entries, polls and counts. Articles and groups have their own catalogues. */
import type {
  ArticleState,
  Entry,
  EntryId,
  EntryVersion,
  FeedId,
  FeedScope,
  FeedState,
  GroupLevel,
  Host,
  HubSubscription,
  Instant,
  Poll,
  ScheduledFeed,
  Source,
  SourceId,
  WholeArticle,
} from '../model/index.ts'

/** Entries of one feed are counted up to this number. */
export const MAX_COUNTED_ENTRIES = 100_000

export interface FeedQuery {
  state?: FeedState
  folder?: string
  /** Set by a user, else by the publisher; empty: feeds without a category. */
  category?: string
  /** The short name set by a user. */
  name?: string
  /** Only feeds whose last poll failed. */
  failing?: boolean
  /** Part of the title or address, ignoring case. */
  text?: string
  /** Only feeds in this scope. `folder` then means the folder of the user's subscription. */
  within?: FeedScope
  /** id: oldest first. due: next due first, without feeds that are never due. */
  order: 'id' | 'due'
  /** The sort position of the last feed of the previous result. */
  after?: { id: FeedId; dueAt: Instant }
  limit: number
}

export interface EntryQuery {
  feedId?: FeedId
  /** Not older than this, by the date by which they are sorted. */
  since?: Instant
  /** Returns only the primary of each group at this level. */
  unique?: GroupLevel
  /** The sort position of the last entry of the previous result. */
  after?: { at: Instant; id: EntryId }
  limit: number
}

export interface NewestEntryDates {
  /** The dates by which the newest entries of a feed are sorted, newest first. */
  dates: Instant[]
  /** Number of its entries since an instant, up to `MAX_COUNTED_ENTRIES`. */
  recent: number
}

/** Entries with any combination of filters. */
export interface EntryListQuery {
  /** Only entries of these feeds; an empty list matches nothing. */
  feedIds?: readonly FeedId[]
  /** Inclusive, by the date by which they are sorted. */
  since?: Instant
  until?: Instant
  /** `de` also matches `de-at`. UNKNOWN_LANGUAGE matches entries without a known language. */
  language?: string
  /** UNCATEGORIZED matches entries without a category. */
  category?: string
  /** Returns only the primary of each group at this level. */
  unique?: GroupLevel
  /** Newest first by default. */
  oldestFirst?: boolean
  /** `nextAfter` of the previous result, in the same order. */
  after?: { at: Instant; id: EntryId }
  limit: number
}

export interface PollQuery {
  feedId?: FeedId
  since?: Instant
  /** Not later than this. Skips the first `skip` polls at exactly this instant, which previous results have shown. */
  after?: { at: Instant; skip: number }
  limit: number
}

export interface Counts {
  feeds: Record<FeedState, number>
  /** Active feeds whose last poll failed. */
  failing: number
  /** Active feeds never polled. */
  unpolled: number
  /** Sources whose feed is still to be found. */
  looking: number
  entries: number
  polls: number
  articles: ArticleCounts
  /** Entries waiting for the search index and for grouping. Approximate above ten thousand. */
  waiting: { index: number; groups: number }
  /** Size of the store in bytes. */
  bytes: number
}

export interface ArticleCounts extends Record<Exclude<ArticleState, 'same'>, number> {
  /** Articles whose original page is stored. */
  pages: number
  /** Compressed sizes of texts with metadata, and of pages, in bytes. */
  textBytes: number
  pageBytes: number
}

/** Size of the store by kind of data, in bytes. */
export interface DiskUsage {
  feeds: number
  entries: number
  polls: number
  articles: number
  pages: number
  index: number
  /** Everything else: freed space that was not returned to the file system, the write-ahead log. */
  rest: number
}

/** Scans over all items of a kind, for exports and streams. */
export interface FullScans {
  /** In the order of addition. Feeds added meanwhile may or may not be included. */
  everyFeed(): AsyncIterable<ScheduledFeed>
  /** In the order of arrival. `after`: only entries that arrived after this one; ids increase. */
  everyEntry(filter: { feedId?: FeedId; since?: Instant; unique?: GroupLevel; after?: EntryId }): AsyncIterable<Entry>
  /** The value for `after` that matches only entries arriving from now on. */
  newestEntryId(): Promise<EntryId>
  /** Feed by feed, oldest feed first; the polls of each feed oldest first. */
  everyPoll(filter: { feedId?: FeedId; since?: Instant }): AsyncIterable<Poll>
  /** Read articles, in the order in which they were first requested. `since`: fetched then or later. */
  everyArticle(filter: { feedId?: FeedId; since?: Instant }): AsyncIterable<WholeArticle>
}

export interface Catalogue extends FullScans {
  /** In the order of `ids`; undefined for those that are gone. */
  feedsById(ids: FeedId[]): Promise<(ScheduledFeed | undefined)[]>
  /** The feed with this address. */
  feedAt(url: string): Promise<FeedId | undefined>
  feeds(query: FeedQuery): Promise<ScheduledFeed[]>
  /** Feeds in a folder or below it, or with this text in title or address, ignoring case. Oldest first. */
  feedIds(filter: { folder: string } | { text: string }): Promise<FeedId[]>
  /** In the order of `ids`; undefined for those that are gone. */
  sourcesById(ids: SourceId[]): Promise<(Source | undefined)[]>
  /** Number of entries, up to `MAX_COUNTED_ENTRIES`, in the order of `ids`. */
  entryCounts(ids: FeedId[]): Promise<number[]>
  /** In the order of `ids`. `limit`: of dates. `since`: from when entries are counted. */
  newestEntryDates(ids: FeedId[], query: { limit: number; since: Instant }): Promise<NewestEntryDates[]>
  /**
   * In the order of addition. `after`: the last source of the previous result, which need not exist any more. `within`: sources of feeds
   * in this scope, sources listed in freshet.toml, and sources to which the user has a pending subscription.
   */
  sources(query: { state?: Source['state']; within?: FeedScope; after?: SourceId; limit: number }): Promise<Source[]>
  /** The source with this address. */
  sourceAt(url: string): Promise<SourceId | undefined>
  /** In the order of `ids`; undefined for those that are gone. */
  entriesById(ids: EntryId[]): Promise<(Entry | undefined)[]>
  /** The feed of each entry, in the order of `ids`; undefined for those that are gone. */
  feedsOfEntries(ids: EntryId[]): Promise<(FeedId | undefined)[]>
  /** Newest first, by `sortAt`, then by id. */
  entries(query: EntryQuery): Promise<Entry[]>
  /**
   * In the order of `entries`. Scans a few thousand entries at most, so that it stays fast: a result may be shorter than the limit, or
   * empty, and still have a `nextAfter`.
   */
  listEntries(query: EntryListQuery): Promise<{ entries: Entry[]; nextAfter?: { at: Instant; id: EntryId } }>
  /** Earlier versions of an entry, oldest first. At most `MAX_VERSIONS` are stored. */
  versions(id: EntryId): Promise<EntryVersion[]>
  /** Newest first; at the same instant, the newest feed first. */
  polls(query: PollQuery): Promise<Poll[]>
  /** In the order of `ids`; undefined for feeds without one. Subscriptions in the state `ending` belong to no feed. */
  hubSubscriptionsOf(ids: FeedId[]): Promise<(HubSubscription | undefined)[]>
  /** All hub subscriptions that belong to a feed. */
  everyHubSubscription(): AsyncIterable<HubSubscription>
  /** Hosts that are backing off at `now`, next one first, and their total number. */
  restingHosts(now: Instant, limit: number): Promise<{ hosts: Host[]; all: number }>
  /** Takes constant time. */
  counts(): Promise<Counts>
  /** Scans the whole store, which is slow. */
  diskUsage(): Promise<DiskUsage>
}
