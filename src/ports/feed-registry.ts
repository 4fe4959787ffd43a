/** What people want: which feeds there are, what they are called, whether they are polled, and which pages are fetched. */
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

/** What is absent stays as it is, null takes it away. `validators` are replaced as a whole. */
export type FeedChange = {
  [Name in Changeable]?: Exclude<Feed[Name], undefined> | (Feed extends Record<Name, unknown> ? never : null)
}

type Changeable = Exclude<keyof Feed, 'id' | 'addedAt'>

/** A page that is to be fetched. */
export interface PageToFetch {
  /** As it is to be asked for. */
  url: WebAddress
  root: string
  /** Of the root that it is on. */
  bucket?: Bucket
  /** Its entry has changed: a page that was read is read again, but not so soon after, nor more than `most` times in all. */
  again?: { afterMs: Millis; most: number }
}

/** The page of an entry. */
export interface ArticleToFetch extends PageToFetch {
  entryId: EntryId
}

export interface Subscriptions {
  /** Answers in the order of `feeds`. A feed whose address is there already is left as it is, and its id given. */
  addFeeds(feeds: NewFeed[]): Promise<{ id: FeedId; added: boolean }[]>
  /** The same for sources; one that is there and still looking becomes due at the new `dueAt`, and has the new login, if there is one. */
  addSources(sources: NewSource[]): Promise<{ id: SourceId; added: boolean }[]>
  /** What the strategy of this name keeps of feeds of each of these roots, of each at most `limit`. */
  memoriesAt(roots: string[], strategy: string, limit: number): Promise<Memory[][]>
  /** False, and nothing is changed, if it is gone, or if its new address is another feed's. */
  changeFeed(id: FeedId, change: FeedChange, schedule?: Partial<Schedule>): Promise<boolean>
  /**
   * With its entries, polls, and the sources that led to it; its push is ending, and due at once. False if it was gone
   * already. Nobody sees any of it afterwards; where there is much, `sweepRemoved` does the rest, and groups go on without
   * its entries when they are swept.
   */
  removeFeed(id: FeedId): Promise<boolean>
  removeSource(id: SourceId): Promise<boolean>
  /**
   * Has pages fetched: those that are new, and those to be read again, are due at `at`. An address that is known, also as
   * the `pageUrl` of an article that was read, gives the entry its article without a fetch. An entry has one article, and
   * an article that no entry points at any more is gone, with all that is kept of it. Entries that are gone are left out.
   */
  enlistArticles(wants: ArticleToFetch[], at: Instant): Promise<void>
  /** Pages that wait only for entries of this feed, and were never read, are not waited for any more. */
  delistArticles(feedId: FeedId): Promise<void>
}
