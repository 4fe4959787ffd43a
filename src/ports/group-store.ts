/**
 * What is remembered of copies and stories: the part of Store that places entries. As there, each method is one
 * transaction, all of an array is written or none of it, and what a resolved promise has acknowledged survives the death
 * of the process.
 *
 * Who belongs together is found by an index in memory, which is filled again from `signatures`; the store is told with
 * whom an entry is joined, and keeps the groups: it elects primaries, makes one group of several, and leaves none with a
 * single member, whoever goes or moves.
 */
import type {
  ComparedBy,
  Entry,
  EntryId,
  Group,
  GroupId,
  GroupMove,
  Instant,
  Level,
  Member,
  Statistics,
} from '../model/index.ts'

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
  joins: { [L in Level]?: Join }
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
  groups: { [L in Level]?: GroupId }
}

export interface GroupQuery {
  level: Level
  /** Something was said in it then or later. */
  since?: Instant
  leastSize?: number
  /** recent: where something was said last. large: those with most members; then recent. */
  order: 'recent' | 'large'
  offset?: number
  limit: number
}

export interface GroupStore {
  /**
   * Entries that are new, say something else now, have got an article, or are gone, longest waiting first. They are named
   * again until `place` says that they were dealt with. Where their texts are long, fewer than `limit`, but not none.
   */
  unplaced(limit: number): Promise<{ upTo: number; changes: Unplaced[] }>
  /**
   * Gives entries their places, one after the other, and takes what waited up to `upTo` out of the line. An entry that
   * stays with a member of its group keeps its group; else it leaves it. Entries that are gone are left out. Answers who
   * had a place before and has moved.
   */
  place(entries: PlacedEntry[], upTo: number, at: Instant): Promise<GroupMove[]>
  /**
   * Lets entries that were said at `since` or later wait for their place once more, in the order of time; in short
   * transactions, so that whoever is interrupted asks again. Answers how many there are.
   */
  placeAgain(since: Instant): Promise<number>
  /** Of entries that were placed at `since` or later, in the order in which they were; at most the `newest` so many. */
  signatures(filter: { since: Instant; newest?: number }): AsyncIterable<StoredSignature>
  /** Drops at most `limit` signatures of entries placed before `before`. Groups stay as they are. */
  forgetSignatures(before: Instant, limit: number): Promise<number>

  /** In the order of `ids`; undefined for those that are gone. */
  groupsById(ids: GroupId[]): Promise<(Group | undefined)[]>
  /** In the order of `ids`; undefined for entries that are alone. */
  groupsOfEntries(ids: EntryId[], level: Level): Promise<(Group | undefined)[]>
  /** The same, as members. */
  membersById(ids: EntryId[], level: Level): Promise<(Member | undefined)[]>
  groups(query: GroupQuery): Promise<Group[]>
  /** In the order in which they said it. */
  members(id: GroupId, limit: number): Promise<Member[]>
  /** How an entry has moved, oldest first; only so many are kept. */
  moves(id: EntryId): Promise<GroupMove[]>
  /** Looks through what was said since then, in short transactions: what comes meanwhile may or may not be in it. */
  statistics(since: Instant): Promise<Statistics>
}
