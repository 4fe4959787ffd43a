/**
 * Moves the read position of a feed when the user marks entries before a date as read. Most of those entries precede some entry, so the
 * position is moved to where the fewest entries need their own read state.
 */
import type { EntryId, Instant } from '../../model/index.ts'
import type { ReadUntil } from '../../ports/index.ts'

export interface UnreadRow {
  id: EntryId
  sort_at: Instant
  seen_at: Instant
}

interface MovedPosition {
  readUpTo: EntryId
  /** Entries at or below the new position that were unread: their own read state is cleared. */
  cleared: EntryId[]
  /** Entries at or below the new position that stay unread. */
  unread: EntryId[]
  /** Entries beyond the new position that become read. */
  read: EntryId[]
}

/** Undefined if all entries up to some id are covered. `last` excludes entries that arrive meanwhile. */
export function entryFilter(until: ReadUntil | undefined, last: EntryId): ((row: UnreadRow) => boolean) | undefined {
  if (until === undefined || 'entryId' in until) return undefined
  if ('seenBefore' in until) return ({ id, seen_at: seenAt }) => seenAt < until.seenBefore && id <= last
  return ({ id, sort_at: sortAt }) => sortAt < until.datedBefore && id <= last
}

/** `unread` is ordered by id. Undefined if no entry is covered. */
export function moveReadPosition(
  unread: readonly UnreadRow[],
  upTo: EntryId,
  isCovered: (row: UnreadRow) => boolean,
): MovedPosition | undefined {
  let toMark = unread.filter(isCovered).length
  if (toMark === 0) return undefined
  let best = { upTo, toMark }
  for (const row of unread) {
    toMark += isCovered(row) ? -1 : 1
    if (row.id > upTo && toMark < best.toMark) best = { upTo: row.id, toMark }
  }
  const ids = (which: { below: boolean; covered: boolean }) =>
    unread.filter((row) => row.id <= best.upTo === which.below && isCovered(row) === which.covered).map(({ id }) => id)
  return {
    readUpTo: best.upTo,
    cleared: ids({ below: true, covered: true }),
    unread: ids({ below: true, covered: false }),
    read: ids({ below: false, covered: true }),
  }
}
