/**
 * Full text over entries. An index is never the only place where something is known: it can be dropped and filled again
 * from the store, and a hit may name an entry that the store has forgotten meanwhile.
 */
import type { EntryId, FeedId, Instant } from '../model/index.ts'

export interface SearchDocument {
  id: EntryId
  feedId: FeedId
  /** The date that entries are ordered by, see `Catalogue.entries`. */
  at: Instant
  title: string
  /** Plain text. */
  text: string
}

export interface SearchFilter {
  feedId?: FeedId
  /** Not older than this, by `at`. */
  since?: Instant
  /** The last hit of the answer before; where it is no hit any more, nothing follows. */
  after?: EntryId
}

export interface SearchHit {
  id: EntryId
  /** The higher the better; comparable within one answer only. */
  score: number
}

export interface Search {
  /** Adds or replaces, all of them or none. */
  put(documents: SearchDocument[]): Promise<void>
  /** Drops what is there of these; unknown ids are no mistake. */
  drop(ids: EntryId[]): Promise<void>
  /** Does a small piece of what an index puts off, so that nobody waits for it; true if there may be more. */
  tidy(): Promise<boolean>
  /**
   * Entries that hold all the words, best first. Words match whatever their case and accents; "quoted words" must stand
   * together, -word must not occur, word* matches beginnings. Whatever people type is a query: nothing in it is an
   * error, and a query without a word finds nothing. What the filter leaves out costs no place among the hits. Of many
   * thousands that match and pass, an index may weigh only the newest.
   */
  find(query: string, limit: number, filter?: SearchFilter): Promise<SearchHit[]>
}
