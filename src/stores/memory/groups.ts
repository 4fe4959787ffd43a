/** Groups of the memory store (copies and stories), and the signatures by which new entries are compared with earlier ones. */
import {
  bitsApart,
  fingerprintOf,
  type GroupChanges,
  type Membership,
  MOST_TAKEN,
  type Neighborhood,
  type NewMembership,
  namedBy,
  type StoredGroup,
  settle,
  updateGroups,
  type Voter,
} from '../../dedup/index.ts'
import {
  type EntryId,
  GROUP_LEVELS,
  type Group,
  type GroupId,
  type GroupLevel,
  type GroupMove,
  type Instant,
  type Member,
  sortAt,
} from '../../model/index.ts'
import { ALL_FEEDS, type GroupedEntry, MAX_MOVES, type UngroupedEntry } from '../../ports/index.ts'
import type { GroupingMethods, GroupQueryMethods } from '../methods.ts'
import { articleText } from './articles.ts'
import { copyOf } from './copy.ts'
import { dequeuePositions, enqueueEntry, type MemoryGroup, type State } from './state.ts'

export function groupsOf(state: State): GroupingMethods & GroupQueryMethods {
  return {
    async ungroupedEntries(limit) {
      const queued = [...state.ungrouped].slice(0, limit)
      const changes = queued.map(([id]): UngroupedEntry => {
        const entry = copyOf(state.entries.get(id))
        if (!entry) return { id, wasGrouped: true }
        const text = articleText(state, id)
        return { id, entry, ...(text !== undefined && { text }), wasGrouped: state.signatures.has(id) }
      })
      return { positions: queued.map(([, position]) => position), changes, hasMore: queued.length >= limit }
    },

    async recordGroups(entries, positions, at, boilerplate = [], indexed = []) {
      const copies = entries.map(({ signature, joins, ...rest }) => {
        return { ...copyOf(rest), signature: Uint8Array.from(signature), joins: copyOf(joins) }
      })
      const moved = groupAll(state, copies, at)
      dequeuePositions(state.ungrouped, positions)
      dequeuePositions(state.unindexed, indexed)
      for (const { feedId, memory } of boilerplate)
        if (feedId === ALL_FEEDS || state.feeds.has(feedId)) state.boilerplate.set(feedId, Uint8Array.from(memory))
      return moved
    },

    async feedBoilerplate(feedIds) {
      return feedIds.map((id) => state.boilerplate.get(id)).map((memory) => memory && Uint8Array.from(memory))
    },

    async settleGroups(limit) {
      const merging = [...state.groups.values()].find(({ intoId }) => intoId !== undefined)
      if (!merging) return 0
      const changes = updateGroups(
        { ...neighborhoodOf(state, []), groups: groupsWith(new Set([merging.id]), state) },
        { at: 0, most: limit },
      )
      write(state, changes)
      return changes.taken.reduce((sum, { count }) => sum + count, 0)
    },

    async regroupSince(since) {
      const entries = [...state.entries.values()].filter((entry) => sortAt(entry, entry.seenAt) >= since)
      for (const { id } of entries.sort((a, b) => sortAt(a, a.seenAt) - sortAt(b, b.seenAt) || a.id - b.id)) {
        enqueueEntry(state, state.ungrouped, id)
      }
      return entries.length
    },

    async *signatures({ since, newest = Number.MAX_SAFE_INTEGER }) {
      const signed = [...state.signatures].filter(([, { placedAt }]) => placedAt >= since)
      for (const [id, { at, signature }] of signed.slice(-newest)) {
        const groups: { [L in GroupLevel]?: GroupId } = {}
        for (const level of GROUP_LEVELS) {
          const group = groupWith(state, id, level)
          if (group) groups[level] = group.id
        }
        yield { id, at, signature: Uint8Array.from(signature), groups }
      }
    },

    async forgetSignatures(before, limit) {
      const old = [...state.signatures].filter(([, { placedAt }]) => placedAt < before)
      const dropped = old.sort(([, a], [, b]) => a.placedAt - b.placedAt).slice(0, limit)
      for (const [id] of dropped) state.signatures.delete(id)
      return dropped.length
    },

    async groupsById(ids) {
      return ids.map((id) => groupOf(state.groups.get(id)))
    },

    async groupsOfEntries(ids, level) {
      return ids.map((id) => groupOf(groupWith(state, id, level)))
    },

    async membersById(ids, level) {
      return ids.map((id) => memberOf(groupWith(state, id, level), id))
    },

    async groups({ level, since = Number.NEGATIVE_INFINITY, minSize = 0, order, after, limit }) {
      type SortKeys = Pick<Group, 'id' | 'size' | 'lastAt'>
      const inOrder = (a: SortKeys, b: SortKeys) =>
        (order === 'large' ? b.size - a.size : 0) || b.lastAt - a.lastAt || b.id - a.id
      return [...state.groups.values()]
        .flatMap((group) => groupOf(group) ?? [])
        .filter((group) => group.level === level && group.lastAt >= since && group.size >= minSize)
        .sort(inOrder)
        .filter((group) => !after || inOrder(after, group) < 0)
        .slice(0, limit)
    },

    async members(id, limit) {
      const group = state.groups.get(id)
      return membersOf(group)
        .slice(0, limit)
        .flatMap(({ entryId }) => memberOf(group, entryId) ?? [])
    },

    async moves(id) {
      return copyOf(state.moves.get(id) ?? [])
    },
  }
}

/** Removes all grouping data of deleted entries and settles the groups they were in. */
export function removeFromGroups(state: State, ids: readonly EntryId[]): void {
  const memberships = GROUP_LEVELS.flatMap((level) => membershipsOf(state, ids, level))
  write(state, updateGroups(neighborhoodOf(state, memberships), { go: ids, at: 0, most: MOST_TAKEN }))
  for (const id of ids) {
    if (state.signatures.delete(id)) enqueueEntry(state, state.ungrouped, id)
    state.moves.delete(id)
  }
}

function groupAll(state: State, entries: GroupedEntry[], at: Instant): GroupMove[] {
  const existing = entries.filter(({ id }) => state.entries.has(id))
  const affected = GROUP_LEVELS.map((level) => namedBy(existing, level))
  const memberships = GROUP_LEVELS.flatMap((level, i) => membershipsOf(state, affected[i]!, level))
  const changes = updateGroups(
    neighborhoodOf(
      state,
      memberships,
      affected.flatMap((ids) => [...ids]),
    ),
    { come: existing, at, most: MOST_TAKEN },
  )
  for (const { id, at: textAt, comparedBy, simhash, signature } of existing) {
    state.signatures.delete(id)
    state.signatures.set(id, { at: textAt, placedAt: at, comparedBy, simhash, signature })
  }
  write(state, changes)
  return changes.moves.map((move) => ({ ...move }))
}

function membershipsOf(state: State, ids: Iterable<EntryId>, level: GroupLevel): Membership[] {
  return [...ids].flatMap((entryId) => {
    const group = groupWith(state, entryId, level)
    return group ? [{ entryId, level, groupId: group.id }] : []
  })
}

function neighborhoodOf(state: State, memberships: Membership[], affected: Iterable<EntryId> = []): Neighborhood {
  const texts = [...affected].flatMap((id) => {
    const signature = state.signatures.get(id)
    if (!signature) return []
    const { at, comparedBy, simhash } = signature
    return [[id, { at, comparedBy, ...fingerprintOf(simhash) }] as const]
  })
  const groups = groupsWith(new Set(memberships.map(({ groupId }) => groupId)), state)
  return { memberships, texts: new Map(texts), groups, lastGroupId: state.lastIds.group }
}

/** Includes the groups that these are merging into, and the groups that are merging into these. */
function groupsWith(groupIds: Set<GroupId>, state: State): StoredGroup[] {
  const groups: StoredGroup[] = []
  for (const id of groupIds) {
    const { level, size, intoId } = state.groups.get(id)!
    groups.push({ id, level, size, ...(intoId !== undefined && { intoId }) })
    if (intoId !== undefined) groupIds.add(intoId)
    for (const other of state.groups.values()) if (other.intoId === id) groupIds.add(other.id)
  }
  return groups
}

function write(state: State, { founded, left, taken, entered, groups, moves }: GroupChanges): void {
  for (const { id, level } of founded) {
    state.groups.set(id, { id, level, size: 0, distanceSum: 0, members: new Map() })
    state.lastIds.group = id
  }
  for (const { entryId, groupId } of left) state.groups.get(groupId)!.members.delete(entryId)
  for (const { fromId, intoId, count } of taken) {
    const from = state.groups.get(fromId)!
    for (const member of membersOf(from).slice(0, count)) {
      from.members.delete(member.entryId)
      state.groups.get(intoId)!.members.set(member.entryId, { ...member, groupId: intoId })
    }
  }
  for (const membership of entered)
    state.groups.get(membership.groupId)!.members.set(membership.entryId, copyOf(membership))
  for (const group of groups) settleGroup(state, group)
  for (const move of moves) {
    state.moves.set(move.entryId, [...(state.moves.get(move.entryId) ?? []), move].slice(-MAX_MOVES))
  }
}

function settleGroup(state: State, { id, level, size, intoId }: StoredGroup): void {
  const { primaryId, members } = state.groups.get(id)!
  const primary = primaryId !== undefined && members.get(primaryId)
  const earliest = membersOf(state.groups.get(id)).map(voterOf)
  const now = settle({ level, size, ...(primary && { primary: voterOf(primary) }), earliest })
  if (now) state.groups.set(id, { id, level, size, members, ...now, ...(intoId !== undefined && { intoId }) })
  else state.groups.delete(id)
}

function groupWith(state: State, id: EntryId, level: GroupLevel): MemoryGroup | undefined {
  for (const group of state.groups.values()) if (group.level === level && group.members.has(id)) return group
  return undefined
}

export function groupOf(group: MemoryGroup | undefined): Group | undefined {
  if (!group) return undefined
  const { id, level, primaryId, size, distanceSum } = group
  const dates = [...group.members.values()].map(({ at }) => at)
  return {
    id,
    level,
    primaryId: primaryId!,
    size,
    distanceSum,
    firstAt: Math.min(...dates),
    lastAt: Math.max(...dates),
  }
}

function memberOf(group: MemoryGroup | undefined, id: EntryId): Member | undefined {
  const member = group?.members.get(id)
  if (!group || !member) return undefined
  const { level: _, groupId: __, high, low, ...rest } = member
  return copyOf({ ...rest, distance: bitsApart({ high, low }, group.members.get(group.primaryId!)!) })
}

/** Oldest first. */
function membersOf(group: MemoryGroup | undefined): NewMembership[] {
  return [...(group?.members.values() ?? [])].sort((a, b) => a.at - b.at || a.entryId - b.entryId)
}

function voterOf({ entryId: id, at, high, low }: NewMembership): Voter {
  return { id, at, high, low }
}
