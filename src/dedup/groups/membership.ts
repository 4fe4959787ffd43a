/**
 * Who belongs to which group after some entries come and others go: a function from what a store has loaded, the
 * neighbourhood, to what it has to write. Stores decide nothing, so that all of them decide alike.
 *
 * Entries come one after the other. Each leaves the group it was in, and the groups of those it is joined with become one:
 * the largest, of equals the oldest, takes in the others. One that is taken in may have many thousand members, and no
 * transaction may grow with them: so it is on its way into the other, and so many members go over at once, the earliest
 * first, the rest when the store is next asked. Meanwhile it is a group like any, but whoever joins it joins the other.
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

/** An entry that is given its place. */
export interface Newcomer {
  id: EntryId
  at: Instant
  comparedBy: ComparedBy
  simhash: bigint
  /** With whom it belongs; on a level that is not named it is alone. */
  joins: { readonly [L in GroupLevel]?: Why & { with: readonly EntryId[] } }
}

/** Why a member is one. */
interface Why {
  likeId?: EntryId
  likeness?: number
  reason?: string
}

/** What is kept of an entry that was placed. */
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
  /** 0: nobody is left, or they are all taken in. */
  size: number
  /** It is on its way into this one. */
  intoId?: GroupId
}

/** What is there already, round those who come and go. */
export interface Neighbourhood {
  /** Of those who are named. */
  seats: readonly Seat[]
  /** Of those who are named and were placed before. */
  said: ReadonlyMap<EntryId, PlacedText>
  /** Those of the seats; those that any of them is on its way into, and those that are on their way into any of them. */
  groups: readonly SeatedGroup[]
  /** Ids of groups are only ever given once. */
  lastGroupId: number
}

export interface MembershipChange {
  come?: readonly Newcomer[]
  go?: readonly EntryId[]
  at: Instant
  /** About so many members go over into other groups: of each two at least, and nobody stays behind alone. */
  most: number
}

/** To be written in this order; in the end every group is settled. */
export interface Rearranged {
  founded: { id: GroupId; level: GroupLevel }[]
  left: Seat[]
  /** The earliest so many members of a group. */
  taken: { fromId: GroupId; intoId: GroupId; level: GroupLevel; count: number }[]
  entered: NewSeat[]
  /** All of the neighbourhood and all that were founded, as they are now. */
  groups: SeatedGroup[]
  /** Of those who had a place before. */
  moves: GroupMove[]
}

/** Members that go over in the transaction of whoever joins two groups: a few milliseconds among millions, each in another place of the file. */
export const MOST_TAKEN = 50

/** Whose seats have to be known, level by level, before these can come. */
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
  // Who told it first does so for the same reason; of copies, the first one is no copy.
  const whyToo = level === 'story' ? { ...why, likeId: id } : {}
  for (const other of alone) seating.enter({ entryId: other, level, groupId: to, ...said.get(other)!, ...whyToo })
  seating.enter({ entryId: id, level, groupId: to, ...said.get(id)!, ...why })
  return { from, to, moved: from === undefined || !groups.has(from) }
}

/** Who sits where, while they come and go. */
interface Seating {
  /** The one that it is, or is on its way into. */
  groupOf(id: EntryId, level: GroupLevel): GroupId | undefined
  found(level: GroupLevel): GroupId
  unite(ids: ReadonlySet<GroupId>): GroupId
  enter(seat: NewSeat): void
  leave(id: EntryId, level: GroupLevel): void
  end(most: number): Omit<Rearranged, 'moves'>
}

interface Growing extends SeatedGroup {
  /** Members that the store has, or will have, there; `size` counts also those who come, and those of groups that it takes in. */
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

  /** Of every group that is on its way some go over, so that none of them and none of their ends has a single member. */
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
