/**
 * Who belongs together, kept in step by whatever changes it: entries that are placed, that move, and that go. A
 * transaction first changes memberships and notes the groups that it touched; then each of those is settled once, so that
 * a batch of a thousand copies holds one election. What a group costs does not grow with its members: sizes and sums are
 * counted along, and only small groups vote anew whenever somebody comes.
 */
import type Database from 'better-sqlite3'
import {
  bitsApart,
  type Candidate,
  type Fingerprint,
  fingerprintOf,
  MOST_VOTERS,
  primaryOf,
} from '../../../dedup/index.ts'
import { type EntryId, type GroupId, type GroupMove, type Instant, LEVELS, type Level } from '../../../model/index.ts'
import { type Join, KEPT_MOVES, type PlacedEntry } from '../../../ports/index.ts'
import { comparedColumn, type GroupRow, levelColumn } from './group-rows.ts'

/** Groups whose members changed, with those that have no distance yet. */
export type Touched = Map<GroupId, Set<EntryId>>

export interface GroupWriter {
  /** Joins an entry with others, takes it out of the group it was in before, and answers how it moved. */
  place(entry: PlacedEntry, at: Instant, touched: Touched): GroupMove[]
  /** Before an entry is deleted: nothing that belongs to this part of the store is left of it. */
  remove(id: EntryId, touched: Touched): void
  /** Elects primaries, tells distances, dissolves what has a single member. Ends every transaction that touched groups. */
  settle(touched: Touched): void
}

interface SignatureRow extends Fingerprint {
  at: Instant
  compared_by: number
}

interface MemberRow extends Fingerprint {
  entry_id: EntryId
  at: Instant
  distance: number
}

export function createGroupWriter(db: Database.Database): GroupWriter {
  const entryThere = db.prepare<[EntryId], 1>('SELECT 1 FROM entries WHERE id = ?').pluck()
  const signatureOf = db.prepare<[EntryId], SignatureRow>(
    'SELECT at, compared_by, simhash_high AS high, simhash_low AS low FROM signatures WHERE entry_id = ?',
  )
  const sign = db.prepare(
    `INSERT OR REPLACE INTO signatures (entry_id, at, placed_at, compared_by, simhash_high, simhash_low, signature)
     VALUES (?, ?, ?, ?, ?, ?, ?)`,
  )
  const enqueueKnown = db.prepare(
    'INSERT OR REPLACE INTO unplaced (entry_id) SELECT entry_id FROM signatures WHERE entry_id = ?',
  )
  const dropSignature = db.prepare('DELETE FROM signatures WHERE entry_id = ?')

  const groupOf = db
    .prepare<[EntryId, number], GroupId>('SELECT group_id FROM members WHERE entry_id = ? AND level = ?')
    .pluck()
  const groupById = db.prepare<[GroupId], GroupRow>('SELECT * FROM groups WHERE id = ?')
  const found = db.prepare(
    `INSERT INTO groups (level, primary_id, size, distance_sum, first_at, last_at) VALUES (?, 0, 0, 0, 0, 0)`,
  )
  const grow = db.prepare('UPDATE groups SET size = size + ?, distance_sum = distance_sum + ? WHERE id = ?')
  const settled = db.prepare(
    'UPDATE groups SET primary_id = ?, distance_sum = ?, first_at = ?, last_at = ? WHERE id = ?',
  )
  const dropGroup = db.prepare('DELETE FROM groups WHERE id = ?')

  const enter = db.prepare(
    `INSERT INTO members (entry_id, level, group_id, at, simhash_high, simhash_low, distance, compared_by, like_id,
     likeness, reason) VALUES (?, ?, ?, ?, ?, ?, 0, ?, ?, ?, ?)`,
  )
  const leave = db.prepare<[EntryId, number], { group_id: GroupId; distance: number }>(
    'DELETE FROM members WHERE entry_id = ? AND level = ? RETURNING group_id, distance',
  )
  const idsOf = db.prepare<[GroupId], EntryId>('SELECT entry_id FROM members WHERE group_id = ?').pluck()
  const moveAll = db.prepare('UPDATE members SET group_id = ?, distance = 0 WHERE group_id = ?')
  const dropMembers = db.prepare('DELETE FROM members WHERE group_id = ?')
  const MEMBER = 'SELECT entry_id, at, simhash_high AS high, simhash_low AS low, distance FROM members'
  const member = db.prepare<[EntryId, number], MemberRow>(`${MEMBER} WHERE entry_id = ? AND level = ?`)
  const everyone = db.prepare<[GroupId], MemberRow>(`${MEMBER} WHERE group_id = ? ORDER BY at, entry_id`)
  const setDistance = db.prepare('UPDATE members SET distance = ? WHERE entry_id = ? AND level = ?')
  // Two questions: each is answered from an end of the index, both at once by reading all of it.
  const span = db.prepare<{ id: GroupId }, { first: Instant; last: Instant }>(
    `SELECT (SELECT min(at) FROM members WHERE group_id = :id) AS first,
     (SELECT max(at) FROM members WHERE group_id = :id) AS last`,
  )

  const keepMove = db.prepare(
    'INSERT INTO group_moves (entry_id, level, at, from_id, to_id, compared_by) VALUES (?, ?, ?, ?, ?, ?)',
  )
  const dropMoves = db.prepare(
    `DELETE FROM group_moves WHERE entry_id = ? AND place NOT IN
     (SELECT place FROM group_moves WHERE entry_id = ? ORDER BY place DESC LIMIT ?)`,
  )

  function place(entry: PlacedEntry, at: Instant, touched: Touched): GroupMove[] {
    if (!entryThere.get(entry.id)) return []
    const wasPlaced = signatureOf.get(entry.id) !== undefined
    const { high, low } = fingerprintOf(entry.simhash)
    sign.run(entry.id, entry.at, at, comparedColumn(entry.comparedBy), high, low, entry.signature)
    return LEVELS.flatMap((level): GroupMove[] => {
      const { from, to, moved } = join(entry, level, touched)
      if (!moved || (!wasPlaced && from === undefined)) return []
      const { id: entryId, comparedBy } = entry
      keepMove.run(entryId, levelColumn(level), at, from ?? null, to ?? null, comparedColumn(comparedBy))
      dropMoves.run(entryId, entryId, KEPT_MOVES)
      return [{ entryId, level, at, comparedBy, ...(from !== undefined && { from }), ...(to !== undefined && { to }) }]
    })
  }

  function join(entry: PlacedEntry, level: Level, touched: Touched) {
    const L = levelColumn(level)
    const wanted = entry.joins[level]
    const groups = new Set<GroupId>()
    const alone = new Map<EntryId, SignatureRow>()
    for (const id of wanted?.with ?? []) {
      if (id === entry.id) continue
      const group = groupOf.get(id, L)
      const signature = group === undefined ? signatureOf.get(id) : undefined
      if (group !== undefined) groups.add(group)
      else if (signature) alone.set(id, signature)
    }
    const from = groupOf.get(entry.id, L)
    if (from !== undefined) takeOut(entry.id, level, touched)
    if (groups.size === 0 && alone.size === 0) return { from, moved: from !== undefined }

    const to = groups.size > 0 ? unite(groups, touched) : (Number(found.run(L).lastInsertRowid) as GroupId)
    for (const [id, row] of alone) putIn(to, id, L, row, undefined, touched)
    putIn(to, entry.id, L, signatureOf.get(entry.id)!, wanted, touched)
    return { from, to, moved: from === undefined || !groups.has(from) }
  }

  /** Makes one group of several: the largest, and of equals the oldest, takes in the others. */
  function unite(ids: ReadonlySet<GroupId>, touched: Touched): GroupId {
    const groups = [...ids].flatMap((id) => groupById.get(id) ?? [])
    const [largest, ...others] = groups.sort((a, b) => b.size - a.size || a.id - b.id)
    for (const { id, size } of others) {
      for (const moved of idsOf.iterate(id)) touch(touched, largest!.id).add(moved)
      moveAll.run(largest!.id, id)
      grow.run(size, 0, largest!.id)
      dropGroup.run(id)
    }
    return largest!.id
  }

  function putIn(
    group: GroupId,
    id: EntryId,
    level: number,
    { at, high, low, compared_by }: SignatureRow,
    join: Join | undefined,
    touched: Touched,
  ): void {
    const why = [join?.likeId ?? null, join?.likeness ?? null, join?.reason ?? null]
    enter.run(id, level, group, at, high, low, compared_by, ...why)
    grow.run(1, 0, group)
    touch(touched, group).add(id)
  }

  function takeOut(id: EntryId, level: Level, touched: Touched): void {
    const left = leave.get(id, levelColumn(level))
    if (!left) return
    grow.run(-1, -left.distance, left.group_id)
    touch(touched, left.group_id).delete(id)
  }

  function settleGroup(id: GroupId, newcomers: ReadonlySet<EntryId>): void {
    const group = groupById.get(id)
    if (!group) return // another has taken it in
    if (group.size < 2) {
      dropMembers.run(id)
      dropGroup.run(id)
      return
    }
    const speaker = groupOf.get(group.primary_id, group.level) === id && member.get(group.primary_id, group.level)
    const keeps = group.size > MOST_VOTERS && speaker
    const told = keeps ? [...newcomers].flatMap((one) => member.get(one, group.level) ?? []) : everyone.all(id)
    const primary = keeps
      ? candidateOf(keeps)
      : primaryOf(LEVELS[group.level]!, told.slice(0, MOST_VOTERS).map(candidateOf))
    let sum = keeps ? group.distance_sum : 0
    for (const one of told) {
      const distance = bitsApart(one, primary)
      if (distance !== one.distance) setDistance.run(distance, one.entry_id, group.level)
      sum += distance
    }
    const { first, last } = span.get({ id })!
    settled.run(primary.id, sum, first, last, id)
  }

  return {
    place,
    remove(id, touched) {
      for (const level of LEVELS) takeOut(id, level, touched)
      enqueueKnown.run(id)
      dropSignature.run(id)
      dropMoves.run(id, id, 0)
    },
    settle(touched) {
      for (const [id, newcomers] of touched) settleGroup(id, newcomers)
    },
  }
}

function candidateOf({ entry_id, at, high, low }: MemberRow): Candidate & { id: EntryId } {
  return { id: entry_id, at, high, low }
}

function touch(touched: Touched, id: GroupId): Set<EntryId> {
  const members = touched.get(id) ?? new Set()
  touched.set(id, members)
  return members
}
