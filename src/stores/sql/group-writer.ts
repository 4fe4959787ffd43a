/**
 * Writes groups when entries are grouped, moved or deleted. The decisions are made in dedup/groups; this file loads the groups concerned
 * and writes the result in a few statements per batch. No statement takes longer for a large group than for a small one.
 *
 * A transaction that changes groups holds a lock until it ends, because neighbourhoods overlap and concurrent changes would mostly block
 * each other. One process groups entries; others only occasionally delete some.
 */
import {
  type Fingerprint,
  fingerprintOf,
  type GroupChanges,
  type GroupedText,
  type Membership,
  MOST_TAKEN,
  type Neighborhood,
  namedBy,
  type StoredGroup,
  settle,
  updateGroups,
  type Voter,
} from '../../dedup/index.ts'
import {
  type EntryId,
  GROUP_LEVELS,
  type GroupId,
  type GroupMove,
  type Instant,
  MAX_VOTERS,
} from '../../model/index.ts'
import { type GroupedEntry, MAX_MOVES } from '../../ports/index.ts'
import { type Dialect, insertRowsSql, type TypedColumn } from './dialect.ts'
import { comparedColumn, comparedOf, type GroupRow, levelColumn } from './group-rows.ts'
import { enqueueEntries } from './pending-work.ts'
import type { SqlTransaction, SqlWork } from './session.ts'

/** All methods run within a transaction and leave groups settled. */
export interface GroupWriter {
  /** Locks all groups for changes until the transaction ends. Call it before locking entries that may be in groups. */
  lock(tx: SqlTransaction): SqlWork<void>
  /** Groups entries one after the other and returns how they moved. */
  groupEntries(tx: SqlTransaction, entries: readonly GroupedEntry[], at: Instant): SqlWork<GroupMove[]>
  /** Removes all grouping data of deleted entries. The caller holds the lock. */
  remove(tx: SqlTransaction, ids: readonly EntryId[]): SqlWork<void>
  /** Moves about `most` members of groups that are merging into others. Returns how many were moved. */
  resettle(tx: SqlTransaction, limit: number): SqlWork<number>
}

interface TextRow extends Fingerprint {
  entry_id: EntryId
  at: Instant
  compared_by: number
}

interface MembershipRow {
  entry_id: EntryId
  level: number
  group_id: GroupId
}

type NearbyGroupRow = Pick<GroupRow, 'id' | 'level' | 'size' | 'into_id'>

type VoterRow = Voter & { group_id: GroupId }

const ID: TypedColumn[] = ['id bigint']
const MEMBERSHIP_KEY: TypedColumn[] = ['entry_id bigint', 'level smallint']
const SIGNATURE: TypedColumn[] = [
  'entry_id bigint',
  'at bigint',
  'grouped_at bigint',
  'compared_by smallint',
  'simhash_high bigint',
  'simhash_low bigint',
  'signature bytea',
]
const MEMBER: TypedColumn[] = [
  ...MEMBERSHIP_KEY,
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

const TEXTS = `SELECT s.entry_id, s.at, s.compared_by, s.simhash_high AS high, s.simhash_low AS low
  FROM given g, signatures s WHERE s.entry_id = g.id`
const MEMBERSHIPS = `SELECT m.entry_id, m.level, m.group_id FROM given g, members m
  WHERE m.entry_id = g.entry_id AND m.level = g.level ORDER BY g.n`
const NEARBY = `SELECT o.id, o.level, o.size, o.into_id FROM given g, groups o WHERE o.id = g.id
  UNION ALL SELECT o.id, o.level, o.size, o.into_id FROM given g, groups o WHERE o.into_id = g.id`
const VOTER = 'm.entry_id AS id, m.at, m.simhash_high AS high, m.simhash_low AS low'
const EARLIEST = `SELECT g.id AS group_id, v.* FROM given g CROSS JOIN LATERAL (SELECT ${VOTER} FROM members m
  WHERE m.group_id = g.id ORDER BY m.at, m.entry_id LIMIT ${MAX_VOTERS}) AS v`
const PRIMARIES = `SELECT o.id AS group_id, ${VOTER} FROM given g, groups o, members m WHERE o.id = g.id
  AND m.entry_id = o.primary_id AND m.level = o.level AND m.group_id = o.id`
// Two subqueries: each reads one end of the index, while a combined one would read all of it.
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
const DROP_SIGNATURES =
  'DELETE FROM signatures USING given g WHERE signatures.entry_id = g.id RETURNING signatures.entry_id'
const dropMovesBefore = (limit: number) => `DELETE FROM group_moves WHERE place IN (
  SELECT old.place FROM given g CROSS JOIN LATERAL (SELECT place FROM group_moves WHERE entry_id = g.id
  ORDER BY place DESC LIMIT 1000000 OFFSET ${limit}) AS old)`
const ENTER = insertRowsSql('members', 'n', MEMBER)
const FOUND = insertRowsSql('groups', 'n', GROUP)
const KEEP_MOVE = insertRowsSql('group_moves', 'n', MOVE)

export function createGroupWriter(dialect: Dialect): GroupWriter {
  const { lockGroups, lastGroupId } = dialect
  const sign = dialect.moveToEnd('signatures', 'entry_id', SIGNATURE)
  const existing = `SELECT e.id FROM given g, entries e WHERE e.id = g.id ${dialect.lockFor('KEY SHARE OF e')}`

  function* lock(tx: SqlTransaction): SqlWork<void> {
    if (lockGroups) yield* tx.rows(lockGroups)
  }

  function* loadNeighborhood(
    tx: SqlTransaction,
    memberships: Membership[],
    texts: Map<EntryId, GroupedText>,
  ): SqlWork<Neighborhood> {
    const groups = yield* groupsWith(
      tx,
      memberships.map(({ groupId }) => groupId),
    )
    const last = yield* tx.row<{ id: number }>(lastGroupId.ask)
    return { memberships, texts, groups, lastGroupId: last?.id ?? 0 }
  }

  function* write(tx: SqlTransaction, { founded, left, taken, entered, groups, moves }: GroupChanges): SqlWork<void> {
    const found = founded.map(({ id, level }) => [id, levelColumn(level), 0, 0, 0, 0, 0])
    yield* tx.runEach(FOUND, GROUP, found)
    const newest = founded.at(-1)
    if (newest && lastGroupId.set) yield* tx.rows(lastGroupId.set, [newest.id])
    yield* tx.runEach(LEAVE, MEMBERSHIP_KEY, left.map(membershipColumns))
    for (const { fromId, intoId, level, count } of taken)
      yield* tx.run(TAKE, [intoId, levelColumn(level), fromId, count])
    yield* tx.runEach(ENTER, MEMBER, entered.map(memberColumns))
    yield* settleAll(tx, groups)
    yield* tx.runEach(KEEP_MOVE, MOVE, moves.map(moveColumns))
    yield* tx.runEach(dropMovesBefore(MAX_MOVES), ID, idRows(moves.map(({ entryId }) => entryId)))
  }

  function* resettleSome(tx: SqlTransaction, limit: number): SqlWork<number> {
    const first = yield* tx.row<{ id: GroupId }>(
      'SELECT id FROM groups WHERE into_id IS NOT NULL ORDER BY into_id, id LIMIT 1',
    )
    if (!first) return 0
    yield* lock(tx)
    const neighborhood = {
      memberships: [],
      texts: new Map(),
      groups: yield* groupsWith(tx, [first.id]),
      lastGroupId: 0,
    }
    const changes = updateGroups(neighborhood, { at: 0, most: limit })
    yield* write(tx, changes)
    return changes.taken.reduce((sum, { count }) => sum + count, 0)
  }

  return {
    lock,

    *groupEntries(tx, entries, at) {
      if (entries.length === 0) return []
      yield* lock(tx)
      const ids = yield* tx.each<{ id: EntryId }>(existing, ID, idRows(entries.map(({ id }) => id)))
      const isThere = new Set(ids.map(({ id }) => id))
      const grouped = entries.filter(({ id }) => isThere.has(id))
      const affected = GROUP_LEVELS.map((level) => ({ level, ids: [...namedBy(grouped, level)] }))
      const memberships = yield* membershipsOf(
        tx,
        affected.flatMap(({ level, ids }) => ids.map((entryId) => ({ level, entryId }))),
      )
      const texts = yield* tx.each<TextRow>(TEXTS, ID, idRows(affected.flatMap(({ ids }) => ids)))
      const last = new Map(grouped.map((one) => [one.id, one]))
      const signed = grouped.filter((one) => last.get(one.id) === one)
      yield* tx.runEach(
        sign,
        SIGNATURE,
        signed.map((one) => signatureColumns(one, at)),
      )
      const changes = updateGroups(yield* loadNeighborhood(tx, memberships, textsBefore(texts)), {
        come: grouped,
        at,
        most: MOST_TAKEN,
      })
      yield* write(tx, changes)
      return changes.moves
    },

    *remove(tx, ids) {
      const memberships = yield* membershipsOf(
        tx,
        GROUP_LEVELS.flatMap((level) => ids.map((entryId) => ({ level, entryId }))),
      )
      if (memberships.length > 0) {
        const changes = updateGroups(yield* loadNeighborhood(tx, memberships, new Map()), {
          go: ids,
          at: 0,
          most: MOST_TAKEN,
        })
        yield* write(tx, changes)
      }
      const rows = idRows(ids)
      const signed = new Set((yield* tx.each<TextRow>(DROP_SIGNATURES, ID, rows)).map(({ entry_id }) => entry_id))
      yield* enqueueEntries(
        tx,
        dialect,
        'ungrouped',
        ids.filter((id) => signed.has(id)),
      )
      yield* tx.runEach(dropMovesBefore(0), ID, rows)
    },

    *resettle(tx, limit) {
      let moved = 0
      for (let chunk = 1; chunk > 0 && moved < limit; ) {
        chunk = yield* resettleSome(tx, Math.min(MOST_TAKEN, limit - moved))
        moved += chunk
      }
      return moved
    },
  }
}

function* membershipsOf(tx: SqlTransaction, affected: Pick<Membership, 'entryId' | 'level'>[]): SqlWork<Membership[]> {
  const rows = yield* tx.each<MembershipRow>(MEMBERSHIPS, MEMBERSHIP_KEY, affected.map(membershipColumns))
  return rows.map(({ entry_id, level, group_id }) => ({
    entryId: entry_id,
    level: GROUP_LEVELS[level]!,
    groupId: group_id,
  }))
}

/** Includes the groups that these are merging into, and the groups that are merging into these. */
function* groupsWith(tx: SqlTransaction, ids: readonly GroupId[]): SqlWork<StoredGroup[]> {
  const loaded = new Set<GroupId>()
  const found = new Map<GroupId, StoredGroup>()
  for (let toLoad = ids; toLoad.length > 0; ) {
    const rows = yield* tx.each<NearbyGroupRow>(NEARBY, ID, idRows(toLoad))
    for (const id of toLoad) loaded.add(id)
    for (const { id, level, size, into_id } of rows)
      found.set(id, { id, level: GROUP_LEVELS[level]!, size, ...(into_id !== null && { intoId: into_id }) })
    toLoad = rows.flatMap(({ id, into_id }) => [id, into_id ?? id]).filter((id) => !loaded.has(id))
  }
  return [...found.values()]
}

/** Determines the primary of each group anew, and dissolves groups that are no longer one. */
function* settleAll(tx: SqlTransaction, groups: readonly StoredGroup[]): SqlWork<void> {
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

function textsBefore(rows: TextRow[]): Map<EntryId, GroupedText> {
  return new Map(
    rows.map(({ entry_id, at, high, low, compared_by }) => [
      entry_id,
      { at, high, low, comparedBy: comparedOf(compared_by) },
    ]),
  )
}

function membershipColumns({ entryId, level }: Pick<Membership, 'entryId' | 'level'>): unknown[] {
  return [entryId, levelColumn(level)]
}

function signatureColumns({ id, at, comparedBy, simhash, signature }: GroupedEntry, placedAt: Instant): unknown[] {
  const { high, low } = fingerprintOf(simhash)
  return [id, at, placedAt, comparedColumn(comparedBy), high, low, signature]
}

function memberColumns(membership: GroupChanges['entered'][number]): unknown[] {
  const { groupId, at, high, low, comparedBy, likeId, likeness, reason } = membership
  const likenessColumns = [likeId ?? null, likeness ?? null, reason ?? null]
  return [...membershipColumns(membership), groupId, at, high, low, comparedColumn(comparedBy), ...likenessColumns]
}

function moveColumns({ entryId, level, at, from, to, comparedBy }: GroupMove): unknown[] {
  return [entryId, levelColumn(level), at, from ?? null, to ?? null, comparedColumn(comparedBy)]
}
