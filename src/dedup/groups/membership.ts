/**
 * Computes group membership after entries are added and removed: a function from what a store has loaded (the neighbourhood)
 * to what it has to write. Stores do not decide anything, so all of them agree.
 *
 * Entries are processed one after the other. Each leaves its group, and the groups of the entries it joins are merged into
 * the largest, or the oldest of equals. A merged group may have thousands of members, and a transaction must not grow with
 * them: so it is marked as moving into the other, and a limited number of members move at once, earliest first, the rest
 * when the store asks again. Meanwhile it is a group like any other, but new members join the target.
 */
import {
  type ComparedBy,
  type EntryId,
  GROUP_LEVELS,
  type GroupId,
  type GroupLevel,
  type GroupMove,
  type Instant,
} from '../../model/index.ts'
import { type Fingerprint, fingerprintOf } from './primary.ts'

/** An entry to be placed. */
export interface Newcomer {
  id: EntryId
  at: Instant
  comparedBy: ComparedBy
  simhash: bigint
  /** The entries it belongs with; on a level that is not listed it is alone. */
  joins: { readonly [L in GroupLevel]?: Why & { with: readonly EntryId[] } }
}

/** The reason for a membership. */
interface Why {
  likeId?: EntryId
  likeness?: number
  reason?: string
}

/** What is stored about a placed entry. */
export interface PlacedText extends Fingerprint {
  at: Instant
  comparedBy: ComparedBy
}

export interface Seat {
  entryId: EntryId
  level: GroupLevel
  groupId: GroupId
}

export interface NewSeat extends Seat, PlacedText, Why {}

export interface SeatedGroup {
  id: GroupId
  level: GroupLevel
  /** 0: no members are left, or all have been moved. */
  size: number
  /** The group that this one is moving into. */
  intoId?: GroupId
}

/** The existing state around the entries that are added and removed. */
export interface Neighbourhood {
  /** Rows of the named entries. */
  seats: readonly Seat[]
  /** Rows of the named entries that were grouped before. */
  said: ReadonlyMap<EntryId, PlacedText>
  /** The groups of the seats, and the groups that any of them is moving into or from. */
  groups: readonly SeatedGroup[]
  /** Group ids are never reused. */
  lastGroupId: number
}

export interface MembershipChange {
  come?: readonly Newcomer[]
  go?: readonly EntryId[]
  at: Instant
  /** Approximate limit of moved members: at least two of each group, and never all but one. */
  most: number
}

/** Written in this order; at the end every group is settled. */
export interface Rearranged {
  founded: { id: GroupId; level: GroupLevel }[]
  left: Seat[]
  /** The earliest `count` members of a group. */
  taken: { fromId: GroupId; intoId: GroupId; level: GroupLevel; count: number }[]
  entered: NewSeat[]
  /** All groups of the neighbourhood and all new ones, in their new state. */
  groups: SeatedGroup[]
  /** Moves of entries that were grouped before. */
  moves: GroupMove[]
}

/** Members that move in the transaction that joins two groups: a few milliseconds, each at another place of the file. */
export const MOST_TAKEN = 50

/** Entries whose seats have to be loaded, level by level, before these can be placed. */
export function namedBy(come: readonly Newcomer[], level: GroupLevel): Set<EntryId> {
  return new Set(come.flatMap(({ id, joins }) => [id, ...(joins[level]?.with ?? [])]))
}

export function rearrange(around: Neighbourhood, { come = [], go = [], at, most }: MembershipChange): Rearranged {
  const seating = createSeating(around)
  const said = new Map(around.said)
  const moves: GroupMove[] = []
  for (const id of go) for (const level of GROUP_LEVELS) seating.leave(id, level)
  for (const one of come) {
    const { id: entryId, comparedBy } = one
    const wasPlaced = said.has(entryId)
    said.set(entryId, { at: one.at, comparedBy, ...fingerprintOf(one.simhash) })
    for (const level of GROUP_LEVELS) {
      const { from, to, moved } = join(seating, said, one, level)
      if (!moved || (!wasPlaced && from === undefined)) continue
      moves.push({
        entryId,
        level,
        at,
        comparedBy,
        ...(from !== undefined && { from }),
        ...(to !== undefined && { to }),
      })
    }
  }
  return { ...seating.end(most), moves }
}

function join(
  seating: Seating,
  said: ReadonlyMap<EntryId, PlacedText>,
  { id, joins }: Newcomer,
  level: GroupLevel,
): { from: GroupId | undefined; to?: GroupId; moved: boolean } {
  const { with: wanted = [], ...why } = joins[level] ?? {}
  const others = new Set(wanted)
  others.delete(id)
  const groups = new Set([...others].flatMap((other) => seating.groupOf(other, level) ?? []))
  const alone = [...others].filter((other) => seating.groupOf(other, level) === undefined && said.has(other))
  const from = seating.groupOf(id, level)
  seating.leave(id, level)
  if (groups.size === 0 && alone.length === 0) return { from, moved: from !== undefined }

  const to = groups.size > 0 ? seating.unite(groups) : seating.found(level)
  // the reason applies to the first member of a story as well; the first of a group of copies is no copy
  const whyToo = level === 'story' ? { ...why, likeId: id } : {}
  for (const other of alone) seating.enter({ entryId: other, level, groupId: to, ...said.get(other)!, ...whyToo })
  seating.enter({ entryId: id, level, groupId: to, ...said.get(id)!, ...why })
  return { from, to, moved: from === undefined || !groups.has(from) }
}

/** The assignment of entries to groups while they are processed. */
interface Seating {
  /** The entry's group, or the group that it is moving into. */
  groupOf(id: EntryId, level: GroupLevel): GroupId | undefined
  found(level: GroupLevel): GroupId
  unite(ids: ReadonlySet<GroupId>): GroupId
  enter(seat: NewSeat): void
  leave(id: EntryId, level: GroupLevel): void
  end(most: number): Omit<Rearranged, 'moves'>
}

interface Growing extends SeatedGroup {
  /** Members that the store has, or will have, there; `size` also counts new ones and those of merged groups. */
  stored: number
}

function createSeating(around: Neighbourhood): Seating {
  const founded: Rearranged['founded'] = []
  const left: Seat[] = []
  const entered: Record<GroupLevel, Map<EntryId, NewSeat>> = { copy: new Map(), story: new Map() }
  const seats: Record<GroupLevel, Map<EntryId, Seat>> = { copy: new Map(), story: new Map() }
  const groups = new Map(
    around.groups.map((one): [GroupId, Growing] => [one.id, { ...one, stored: one.size, size: 0 }]),
  )
  for (const seat of around.seats) seats[seat.level].set(seat.entryId, seat)
  for (const { id, stored } of groups.values()) endOf(id).size += stored
  let lastGroupId = around.lastGroupId

  function endOf(id: GroupId): Growing {
    const group = groups.get(id)!
    return group.intoId !== undefined && groups.has(group.intoId) ? endOf(group.intoId) : group
  }

  function leave(id: EntryId, level: GroupLevel): void {
    const seat = seats[level].get(id)
    if (!seat) return
    seats[level].delete(id)
    endOf(seat.groupId).size--
    if (entered[level].delete(id)) return
    left.push(seat)
    groups.get(seat.groupId)!.stored--
  }

  function unite(ids: ReadonlySet<GroupId>): GroupId {
    const all = [...ids].map((id) => groups.get(id)!)
    const [largest, ...others] = all.sort((a, b) => b.size - a.size || a.id - b.id)
    for (const one of others) {
      one.intoId = largest!.id
      largest!.size += one.size
    }
    return largest!.id
  }

  /** Moves some members of every moving group, so that neither it nor its target is left with a single member. */
  function take(most: number): Rearranged['taken'] {
    let room = most
    return [...groups.values()].flatMap((from) => {
      const into = endOf(from.id)
      if (into === from) return []
      const some = Math.min(from.stored, Math.max(room, 2))
      const count = from.stored - some === 1 ? from.stored : some
      room -= some
      from.stored -= count
      into.stored += count
      return count > 0 ? [{ fromId: from.id, intoId: into.id, level: from.level, count }] : []
    })
  }

  function sit(seat: NewSeat): NewSeat {
    const group = endOf(seat.groupId)
    group.stored++
    return { ...seat, groupId: group.id }
  }

  return {
    groupOf(id, level) {
      const seat = seats[level].get(id)
      return seat && endOf(seat.groupId).id
    },
    found(level) {
      const id = ++lastGroupId as GroupId
      founded.push({ id, level })
      groups.set(id, { id, level, size: 0, stored: 0 })
      return id
    },
    unite,
    enter(seat) {
      seats[seat.level].set(seat.entryId, seat)
      entered[seat.level].set(seat.entryId, seat)
      endOf(seat.groupId).size++
    },
    leave,
    end(most) {
      const taken = take(most)
      const seated = GROUP_LEVELS.flatMap((level) => [...entered[level].values()].map(sit))
      const after = [...groups.values()].map(({ id, level, stored: size }): SeatedGroup => {
        const { id: intoId } = endOf(id)
        return { id, level, size, ...(intoId !== id && { intoId }) }
      })
      return { founded, left, taken, entered: seated, groups: after }
    },
  }
}
