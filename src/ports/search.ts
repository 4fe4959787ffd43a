/**
 * Full text over entries. An index is never the only place where something is known: it can be dropped and filled again
 * from the store, and a hit may name an entry that the store has forgotten meanwhile.
 */
import type { EntryId } from '../model/index.ts'

export interface SearchDocument {
  id: EntryId
  title: string
  /** Plain text. */
  text: string
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
  /**
   * Entries that hold all the words, best first. Words match whatever their case and accents; "quoted words" must stand
   * together, -word must not occur, word* matches beginnings. Whatever people type is a query: nothing in it is an
   * error, and a query without a word finds nothing.
   */
  find(query: string, limit: number): Promise<SearchHit[]>
}
