/**
 * Computes group membership after entries are added and removed: a function from what a store has loaded (the neighborhood)
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
export interface NewEntry {
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
export interface GroupedText extends Fingerprint {
  at: Instant
  comparedBy: ComparedBy
}

export interface Membership {
  entryId: EntryId
  level: GroupLevel
  groupId: GroupId
}

export interface NewMembership extends Membership, GroupedText, Why {}

export interface StoredGroup {
  id: GroupId
  level: GroupLevel
  /** 0: no members are left, or all have been moved. */
  size: number
  /** The group that this one is moving into. */
  intoId?: GroupId
}

/** The existing state around the entries that are added and removed. */
export interface Neighborhood {
  /** Rows of the named entries. */
  memberships: readonly Membership[]
  /** Rows of the named entries that were grouped before. */
  texts: ReadonlyMap<EntryId, GroupedText>
  /** The groups of the memberships, and the groups that any of them is moving into or from. */
  groups: readonly StoredGroup[]
  /** Group ids are never reused. */
  lastGroupId: number
}

export interface MembershipChange {
  come?: readonly NewEntry[]
  go?: readonly EntryId[]
  at: Instant
  /** Approximate limit of moved members: at least two of each group, and never all but one. */
  most: number
}

/** Written in this order; at the end every group is settled. */
export interface GroupChanges {
  founded: { id: GroupId; level: GroupLevel }[]
  left: Membership[]
  /** The earliest `count` members of a group. */
  taken: { fromId: GroupId; intoId: GroupId; level: GroupLevel; count: number }[]
  entered: NewMembership[]
  /** All groups of the neighborhood and all new ones, in their new state. */
  groups: StoredGroup[]
  /** Moves of entries that were grouped before. */
  moves: GroupMove[]
}

/** Members that move in the transaction that joins two groups: a few milliseconds, each at another place of the file. */
export const MOST_TAKEN = 50

/** Entries whose memberships have to be loaded, level by level, before these can be placed. */
export function namedBy(come: readonly NewEntry[], level: GroupLevel): Set<EntryId> {
  return new Set(come.flatMap(({ id, joins }) => [id, ...(joins[level]?.with ?? [])]))
}

export function updateGroups(around: Neighborhood, { come = [], go = [], at, most }: MembershipChange): GroupChanges {
  const groupUpdate = createGroupUpdate(around)
  const texts = new Map(around.texts)
  const moves: GroupMove[] = []
  for (const id of go) for (const level of GROUP_LEVELS) groupUpdate.leave(id, level)
  for (const one of come) {
    const { id: entryId, comparedBy } = one
    const wasGrouped = texts.has(entryId)
    texts.set(entryId, { at: one.at, comparedBy, ...fingerprintOf(one.simhash) })
    for (const level of GROUP_LEVELS) {
      const { from, to, moved } = join(groupUpdate, texts, one, level)
      if (!moved || (!wasGrouped && from === undefined)) continue
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
  return { ...groupUpdate.end(most), moves }
}

function join(
  groupUpdate: GroupUpdate,
  texts: ReadonlyMap<EntryId, GroupedText>,
  { id, joins }: NewEntry,
  level: GroupLevel,
): { from: GroupId | undefined; to?: GroupId; moved: boolean } {
  const { with: wanted = [], ...why } = joins[level] ?? {}
  const others = new Set(wanted)
  others.delete(id)
  const groups = new Set([...others].flatMap((other) => groupUpdate.groupOf(other, level) ?? []))
  const alone = [...others].filter((other) => groupUpdate.groupOf(other, level) === undefined && texts.has(other))
  const from = groupUpdate.groupOf(id, level)
  groupUpdate.leave(id, level)
  if (groups.size === 0 && alone.length === 0) return { from, moved: from !== undefined }

  const to = groups.size > 0 ? groupUpdate.unite(groups) : groupUpdate.found(level)
  // the reason applies to the first member of a story as well; the first of a group of copies is no copy
  const whyToo = level === 'story' ? { ...why, likeId: id } : {}
  for (const other of alone) groupUpdate.enter({ entryId: other, level, groupId: to, ...texts.get(other)!, ...whyToo })
  groupUpdate.enter({ entryId: id, level, groupId: to, ...texts.get(id)!, ...why })
  return { from, to, moved: from === undefined || !groups.has(from) }
}

/** The assignment of entries to groups while they are processed. */
interface GroupUpdate {
  /** The entry's group, or the group that it is moving into. */
  groupOf(id: EntryId, level: GroupLevel): GroupId | undefined
  found(level: GroupLevel): GroupId
  unite(ids: ReadonlySet<GroupId>): GroupId
  enter(membership: NewMembership): void
  leave(id: EntryId, level: GroupLevel): void
  end(most: number): Omit<GroupChanges, 'moves'>
}

interface Growing extends StoredGroup {
  /** Members that the store has, or will have, there; `size` also counts new ones and those of merged groups. */
  stored: number
}

function createGroupUpdate(around: Neighborhood): GroupUpdate {
  const founded: GroupChanges['founded'] = []
  const left: Membership[] = []
  const entered: Record<GroupLevel, Map<EntryId, NewMembership>> = { copy: new Map(), story: new Map() }
  const memberships: Record<GroupLevel, Map<EntryId, Membership>> = { copy: new Map(), story: new Map() }
  const groups = new Map(
    around.groups.map((one): [GroupId, Growing] => [one.id, { ...one, stored: one.size, size: 0 }]),
  )
  for (const membership of around.memberships) memberships[membership.level].set(membership.entryId, membership)
  for (const { id, stored } of groups.values()) endOf(id).size += stored
  let lastGroupId = around.lastGroupId

  function endOf(id: GroupId): Growing {
    const group = groups.get(id)!
    return group.intoId !== undefined && groups.has(group.intoId) ? endOf(group.intoId) : group
  }

  function leave(id: EntryId, level: GroupLevel): void {
    const membership = memberships[level].get(id)
    if (!membership) return
    memberships[level].delete(id)
    endOf(membership.groupId).size--
    if (entered[level].delete(id)) return
    left.push(membership)
    groups.get(membership.groupId)!.stored--
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
  function take(most: number): GroupChanges['taken'] {
    let remaining = most
    return [...groups.values()].flatMap((from) => {
      const into = endOf(from.id)
      if (into === from) return []
      const some = Math.min(from.stored, Math.max(remaining, 2))
      const count = from.stored - some === 1 ? from.stored : some
      remaining -= some
      from.stored -= count
      into.stored += count
      return count > 0 ? [{ fromId: from.id, intoId: into.id, level: from.level, count }] : []
    })
  }

  function withGroup(membership: NewMembership): NewMembership {
    const group = endOf(membership.groupId)
    group.stored++
    return { ...membership, groupId: group.id }
  }

  return {
    groupOf(id, level) {
      const membership = memberships[level].get(id)
      return membership && endOf(membership.groupId).id
    },
    found(level) {
      const id = ++lastGroupId as GroupId
      founded.push({ id, level })
      groups.set(id, { id, level, size: 0, stored: 0 })
      return id
    },
    unite,
    enter(membership) {
      memberships[membership.level].set(membership.entryId, membership)
      entered[membership.level].set(membership.entryId, membership)
      endOf(membership.groupId).size++
    },
    leave,
    end(most) {
      const taken = take(most)
      const added = GROUP_LEVELS.flatMap((level) => [...entered[level].values()].map(withGroup))
      const after = [...groups.values()].map(({ id, level, stored: size }): StoredGroup => {
        const { id: intoId } = endOf(id)
        return { id, level, size, ...(intoId !== id && { intoId }) }
      })
      return { founded, left, taken, entered: added, groups: after }
    },
  }
}
