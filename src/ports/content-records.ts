/**
 * The stacks of a library: what was ever said, also what the ledger has forgotten since. A *card* is an entry with names in the place of
 * its long texts; cards, fingerprints, copies and the log of polls follow from the ledger and are written again whenever it says so: what
 * comes twice changes nothing, and of two writes the later one stands, by the `at` that comes with it.
 *
 * Each question has a table of its own, so none of them looks at more than what it answers: by number, by feed and month, by hour across
 * feeds, by a band of the fingerprint, by the primary.
 */
import type { Entry, EntryId, FeedId, Instant, Poll } from '../model/index.ts'

/** Newest first, by the date that entries are ordered by. */
export interface CardQuery {
  /** Of all, where none is named. */
  feedId?: FeedId
  /** Neither older nor newer than these. */
  since?: Instant
  until: Instant
  /** The last of the answer before. */
  after?: { at: Instant; id: EntryId }
  limit: number
}

/** What an entry is known again by. */
export interface FiledSignature {
  id: EntryId
  /** When it was said. */
  at: Instant
  /** 64 bits. */
  simhash: bigint
  /** As the index of copies reads it. */
  signature: Uint8Array
}

/** Fingerprints that differ in more bits share no band. */
export const MOST_BITS_APART = 3

export interface NearQuery {
  simhash: bigint
  /** MOST_BITS_APART at most. */
  bits: number
  /** Placed then or later, and not later than until; to the day. */
  since: Instant
  until: Instant
}

export interface NearEntry {
  id: EntryId
  at: Instant
  /** Bits in which the two differ. */
  distance: number
}

export interface FiledCopy {
  primaryId: EntryId
  id: EntryId
  at: Instant
  distance: number
}

/** Of one feed, newest first. */
export interface FiledPollQuery {
  feedId: FeedId
  since?: Instant
  until: Instant
  limit: number
}

export interface LibraryStacks {
  /** Keeps their cards, in the place of those before. */
  file(entries: readonly Entry[], at: Instant): Promise<void>
  /** Takes out cards and fingerprints, as of feeds that were removed. Their texts go by `drop`. */
  withdraw(ids: readonly EntryId[], at: Instant): Promise<void>
  /** In the order of `ids`; undefined where there is none. */
  filed(ids: readonly EntryId[]): Promise<(Entry | undefined)[]>
  list(query: CardQuery): Promise<Entry[]>
  /** Keeps fingerprints under the day of `at`. */
  sign(signed: readonly FiledSignature[], at: Instant): Promise<void>
  /** In the order of `ids`; undefined where there is none. */
  signaturesOf(ids: readonly EntryId[]): Promise<(FiledSignature | undefined)[]>
  /** The nearest first; of equals the earlier. */
  near(query: NearQuery): Promise<NearEntry[]>
  /** Says of entries whose copies they are; a primary is its own, at a distance of 0. */
  fileCopies(copies: readonly FiledCopy[], at: Instant): Promise<void>
  /** In the order in which they said it, the primary among them; none where it has none. */
  copiesOf(primaryId: EntryId): Promise<Omit<FiledCopy, 'primaryId'>[]>
  /** Lines of the log; a feed has one at a time. */
  filePolls(polls: readonly Poll[]): Promise<void>
  filedPolls(query: FiledPollQuery): Promise<Poll[]>
}
