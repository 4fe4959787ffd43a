/**
 * Tracks which items of a ring belong together. A single item costs nothing; a group is created when a second item joins,
 * takes the id of the first one, and keeps it whichever member becomes primary. When an item belongs to two groups they are
 * merged: every member of the younger gets the older one's number.
 *
 * The members of a group are a chain in the ring, newest first. Like the ring's other chains it ends where the ring has
 * overwritten an item, so members expire without being searched for. Groups are rows of typed arrays, 36 bytes each.
 */
import { type Instant, MAX_VOTERS } from '../../model/index.ts'
import { electPrimary, isEarlier, type PrimaryCandidate } from '../groups/primary.ts'
import type { CopyRing } from './copy-ring.ts'

export interface CopyGroups {
  /** Merges the newest item and the groups of all `others` into one group; returns the ids that no longer exist. */
  join(newest: number, others: readonly number[]): { group: number; merged: number[] }
  /** Adds the newest item to the group of this one. */
  follow(newest: number, other: number): void
  /** Restores a stored group with the first of its members in the ring. Its id may be that of an item no longer held. */
  found(id: number, member: number): void
  /** Called before the ring overwrites or drops an item. The links of its chain stay as they are. */
  forget(member: number): void
  idOf(group: number): number
  sizeOf(group: number): number
  /** Numbers in the ring, newest first; at most `most`. */
  membersOf(group: number, most?: number): number[]
  primaryOf(group: number): number
  /** 0 if there is none. Searches all groups, since it is rarely called. */
  withId(id: number): number
  readonly bytes: number
}

export function createCopyGroups(ring: CopyRing): CopyGroups {
  const table = createGroupTable()

  function join(newest: number, others: readonly number[]): { group: number; merged: number[] } {
    const groups = [...new Set(others.map(groupWith))]
    const group = groups.reduce((oldest, one) => (isEarlier(foundation(one), foundation(oldest)) ? one : oldest))
    const merged: number[] = []
    for (const one of groups) if (one !== group) merged.push(absorb(group, one))
    welcome(group, newest)
    return { group, merged }
  }

  function groupWith(member: number): number {
    return ring.groupOf(member) || found(ring.idOf(member), member)
  }

  function welcome(group: number, newest: number): void {
    enter(group, newest)
    if (table.sizes[group]! <= MAX_VOTERS || !isThere(table.primaries[group]!)) holdElection(group)
  }

  function found(id: number, member: number): number {
    const group = table.add(id, ring.atOf(member))
    enter(group, member)
    table.primaries[group] = member
    return group
  }

  function enter(group: number, member: number): void {
    ring.setGroup(member, group, table.newests[group]!)
    table.newests[group] = member
    table.sizes[group]!++
  }

  /** Merges two chains, both from new to old, into one in the same order. After the end of theirs, ours stays as it is. */
  function absorb(group: number, other: number): number {
    let newer = 0
    let own = table.newests[group]!
    let theirs = table.newests[other]!
    while (ring.contains(theirs)) {
      const member = Math.max(own, theirs)
      if (member === own) own = ring.memberBefore(own)
      else theirs = ring.memberBefore(theirs)
      lead(group, newer, member)
      newer = member
    }
    ring.setGroup(newer, group, own)
    table.sizes[group]! += table.sizes[other]!
    table.sizes[other] = 0
    table.remove(other)
    return table.ids[other]!
  }

  /** Dropped members are unlinked when they are met, so the next caller does not meet them again. */
  function membersOf(group: number, most = Number.POSITIVE_INFINITY): number[] {
    const members: number[] = []
    let newer = 0
    let passed = false
    let member = table.newests[group]!
    while (ring.contains(member) && members.length < most) {
      if (ring.isDropped(member)) passed = true
      else {
        if (passed) lead(group, newer, member)
        passed = false
        members.push(member)
        newer = member
      }
      member = ring.memberBefore(member)
    }
    if (passed) lead(group, newer, member)
    return members
  }

  /** Links a member to the next older one, or the group to its newest. */
  function lead(group: number, from: number, to: number): void {
    if (from) ring.setGroup(from, group, to)
    else table.newests[group] = to
  }

  function holdElection(group: number): void {
    table.primaries[group] = electPrimary(membersOf(group, MAX_VOTERS).map(candidate)).number
  }

  function candidate(number: number): PrimaryCandidate & { number: number } {
    return { number, id: ring.idOf(number), at: ring.atOf(number), ...ring.fingerprintOf(number) }
  }

  function forget(member: number): void {
    const group = ring.isDropped(member) ? 0 : ring.groupOf(member)
    if (group && --table.sizes[group]! === 0) table.remove(group)
  }

  function isThere(member: number): boolean {
    return ring.contains(member) && !ring.isDropped(member)
  }

  function foundation(group: number): { id: number; at: Instant } {
    return { id: table.ids[group]!, at: table.foundations[group]! }
  }

  return {
    join,
    follow: (newest, other) => welcome(groupWith(other), newest),
    found,
    forget,
    idOf: (group) => table.ids[group]!,
    sizeOf: (group) => table.sizes[group]!,
    membersOf,
    primaryOf(group) {
      if (!isThere(table.primaries[group]!)) holdElection(group)
      return table.primaries[group]!
    },
    withId(id) {
      for (let group = 1; group < table.used; group++)
        if (table.ids[group] === id && table.sizes[group]! > 0) return group
      return 0
    },
    get bytes() {
      return table.bytes
    },
  }
}

/** Rows of typed arrays. Row 0 means no group. */
function createGroupTable() {
  let rows = 64
  const free: number[] = []
  const table = {
    ids: new Float64Array(rows),
    foundations: new Float64Array(rows),
    newests: new Float64Array(rows),
    primaries: new Float64Array(rows),
    sizes: new Uint32Array(rows),
    used: 1,

    /** Without members. */
    add(id: number, foundedAt: Instant): number {
      const group = free.pop() ?? table.used++
      if (group >= rows) grow()
      table.ids[group] = id
      table.foundations[group] = foundedAt
      table.newests[group] = 0
      table.primaries[group] = 0
      table.sizes[group] = 0
      return group
    },

    remove(group: number): void {
      free.push(group)
    },

    get bytes() {
      return rows * 36 + free.length * 8
    },
  }

  function grow(): void {
    rows = Math.ceil(rows * 1.5)
    for (const column of ['ids', 'foundations', 'newests', 'primaries'] as const) {
      const larger = new Float64Array(rows)
      larger.set(table[column])
      table[column] = larger
    }
    const sizes = new Uint32Array(rows)
    sizes.set(table.sizes)
    table.sizes = sizes
  }

  return table
}
