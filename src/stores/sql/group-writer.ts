/**
 * Who belongs together, kept in step by whatever changes it: entries that are placed, that move, and that go. Everything
 * is decided elsewhere (dedup/groups): here the neighbourhood of those concerned is loaded, and what came of it is written, by a
 * few statements for a whole batch. No statement takes longer for a large group than for a small one.
 *
 * Whoever changes groups holds a lock until the transaction ends: the neighbourhood of one may reach into that of another, and two
 * at once would wait for each other most of the time. One process places entries, and others only now and then drop some.
 */
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
} from '../../dedup/index.ts'
import {
  type EntryId,
  GROUP_LEVELS,
  type GroupId,
  type GroupMove,
  type Instant,
  MOST_VOTERS,
} from '../../model/index.ts'
import { KEPT_MOVES, type PlacedEntry } from '../../ports/index.ts'
import { type Dialect, insertGiven, type TypedColumn } from './dialect.ts'
import { comparedColumn, comparedOf, type GroupRow, levelColumn } from './group-rows.ts'
import type { SqlTransaction, SqlWork } from './session.ts'
import { toLine } from './waiting-lines.ts'

/** Each is part of a transaction, and leaves groups settled. */
export interface GroupWriter {
  /** Until the transaction ends nobody else changes groups: to be asked for before entries are locked that may be in some. */
  alone(tx: SqlTransaction): SqlWork<void>
  /** Gives entries their places one after the other, and answers how they moved. */
  place(tx: SqlTransaction, entries: readonly PlacedEntry[], at: Instant): SqlWork<GroupMove[]>
  /** For entries that are deleted, once nobody else changes groups: nothing that belongs to this part of the store is left of them. */
  remove(tx: SqlTransaction, ids: readonly EntryId[]): SqlWork<void>
  /** About so many members of groups that are on their way into others go over; how many. */
  goOver(tx: SqlTransaction, most: number): SqlWork<number>
}

interface SaidRow extends Fingerprint {
  entry_id: EntryId
  at: Instant
  compared_by: number
}

interface SeatRow {
  entry_id: EntryId
  level: number
  group_id: GroupId
}

type NearRow = Pick<GroupRow, 'id' | 'level' | 'size' | 'into_id'>

type VoterRow = Voter & { group_id: GroupId }

const ID: TypedColumn[] = ['id bigint']
const SEAT: TypedColumn[] = ['entry_id bigint', 'level smallint']
const SIGNATURE: TypedColumn[] = [
  'entry_id bigint',
  'at bigint',
  'placed_at bigint',
  'compared_by smallint',
  'simhash_high bigint',
  'simhash_low bigint',
  'signature bytea',
]
const MEMBER: TypedColumn[] = [
  ...SEAT,
  'group_id bigint',
  'at bigint',
  'simhash_high bigint',
  'simhash_low bigint',
  'compared_by smallint',
  'like_id bigint',
  'likeness double precision',
  'reason text',
]
const GROUP: TypedColumn[] = [
  'id bigint',
  'level smallint',
  'primary_id bigint',
  'size bigint',
  'distance_sum bigint',
  'first_at bigint',
  'last_at bigint',
]
const SETTLED: TypedColumn[] = [
  'id bigint',
  'size bigint',
  'into_id bigint',
  'primary_id bigint',
  'distance_sum bigint',
]
const MOVE: TypedColumn[] = [
  'entry_id bigint',
  'level smallint',
  'at bigint',
  'from_id bigint',
  'to_id bigint',
  'compared_by smallint',
]

const SAID = `SELECT s.entry_id, s.at, s.compared_by, s.simhash_high AS high, s.simhash_low AS low
  FROM given g, signatures s WHERE s.entry_id = g.id`
const SEATS = `SELECT m.entry_id, m.level, m.group_id FROM given g, members m
  WHERE m.entry_id = g.entry_id AND m.level = g.level ORDER BY g.n`
const NEAR = `SELECT o.id, o.level, o.size, o.into_id FROM given g, groups o WHERE o.id = g.id
  UNION ALL SELECT o.id, o.level, o.size, o.into_id FROM given g, groups o WHERE o.into_id = g.id`
const VOTER = 'm.entry_id AS id, m.at, m.simhash_high AS high, m.simhash_low AS low'
const EARLIEST = `SELECT g.id AS group_id, v.* FROM given g CROSS JOIN LATERAL (SELECT ${VOTER} FROM members m
  WHERE m.group_id = g.id ORDER BY m.at, m.entry_id LIMIT ${MOST_VOTERS}) AS v`
const PRIMARIES = `SELECT o.id AS group_id, ${VOTER} FROM given g, groups o, members m WHERE o.id = g.id
  AND m.entry_id = o.primary_id AND m.level = o.level AND m.group_id = o.id`
// Two questions: each is answered from an end of the index, both at once by reading all of it.
const SETTLE = `UPDATE groups SET size = g.size, into_id = g.into_id, primary_id = g.primary_id, distance_sum = g.distance_sum,
  first_at = (SELECT min(m.at) FROM members m WHERE m.group_id = groups.id),
  last_at = (SELECT max(m.at) FROM members m WHERE m.group_id = groups.id) FROM given g WHERE groups.id = g.id`
const DISSOLVE = [
  'DELETE FROM members USING given g WHERE members.group_id = g.id',
  'DELETE FROM groups USING given g WHERE groups.id = g.id',
]
const LEAVE = 'DELETE FROM members USING given g WHERE members.entry_id = g.entry_id AND members.level = g.level'
const TAKE = `UPDATE members SET group_id = $1 WHERE level = $2 AND entry_id IN
  (SELECT entry_id FROM members WHERE group_id = $3 ORDER BY at, entry_id LIMIT $4)`
const UNSIGN = 'DELETE FROM signatures USING given g WHERE signatures.entry_id = g.id RETURNING signatures.entry_id'
const dropMovesBefore = (kept: number) => `DELETE FROM group_moves WHERE place IN (
  SELECT old.place FROM given g CROSS JOIN LATERAL (SELECT place FROM group_moves WHERE entry_id = g.id
  ORDER BY place DESC LIMIT 1000000 OFFSET ${kept}) AS old)`
const ENTER = insertGiven('members', 'n', MEMBER)
const FOUND = insertGiven('groups', 'n', GROUP)
const KEEP_MOVE = insertGiven('group_moves', 'n', MOVE)

export function createGroupWriter(dialect: Dialect): GroupWriter {
  const { groupsAlone, lastGroupId } = dialect
  const sign = dialect.toEnd('signatures', 'entry_id', SIGNATURE)
  const there = `SELECT e.id FROM given g, entries e WHERE e.id = g.id ${dialect.locked('KEY SHARE OF e')}`

  function* alone(tx: SqlTransaction): SqlWork<void> {
    if (groupsAlone) yield* tx.rows(groupsAlone)
  }

  function* around(tx: SqlTransaction, seats: Seat[], said: Map<EntryId, PlacedText>): SqlWork<Neighbourhood> {
    const groups = yield* groupsWith(
      tx,
      seats.map(({ groupId }) => groupId),
    )
    const last = yield* tx.row<{ id: number }>(lastGroupId.ask)
    return { seats, said, groups, lastGroupId: last?.id ?? 0 }
  }

  function* write(tx: SqlTransaction, { founded, left, taken, entered, groups, moves }: Rearranged): SqlWork<void> {
    const found = founded.map(({ id, level }) => [id, levelColumn(level), 0, 0, 0, 0, 0])
    yield* tx.runEach(FOUND, GROUP, found)
    const newest = founded.at(-1)
    if (newest && lastGroupId.set) yield* tx.rows(lastGroupId.set, [newest.id])
    yield* tx.runEach(LEAVE, SEAT, left.map(seatColumns))
    for (const { fromId, intoId, level, count } of taken)
      yield* tx.run(TAKE, [intoId, levelColumn(level), fromId, count])
    yield* tx.runEach(ENTER, MEMBER, entered.map(memberColumns))
    yield* settleAll(tx, groups)
    yield* tx.runEach(KEEP_MOVE, MOVE, moves.map(moveColumns))
    yield* tx.runEach(dropMovesBefore(KEPT_MOVES), ID, idRows(moves.map(({ entryId }) => entryId)))
  }

  function* goOver(tx: SqlTransaction, most: number): SqlWork<number> {
    const first = yield* tx.row<{ id: GroupId }>(
      'SELECT id FROM groups WHERE into_id IS NOT NULL ORDER BY into_id, id LIMIT 1',
    )
    if (!first) return 0
    yield* alone(tx)
    const neighbourhood = { seats: [], said: new Map(), groups: yield* groupsWith(tx, [first.id]), lastGroupId: 0 }
    const changes = rearrange(neighbourhood, { at: 0, most })
    yield* write(tx, changes)
    return changes.taken.reduce((sum, { count }) => sum + count, 0)
  }

  return {
    alone,

    *place(tx, entries, at) {
      if (entries.length === 0) return []
      yield* alone(tx)
      const ids = yield* tx.each<{ id: EntryId }>(there, ID, idRows(entries.map(({ id }) => id)))
      const isThere = new Set(ids.map(({ id }) => id))
      const come = entries.filter(({ id }) => isThere.has(id))
      const named = GROUP_LEVELS.map((level) => ({ level, ids: [...namedBy(come, level)] }))
      const seats = yield* seatsOf(
        tx,
        named.flatMap(({ level, ids }) => ids.map((entryId) => ({ level, entryId }))),
      )
      const said = yield* tx.each<SaidRow>(SAID, ID, idRows(named.flatMap(({ ids }) => ids)))
      const last = new Map(come.map((one) => [one.id, one]))
      const signed = come.filter((one) => last.get(one.id) === one)
      yield* tx.runEach(
        sign,
        SIGNATURE,
        signed.map((one) => signatureColumns(one, at)),
      )
      const changes = rearrange(yield* around(tx, seats, saidBefore(said)), { come, at, most: MOST_TAKEN })
      yield* write(tx, changes)
      return changes.moves
    },

    *remove(tx, ids) {
      const seats = yield* seatsOf(
        tx,
        GROUP_LEVELS.flatMap((level) => ids.map((entryId) => ({ level, entryId }))),
      )
      if (seats.length > 0) {
        const changes = rearrange(yield* around(tx, seats, new Map()), { go: ids, at: 0, most: MOST_TAKEN })
        yield* write(tx, changes)
      }
      const rows = idRows(ids)
      const signed = new Set((yield* tx.each<SaidRow>(UNSIGN, ID, rows)).map(({ entry_id }) => entry_id))
      yield* toLine(
        tx,
        dialect,
        'unplaced',
        ids.filter((id) => signed.has(id)),
      )
      yield* tx.runEach(dropMovesBefore(0), ID, rows)
    },

    *goOver(tx, most) {
      let went = 0
      for (let some = 1; some > 0 && went < most; ) {
        some = yield* goOver(tx, Math.min(MOST_TAKEN, most - went))
        went += some
      }
      return went
    },
  }
}

function* seatsOf(tx: SqlTransaction, named: Pick<Seat, 'entryId' | 'level'>[]): SqlWork<Seat[]> {
  const rows = yield* tx.each<SeatRow>(SEATS, SEAT, named.map(seatColumns))
  return rows.map(({ entry_id, level, group_id }) => ({
    entryId: entry_id,
    level: GROUP_LEVELS[level]!,
    groupId: group_id,
  }))
}

/** With those that they are on their way into, and those that are on their way into them. */
function* groupsWith(tx: SqlTransaction, ids: readonly GroupId[]): SqlWork<SeatedGroup[]> {
  const looked = new Set<GroupId>()
  const found = new Map<GroupId, SeatedGroup>()
  for (let wanted = ids; wanted.length > 0; ) {
    const rows = yield* tx.each<NearRow>(NEAR, ID, idRows(wanted))
    for (const id of wanted) looked.add(id)
    for (const { id, level, size, into_id } of rows)
      found.set(id, { id, level: GROUP_LEVELS[level]!, size, ...(into_id !== null && { intoId: into_id }) })
    wanted = rows.flatMap(({ id, into_id }) => [id, into_id ?? id]).filter((id) => !looked.has(id))
  }
  return [...found.values()]
}

/** What each group is now: who speaks for it, or that it is none any more. */
function* settleAll(tx: SqlTransaction, groups: readonly SeatedGroup[]): SqlWork<void> {
  const rows = idRows(groups.map(({ id }) => id))
  const primaries = new Map((yield* tx.each<VoterRow>(PRIMARIES, ID, rows)).map((row) => [row.group_id, row]))
  const voters = Map.groupBy(yield* tx.each<VoterRow>(EARLIEST, ID, rows), ({ group_id }) => group_id)
  const settled: unknown[][] = []
  const dissolved: GroupId[] = []
  for (const { id, level, size, intoId } of groups) {
    const earliest = (voters.get(id) ?? []).sort((a, b) => a.at - b.at || a.id - b.id)
    const now = settle({ level, size, primary: primaries.get(id), earliest })
    if (now) settled.push([id, size, intoId ?? null, now.primaryId, now.distanceSum])
    else dissolved.push(id)
  }
  yield* tx.runEach(DISSOLVE, ID, idRows(dissolved))
  yield* tx.runEach(SETTLE, SETTLED, settled)
}

function idRows(ids: readonly number[]): unknown[][] {
  return [...new Set(ids)].map((id) => [id])
}

function saidBefore(rows: SaidRow[]): Map<EntryId, PlacedText> {
  return new Map(
    rows.map(({ entry_id, at, high, low, compared_by }) => [
      entry_id,
      { at, high, low, comparedBy: comparedOf(compared_by) },
    ]),
  )
}

function seatColumns({ entryId, level }: Pick<Seat, 'entryId' | 'level'>): unknown[] {
  return [entryId, levelColumn(level)]
}

function signatureColumns({ id, at, comparedBy, simhash, signature }: PlacedEntry, placedAt: Instant): unknown[] {
  const { high, low } = fingerprintOf(simhash)
  return [id, at, placedAt, comparedColumn(comparedBy), high, low, signature]
}

function memberColumns(seat: Rearranged['entered'][number]): unknown[] {
  const { groupId, at, high, low, comparedBy, likeId, likeness, reason } = seat
  const why = [likeId ?? null, likeness ?? null, reason ?? null]
  return [...seatColumns(seat), groupId, at, high, low, comparedColumn(comparedBy), ...why]
}

function moveColumns({ entryId, level, at, from, to, comparedBy }: GroupMove): unknown[] {
  return [entryId, levelColumn(level), at, from ?? null, to ?? null, comparedColumn(comparedBy)]
}
