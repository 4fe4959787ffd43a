/** Feeds, sources, entries, polls, and figures of all of it, for whoever only reads. Articles have a catalogue of their own, and groups. */
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
  Instant,
  Poll,
  Push,
  ScheduledFeed,
  Source,
  SourceId,
  WholeArticle,
} from '../model/index.ts'

/** Entries of one feed: more are not worth the counting. */
export const MOST_COUNTED = 100_000

export interface FeedQuery {
  state?: FeedState
  folder?: string
  /** A person's word, else the publisher's; empty: of those of which nobody says. */
  category?: string
  /** The one that a person calls so. */
  name?: string
  /** Only feeds whose last poll failed. */
  troubled?: boolean
  /** Part of the title or address, whatever its case. */
  text?: string
  /** Only of these; `folder` is then the one that the user has it in. */
  within?: FeedScope
  /** id: oldest first. due: those next due first; only feeds that can become due. */
  order: 'id' | 'due'
  /** The last feed of the answer before, by what they are ordered by. */
  after?: { id: FeedId; dueAt: Instant }
  limit: number
}

export interface EntryQuery {
  feedId?: FeedId
  /** Not older than this, by the date they are ordered by. */
  since?: Instant
  /** Of each group at this level only the primary. */
  unique?: GroupLevel
  /** The last entry of the answer before: the date it is ordered by, and its id. */
  after?: { at: Instant; id: EntryId }
  limit: number
}

/** Entries, narrowed down in any way. */
export interface EntryListQuery {
  /** Of these feeds; of none, if there are none. */
  feedIds?: readonly FeedId[]
  /** Neither older nor newer than these, by the date they are ordered by. */
  since?: Instant
  until?: Instant
  /** `de` stands for `de-at`, too; where nobody knows it is UNKNOWN_LANGUAGE. */
  language?: string
  /** Where nobody knows it is UNCATEGORIZED. */
  category?: string
  /** Of each group at this level only the primary. */
  unique?: GroupLevel
  /** Where the answer before said that it goes on. */
  after?: { at: Instant; id: EntryId }
  limit: number
}

export interface PollQuery {
  feedId?: FeedId
  since?: Instant
  /** Not later than this; of those at the very same moment not the newest `skip`, which the answers before have shown. */
  after?: { at: Instant; skip: number }
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

export interface ArticleCounts extends Record<Exclude<ArticleState, 'same'>, number> {
  /** Articles whose page is kept as it came. */
  pages: number
  /** Bytes of texts and facts, and of pages, as they are kept: packed. */
  textBytes: number
  pageBytes: number
}

/** What takes how much of the store, in bytes. */
export interface DiskUsage {
  feeds: number
  entries: number
  polls: number
  articles: number
  pages: number
  index: number
  /** All else: what was freed and not given back, the log of changes. */
  rest: number
}

/** Everything of a kind, in the order of arrival, polls feed by feed; for exports and streams. */
export interface Walks {
  /** Everything, in the order of arrival, for exports; what arrives meanwhile may or may not be among it. */
  everyFeed(): AsyncIterable<ScheduledFeed>
  /** `after`: only what arrived later than this one; ids only grow. */
  everyEntry(filter: { feedId?: FeedId; since?: Instant; unique?: GroupLevel; after?: EntryId }): AsyncIterable<Entry>
  /** What `after` is to be for what arrives from now on. */
  newestEntryId(): Promise<EntryId>
  /** Feed by feed, the oldest feed first, and of each its oldest poll first. */
  everyPoll(filter: { feedId?: FeedId; since?: Instant }): AsyncIterable<Poll>
  /** Articles that were read, in the order in which they were first wanted, for exports. `since`: fetched then or later. */
  everyArticle(filter: { feedId?: FeedId; since?: Instant }): AsyncIterable<WholeArticle>
}

export interface Catalogue extends Walks {
  /** In the order of `ids`; undefined for those that are gone. */
  feedsById(ids: FeedId[]): Promise<(ScheduledFeed | undefined)[]>
  /** The feed that has this address. */
  feedAt(url: string): Promise<FeedId | undefined>
  feeds(query: FeedQuery): Promise<ScheduledFeed[]>
  /** In a folder or in one below it, or with this in title or address; whatever its case. Oldest first. */
  feedIds(named: { folder: string } | { text: string }): Promise<FeedId[]>
  /** In the order of `ids`; undefined for those that are gone. */
  sourcesById(ids: SourceId[]): Promise<(Source | undefined)[]>
  /** How many entries each has, in the order of `ids`; `MOST_COUNTED` at most. */
  entryCounts(ids: FeedId[]): Promise<number[]>
  /** In the order they were added; after the last of the answer before, whether that is still there or not. */
  /** `within`: those of such feeds, those that freshet.toml lists, and those whose feed the user waits for. */
  sources(query: { state?: Source['state']; within?: FeedScope; after?: SourceId; limit: number }): Promise<Source[]>
  /** The source that has this address. */
  sourceAt(url: string): Promise<SourceId | undefined>
  /** In the order of `ids`; undefined for those that are gone. */
  entriesById(ids: EntryId[]): Promise<(Entry | undefined)[]>
  /** Of which feed each is, in the order of `ids`; undefined for those that are gone. */
  feedsOfEntries(ids: EntryId[]): Promise<(FeedId | undefined)[]>
  /** Newest first: by when they were published (never later than seen), else by when they were seen; then by id. */
  entries(query: EntryQuery): Promise<Entry[]>
  /**
   * In the order of `entries`. Looks at some thousands at most, so that it takes no time to speak of: an answer may be shorter than
   * the limit, or empty, and still go on.
   */
  listEntries(query: EntryListQuery): Promise<{ entries: Entry[]; goesOnAfter?: { at: Instant; id: EntryId } }>
  /** What an entry said before, oldest first; only so many are kept. */
  versions(id: EntryId): Promise<EntryVersion[]>
  /** Newest first; of those at the very same moment the polls of the newest feed first. */
  polls(query: PollQuery): Promise<Poll[]>
  /** In the order of `ids`; undefined where a feed has none. One that is ending belongs to no feed any more. */
  pushesOf(ids: FeedId[]): Promise<(Push | undefined)[]>
  /** Every subscription that belongs to a feed, for who counts them. */
  everyPush(): AsyncIterable<Push>
  /** Hosts that are left alone at `now`, those that wake first before the others, and how many there are in all. */
  restingHosts(now: Instant, limit: number): Promise<{ hosts: Host[]; all: number }>
  /** Costs the same however much is stored. */
  counts(): Promise<Counts>
  /** Looks through the store, which takes its time. */
  diskUsage(): Promise<DiskUsage>
}
