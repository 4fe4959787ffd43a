/**
 * Who reads what: feeds that people follow, and what they have read and starred of them. One crawl serves all of them.
 *
 * A reading keeps the entry up to which all is read, and marks on single entries, which go before that: so that to read everything
 * costs no more than to read one, and what is unread is counted without a look at the entries. Ids of entries grow as they
 * arrive, so what comes later is unread. Every method is about one person's things, and answers nothing of another's.
 */
import type {
  ChangeId,
  CountedReading,
  Entry,
  EntryId,
  EntryMarks,
  FeedId,
  FeedScope,
  FolderCount,
  Instant,
  Millis,
  PersonId,
  Reach,
  Reading,
  SourceId,
  WaitingReading,
} from '../model/index.ts'
import { DAY } from '../model/index.ts'
import type { EntryListQuery } from './catalogue.ts'

/** Of a feed, or of a source whose feed is still to be found. */
export type Followed = { feedId: FeedId } | { sourceId: SourceId }

export type NewReading = Followed & Pick<Reading, 'title' | 'folder'>

/** What is absent stays as it is, null takes it away. */
export interface ReadingChange {
  title?: string | null
  folder?: string | null
}

/** Which readings: of these feeds, or in a folder or one below it, whatever its case; '' stands for those in no folder. Else all. */
export interface ReadingScope {
  feedIds?: readonly FeedId[]
  folder?: string
}

/** Only what is read, or is not; only what is starred, which need not be of a feed that is followed. */
export interface MarkedAs {
  read?: boolean
  starred?: true
}

/** Of which feeds: of those that are followed unless told. What is beyond these is in no folder, and neither read nor unread. */
interface Reaching {
  reach?: Reach
}

/** Entries for a person, newest first by the date that they are ordered by. */
export interface ReaderQuery extends EntryListQuery, ReadingScope, MarkedAs, Reaching {}

/** Entries for a person, in the order in which they arrived. */
export interface ArrivalQuery extends ReadingScope, MarkedAs, Reaching {
  order: 'newest' | 'oldest'
  /** Only what arrived then or later, and not later than until. */
  seenSince?: Instant
  seenUntil?: Instant
  /** Where the answer before said that it goes on; any other id will do, too: it stands before what is answered. */
  after?: EntryId
  limit: number
}

export interface ArrivedEntry {
  id: EntryId
  feedId: FeedId
  seenAt: Instant
}

/** All that arrived up to an entry; or before an instant; or that is dated before one, as it is shown to people. */
export type MarkedUntil = { entryId: EntryId } | { seenBefore: Instant } | { datedBefore: Instant }

/** What was read so long ago weighs half. */
export const READING_HALVES_MS: Millis = 30 * DAY

/** What an entry that was read so long ago weighs, of 1. */
export function readingWeight(agoMs: Millis): number {
  return 2 ** (-Math.max(0, agoMs) / READING_HALVES_MS)
}

export interface FeedReads {
  feedId: FeedId
  /** How many people follow it. */
  readers: number
  /** How many of its entries they have read of late, one by one: each weighs half after every READING_HALVES_MS. */
  reads: number
}

export interface ReaderStanding {
  feeds: number
  unread: number
  starred: number
  folders: FolderCount[]
}

export interface Readership {
  /**
   * Answers in the order of `wanted` whether it was added: what is followed already stays as it is, and what is gone is left out. Of
   * the entries that are there, only the newest `unread` are unread. What is said of a source holds for its feed once that is found,
   * unless that is followed already. The second and every further person counts among the feed's `subscribers`.
   */
  follow(personId: PersonId, wanted: NewReading[], at: Instant, unread: number): Promise<boolean[]>
  /** With its marks; stars stay. Answers in their order whether it was followed, and how many others follow it still. */
  unfollow(personId: PersonId, what: Followed[]): Promise<{ was: boolean; others: number }[]>
  /** False if it is not followed. */
  changeReading(personId: PersonId, feedId: FeedId, change: ReadingChange): Promise<boolean>
  /** Of all readings in that very folder, and in those below it, which stay below it; with null, those in it are in none. How many. */
  renameFolder(personId: PersonId, from: string, to: string | null): Promise<number>
  /** Those with the lowest feed ids first, after the last of the answer before. */
  readings(personId: PersonId, query: { folder?: string; after?: FeedId; limit: number }): Promise<CountedReading[]>
  /** In the order of `ids`; undefined where a feed is not followed. */
  readingsOf(personId: PersonId, ids: FeedId[]): Promise<(CountedReading | undefined)[]>
  /** Those that wait for a source's feed, as above. */
  waitingReadings(personId: PersonId, query: { after?: SourceId; limit: number }): Promise<WaitingReading[]>
  /** All in all, and of each folder by its very name, in the order of their names; those in no folder first. */
  standing(personId: PersonId): Promise<ReaderStanding>
  /** How many users follow each feed, or wait for the feed of each source, in their order. */
  readersOf(what: Followed[]): Promise<number[]>
  /** The feeds within a scope, or, with `hidden`, those that are not; oldest first. Or those within it `among` some, in the order of these. */
  feedsWithin(
    scope: FeedScope,
    query: { hidden?: boolean; after?: FeedId; limit: number } | { among: readonly FeedId[] },
  ): Promise<FeedId[]>
  /** Feeds that were followed, that nobody follows any more, and that are not `listed`; in no order. They are named until they are removed. */
  unwanted(limit: number): Promise<FeedId[]>
  /** Of every feed that is followed, for who weighs them. */
  everyFeedsReads(now: Instant): AsyncIterable<FeedReads>

  /** Which of them were changed by that, in their order; entries of feeds that are not followed are left out. */
  mark(
    personId: PersonId,
    ids: EntryId[],
    as: 'read' | 'unread',
    at: Instant,
  ): Promise<{ change: ChangeId; changed: EntryId[] }>
  /** Reads all of them that were there when it was asked; answers how many that were. In short transactions: who is interrupted asks again. */
  markAllRead(
    personId: PersonId,
    scope: ReadingScope,
    until?: MarkedUntil,
  ): Promise<{ change: ChangeId; marked: number }>
  /** What a change has changed is as it was before, unless it was changed again since; answers how many entries that were. */
  takeBack(personId: PersonId, change: ChangeId): Promise<number>
  /** Which of them were changed by that, in their order. Entries that are starred are not forgotten, but go with their feed. */
  star(personId: PersonId, ids: EntryId[], starred: boolean, at: Instant): Promise<EntryId[]>
  /** In the order of `ids`. */
  marksOf(personId: PersonId, ids: EntryId[]): Promise<EntryMarks[]>
  /** Like `Catalogue.listEntries`, of feeds that are followed: an answer may be short and still go on. */
  entriesFor(
    personId: PersonId,
    query: ReaderQuery,
  ): Promise<{ entries: Entry[]; goesOnAfter?: { at: Instant; id: EntryId } }>
  /** The same by arrival, and only the ids. */
  arrivalsFor(personId: PersonId, query: ArrivalQuery): Promise<{ arrivals: ArrivedEntry[]; goesOnAfter?: EntryId }>
}
