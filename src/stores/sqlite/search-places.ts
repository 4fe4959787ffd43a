/**
 * Where entries stand in the search index. A place is a row's number there: 4,096 for each minute since 1970, given in the order of
 * arrival. So the index is in the order of time: the newest are read first, and a period is a range. Who comes when a minute is
 * full stands in the next that is not.
 */
import { type EntryId, type FeedId, type Instant, MINUTE } from '../../model/index.ts'
import type { SqliteSession } from './session.ts'

export const PLACES_A_MINUTE = 4096

const MOST_REMEMBERED = 1000

export function firstPlaceAt(at: Instant): number {
  return minuteOf(at) * PLACES_A_MINUTE
}

export function lastPlaceAt(at: Instant): number {
  return firstPlaceAt(at) + PLACES_A_MINUTE - 1
}

function minuteOf(at: Instant): number {
  return Math.max(0, Math.floor(at / MINUTE))
}

export interface Places {
  /** The place that it has, if that is of the same minute; else another, and the one it had is `left`. */
  take(id: EntryId, feedId: FeedId, at: Instant): { place: number; left?: number }
  /** Where it stood. */
  leave(id: EntryId): number | undefined
}

export function createPlaces({ db }: SqliteSession): Places {
  const placeOf = db.prepare<[EntryId], number>('SELECT place FROM entry_places WHERE entry_id = ?').pluck()
  const last = db
    .prepare<[number, number], number | null>('SELECT max(place) FROM entry_places WHERE place BETWEEN ? AND ?')
    .pluck()
  const add = db.prepare<[number, EntryId, FeedId]>('INSERT INTO entry_places VALUES (?, ?, ?)')
  const remove = db.prepare<[EntryId], number>('DELETE FROM entry_places WHERE entry_id = ? RETURNING place').pluck()
  /** By minute that is full, the minute to try next. Only a shorter way: what is not in here is found. */
  const past = new Map<number, number>()

  function free(at: Instant): number {
    const wanted = minuteOf(at)
    for (let minute = past.get(wanted) ?? wanted; ; minute++) {
      const first = minute * PLACES_A_MINUTE
      const place = (last.get(first, first + PLACES_A_MINUTE - 1) ?? first - 1) + 1
      if (place >= first + PLACES_A_MINUTE) continue
      if (minute > wanted) {
        if (past.size >= MOST_REMEMBERED) past.clear()
        past.set(wanted, minute)
      }
      return place
    }
  }

  return {
    take(id, feedId, at) {
      const had = placeOf.get(id)
      if (had !== undefined && had >= firstPlaceAt(at) && had <= lastPlaceAt(at)) return { place: had }
      if (had !== undefined) remove.get(id)
      const place = free(at)
      add.run(place, id, feedId)
      return { place, ...(had !== undefined && { left: had }) }
    },
    leave: (id) => remove.get(id),
  }
}
