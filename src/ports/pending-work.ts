/**
 * Queues of entries that wait for indexing, and for grouping into copies and stories.
 *
 * An index in memory finds similar entries; it is rebuilt from `signatures`. The caller tells the store which entries to join. The
 * store maintains the groups: it elects primaries, merges groups, and removes groups with a single member.
 */
import type { ComparedBy, Entry, EntryId, FeedId, GroupId, GroupLevel, GroupMove, Instant } from '../model/index.ts'

/** A change that waits for the search index. */
export interface UnindexedEntry {
  id: EntryId
  /** Absent if it is gone. */
  entry?: Entry
  /** From the article, if it was read. */
  text?: string
  authors?: string[]
}

/** A change that waits for grouping. */
export interface UngroupedEntry {
  id: EntryId
  /** Absent if the entry is gone and only has to be removed from the index. */
  entry?: Entry
  /** From the article, if it was read. */
  text?: string
  /** It was grouped before and is in the index. */
  wasGrouped: boolean
}

/** The grouping result of an entry, and its signature, by which later entries are compared to it. */
export interface GroupedEntry {
  id: EntryId
  /** Published, or else seen. */
  at: Instant
  comparedBy: ComparedBy
  /** In the format of the similarity index. */
  signature: Uint8Array
  /** 64 bits. Distances are computed from it. */
  simhash: bigint
  /** The groups it joins. On an absent level it has no group. */
  joins: { [L in GroupLevel]?: GroupJoin }
}

export interface GroupJoin {
  /** Their groups and this entry become one group. Entries that are gone are skipped. */
  with: EntryId[]
  likeId?: EntryId
  likeness: number
  reason: string
}

/** A signature with which the similarity index is rebuilt. */
export interface StoredSignature {
  id: EntryId
  at: Instant
  signature: Uint8Array
  groups: { [L in GroupLevel]?: GroupId }
}

/** Phrases that recur in the entries of a feed, as packed by `dedup`. Opaque to stores. */
export interface FeedBoilerplate {
  /** `ALL_FEEDS`: the phrases frequent across all feeds. */
  feedId: FeedId
  memory: Uint8Array
}

/** The id under which the boilerplate of all feeds together is stored. No feed has it. */
export const ALL_FEEDS = 0 as FeedId

/** Identifies a change in a queue. Opaque: callers must not rely on its order. */
export type QueuePosition = number & { readonly of: 'queue' }

/** Part of a queue. */
export interface PendingChanges<Change> {
  positions: QueuePosition[]
  changes: Change[]
  /** Whether more may wait behind them. */
  hasMore: boolean
}

export interface PendingGroups extends PendingChanges<UngroupedEntry> {
  /** The boilerplate of the feeds of these entries, and of all feeds together, as far as there is any. */
  boilerplate: FeedBoilerplate[]
}

export interface PendingWork {
  /**
   * Entries to put into the search index (`entry`), or ids to drop from it (no entry), longest waiting first, with the text and authors
   * of the article if it was read. They are returned again until `markIndexed` is called with their positions, which are in the same order.
   * An entry that changes meanwhile gets a new position. Returns fewer than `limit`, but at least one, if texts are long.
   */
  unindexed(limit: number): Promise<PendingChanges<UnindexedEntry>>
  /** Removes exactly these from the queue. */
  markIndexed(positions: QueuePosition[]): Promise<void>
  /**
   * Entries that are new, changed, gone, or have a new article, longest waiting first. They are returned again until `recordGroups` is
   * called with their positions. Returns fewer than `limit`, but at least one, if texts are long.
   */
  ungrouped(limit: number): Promise<PendingGroups>
  /**
   * Writes the groups of entries, one after the other, and removes exactly these positions from the queue. An entry that is joined with a
   * member of its group keeps its group; otherwise it leaves it. Entries that are gone are skipped. Returns the entries that moved from
   * one group to another. Also replaces the boilerplate of these feeds, except of feeds that are gone, and removes the positions `indexed`
   * from the queue of `unindexed`.
   */
  recordGroups(
    entries: GroupedEntry[],
    positions: QueuePosition[],
    at: Instant,
    boilerplate?: FeedBoilerplate[],
    indexed?: QueuePosition[],
  ): Promise<GroupMove[]>
  /**
   * Continues merges of large groups. A merge does not move thousands of members in one transaction: until this returns 0, members of
   * the smaller group are still being moved to the larger one, and entries that join the smaller group join the larger. Moves about `limit`
   * members, at least two of each group, and never leaves a single member behind. Returns the number of moved members.
   */
  settleGroups(limit: number): Promise<number>
  /**
   * Queues entries dated `since` or later for grouping again, oldest first. Runs in short transactions; after an interruption, call it
   * again. Returns the number of queued entries.
   */
  regroupSince(since: Instant): Promise<number>
  /** Signatures of entries grouped at `since` or later, in the order of grouping; with `newest`, only the last so many. */
  signatures(filter: { since: Instant; newest?: number }): AsyncIterable<StoredSignature>
}
