/** The interface of the indexes: what is put into an index, and what it returns. */
import type { GroupLevel, Instant } from '../model/index.ts'
import type { Text } from './plain-item.ts'
import type { Signature } from './sign/signature.ts'

/** An entry. Ids are unique numbers that the caller chooses. `at`: date of publication, or else when it was first seen. */
export interface Item extends Text {
  id: number
  at: Instant
  /** If already computed, as it is stored with the entry. */
  signature?: Signature
  /** Items that it copies, found by an index of copies: an index of stories puts it into their stories. */
  copyOf?: readonly number[]
  /** An item that it contains or that contains it, found by an index of copies: an index of stories does not join the two. */
  digestOf?: number
}

/**
 * An item whose place is already known, restored from a store. `group` is its own id if it is alone; callers with group ids
 * of another kind make them negative.
 */
export interface KnownItem {
  id: number
  at: Instant
  signature: Signature
  group: number
}

/** The group of an item. */
export interface Placement {
  id: number
  /** The id of the item that founded the group; it stays when another becomes primary. */
  group: number
  primary: number
  /** Bits in which the SimHashes of this item and of the primary differ. */
  distance: number
  /** Members of the group that the index holds. */
  size: number
  evidence: LikenessEvidence
  /** Items that it was joined with, one from each group merged; empty if it is alone. */
  joined: number[]
  /** Groups that were merged: all of their members belong to `group` from now on. */
  merged: number[]
}

/** Why an item is in its group. */
export interface LikenessEvidence {
  /** The most similar item; absent if none came near. */
  like?: number
  /** Between 0 and 1. */
  likeness: number
  /** Shown to users: a sentence without a full stop. */
  reason: string
  /** Not a copy of that item, but one contains the other. */
  contains?: true
}

/** A group as the index knows it. The primary has the least sum of distances to the others. */
export interface IndexGroup {
  id: number
  primary: number
  distanceSum: number
  members: { id: number; at: Instant; distance: number }[]
}

/** Approximate memory of an item: computed for copies, measured for stories, where most of it is maps. */
export const BYTES_AN_ITEM: Record<GroupLevel, number> = { copy: 165, story: 1000 }

export interface CopyIndexOptions {
  /** copy: the same text, edited, cut or under another headline. story: the same event, told by others. */
  level?: GroupLevel
  /** For copies only. verified: candidates are compared word by word. simhash: the distance of plain SimHashes decides. */
  mode?: 'verified' | 'simhash'
  /** verified and story: minimum likeness, between 0 and 1. simhash: maximum distance, between 0 and 64. */
  threshold?: number
  /** Items further apart in time are never joined; Infinity for no limit. */
  windowDays?: number
  /** Maximum number of items; memory is allocated as they come. */
  capacity?: number
}

export interface CopyIndex {
  /** Places one item and remembers it. A known id is a new version, which joins the old one if it finds it. */
  add(item: Item): Placement
  /** The same for several, independent of their order; results in the order of `items`. */
  addAll(items: readonly Item[]): Placement[]
  /**
   * Fills an index with stored items, in the order in which they were added; nothing is compared again. May be called
   * repeatedly, as long as nothing is added in between.
   */
  restore(items: Iterable<KnownItem>): void
  /** Removes items that are gone or have changed; unknown ids are ignored. Groups keep their id. */
  forget(ids: Iterable<number>): void
  /** Undefined if none of its members is held, or if it is a single item. */
  group(id: number): IndexGroup | undefined
  /** Number of word-by-word comparisons so far: of items with items, or stories with stories. */
  readonly compared: number
  /** Items held, and the bytes that they take. */
  readonly size: number
  readonly bytes: number
}
