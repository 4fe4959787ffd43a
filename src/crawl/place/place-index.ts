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
import { createStretch, type Join, type Lines, type PlacedEntry, type StoredSignature } from '../../ports/index.ts'
import { inTurnsIf, letOthersIf } from '../in-pieces.ts'

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
  /** As it came; `title` and `text` are without what its feed always says. */
  headline: string
  comparedBy: ComparedBy
  signature: Signature
  packed: Uint8Array
}

export interface PlaceIndex {
  /** Answers in the order of time, which is the order in which the store is to be told. */
  place(items: PlaceItem[]): Promise<PlacedEntry[]>
  forget(ids: EntryId[]): void
  /** Entries of the window that an earlier version of ours signed: they cannot be compared, and have to be placed again. */
  readonly outdated: number
}

/** Entries may come as late as a window after they were said, and are compared with what is older by another. */
export const WINDOWS_KEPT = 2

const FEWEST_ITEMS = 1000
/** Restored at a time; between two pieces others get their turn. */
const PIECE = 20
/** More than these are placed with turns for others in between. */
const FEW = 5

/** An index that knows what the store has kept. */
export async function warmIndex(lines: Lines, grouping: Grouping, now: Instant): Promise<PlaceIndex> {
  const indexes: Partial<Record<GroupLevel, CopyIndex>> = {}
  const outdated = new Set<EntryId>()
  for (const level of GROUP_LEVELS) {
    if (grouping[level === 'copy' ? 'copies' : 'stories'] === 'off') continue
    const capacity = capacityFor(level, grouping.groupMemoryBytes)
    const index = createCopyIndex(optionsFor(level, grouping, capacity))
    indexes[level] = index
    const stretch = createStretch()
    let piece: KnownItem[] = []
    const since = now - WINDOWS_KEPT * grouping.groupWindowMs
    for await (const one of lines.signatures({ since, newest: capacity })) {
      const signature = unpackSignature(one.signature)
      if (!signature && one.at >= now - grouping.groupWindowMs) outdated.add(one.id)
      const known = signature && knownItem(one, signature, level, grouping)
      if (known) piece.push(known)
      if (piece.length < PIECE) continue
      index.restore(piece)
      piece = []
      if (stretch.isOver()) await stretch.pause()
    }
    index.restore(piece)
  }
  return {
    outdated: outdated.size,
    forget(ids) {
      for (const index of Object.values(indexes)) index.forget(ids)
    },
    async place(items) {
      const inTime = items.toSorted((a, b) => a.at - b.at || a.id - b.id)
      const isMuch = items.length > FEW
      const copies = indexes.copy && (await inTurnsIf(isMuch, indexes.copy.addInSteps(inTime)))
      await letOthersIf(isMuch)
      const asCopies = inTime.map((item, i) => ({ ...item, ...asCopy(copies?.[i]) }))
      const stories = indexes.story && (await inTurnsIf(isMuch, indexes.story.addInSteps(asCopies)))
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
