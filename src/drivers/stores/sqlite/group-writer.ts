/**
 * Who belongs together, kept in step by whatever changes it: entries that are placed, that move, and that go. Everything
 * is decided elsewhere (dedup/groups): here the neighbourhood of those concerned is loaded, and what
 * came of it is written, once for a whole batch. No statement takes longer for a large group than for a small one.
 */
import type Database from 'better-sqlite3'
import {
  type Fingerprint,
  fingerprintOf,
  MOST_TAKEN,
  type Neighbourhood,
  namedBy,
  type PlacedText,
  type Rearranged,
  rearrange,
  type Seat,
  type SeatedGroup,
  settle,
  type Voter,
} from '../../../dedup/index.ts'
import {
  type EntryId,
  GROUP_LEVELS,
  type GroupId,
  type GroupLevel,
  type GroupMove,
  type Instant,
  MOST_VOTERS,
} from '../../../model/index.ts'
import { KEPT_MOVES, type PlacedEntry } from '../../../ports/index.ts'
import { comparedColumn, comparedOf, type GroupRow, levelColumn } from '../sql/group-rows.ts'

/** Each is part of a transaction, and leaves groups settled. */
export interface GroupWriter {
  /** Gives entries their places one after the other, and answers how they moved. */
  place(entries: readonly PlacedEntry[], at: Instant): GroupMove[]
  /** For entries that are deleted: nothing that belongs to this part of the store is left of them. */
  remove(ids: readonly EntryId[]): void
  /** About so many members of a group that is on its way into another go over; how many. */
  goOver(most: number): number
}

interface SaidRow extends Fingerprint {
  at: Instant
  compared_by: number
}

export function createGroupWriter(db: Database.Database): GroupWriter {
  const entryThere = db.prepare<[EntryId], 1>('SELECT 1 FROM entries WHERE id = ?').pluck()
  const signatureOf = db.prepare<[EntryId], SaidRow>(
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

  const lastGroupId = db.prepare<[], number>("SELECT seq FROM sqlite_sequence WHERE name = 'groups'").pluck()
  const groupOf = db
    .prepare<[EntryId, number], GroupId>('SELECT group_id FROM members WHERE entry_id = ? AND level = ?')
    .pluck()
  const groupById = db.prepare<[GroupId], GroupRow>('SELECT * FROM groups WHERE id = ?')
  const onItsWay = db
    .prepare<[], GroupId>('SELECT id FROM groups WHERE into_id IS NOT NULL ORDER BY into_id, id LIMIT 1')
    .pluck()
  const onTheirWayInto = db.prepare<[GroupId], GroupId>('SELECT id FROM groups WHERE into_id = ?').pluck()
  const found = db.prepare(
    `INSERT INTO groups (id, level, primary_id, size, distance_sum, first_at, last_at) VALUES (?, ?, 0, 0, 0, 0, 0)`,
  )
  const VOTER = 'SELECT entry_id AS id, at, simhash_high AS high, simhash_low AS low FROM members'
  const primaryOf = db.prepare<{ id: GroupId }, Voter>(
    `${VOTER} WHERE (entry_id, level) = (SELECT primary_id, level FROM groups WHERE id = :id) AND group_id = :id`,
  )
  const earliest = db.prepare<[GroupId], Voter>(
    `${VOTER} WHERE group_id = ? ORDER BY at, entry_id LIMIT ${MOST_VOTERS}`,
  )
  // Two questions: each is answered from an end of the index, both at once by reading all of it.
  const settled = db.prepare(
    `UPDATE groups SET size = ?, into_id = ?, primary_id = ?, distance_sum = ?,
     first_at = (SELECT min(at) FROM members WHERE group_id = groups.id),
     last_at = (SELECT max(at) FROM members WHERE group_id = groups.id) WHERE id = ?`,
  )
  const dropMembers = db.prepare('DELETE FROM members WHERE group_id = ?')
  const dropGroup = db.prepare('DELETE FROM groups WHERE id = ?')

  const enter = db.prepare(
    `INSERT INTO members (entry_id, level, group_id, at, simhash_high, simhash_low, compared_by, like_id, likeness, reason)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  )
  const leave = db.prepare('DELETE FROM members WHERE entry_id = ? AND level = ?')
  const take = db.prepare(
    `UPDATE members SET group_id = ? WHERE level = ? AND entry_id IN
     (SELECT entry_id FROM members WHERE group_id = ? ORDER BY at, entry_id LIMIT ?)`,
  )

  const keepMove = db.prepare(
    'INSERT INTO group_moves (entry_id, level, at, from_id, to_id, compared_by) VALUES (?, ?, ?, ?, ?, ?)',
  )
  const dropMoves = db.prepare(
    `DELETE FROM group_moves WHERE entry_id = ? AND place NOT IN
     (SELECT place FROM group_moves WHERE entry_id = ? ORDER BY place DESC LIMIT ?)`,
  )

  function seatsOf(ids: Iterable<EntryId>, level: GroupLevel): Seat[] {
    return [...ids].flatMap((entryId) => {
      const groupId = groupOf.get(entryId, levelColumn(level))
      return groupId === undefined ? [] : [{ entryId, level, groupId }]
    })
  }

  /** With those that they are on their way into, and those that are on their way into them. */
  function groupsWith(ids: Iterable<GroupId>): SeatedGroup[] {
    const wanted = new Set(ids)
    const groups: SeatedGroup[] = []
    for (const id of wanted) {
      const row = groupById.get(id)
      if (!row) continue
      const { level, size, into_id } = row
      groups.push({ id, level: GROUP_LEVELS[level]!, size, ...(into_id !== null && { intoId: into_id }) })
      if (into_id !== null) wanted.add(into_id)
      for (const other of onTheirWayInto.all(id)) wanted.add(other)
    }
    return groups
  }

  function around(seats: Seat[], said: Map<EntryId, PlacedText> = new Map()): Neighbourhood {
    const groups = groupsWith(seats.map(({ groupId }) => groupId))
    return { seats, said, groups, lastGroupId: lastGroupId.get() ?? 0 }
  }

  function write({ founded, left, taken, entered, groups, moves }: Rearranged): void {
    for (const { id, level } of founded) found.run(id, levelColumn(level))
    for (const { entryId, level } of left) leave.run(entryId, levelColumn(level))
    for (const { fromId, intoId, level, count } of taken) take.run(intoId, levelColumn(level), fromId, count)
    for (const { entryId, level, groupId, at, high, low, comparedBy, ...why } of entered) {
      const { likeId = null, likeness = null, reason = null } = why
      const compared = comparedColumn(comparedBy)
      enter.run(entryId, levelColumn(level), groupId, at, high, low, compared, likeId, likeness, reason)
    }
    for (const group of groups) settleGroup(group)
    for (const { entryId, level, at, from = null, to = null, comparedBy } of moves) {
      keepMove.run(entryId, levelColumn(level), at, from, to, comparedColumn(comparedBy))
      dropMoves.run(entryId, entryId, KEPT_MOVES)
    }
  }

  function settleGroup({ id, level, size, intoId }: SeatedGroup): void {
    const now = settle({ level, size, primary: primaryOf.get({ id }), earliest: earliest.all(id) })
    if (now) {
      settled.run(size, intoId ?? null, now.primaryId, now.distanceSum, id)
      return
    }
    dropMembers.run(id)
    dropGroup.run(id)
  }

  function goOver(most: number): number {
    const id = onItsWay.get()
    if (id === undefined) return 0
    const neighbourhood = { seats: [], said: new Map(), groups: groupsWith([id]), lastGroupId: 0 }
    const changes = rearrange(neighbourhood, { at: 0, most })
    write(changes)
    return changes.taken.reduce((sum, { count }) => sum + count, 0)
  }

  return {
    place(entries, at) {
      const come = entries.filter(({ id }) => entryThere.get(id))
      const said = new Map<EntryId, PlacedText>()
      for (const id of GROUP_LEVELS.flatMap((level) => [...namedBy(come, level)])) {
        const row = said.has(id) ? undefined : signatureOf.get(id)
        if (row) said.set(id, saidOf(row))
      }
      const seats = GROUP_LEVELS.flatMap((level) => seatsOf(namedBy(come, level), level))
      for (const { id, at: saidAt, comparedBy, simhash, signature } of come) {
        const { high, low } = fingerprintOf(simhash)
        sign.run(id, saidAt, at, comparedColumn(comparedBy), high, low, signature)
      }
      const changes = rearrange(around(seats, said), { come, at, most: MOST_TAKEN })
      write(changes)
      return changes.moves
    },

    remove(ids) {
      const seats = GROUP_LEVELS.flatMap((level) => seatsOf(ids, level))
      if (seats.length > 0) write(rearrange(around(seats), { go: ids, at: 0, most: MOST_TAKEN }))
      for (const id of ids) {
        enqueueKnown.run(id)
        dropSignature.run(id)
        dropMoves.run(id, id, 0)
      }
    },

    goOver(most) {
      let went = 0
      for (let some = 1; some > 0 && went < most; ) {
        some = goOver(Math.min(MOST_TAKEN, most - went))
        went += some
      }
      return went
    },
  }
}

function saidOf({ at, high, low, compared_by }: SaidRow): PlacedText {
  return { at, high, low, comparedBy: comparedOf(compared_by) }
}
