/**
 * Who belongs together, kept in step by whatever changes it: entries that are placed, that move, and that go. Everything
 * is decided elsewhere (dedup/groups): here the neighbourhood of those concerned is loaded, and what came of it is written, by a
 * few statements for a whole batch. No statement takes longer for a large group than for a small one.
 *
 * Whoever changes groups holds a lock until his transaction ends: the neighbourhood of one may reach into that of another, and two
 * at once would wait for each other most of the time. One process places entries, and others only now and then drop some.
 */
import {
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
  type GroupMove,
  type Instant,
  MOST_VOTERS,
} from '../../../model/index.ts'
import { KEPT_MOVES, type PlacedEntry } from '../../../ports/index.ts'
import { comparedColumn, comparedOf, type GroupRow, levelColumn } from '../sql/group-rows.ts'
import { manyRows } from './columns.ts'
import type { Transaction } from './session.ts'
import { toLine } from './waiting-lines.ts'

/** "Frsh": under it stand all locks that are ours (migrate.ts, migrations/000001.sql). */
const OUR_LOCKS = 0x46727368
const GROUPING = 2

/** Until the transaction ends nobody else changes groups: to be asked for before entries are locked that may be in some. */
export async function groupsAlone(tx: Transaction): Promise<void> {
  await tx.rows('SELECT pg_advisory_xact_lock($1, $2)', [OUR_LOCKS, GROUPING])
}

/** Gives entries their places one after the other, and answers how they moved. Part of a transaction, and leaves groups settled. */
export async function placeEntries(
  tx: Transaction,
  entries: readonly PlacedEntry[],
  at: Instant,
): Promise<GroupMove[]> {
  if (entries.length === 0) return []
  await groupsAlone(tx)
  const there = await tx.rows<{ id: EntryId }>('SELECT id FROM entries WHERE id = ANY ($1::bigint[]) FOR KEY SHARE', [
    entries.map(({ id }) => id),
  ])
  const isThere = new Set(there.map(({ id }) => id))
  const come = entries.filter(({ id }) => isThere.has(id))
  const seats = await seatsOf(tx, come)
  const said = await saidBefore(tx, new Set(GROUP_LEVELS.flatMap((level) => [...namedBy(come, level)])))
  await sign(tx, come, at)
  const changes = rearrange(await around(tx, seats, said), { come, at, most: MOST_TAKEN })
  await write(tx, changes)
  return changes.moves
}

/** For entries that are deleted: nothing that belongs to this part of the store is left of them. */
export async function leaveGroups(tx: Transaction, ids: readonly EntryId[]): Promise<void> {
  if (ids.length === 0) return
  const known = await tx.rows<{ entry_id: EntryId; seated: boolean }>(
    `SELECT id AS entry_id, EXISTS (SELECT 1 FROM members m WHERE m.entry_id = id) AS seated FROM unnest($1::bigint[]) AS t (id)`,
    [ids],
  )
  const seated = known.filter((one) => one.seated).map(({ entry_id }) => entry_id)
  if (seated.length > 0) {
    await groupsAlone(tx)
    const rows = await tx.rows<SeatRow>(
      'SELECT entry_id, level, group_id FROM members WHERE entry_id = ANY ($1::bigint[])',
      [seated],
    )
    const changes = rearrange(await around(tx, rows.map(seatOf)), { go: [...ids], at: 0, most: MOST_TAKEN })
    await write(tx, changes)
  }
  const signed = await tx.rows<{ entry_id: EntryId }>(
    'DELETE FROM signatures WHERE entry_id = ANY ($1::bigint[]) RETURNING entry_id',
    [ids],
  )
  const isSigned = new Set(signed.map(({ entry_id }) => entry_id))
  await toLine(
    tx,
    'unplaced',
    ids.filter((id) => isSigned.has(id)),
  )
  await tx.run('DELETE FROM group_moves WHERE entry_id = ANY ($1::bigint[])', [ids])
}

/** About so many members of a group that is on its way into another go over; how many. */
export async function goOver(tx: Transaction, most: number): Promise<number> {
  const [first] = await tx.rows<{ id: GroupId }>(
    'SELECT id FROM groups WHERE into_id IS NOT NULL ORDER BY into_id, id LIMIT 1',
  )
  if (!first) return 0
  await groupsAlone(tx)
  const groups = await groupsWith(tx, [first.id])
  const changes = rearrange({ seats: [], said: new Map(), groups, lastGroupId: 0 }, { at: 0, most })
  await write(tx, changes)
  return changes.taken.reduce((sum, { count }) => sum + count, 0)
}

interface SeatRow {
  entry_id: EntryId
  level: number
  group_id: GroupId
}

function seatOf({ entry_id, level, group_id }: SeatRow): Seat {
  return { entryId: entry_id, level: GROUP_LEVELS[level]!, groupId: group_id }
}

/** Of all who are named, level by level. */
async function seatsOf(tx: Transaction, come: readonly PlacedEntry[]): Promise<Seat[]> {
  const named = GROUP_LEVELS.flatMap((level) => [...namedBy(come, level)].map((id) => [id, levelColumn(level)]))
  const rows = manyRows('s', ['entry_id bigint', 'level smallint'], named)
  const seats = await tx.rows<SeatRow>(
    `SELECT m.entry_id, m.level, m.group_id FROM ${rows.sql} JOIN members m ON m.entry_id = s.entry_id AND m.level = s.level
     ORDER BY s.n`,
    rows.values,
  )
  return seats.map(seatOf)
}

async function saidBefore(tx: Transaction, ids: ReadonlySet<EntryId>): Promise<Map<EntryId, PlacedText>> {
  const rows = await tx.rows<{ entry_id: EntryId; at: Instant; compared_by: number; high: number; low: number }>(
    `SELECT entry_id, at, compared_by, simhash_high AS high, simhash_low AS low FROM signatures
     WHERE entry_id = ANY ($1::bigint[])`,
    [[...ids]],
  )
  return new Map(
    rows.map(({ entry_id, at, compared_by, high, low }) => {
      return [entry_id, { at, high, low, comparedBy: comparedOf(compared_by) }]
    }),
  )
}

/** The last that is said of an entry counts. */
async function sign(tx: Transaction, come: readonly PlacedEntry[], at: Instant): Promise<void> {
  if (come.length === 0) return
  const last = new Map<EntryId, PlacedEntry>()
  for (const one of come) {
    last.delete(one.id)
    last.set(one.id, one)
  }
  const rows = manyRows(
    's',
    [
      'entry_id bigint',
      'at bigint',
      'compared_by smallint',
      'simhash_high bigint',
      'simhash_low bigint',
      'signature bytea',
    ],
    [...last.values()].map(({ id, at: saidAt, comparedBy, simhash, signature }) => {
      const { high, low } = fingerprintOf(simhash)
      return [id, saidAt, comparedColumn(comparedBy), high, low, signature]
    }),
    2,
  )
  await tx.run(
    `INSERT INTO signatures (entry_id, at, placed_at, compared_by, simhash_high, simhash_low, signature)
     SELECT entry_id, at, $1, compared_by, simhash_high, simhash_low, signature FROM ${rows.sql} ORDER BY n
     ON CONFLICT (entry_id) DO UPDATE SET place = nextval('signature_places'), at = excluded.at, placed_at = excluded.placed_at,
     compared_by = excluded.compared_by, simhash_high = excluded.simhash_high, simhash_low = excluded.simhash_low,
     signature = excluded.signature`,
    [at, ...rows.values],
  )
}

async function around(
  tx: Transaction,
  seats: Seat[],
  said: Map<EntryId, PlacedText> = new Map(),
): Promise<Neighbourhood> {
  const groups = await groupsWith(
    tx,
    seats.map(({ groupId }) => groupId),
  )
  const [last] = await tx.rows<{ id: number }>(
    'SELECT CASE WHEN is_called THEN last_value ELSE 0 END AS id FROM group_ids',
  )
  return { seats, said, groups, lastGroupId: last!.id }
}

/** With those that they are on their way into, and those that are on their way into them. */
async function groupsWith(tx: Transaction, ids: readonly GroupId[]): Promise<SeatedGroup[]> {
  if (ids.length === 0) return []
  const rows = await tx.rows<Pick<GroupRow, 'id' | 'level' | 'size' | 'into_id'>>(
    `WITH RECURSIVE near (id) AS (
       SELECT DISTINCT t.id FROM unnest($1::bigint[]) AS t (id)
       UNION
       SELECT other.id FROM near JOIN groups g ON g.id = near.id CROSS JOIN LATERAL (
         SELECT g.into_id AS id WHERE g.into_id IS NOT NULL UNION ALL SELECT o.id FROM groups o WHERE o.into_id = g.id
       ) AS other
     )
     SELECT g.id, g.level, g.size, g.into_id FROM near JOIN groups g ON g.id = near.id ORDER BY g.id`,
    [ids],
  )
  return rows.map(({ id, level, size, into_id }) => {
    return { id, level: GROUP_LEVELS[level]!, size, ...(into_id !== null && { intoId: into_id }) }
  })
}

async function write(tx: Transaction, changes: Rearranged): Promise<void> {
  const { founded, left, taken, entered, groups, moves } = changes
  await found(tx, founded)
  await leave(tx, left)
  for (const { fromId, intoId, level, count } of taken) {
    await tx.run(
      `UPDATE members SET group_id = $1 WHERE level = $2 AND entry_id IN
       (SELECT entry_id FROM members WHERE group_id = $3 ORDER BY at, entry_id LIMIT $4)`,
      [intoId, levelColumn(level), fromId, count],
    )
  }
  await enter(tx, entered)
  await settleAll(tx, groups)
  await keepMoves(tx, moves)
}

async function found(tx: Transaction, founded: Rearranged['founded']): Promise<void> {
  const last = founded.at(-1)
  if (!last) return
  const rows = manyRows(
    'g',
    ['id bigint', 'level smallint'],
    founded.map(({ id, level }) => [id, levelColumn(level)]),
  )
  await tx.run(
    `INSERT INTO groups (id, level, primary_id, size, distance_sum, first_at, last_at)
     SELECT id, level, 0, 0, 0, 0, 0 FROM ${rows.sql}`,
    rows.values,
  )
  await tx.rows("SELECT setval('group_ids', $1)", [last.id])
}

async function leave(tx: Transaction, left: readonly Seat[]): Promise<void> {
  if (left.length === 0) return
  const rows = manyRows(
    's',
    ['entry_id bigint', 'level smallint'],
    left.map(({ entryId, level }) => [entryId, levelColumn(level)]),
  )
  await tx.run(
    `DELETE FROM members USING ${rows.sql} WHERE members.entry_id = s.entry_id AND members.level = s.level`,
    rows.values,
  )
}

async function enter(tx: Transaction, entered: Rearranged['entered']): Promise<void> {
  if (entered.length === 0) return
  const rows = manyRows(
    's',
    [
      'entry_id bigint',
      'level smallint',
      'group_id bigint',
      'at bigint',
      'simhash_high bigint',
      'simhash_low bigint',
      'compared_by smallint',
      'like_id bigint',
      'likeness double precision',
      'reason text',
    ],
    entered.map(({ entryId, level, groupId, at, high, low, comparedBy, likeId, likeness, reason }) => {
      const why = [likeId ?? null, likeness ?? null, reason ?? null]
      return [entryId, levelColumn(level), groupId, at, high, low, comparedColumn(comparedBy), ...why]
    }),
  )
  await tx.run(
    `INSERT INTO members (entry_id, level, group_id, at, simhash_high, simhash_low, compared_by, like_id, likeness, reason)
     SELECT entry_id, level, group_id, at, simhash_high, simhash_low, compared_by, like_id, likeness, reason FROM ${rows.sql}`,
    rows.values,
  )
}

interface VoterRow extends Voter {
  group_id: GroupId
  is_primary: boolean
}

/** What each group is now: who speaks for it, or that it is none any more. */
async function settleAll(tx: Transaction, groups: readonly SeatedGroup[]): Promise<void> {
  if (groups.length === 0) return
  const ids = groups.map(({ id }) => id)
  const VOTER = 'm.entry_id AS id, m.at, m.simhash_high AS high, m.simhash_low AS low'
  const voters = await tx.rows<VoterRow>(
    `SELECT g.id AS group_id, v.*, false AS is_primary FROM unnest($1::bigint[]) AS g (id) CROSS JOIN LATERAL (
       SELECT ${VOTER} FROM members m WHERE m.group_id = g.id ORDER BY m.at, m.entry_id LIMIT ${MOST_VOTERS}) AS v
     UNION ALL
     SELECT g.id AS group_id, ${VOTER}, true AS is_primary FROM groups g
     JOIN members m ON m.entry_id = g.primary_id AND m.level = g.level AND m.group_id = g.id WHERE g.id = ANY ($1::bigint[])`,
    [ids],
  )
  const byGroup = Map.groupBy(voters, ({ group_id }) => group_id)
  const settled: unknown[][] = []
  const dissolved: GroupId[] = []
  for (const { id, level, size, intoId } of groups) {
    const own = byGroup.get(id) ?? []
    const earliest = own.filter((one) => !one.is_primary).sort((a, b) => a.at - b.at || a.id - b.id)
    const now = settle({ level, size, primary: own.find((one) => one.is_primary), earliest })
    if (now) settled.push([id, size, intoId ?? null, now.primaryId, now.distanceSum])
    else dissolved.push(id)
  }
  if (dissolved.length > 0) {
    await tx.run('DELETE FROM members WHERE group_id = ANY ($1::bigint[])', [dissolved])
    await tx.run('DELETE FROM groups WHERE id = ANY ($1::bigint[])', [dissolved])
  }
  if (settled.length === 0) return
  const rows = manyRows(
    'n',
    ['id bigint', 'size bigint', 'into_id bigint', 'primary_id bigint', 'distance_sum bigint'],
    settled,
  )
  await tx.run(
    `UPDATE groups SET size = n.size, into_id = n.into_id, primary_id = n.primary_id, distance_sum = n.distance_sum,
     first_at = (SELECT min(m.at) FROM members m WHERE m.group_id = groups.id),
     last_at = (SELECT max(m.at) FROM members m WHERE m.group_id = groups.id) FROM ${rows.sql} WHERE groups.id = n.id`,
    rows.values,
  )
}

async function keepMoves(tx: Transaction, moves: readonly GroupMove[]): Promise<void> {
  if (moves.length === 0) return
  const rows = manyRows(
    'm',
    ['entry_id bigint', 'level smallint', 'at bigint', 'from_id bigint', 'to_id bigint', 'compared_by smallint'],
    moves.map(({ entryId, level, at, from, to, comparedBy }) => {
      return [entryId, levelColumn(level), at, from ?? null, to ?? null, comparedColumn(comparedBy)]
    }),
  )
  await tx.run(
    `INSERT INTO group_moves (entry_id, level, at, from_id, to_id, compared_by)
     SELECT entry_id, level, at, from_id, to_id, compared_by FROM ${rows.sql} ORDER BY n`,
    rows.values,
  )
  await tx.run(
    `DELETE FROM group_moves WHERE place IN (
       SELECT old.place FROM unnest($1::bigint[]) AS e (id) CROSS JOIN LATERAL (
         SELECT place FROM group_moves WHERE entry_id = e.id ORDER BY place DESC OFFSET ${KEPT_MOVES}) AS old)`,
    [[...new Set(moves.map(({ entryId }) => entryId))]],
  )
}
