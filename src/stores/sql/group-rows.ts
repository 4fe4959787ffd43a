/** Converts rows of groups and members to the model. */
import { bitsApart, type Fingerprint } from '../../dedup/index.ts'
import {
  type ComparedBy,
  type EntryId,
  GROUP_LEVELS,
  type Group,
  type GroupId,
  type GroupLevel,
  type GroupMove,
  type Instant,
  type Member,
} from '../../model/index.ts'

export interface GroupRow {
  id: GroupId
  level: number
  primary_id: EntryId
  size: number
  distance_sum: number
  first_at: Instant
  last_at: Instant
  /** The group that this one is merging into. */
  into_id: GroupId | null
}

/** With the fingerprint of the primary. */
export interface MemberRow extends Fingerprint {
  entry_id: EntryId
  at: Instant
  primary_high: number
  primary_low: number
  compared_by: number
  like_id: EntryId | null
  likeness: number | null
  reason: string | null
}

export interface MoveRow {
  entry_id: EntryId
  level: number
  at: Instant
  from_id: GroupId | null
  to_id: GroupId | null
  compared_by: number
}

const COMPARED: readonly ComparedBy[] = ['entry', 'article']

/** A level is stored as its index in the list. */
export function levelColumn(level: GroupLevel): number {
  return GROUP_LEVELS.indexOf(level)
}

export function comparedColumn(by: ComparedBy): number {
  return COMPARED.indexOf(by)
}

export function comparedOf(column: number): ComparedBy {
  return COMPARED[column]!
}

export function groupOfRow(row: GroupRow): Group {
  return {
    id: row.id,
    level: GROUP_LEVELS[row.level]!,
    primaryId: row.primary_id,
    size: row.size,
    distanceSum: row.distance_sum,
    firstAt: row.first_at,
    lastAt: row.last_at,
  }
}

export function memberOf(row: MemberRow): Member {
  return {
    entryId: row.entry_id,
    at: row.at,
    distance: bitsApart(row, { high: row.primary_high, low: row.primary_low }),
    comparedBy: comparedOf(row.compared_by),
    ...(row.like_id !== null && { likeId: row.like_id }),
    ...(row.likeness !== null && { likeness: row.likeness }),
    ...(row.reason !== null && { reason: row.reason }),
  }
}

export function moveOf(row: MoveRow): GroupMove {
  return {
    entryId: row.entry_id,
    level: GROUP_LEVELS[row.level]!,
    at: row.at,
    ...(row.from_id !== null && { from: row.from_id }),
    ...(row.to_id !== null && { to: row.to_id }),
    comparedBy: comparedOf(row.compared_by),
  }
}

export interface SignatureRow {
  place: number
  entry_id: EntryId
  at: Instant
  signature: Uint8Array
  copy_id: GroupId | null
  story_id: GroupId | null
}

export function signatureOfRow({ entry_id: id, at, signature, copy_id: copy, story_id: story }: SignatureRow) {
  return { id, at, signature, groups: { ...(copy !== null && { copy }), ...(story !== null && { story }) } }
}
