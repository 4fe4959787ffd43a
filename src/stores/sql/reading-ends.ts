/**
 * How the meant ones among unread entries of a feed become read: what is dated or has arrived before something is mostly what stands
 * before some entry, so the end of what is read is moved to where the fewest entries have to be marked one by one.
 */
import type { EntryId, Instant } from '../../model/index.ts'
import type { MarkedUntil } from '../../ports/index.ts'

export interface UnreadRow {
  id: EntryId
  sort_at: Instant
  seen_at: Instant
}

interface MovedEnd {
  upTo: EntryId
  /** Marked as unread until now, and below the end. */
  cleared: EntryId[]
  /** Spared, though below the end. */
  unread: EntryId[]
  /** Meant, though beyond the end. */
  read: EntryId[]
}

/** Undefined where all up to some entry is meant. Nothing that arrives while we are at it is, hence `last`. */
export function meantBy(until: MarkedUntil | undefined, last: EntryId): ((row: UnreadRow) => boolean) | undefined {
  if (until === undefined || 'entryId' in until) return undefined
  if ('seenBefore' in until) return ({ id, seen_at: seenAt }) => seenAt < until.seenBefore && id <= last
  return ({ id, sort_at: sortAt }) => sortAt < until.datedBefore && id <= last
}

/** `unread` by id; undefined if none of it is meant. */
export function endMoved(
  unread: readonly UnreadRow[],
  upTo: EntryId,
  isMeant: (row: UnreadRow) => boolean,
): MovedEnd | undefined {
  let toMark = unread.filter(isMeant).length
  if (toMark === 0) return undefined
  let best = { upTo, toMark }
  for (const row of unread) {
    toMark += isMeant(row) ? -1 : 1
    if (row.id > upTo && toMark < best.toMark) best = { upTo: row.id, toMark }
  }
  const ids = (wanted: { below: boolean; meant: boolean }) =>
    unread.filter((row) => row.id <= best.upTo === wanted.below && isMeant(row) === wanted.meant).map(({ id }) => id)
  return {
    upTo: best.upTo,
    cleared: ids({ below: true, meant: true }),
    unread: ids({ below: true, meant: false }),
    read: ids({ below: false, meant: true }),
  }
}
