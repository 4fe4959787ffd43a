/**
 * Full-text search over entries. All data of the index is also in the store: it can be dropped and rebuilt. A hit may name an entry that
 * has been deleted from the store meanwhile.
 */
import { DAY, type EntryId, type FeedId, type Instant } from '../model/index.ts'
import type { SearchQuery } from './search-query.ts'

export interface SearchDocument {
  id: EntryId
  feedId: FeedId
  /** The date by which entries are sorted, see `Catalogue.entries`. */
  at: Instant
  title: string
  /** Plain text. */
  text: string
  /** Of its authors. */
  names: readonly string[]
  language: string
  category: string
  /** The host of its link. */
  host?: string
}

export interface SearchOrder {
  /** relevance (default): by score, which recency increases. date: newest first, to the minute. */
  order?: 'relevance' | 'date'
  /** The last hit of the previous result. If it is no longer a hit, the result is empty. */
  after?: EntryId
}

export interface SearchHit {
  id: EntryId
  /** Higher is better. Comparable only within one result. */
  score: number
}

/** An inflected form of a word, or a word with a prefix that is being typed, counts as this part of the word itself. */
export const FORM_WEIGHT = 0.25

/** A hit that is this much older than an otherwise equal one has half its score. */
export const RELEVANCE_HALF_LIFE_MS = 90 * DAY

export interface Search {
  /** Adds or replaces all documents, or none. */
  put(documents: SearchDocument[]): Promise<void>
  /** Removes documents. Ignores unknown ids. */
  drop(ids: EntryId[]): Promise<void>
  /** Performs a small part of the maintenance of the index. Returns true if there may be more to do. */
  tidy(): Promise<boolean>
  /**
   * Finds entries that match at least one term of each clause and no excluded term, see search-query.ts. Words match in title, text and
   * names, ignoring case and accents; an inflected word also matches its forms in the language of an entry, with a lower score. Dates are compared to the minute. A query without a positive term finds nothing. Filtered entries
   * do not count towards `limit`. When sorting by relevance, an index may score only the newest of many thousands of hits, and may
   * ignore very frequent words.
   */
  find(query: SearchQuery, limit: number, order?: SearchOrder): Promise<SearchHit[]>
}
