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
  let rows = 64
  let ids = new Float64Array(rows)
  let foundations = new Float64Array(rows)
  let newests = new Float64Array(rows)
  let primaries = new Float64Array(rows)
  let sizes = new Uint32Array(rows)
  let used = 1 // row 0 means no group
  const free: number[] = []

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
    if (sizes[group]! <= MAX_VOTERS || !isThere(primaries[group]!)) holdElection(group)
  }

  function found(id: number, member: number): number {
    const group = newRow(id, ring.atOf(member))
    enter(group, member)
    primaries[group] = member
    return group
  }

  function newRow(id: number, foundedAt: Instant): number {
    const group = free.pop() ?? used++
    if (group >= rows) grow()
    ids[group] = id
    foundations[group] = foundedAt
    newests[group] = 0
    primaries[group] = 0
    sizes[group] = 0
    return group
  }

  function grow(): void {
    rows = Math.ceil(rows * 1.5)
    const larger = (array: Float64Array) => {
      const copy = new Float64Array(rows)
      copy.set(array)
      return copy
    }
    ids = larger(ids)
    foundations = larger(foundations)
    newests = larger(newests)
    primaries = larger(primaries)
    const largerSizes = new Uint32Array(rows)
    largerSizes.set(sizes)
    sizes = largerSizes
  }

  function enter(group: number, member: number): void {
    ring.setGroup(member, group, newests[group]!)
    newests[group] = member
    sizes[group]!++
  }

  /** Merges two chains, both from new to old, into one in the same order. After the end of theirs, ours stays as it is. */
  function absorb(group: number, other: number): number {
    let newer = 0
    let own = newests[group]!
    let theirs = newests[other]!
    while (ring.holds(theirs)) {
      const member = Math.max(own, theirs)
      if (member === own) own = ring.memberBefore(own)
      else theirs = ring.memberBefore(theirs)
      lead(group, newer, member)
      newer = member
    }
    ring.setGroup(newer, group, own)
    sizes[group]! += sizes[other]!
    sizes[other] = 0
    free.push(other)
    return ids[other]!
  }

  /** Dropped members are unlinked when they are met, so the next caller does not meet them again. */
  function membersOf(group: number, most = Number.POSITIVE_INFINITY): number[] {
    const members: number[] = []
    let newer = 0
    let passed = false
    let member = newests[group]!
    while (ring.holds(member) && members.length < most) {
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
    else newests[group] = to
  }

  function holdElection(group: number): void {
    primaries[group] = electPrimary(membersOf(group, MAX_VOTERS).map(candidate)).number
  }

  function candidate(number: number): PrimaryCandidate & { number: number } {
    return { number, id: ring.idOf(number), at: ring.atOf(number), ...ring.fingerprintOf(number) }
  }

  function forget(member: number): void {
    const group = ring.isDropped(member) ? 0 : ring.groupOf(member)
    if (group && --sizes[group]! === 0) free.push(group)
  }

  function isThere(member: number): boolean {
    return ring.holds(member) && !ring.isDropped(member)
  }

  function foundation(group: number): { id: number; at: Instant } {
    return { id: ids[group]!, at: foundations[group]! }
  }

  return {
    join,
    follow: (newest, other) => welcome(groupWith(other), newest),
    found,
    forget,
    idOf: (group) => ids[group]!,
    sizeOf: (group) => sizes[group]!,
    membersOf,
    primaryOf(group) {
      if (!isThere(primaries[group]!)) holdElection(group)
      return primaries[group]!
    },
    withId(id) {
      for (let group = 1; group < used; group++) if (ids[group] === id && sizes[group]! > 0) return group
      return 0
    },
    get bytes() {
      return rows * 36 + free.length * 8
    },
  }
}
