/**
 * Full text over entries. An index is never the only place where something is known: it can be dropped and filled again
 * from the store, and a hit may name an entry that the store has forgotten meanwhile.
 */
import { DAY, type EntryId, type FeedId, type Instant } from '../model/index.ts'
import type { SearchQuery } from './search-query.ts'

export interface SearchDocument {
  id: EntryId
  feedId: FeedId
  /** The date that entries are ordered by, see `Catalogue.entries`. */
  at: Instant
  title: string
  /** Plain text. */
  text: string
  /** Of those who wrote it. */
  names: readonly string[]
  language: string
  category: string
  /** Where it leads. */
  host?: string
}

export interface SearchOrder {
  /** relevance unless told: what a hit is worth, which recency raises. date: newest first, to the minute. */
  order?: 'relevance' | 'date'
  /** The last hit of the answer before; where it is no hit any more, nothing follows. */
  after?: EntryId
}

export interface SearchHit {
  id: EntryId
  /** The higher the better; comparable within one answer only. */
  score: number
}

/** Of two hits that are else alike, one that is so much older is worth half. */
export const WORTH_HALVES_MS = 90 * DAY

export interface Search {
  /** Adds or replaces, all of them or none. */
  put(documents: SearchDocument[]): Promise<void>
  /** Drops what is there of these; unknown ids are no mistake. */
  drop(ids: EntryId[]): Promise<void>
  /** Does a small piece of what an index puts off, so that nobody waits for it; true if there may be more. */
  tidy(): Promise<boolean>
  /**
   * Entries that hold one term at least of each clause, and none of what is not wanted, see search-query.ts. Words match whatever
   * their case and accents, in title, text and names. Dates bind to the minute. A query without a wanted term finds nothing. What
   * a filter leaves out costs no place among the hits. By relevance, an index may weigh only the newest of many thousands, and
   * need not weigh words that are everywhere.
   */
  find(query: SearchQuery, limit: number, order?: SearchOrder): Promise<SearchHit[]>
}
