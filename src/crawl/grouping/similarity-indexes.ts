/**
 * The indexes of copies and of stories side by side, as a crawl uses them: signed entries in, and for each with whom it
 * belongs at either level. Items of a batch are placed in the order of time, so the order in which they came decides
 * nothing.
 */
import {
  BYTES_AN_ITEM,
  type CopyIndex,
  createCopyIndex,
  type Item,
  type KnownItem,
  LARGEST_CAPACITY,
  type Placement,
  type Signature,
  unpackSignature,
} from '../../dedup/index.ts'
import {
  type ComparedBy,
  DAY,
  type EntryId,
  GROUP_LEVELS,
  type GroupLevel,
  type Instant,
  type Millis,
} from '../../model/index.ts'
import type { Join, PlacedEntry, StoredSignature } from '../../ports/index.ts'

/** How copies and stories are recognised. */
export interface Grouping {
  /** verified: word by word. simhash: by the distance of plain SimHashes alone, as in the founding paper. */
  copies: 'verified' | 'simhash' | 'off'
  stories: 'on' | 'off'
  /** Of copies: the least likeness (verified), or the largest distance (simhash). Where it is absent, the index has its own. */
  copyThreshold?: number
  storyThreshold?: number
  /** Entries further apart are never grouped. */
  groupWindowMs: Millis
  /** What both indexes together may take; the oldest entries leave them first. */
  groupMemoryBytes: number
}

/** Where nobody says otherwise. */
export const GROUPING = {
  copies: 'verified',
  stories: 'on',
  groupWindowMs: 7 * DAY,
  groupMemoryBytes: 256_000_000,
} as const satisfies Grouping

export interface PlaceItem extends Item {
  id: EntryId
  comparedBy: ComparedBy
  signature: Signature
  packed: Uint8Array
}

export interface PlaceIndex {
  /** Adds what a store has kept; answers those of the window that an earlier version of ours signed: they have to be placed again. */
  restore(level: GroupLevel, signatures: readonly StoredSignature[], now: Instant): EntryId[]
  /** Answers in the order of time, which is the order in which the store is to be told. */
  place(items: PlaceItem[]): PlacedEntry[]
  forget(ids: EntryId[]): void
}

/** Entries may come as late as a window after they were said, and are compared with what is older by another. */
export const WINDOWS_KEPT = 2

const FEWEST_ITEMS = 1000

/** The levels at which entries are grouped, each with the number of entries that its index can hold. */
export function levelsOf(grouping: Grouping): { level: GroupLevel; capacity: number }[] {
  return GROUP_LEVELS.filter((level) => grouping[level === 'copy' ? 'copies' : 'stories'] !== 'off').map((level) => ({
    level,
    capacity: capacityFor(level, grouping.groupMemoryBytes),
  }))
}

/** Empty. */
export function createPlaceIndex(grouping: Grouping): PlaceIndex {
  const indexes: Partial<Record<GroupLevel, CopyIndex>> = {}
  for (const { level, capacity } of levelsOf(grouping))
    indexes[level] = createCopyIndex(optionsFor(level, grouping, capacity))
  return {
    restore(level, signatures, now) {
      const outdated: EntryId[] = []
      const known: KnownItem[] = []
      for (const one of signatures) {
        const signature = unpackSignature(one.signature)
        if (!signature && one.at >= now - grouping.groupWindowMs) outdated.push(one.id)
        const item = signature && knownItem(one, signature, level, grouping)
        if (item) known.push(item)
      }
      indexes[level]?.restore(known)
      return outdated
    },
    forget(ids) {
      for (const index of Object.values(indexes)) index.forget(ids)
    },
    place(items) {
      const inTime = items.toSorted((a, b) => a.at - b.at || a.id - b.id)
      const copies = indexes.copy?.addAll(inTime)
      const stories = indexes.story?.addAll(inTime.map((item, i) => ({ ...item, ...asCopy(copies?.[i]) })))
      return inTime.map(({ id, at, comparedBy, signature, packed }, i) => ({
        id,
        at,
        comparedBy,
        signature: packed,
        simhash: signature.simhash,
        joins: { ...join('copy', copies?.[i]), ...join('story', stories?.[i]) },
      }))
    },
  }
}

/** What an index of stories is told of an item's place among copies. */
function asCopy(placement: Placement | undefined): Pick<Item, 'copyOf' | 'digestOf'> {
  const { joined = [], evidence } = placement ?? {}
  return { copyOf: joined, ...(evidence?.contains && { digestOf: evidence.like! }) }
}

function join(level: GroupLevel, placement: Placement | undefined): { [L in GroupLevel]?: Join } {
  if (!placement || placement.joined.length === 0) return {}
  const { like, likeness, reason } = placement.evidence
  const why = { likeness, reason, ...(like !== undefined && { likeId: like as EntryId }) }
  return { [level]: { with: placement.joined as EntryId[], ...why } }
}

/** Undefined if it was signed in another way than entries are now: it cannot be compared with them. */
function knownItem(
  { id, at, groups }: StoredSignature,
  signature: Signature,
  level: GroupLevel,
  { copies }: Grouping,
): KnownItem | undefined {
  if (copies !== 'off' && (signature.plain === true) !== (copies === 'simhash')) return undefined
  const group = groups[level]
  return { id, at, signature, group: group === undefined ? id : -group }
}

function optionsFor(level: GroupLevel, grouping: Grouping, capacity: number): Parameters<typeof createCopyIndex>[0] {
  const threshold = level === 'copy' ? grouping.copyThreshold : grouping.storyThreshold
  return {
    level,
    mode: grouping.copies === 'simhash' ? 'simhash' : 'verified',
    windowDays: grouping.groupWindowMs / DAY,
    capacity,
    ...(threshold !== undefined && { threshold }),
  }
}

function capacityFor(level: GroupLevel, bytes: number): number {
  const room = Math.floor(bytes / GROUP_LEVELS.length / BYTES_AN_ITEM[level])
  return Math.min(LARGEST_CAPACITY, Math.max(FEWEST_ITEMS, room))
}
