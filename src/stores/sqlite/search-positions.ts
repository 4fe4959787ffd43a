/**
 * Positions of entries in the search index: row ids of the FTS5 table. There are 4,096 per minute since 1970, assigned in order of arrival.
 * So the index is ordered by time: the newest entries are read first, and a period is a range. If a minute is full, the next minute
 * with a free position is used.
 */
import { type EntryId, type FeedId, type Instant, MINUTE } from '../../model/index.ts'
import type { SqliteSession } from './session.ts'

export const POSITIONS_PER_MINUTE = 4096

const MAX_CACHED = 1000

export function firstPositionAt(at: Instant): number {
  return minuteOf(at) * POSITIONS_PER_MINUTE
}

export function lastPositionAt(at: Instant): number {
  return firstPositionAt(at) + POSITIONS_PER_MINUTE - 1
}

function minuteOf(at: Instant): number {
  return Math.max(0, Math.floor(at / MINUTE))
}

export interface SearchPositions {
  /** The current position, if it is of the same minute. Otherwise a new one, and `former` is the previous one. */
  assign(id: EntryId, feedId: FeedId, at: Instant): { place: number; former?: number }
  /** Returns the former position. */
  remove(id: EntryId): number | undefined
}

export function createSearchPositions({ db }: SqliteSession): SearchPositions {
  const positionOf = db.prepare<[EntryId], number>('SELECT place FROM search_positions WHERE entry_id = ?').pluck()
  const last = db
    .prepare<[number, number], number | null>('SELECT max(place) FROM search_positions WHERE place BETWEEN ? AND ?')
    .pluck()
  const add = db.prepare<[number, EntryId, FeedId]>('INSERT INTO search_positions VALUES (?, ?, ?)')
  const remove = db
    .prepare<[EntryId], number>('DELETE FROM search_positions WHERE entry_id = ? RETURNING place')
    .pluck()
  /** For full minutes, the minute to try next. A cache: missing minutes are looked up. */
  const nextMinutes = new Map<number, number>()

  function nextFreePosition(at: Instant): number {
    const requested = minuteOf(at)
    for (let minute = nextMinutes.get(requested) ?? requested; ; minute++) {
      const first = minute * POSITIONS_PER_MINUTE
      const place = (last.get(first, first + POSITIONS_PER_MINUTE - 1) ?? first - 1) + 1
      if (place >= first + POSITIONS_PER_MINUTE) continue
      if (minute > requested) {
        if (nextMinutes.size >= MAX_CACHED) nextMinutes.clear()
        nextMinutes.set(requested, minute)
      }
      return place
    }
  }

  return {
    assign(id, feedId, at) {
      const current = positionOf.get(id)
      if (current !== undefined && current >= firstPositionAt(at) && current <= lastPositionAt(at))
        return { place: current }
      if (current !== undefined) remove.get(id)
      const place = nextFreePosition(at)
      add.run(place, id, feedId)
      return { place, ...(current !== undefined && { former: current }) }
    },
    remove: (id) => remove.get(id),
  }
}
