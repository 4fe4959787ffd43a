/** The memory store's copies and stories: who belongs together, and what is kept of entries so that others are recognised. */
import {
  bitsApart,
  fingerprintOf,
  MOST_TAKEN,
  type Neighbourhood,
  type NewSeat,
  namedBy,
  type Rearranged,
  rearrange,
  type Seat,
  type SeatedGroup,
  settle,
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
import { ALL_FEEDS, KEPT_MOVES, type PlacedEntry, type Unplaced } from '../../ports/index.ts'
import type { GroupMethods } from '../methods.ts'
import { articleText } from './articles.ts'
import { copyOf } from './copy.ts'
import { dealtWith, enqueue, type HeldGroup, type State } from './state.ts'

export function groupsOf(state: State): GroupMethods {
  return {
    async unplaced(limit) {
      const waiting = [...state.unplaced].slice(0, limit)
      const changes = waiting.map(([id]): Unplaced => {
        const entry = copyOf(state.entries.get(id))
        if (!entry) return { id, wasPlaced: true }
        const text = articleText(state, id)
        return { id, entry, ...(text !== undefined && { text }), wasPlaced: state.signatures.has(id) }
      })
      return { marks: waiting.map(([, mark]) => mark), changes }
    },

    async place(entries, marks, at, habits = []) {
      const own = entries.map(({ signature, joins, ...rest }) => {
        return { ...copyOf(rest), signature: Uint8Array.from(signature), joins: copyOf(joins) }
      })
      const moved = placeAll(state, own, at)
      dealtWith(state.unplaced, marks)
      for (const { feedId, memory } of habits)
        if (feedId === ALL_FEEDS || state.feeds.has(feedId)) state.habits.set(feedId, Uint8Array.from(memory))
      return moved
    },

    async habits(feedIds) {
      return feedIds.map((id) => state.habits.get(id)).map((memory) => memory && Uint8Array.from(memory))
    },

    async goOver(limit) {
      const first = [...state.groups.values()].find(({ intoId }) => intoId !== undefined)
      if (!first) return 0
      const changes = rearrange(
        { ...around(state, []), groups: groupsWith(new Set([first.id]), state) },
        { at: 0, most: limit },
      )
      write(state, changes)
      return changes.taken.reduce((sum, { count }) => sum + count, 0)
    },

    async placeAgain(since) {
      const said = [...state.entries.values()].filter((entry) => sortAt(entry, entry.seenAt) >= since)
      for (const { id } of said.sort((a, b) => sortAt(a, a.seenAt) - sortAt(b, b.seenAt) || a.id - b.id)) {
        enqueue(state, state.unplaced, id)
      }
      return said.length
    },

    async *signatures({ since, newest = Number.MAX_SAFE_INTEGER }) {
      const placed = [...state.signatures].filter(([, { placedAt }]) => placedAt >= since)
      for (const [id, { at, signature }] of placed.slice(-newest)) {
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
      return ids.map((id) => shown(state.groups.get(id)))
    },

    async groupsOfEntries(ids, level) {
      return ids.map((id) => shown(groupWith(state, id, level)))
    },

    async membersById(ids, level) {
      return ids.map((id) => told(groupWith(state, id, level), id))
    },

    async groups({ level, since = Number.NEGATIVE_INFINITY, leastSize = 0, order, after, limit }) {
      type Placed = Pick<Group, 'id' | 'size' | 'lastAt'>
      const inOrder = (a: Placed, b: Placed) =>
        (order === 'large' ? b.size - a.size : 0) || b.lastAt - a.lastAt || b.id - a.id
      return [...state.groups.values()]
        .flatMap((group) => shown(group) ?? [])
        .filter((group) => group.level === level && group.lastAt >= since && group.size >= leastSize)
        .sort(inOrder)
        .filter((group) => !after || inOrder(after, group) < 0)
        .slice(0, limit)
    },

    async members(id, limit) {
      const group = state.groups.get(id)
      return membersOf(group)
        .slice(0, limit)
        .flatMap(({ entryId }) => told(group, entryId) ?? [])
    },

    async moves(id) {
      return copyOf(state.moves.get(id) ?? [])
    },
  }
}

/** Nothing of an entry that goes is left; the groups it was in are settled. */
export function removeFromGroups(state: State, ids: readonly EntryId[]): void {
  const seats = GROUP_LEVELS.flatMap((level) => seatsOf(state, ids, level))
  write(state, rearrange(around(state, seats), { go: ids, at: 0, most: MOST_TAKEN }))
  for (const id of ids) {
    if (state.signatures.delete(id)) enqueue(state, state.unplaced, id)
    state.moves.delete(id)
  }
}

function placeAll(state: State, entries: PlacedEntry[], at: Instant): GroupMove[] {
  const come = entries.filter(({ id }) => state.entries.has(id))
  const named = GROUP_LEVELS.map((level) => namedBy(come, level))
  const seats = GROUP_LEVELS.flatMap((level, i) => seatsOf(state, named[i]!, level))
  const changes = rearrange(
    around(
      state,
      seats,
      named.flatMap((ids) => [...ids]),
    ),
    { come, at, most: MOST_TAKEN },
  )
  for (const { id, at: saidAt, comparedBy, simhash, signature } of come) {
    state.signatures.delete(id)
    state.signatures.set(id, { at: saidAt, placedAt: at, comparedBy, simhash, signature })
  }
  write(state, changes)
  return changes.moves.map((move) => ({ ...move }))
}

function seatsOf(state: State, ids: Iterable<EntryId>, level: GroupLevel): Seat[] {
  return [...ids].flatMap((entryId) => {
    const group = groupWith(state, entryId, level)
    return group ? [{ entryId, level, groupId: group.id }] : []
  })
}

function around(state: State, seats: Seat[], named: Iterable<EntryId> = []): Neighbourhood {
  const said = [...named].flatMap((id) => {
    const signature = state.signatures.get(id)
    if (!signature) return []
    const { at, comparedBy, simhash } = signature
    return [[id, { at, comparedBy, ...fingerprintOf(simhash) }] as const]
  })
  const groups = groupsWith(new Set(seats.map(({ groupId }) => groupId)), state)
  return { seats, said: new Map(said), groups, lastGroupId: state.last.group }
}

/** With those that they are on their way into, and those that are on their way into them. */
function groupsWith(wanted: Set<GroupId>, state: State): SeatedGroup[] {
  const groups: SeatedGroup[] = []
  for (const id of wanted) {
    const { level, size, intoId } = state.groups.get(id)!
    groups.push({ id, level, size, ...(intoId !== undefined && { intoId }) })
    if (intoId !== undefined) wanted.add(intoId)
    for (const other of state.groups.values()) if (other.intoId === id) wanted.add(other.id)
  }
  return groups
}

function write(state: State, { founded, left, taken, entered, groups, moves }: Rearranged): void {
  for (const { id, level } of founded) {
    state.groups.set(id, { id, level, size: 0, distanceSum: 0, members: new Map() })
    state.last.group = id
  }
  for (const { entryId, groupId } of left) state.groups.get(groupId)!.members.delete(entryId)
  for (const { fromId, intoId, count } of taken) {
    const from = state.groups.get(fromId)!
    for (const member of membersOf(from).slice(0, count)) {
      from.members.delete(member.entryId)
      state.groups.get(intoId)!.members.set(member.entryId, { ...member, groupId: intoId })
    }
  }
  for (const seat of entered) state.groups.get(seat.groupId)!.members.set(seat.entryId, copyOf(seat))
  for (const group of groups) settleGroup(state, group)
  for (const move of moves) {
    state.moves.set(move.entryId, [...(state.moves.get(move.entryId) ?? []), move].slice(-KEPT_MOVES))
  }
}

function settleGroup(state: State, { id, level, size, intoId }: SeatedGroup): void {
  const { primaryId, members } = state.groups.get(id)!
  const primary = primaryId !== undefined && members.get(primaryId)
  const earliest = membersOf(state.groups.get(id)).map(voterOf)
  const now = settle({ level, size, ...(primary && { primary: voterOf(primary) }), earliest })
  if (now) state.groups.set(id, { id, level, size, members, ...now, ...(intoId !== undefined && { intoId }) })
  else state.groups.delete(id)
}

function groupWith(state: State, id: EntryId, level: GroupLevel): HeldGroup | undefined {
  for (const group of state.groups.values()) if (group.level === level && group.members.has(id)) return group
  return undefined
}

export function shown(group: HeldGroup | undefined): Group | undefined {
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

function told(group: HeldGroup | undefined, id: EntryId): Member | undefined {
  const member = group?.members.get(id)
  if (!group || !member) return undefined
  const { level: _, groupId: __, high, low, ...rest } = member
  return copyOf({ ...rest, distance: bitsApart({ high, low }, group.members.get(group.primaryId!)!) })
}

/** In the order of time. */
function membersOf(group: HeldGroup | undefined): NewSeat[] {
  return [...(group?.members.values() ?? [])].sort((a, b) => a.at - b.at || a.entryId - b.entryId)
}

function voterOf({ entryId: id, at, high, low }: NewSeat): Voter {
  return { id, at, high, low }
}
