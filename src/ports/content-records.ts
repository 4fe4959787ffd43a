/**
 * Records of a content store: all entries ever seen, including those deleted from the main store. An *entry record* is an entry with
 * content addresses in place of its long texts. Entry records, signatures, copies and the poll log are derived from the main store and can
 * be written again at any time: repeated writes change nothing, and of two writes the one with the later `at` wins.
 *
 * Each query has its own table, so none reads more than it returns: by id, by feed and month, by hour across feeds, by a band of the
 * SimHash, by primary.
 */
import type { Entry, EntryId, FeedId, Instant, Poll } from '../model/index.ts'

/** Newest first, by the date by which entries are sorted. */
export interface EntryRecordQuery {
  /** Absent: all feeds. */
  feedId?: FeedId
  /** Inclusive. */
  since?: Instant
  until: Instant
  /** The last entry of the previous result. */
  after?: { at: Instant; id: EntryId }
  limit: number
}

/** The signature by which similar entries are found. */
export interface SignatureRecord {
  id: EntryId
  /** Published, or else seen. */
  at: Instant
  /** 64 bits. */
  simhash: bigint
  /** In the format of the similarity index. */
  signature: Uint8Array
}

/** SimHashes that differ in more bits have no band in common. */
export const MAX_HAMMING_DISTANCE = 3

export interface SimilarEntryQuery {
  simhash: bigint
  /** At most `MAX_HAMMING_DISTANCE`. */
  bits: number
  /** When it was grouped, inclusive, to the day. */
  since: Instant
  until: Instant
}

export interface SimilarEntryId {
  id: EntryId
  at: Instant
  /** Number of bits that differ. */
  distance: number
}

export interface CopyRecord {
  primaryId: EntryId
  id: EntryId
  at: Instant
  distance: number
}

/** Entries of one feed, newest first. */
export interface PollRecordQuery {
  feedId: FeedId
  since?: Instant
  until: Instant
  limit: number
}

export interface ContentRecords {
  /** Adds or replaces the records of these entries. */
  putEntries(entries: readonly Entry[], at: Instant): Promise<void>
  /** Deletes entry records and signatures, such as those of removed feeds. Their texts are deleted by `dropTexts`. */
  removeEntries(ids: readonly EntryId[], at: Instant): Promise<void>
  /** In the order of `ids`; undefined where missing. */
  getEntries(ids: readonly EntryId[]): Promise<(Entry | undefined)[]>
  listEntries(query: EntryRecordQuery): Promise<Entry[]>
  /** Stores signatures under the day of `at`. */
  putSignatures(signatures: readonly SignatureRecord[], at: Instant): Promise<void>
  /** In the order of `ids`; undefined where missing. */
  getSignatures(ids: readonly EntryId[]): Promise<(SignatureRecord | undefined)[]>
  /** Nearest first; among equals, earliest first. */
  findSimilar(query: SimilarEntryQuery): Promise<SimilarEntryId[]>
  /** Records the primary of copies. A primary is recorded as its own copy with distance 0. */
  putCopies(copies: readonly CopyRecord[], at: Instant): Promise<void>
  /** Ordered by date and including the primary; empty if it has no copies. */
  listCopies(primaryId: EntryId): Promise<Omit<CopyRecord, 'primaryId'>[]>
  /** Stores polls. A feed has at most one poll at any instant. */
  putPolls(polls: readonly Poll[]): Promise<void>
  listPolls(query: PollRecordQuery): Promise<Poll[]>
}
