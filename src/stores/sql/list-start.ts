/** Where a page of a list by date starts. */
import type { Instant } from '../../model/index.ts'
import type { EntryListQuery } from '../../ports/index.ts'

export interface ListCursor {
  at: Instant
  id: number
}

export const MIN_INSTANT: Instant = -Number.MAX_SAFE_INTEGER
export const MAX_INSTANT: Instant = Number.MAX_SAFE_INTEGER

/** The position before the first entry of a page: behind the previous page, or just outside of the requested time. */
export function listStart({
  since = MIN_INSTANT,
  until = MAX_INSTANT,
  after,
  oldestFirst,
}: Pick<EntryListQuery, 'since' | 'until' | 'after' | 'oldestFirst'>): ListCursor {
  if (oldestFirst) return after && after.at >= since ? after : { at: since, id: -1 }
  return after && after.at <= until ? after : { at: until, id: Number.MAX_SAFE_INTEGER }
}
