/**
 * The similarity indexes of copies and of stories. They take signed entries and return for each the entries to group it with at either
 * level. Items of a batch are grouped in order of time, so their order of arrival has no effect.
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
import type { GroupedEntry, GroupJoin, StoredSignature } from '../../ports/index.ts'

/** How copies and stories are detected. */
export interface Grouping {
  /** verified: compared word by word. simhash: by the distance of plain SimHashes alone, as in the original paper. */
  copies: 'verified' | 'simhash' | 'off'
  stories: 'on' | 'off'
  /** Minimum similarity of copies (verified), or maximum distance (simhash). Defaults to the index's own. */
  copyThreshold?: number
  storyThreshold?: number
  /** Entries further apart are never grouped. */
  groupWindowMs: Millis
  /** Memory limit of both indexes together. The oldest entries are evicted first. */
  groupMemoryBytes: number
}

export const DEFAULT_GROUPING = {
  copies: 'verified',
  stories: 'on',
  groupWindowMs: 7 * DAY,
  groupMemoryBytes: 256_000_000,
} as const satisfies Grouping

export interface SimilarityItem extends Item {
  id: EntryId
  comparedBy: ComparedBy
  signature: Signature
  packed: Uint8Array
}

export interface SimilarityIndexes {
  /** Adds stored signatures. Returns the entries of the window that an earlier version signed: they have to be grouped again. */
  restore(level: GroupLevel, signatures: readonly StoredSignature[], now: Instant): EntryId[]
  /** Returns the entries in order of time, in which the store has to apply them. */
  group(items: SimilarityItem[]): GroupedEntry[]
  forget(ids: EntryId[]): void
}

/** Entries may arrive one window after their publication, and are compared with entries of the window before. */
export const MAX_WINDOWS = 2

const MIN_ITEMS = 1000

/** The levels at which entries are grouped, each with the number of entries that its index can hold. */
export function levelsOf(grouping: Grouping): { level: GroupLevel; capacity: number }[] {
  return GROUP_LEVELS.filter((level) => grouping[level === 'copy' ? 'copies' : 'stories'] !== 'off').map((level) => ({
    level,
    capacity: capacityFor(level, grouping.groupMemoryBytes),
  }))
}

/** Creates empty indexes. */
export function createSimilarityIndexes(grouping: Grouping): SimilarityIndexes {
  const indexes: Partial<Record<GroupLevel, CopyIndex>> = {}
  for (const { level, capacity } of levelsOf(grouping))
    indexes[level] = createCopyIndex(indexOptionsFor(level, grouping, capacity))
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
    group(items) {
      const byTime = items.toSorted((a, b) => a.at - b.at || a.id - b.id)
      const copies = indexes.copy?.addAll(byTime)
      const stories = indexes.story?.addAll(byTime.map((item, i) => ({ ...item, ...copyInfo(copies?.[i]) })))
      return byTime.map(({ id, at, comparedBy, signature, packed }, i) => ({
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

/** What the index of stories needs to know about the copies of an item. */
function copyInfo(placement: Placement | undefined): Pick<Item, 'copyOf' | 'digestOf'> {
  const { joined = [], evidence } = placement ?? {}
  return { copyOf: joined, ...(evidence?.contains && { digestOf: evidence.like! }) }
}

function join(level: GroupLevel, placement: Placement | undefined): { [L in GroupLevel]?: GroupJoin } {
  if (!placement || placement.joined.length === 0) return {}
  const { like, likeness, reason } = placement.evidence
  const why = { likeness, reason, ...(like !== undefined && { likeId: like as EntryId }) }
  return { [level]: { with: placement.joined as EntryId[], ...why } }
}

/** Undefined if it has the other kind of signature, and cannot be compared. */
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

function indexOptionsFor(
  level: GroupLevel,
  grouping: Grouping,
  capacity: number,
): Parameters<typeof createCopyIndex>[0] {
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
  const capacity = Math.floor(bytes / GROUP_LEVELS.length / BYTES_AN_ITEM[level])
  return Math.min(LARGEST_CAPACITY, Math.max(MIN_ITEMS, capacity))
}
