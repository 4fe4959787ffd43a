/** The words in which others speak with this room: what is put into an index, and what comes back. */
import type { GroupLevel, Instant } from '../model/index.ts'
import type { Text } from './said.ts'
import type { Signature } from './sign/signature.ts'

/** An entry, by any name: ids are numbers that the caller chooses, one for each. `at`: published, or else seen. */
export interface Item extends Text {
  id: number
  at: Instant
  /** If it has been made already, as it will have been where it is stored as well. */
  signature?: Signature
  /** Items that it is a copy of, as an index of copies found: in an index of stories it tells what they tell. */
  copyOf?: readonly number[]
  /** An item that it contains among others, or that contains it, as an index of copies found: an index of stories does not join them. */
  digestOf?: number
}

/** An item whose place is known already, as it comes back from a store. `group` is its own id if it is alone; whoever has group ids of another kind makes them negative. */
export interface KnownItem {
  id: number
  at: Instant
  signature: Signature
  group: number
}

/** Where an item belongs. */
export interface Placement {
  id: number
  /** The id of the item that founded the group; it stays when another becomes primary. */
  group: number
  primary: number
  /** Bits in which the SimHashes of this item and of the primary differ. */
  distance: number
  /** Members of the group that the index knows of. */
  size: number
  evidence: LikenessEvidence
  /** Items that it was joined with, one of each group that is now this one; none if it is alone. */
  joined: number[]
  /** Groups that turned out to be the same one: all of their members belong to `group` from now on. */
  merged: number[]
}

/** Why an item is where it is. */
export interface LikenessEvidence {
  /** The item it is most like; absent if nothing came near. */
  like?: number
  /** Between 0 and 1. */
  likeness: number
  /** For people: a sentence without a full stop. */
  reason: string
  /** It is no copy of that item, but the one contains the other. */
  contains?: true
}

/** A group as the index knows it. The primary has the least sum of distances to the others. */
export interface IndexGroup {
  id: number
  primary: number
  distanceSum: number
  members: { id: number; at: Instant; distance: number }[]
}

/** What an item takes in memory, about: a copy by construction, a telling as it was measured; most of that is maps. */
export const BYTES_AN_ITEM: Record<GroupLevel, number> = { copy: 165, story: 1000 }

export interface CopyIndexOptions {
  /** copy: the same text, edited, cut or under another headline. story: the same event, told by others. */
  level?: GroupLevel
  /** Of copies. verified: candidates are compared word by word. simhash: the distance of plain SimHashes decides. */
  mode?: 'verified' | 'simhash'
  /** verified and story: the least likeness, between 0 and 1. simhash: the largest distance, between 0 and 64. */
  threshold?: number
  /** Items further apart are never joined; Infinity for no such limit. */
  windowDays?: number
  /** Items that are remembered at most; memory grows only as they come. */
  capacity?: number
}

export interface CopyIndex {
  /** Places one item and remembers it. An id that comes again is a new version, and joins the old one if it finds it. */
  add(item: Item): Placement
  /** The same for several, with a result that does not depend on their order; answers in the order of `items`. */
  addAll(items: readonly Item[]): Placement[]
  /**
   * Fills an index with what a store kept, in the order in which it was added; nothing is compared again. A long list may
   * come in pieces, as long as nothing is added in between.
   */
  restore(items: Iterable<KnownItem>): void
  /** Takes items out, as when they are gone or say something else now; unknown ids are no mistake. Groups keep their id. */
  forget(ids: Iterable<number>): void
  /** Undefined if no member of it is remembered, or if it is an item on its own. */
  group(id: number): IndexGroup | undefined
  /** How much was compared so far, word by word: copies with items, stories with stories. */
  readonly compared: number
  /** Items remembered, and the bytes that they take. */
  readonly size: number
  readonly bytes: number
}
