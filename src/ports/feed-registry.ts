/** Adding, changing and removing feeds and sources, and queueing of articles. */
import type {
  Bucket,
  EntryId,
  Feed,
  FeedId,
  Instant,
  Memory,
  Millis,
  Schedule,
  Source,
  SourceId,
  WebAddress,
} from '../model/index.ts'

export interface NewFeed {
  feed: Omit<Feed, 'id'>
  schedule: Schedule
}

export type NewSource = Omit<Source, 'id' | 'state' | 'feedId' | 'others' | 'failures' | 'trouble'>

/** Absent fields do not change; null removes a value. `validators` are replaced as a whole. */
export type FeedChange = {
  [Name in Changeable]?: Exclude<Feed[Name], undefined> | (Feed extends Record<Name, unknown> ? never : null)
}

type Changeable = Exclude<keyof Feed, 'id' | 'addedAt'>

/** A page to fetch. */
export interface PageRequest {
  /** The address to request. */
  url: WebAddress
  root: string
  /** The bucket of its root. */
  bucket?: Bucket
  /** Its entry has changed: fetch the page again, but not within `afterMs` of the last time, and at most `most` times in total. */
  again?: { afterMs: Millis; most: number }
  /** A user asks for it: it is fetched before all others, also if it was read or failed, but not within `afterMs` of the last time. */
  requested?: { afterMs: Millis }
}

/** The page of an entry. */
export interface ArticleToFetch extends PageRequest {
  entryId: EntryId
}

export interface FeedRegistry {
  /** Results are in the order of `feeds`. If a feed with the address exists, it does not change and its id is returned. */
  addFeeds(feeds: NewFeed[]): Promise<{ id: FeedId; added: boolean }[]>
  /** As `addFeeds`. An existing source that is still looking becomes due at the new `dueAt` and gets the new credentials, if any. */
  addSources(sources: NewSource[]): Promise<{ id: SourceId; added: boolean }[]>
  /** The memories of this strategy for feeds of each of these roots, at most `limit` per root. */
  memoriesOfRoots(roots: string[], strategy: string, limit: number): Promise<Memory[][]>
  /** Returns false and changes nothing if the feed is gone, or if another feed has its new address. */
  changeFeed(id: FeedId, change: FeedChange, schedule?: Partial<Schedule>): Promise<boolean>
  /**
   * Removes a feed with its entries, polls, and the sources that led to it. Its hub subscription becomes `ending` and due at once. Returns
   * false if the feed was gone already. All of it is invisible afterwards; large amounts are left to `sweepRemoved`, and entries leave
   * their groups when they are swept.
   */
  removeFeed(id: FeedId): Promise<boolean>
  removeSource(id: SourceId): Promise<boolean>
  /**
   * Queues pages of entries: new pages, and pages to fetch again, become due at `at`. If the address is known, also as the `pageUrl` of a
   * read article, the entry gets that article without a fetch. An entry has one article. An article without entries is deleted with all
   * its data. Entries that are gone are skipped.
   */
  queueArticles(articles: ArticleToFetch[], at: Instant): Promise<void>
  /** Removes articles from the queue that are only requested by entries of this feed and were never read. */
  cancelArticles(feedId: FeedId): Promise<void>
}
