/**
 * Entries that wait to be made searchable, and to be placed among copies and stories.
 *
 * Who belongs together is found by an index in memory, which is filled again from `signatures`; the store is told with
 * whom an entry is joined, and keeps the groups: it elects primaries, makes one group of several, and leaves none with a
 * single member, whoever goes or moves.
 */
import type { ComparedBy, Entry, EntryId, FeedId, GroupId, GroupLevel, GroupMove, Instant } from '../model/index.ts'
import type { GroupCatalogue } from './group-catalogue.ts'

/** An entry that waits for the search index. */
export interface Unindexed {
  id: EntryId
  /** Absent if it is gone. */
  entry?: Entry
  /** Of its article, where that was read. */
  text?: string
  authors?: string[]
}

/** An entry that waits for its place. */
export interface Unplaced {
  id: EntryId
  /** Absent if it is gone: then it only has to be taken out of the index. */
  entry?: Entry
  /** Of its article, where that was read. */
  text?: string
  /** It has had a place before, and is in the index. */
  wasPlaced: boolean
}

/** Where an entry belongs, and what is kept of it so that others are recognised. */
export interface PlacedEntry {
  id: EntryId
  /** When it was said. */
  at: Instant
  comparedBy: ComparedBy
  /** As the index reads it. */
  signature: Uint8Array
  /** 64 bits; distances are counted by it. */
  simhash: bigint
  /** With whom it belongs; on a level that is not named it is alone. */
  joins: { [L in GroupLevel]?: Join }
}

export interface Join {
  /** Entries of the groups that are one group from now on, with this entry in it. Those that are gone are passed over. */
  with: EntryId[]
  likeId?: EntryId
  likeness: number
  reason: string
}

/** What an index needs to know an entry again. */
export interface StoredSignature {
  id: EntryId
  at: Instant
  signature: Uint8Array
  groups: { [L in GroupLevel]?: GroupId }
}

/** What a feed always says, as `dedup` remembers it; what it holds is nothing to a store. */
export interface KeptHabits {
  /** Or all of them together. */
  feedId: FeedId
  memory: Uint8Array
}

/** The number under which the habits of all feeds are kept; no feed has it. */
export const ALL_FEEDS = 0 as FeedId

/** A place in a line, at which something waited. Only the store knows what it means: lines have no order that others may rely on. */
export type Mark = number & { readonly of: 'line' }

export interface Lines extends Pick<GroupCatalogue, 'habits'> {
  /**
   * Entries whose text has to be put into the search index (`entry`), or whose id has to be dropped from it (no entry),
   * longest waiting first; with the text of its article and who wrote that, where it was read. They are named again until `indexed`
   * says by their marks, which stand in their order, that they were dealt with; what changed meanwhile has another. Where their texts are long, fewer than `limit`, but not none.
   */
  unindexed(limit: number): Promise<{ marks: Mark[]; changes: Unindexed[] }>
  /** Takes just these out of the line. */
  indexed(marks: Mark[]): Promise<void>
  /**
   * Entries that are new, say something else now, have got an article, or are gone, longest waiting first. They are named
   * again until `place` says that they were dealt with. Where their texts are long, fewer than `limit`, but not none.
   */
  unplaced(limit: number): Promise<{ marks: Mark[]; changes: Unplaced[] }>
  /**
   * Gives entries their places, one after the other, and takes just what waited at these marks out of the line. An entry that
   * stays with a member of its group keeps its group; else it leaves it. Entries that are gone are left out. Answers who
   * had a place before and has moved. With them go the habits of their feeds, in the place of those that were kept before; of
   * feeds that are gone none.
   */
  place(entries: PlacedEntry[], marks: Mark[], at: Instant, habits?: KeptHabits[]): Promise<GroupMove[]>
  /**
   * Of groups that turned out to be one, thousands of members do not move in the transaction that says so: until this has
   * answered 0 the smaller is on its way into the larger, and whoever joins it joins that. About `limit` members go over:
   * of each group two at least, and nobody stays behind alone. Answers how many.
   */
  goOver(limit: number): Promise<number>
  /**
   * Lets entries that were said at `since` or later wait for their place once more, in the order of time; in short
   * transactions, so that whoever is interrupted asks again. Answers how many there are.
   */
  placeAgain(since: Instant): Promise<number>
  /** Of entries that were placed at `since` or later, in the order in which they were; at most the `newest` so many. */
  signatures(filter: { since: Instant; newest?: number }): AsyncIterable<StoredSignature>
}
