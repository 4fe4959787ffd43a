/** Copies and stories as our JSON has them. */
import type { WordChange } from '../../dedup/index.ts'
import type { ComparedBy, Group, GroupLevel, GroupMove, Member } from '../../model/index.ts'
import type { EntryShape } from './entry.ts'
import { iso, present } from './present.ts'

export interface GroupShape {
  id: number
  level: GroupLevel
  size: number
  /** Of the SimHashes of the earliest 32 entries, which are all in most groups, to the primary's. */
  distanceSum: number
  firstAt: string
  lastAt: string
  /** Speaks for the others. */
  primary?: EntryShape
}

export interface MemberShape {
  entry: EntryShape
  /** When it was said: published, or else seen. */
  at: string
  /** Bits, of 64, in which its SimHash differs from the primary's. */
  distance: number
  /** Which of its texts was compared. */
  comparedBy: ComparedBy
  /** The entry that it was found to be like, how much (0 to 1), and why. */
  likeId?: number
  likeness?: number
  reason?: string
}

/** Without a group at a level, an entry is alone there. */
export interface GroupsOfEntryShape {
  copy?: { group: GroupShape; as: MemberShape }
  story?: { group: GroupShape; as: MemberShape }
  moves: MoveShape[]
}

/** The life of a text. Without a group, nobody else said it. */
export interface LineageShape {
  group?: GroupShape
  first: EntryShape
  /** In the order of time. */
  followers: FollowerShape[]
  /** There are more than are shown. */
  more: boolean
  /** How the entry that was asked for has moved between groups. */
  moves: MoveShape[]
}

export interface FollowerShape extends MemberShape {
  /** After the first. */
  afterMs: number
  /** The earlier entry that it is nearest to, and how far from it. */
  from: number
  distanceFrom: number
  /** What it says otherwise than that one, word by word. */
  title: WordChange[]
  text: WordChange[]
}

export interface MoveShape {
  level: GroupLevel
  at: string
  from?: number
  to?: number
  comparedBy: ComparedBy
}

export function groupShape({ id, level, size, distanceSum, firstAt, lastAt }: Group, primary?: EntryShape): GroupShape {
  return { id, level, size, distanceSum, firstAt: iso(firstAt), lastAt: iso(lastAt), ...present({ primary }) }
}

export function memberShape(member: Member, entry: EntryShape): MemberShape {
  const { at, distance, comparedBy, likeId, likeness, reason } = member
  return { entry, at: iso(at), distance, comparedBy, ...present({ likeId, likeness, reason }) }
}

export function moveShape({ level, at, from, to, comparedBy }: GroupMove): MoveShape {
  return { level, at: iso(at), ...present({ from, to }), comparedBy }
}
