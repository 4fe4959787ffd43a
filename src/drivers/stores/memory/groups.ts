/** The memory store's copies and stories: who belongs together, and what is kept of entries so that others are recognised. */
import { bitsApart, fingerprintOf, MOST_VOTERS, primaryOf } from '../../../dedup/index.ts'
import {
  type EntryId,
  type Group,
  type GroupId,
  type GroupMove,
  type Instant,
  LEVELS,
  type Level,
  type Member,
} from '../../../model/index.ts'
import { type Join, KEPT_MOVES, type PlacedEntry, type Unplaced } from '../../../ports/index.ts'
import type { GroupMethods } from '../methods.ts'
import { textOf } from './articles.ts'
import { copyOf } from './copy.ts'
import { dealtWith, enqueue, type HeldGroup, type State, sortAt } from './state.ts'

export function groupsOf(state: State): GroupMethods {
  return {
    async unplaced(limit) {
      const waiting = [...state.unplaced].slice(0, limit)
      const changes = waiting.map(([id]): Unplaced => {
        const entry = copyOf(state.entries.get(id))
        if (!entry) return { id, wasPlaced: true }
        const text = textOf(state, id)
        return { id, entry, ...(text !== undefined && { text }), wasPlaced: state.signatures.has(id) }
      })
      return { marks: waiting.map(([, mark]) => mark), changes }
    },

    async place(entries, marks, at) {
      const own = entries.map(({ signature, joins, ...rest }) => {
        return { ...copyOf(rest), signature: Uint8Array.from(signature), joins: copyOf(joins) }
      })
      const moved = own.flatMap((entry) => placeOne(state, entry, at))
      settleAll(state)
      dealtWith(state.unplaced, marks)
      return moved
    },

    async placeAgain(since) {
      const said = [...state.entries.values()].filter((entry) => sortAt(entry) >= since)
      for (const { id } of said.sort((a, b) => sortAt(a) - sortAt(b) || a.id - b.id)) {
        enqueue(state, state.unplaced, id)
      }
      return said.length
    },

    async *signatures({ since, newest = Number.MAX_SAFE_INTEGER }) {
      const placed = [...state.signatures].filter(([, { placedAt }]) => placedAt >= since)
      for (const [id, { at, signature }] of placed.slice(-newest)) {
        const groups: { [L in Level]?: GroupId } = {}
        for (const level of LEVELS) {
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
      return ids.map((id) => told(groupWith(state, id, level)?.members.get(id)))
    },

    async groups({ level, since = Number.NEGATIVE_INFINITY, leastSize = 0, order, offset = 0, limit }) {
      return [...state.groups.values()]
        .flatMap((group) => shown(group) ?? [])
        .filter((group) => group.level === level && group.lastAt >= since && group.size >= leastSize)
        .sort((a, b) => (order === 'large' ? b.size - a.size : 0) || b.lastAt - a.lastAt || b.id - a.id)
        .slice(offset, offset + limit)
    },

    async members(id, limit) {
      const members = [...(state.groups.get(id)?.members.values() ?? [])]
      return members
        .sort(inTime)
        .slice(0, limit)
        .flatMap((member) => told(member) ?? [])
    },

    async moves(id) {
      return copyOf(state.moves.get(id) ?? [])
    },
  }
}

/** Nothing of an entry that goes is left; the groups it was in are settled. */
export function removeFromGroups(state: State, ids: readonly EntryId[]): void {
  for (const id of ids) {
    for (const level of LEVELS) groupWith(state, id, level)?.members.delete(id)
    if (state.signatures.delete(id)) enqueue(state, state.unplaced, id)
    state.moves.delete(id)
  }
  settleAll(state)
}

function placeOne(state: State, entry: PlacedEntry, at: Instant): GroupMove[] {
  const { id: entryId, comparedBy, simhash, signature } = entry
  if (!state.entries.has(entryId)) return []
  const wasPlaced = state.signatures.delete(entryId)
  state.signatures.set(entryId, { at: entry.at, placedAt: at, comparedBy, simhash, signature })
  return LEVELS.flatMap((level): GroupMove[] => {
    const { from, to, moved } = join(state, entry, level)
    if (!moved || (!wasPlaced && from === undefined)) return []
    const move = copyOf({ entryId, level, at, comparedBy, from, to }) as GroupMove
    state.moves.set(entryId, [...(state.moves.get(entryId) ?? []), move].slice(-KEPT_MOVES))
    return [{ ...move }]
  })
}

function join(state: State, entry: PlacedEntry, level: Level): { from?: GroupId; to?: GroupId; moved: boolean } {
  const wanted = entry.joins[level]
  const others = (wanted?.with ?? []).filter((id) => id !== entry.id)
  const groups = new Set(others.flatMap((id) => groupWith(state, id, level) ?? []))
  const alone = others.filter((id) => !groupWith(state, id, level) && state.signatures.has(id))
  const before = groupWith(state, entry.id, level)
  const from = before && { from: before.id }
  before?.members.delete(entry.id)
  if (groups.size === 0 && alone.length === 0) return { ...from, moved: before !== undefined }

  const [largest, ...absorbed] = [...groups].sort((a, b) => b.members.size - a.members.size || a.id - b.id)
  const group = largest ?? newGroup(state, level)
  for (const { id, members } of absorbed) {
    for (const [member, row] of members) group.members.set(member, row)
    state.groups.delete(id)
  }
  for (const id of alone) {
    const { at, comparedBy, simhash } = state.signatures.get(id)!
    enter(group, { id, at, comparedBy, simhash })
  }
  enter(group, entry, wanted)
  return { ...from, to: group.id, moved: !before || !groups.has(before) }
}

function newGroup(state: State, level: Level): HeldGroup {
  const id = ++state.last.group as GroupId
  const group: HeldGroup = { id, level, members: new Map() }
  state.groups.set(id, group)
  return group
}

function enter(
  group: HeldGroup,
  { id, at, comparedBy, simhash }: Pick<PlacedEntry, 'id' | 'at' | 'comparedBy' | 'simhash'>,
  join?: Join,
): void {
  const why = join && copyOf({ likeId: join.likeId, likeness: join.likeness, reason: join.reason })
  group.members.set(id, { entryId: id, at, distance: 0, comparedBy, simhash, ...why })
}

/** A group of one is none; a larger one than can vote keeps its primary. */
function settleAll(state: State): void {
  for (const group of [...state.groups.values()]) {
    if (group.members.size < 2) state.groups.delete(group.id)
    else settle(group)
  }
}

function settle(group: HeldGroup): void {
  const members = [...group.members.values()].sort(inTime)
  const candidates = members.map(({ entryId: id, at, simhash }) => ({ id, at, ...fingerprintOf(simhash) }))
  const speaker = candidates.find(({ id }) => id === group.primaryId)
  const keeps = members.length > MOST_VOTERS && speaker
  const primary = keeps || primaryOf(group.level, candidates.slice(0, MOST_VOTERS))
  group.primaryId = primary.id
  for (const [i, member] of members.entries()) member.distance = bitsApart(candidates[i]!, primary)
}

function groupWith(state: State, id: EntryId, level: Level): HeldGroup | undefined {
  for (const group of state.groups.values()) if (group.level === level && group.members.has(id)) return group
  return undefined
}

export function shown(group: HeldGroup | undefined): Group | undefined {
  if (!group) return undefined
  const members = [...group.members.values()]
  return {
    id: group.id,
    level: group.level,
    primaryId: group.primaryId!,
    size: members.length,
    distanceSum: members.reduce((sum, { distance }) => sum + distance, 0),
    firstAt: Math.min(...members.map(({ at }) => at)),
    lastAt: Math.max(...members.map(({ at }) => at)),
  }
}

function told(member: (Member & { simhash: bigint }) | undefined): Member | undefined {
  if (!member) return undefined
  const { simhash: _, ...rest } = member
  return copyOf(rest)
}

function inTime(a: Member, b: Member): number {
  return a.at - b.at || a.entryId - b.entryId
}
