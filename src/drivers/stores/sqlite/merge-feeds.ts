/** Entries of some feeds in one order, a few of each feed at a time: who has a thousand feeds reads a little of each. */
import type Database from 'better-sqlite3'
import type { EntryId, FeedId, Instant } from '../../../model/index.ts'
import { beforeSql } from './by-date.ts'

/** Where an entry stands; by arrival, `at` is 0. */
export interface Place {
  id: EntryId
  at: Instant
}

export type MergeOrder = 'date' | 'newest' | 'oldest'

/** Of one feed, at least so many are read at once. */
const LEAST = 4

interface Stream {
  feed: FeedId
  places: Place[]
  /** Of `places`, how many were taken. */
  taken: number
  isLast: boolean
}

export function createMerge(
  db: Database.Database,
): (feeds: FeedId[], order: MergeOrder, most: number) => (from: { at: Instant; id: number }) => Place[] {
  const columns = { columns: 'e.id, e.sort_at AS at', id: 'e.id' }
  const byDate = db.prepare<unknown[], Place>(
    beforeSql({ ...columns, from: 'entries e INDEXED BY entries_by_feed', at: 'e.sort_at', only: 'e.feed_id = $feed' }),
  )
  const byArrival = (beyond: '<' | '>', direction: 'ASC' | 'DESC') =>
    db.prepare<unknown[], Place>(
      `SELECT id, 0 AS at FROM entries INDEXED BY entries_of_feed WHERE feed_id = $feed AND id ${beyond} $id AND $at = $at
       ORDER BY id ${direction} LIMIT $limit`,
    )
  const statements = { date: byDate, newest: byArrival('<', 'DESC'), oldest: byArrival('>', 'ASC') }

  return (feeds, order, most) => {
    const statement = statements[order]
    const sign = order === 'oldest' ? 1 : -1
    const atOnce = Math.max(LEAST, Math.ceil((2 * most) / Math.max(1, feeds.length)))
    const fetch = (feed: FeedId, { at, id }: { at: Instant; id: number }): Stream => {
      const places = statement.all({ feed, at, id, limit: atOnce })
      return { feed, places, taken: 0, isLast: places.length < atOnce }
    }
    const isBefore = (a: Place, b: Place) => (a.at - b.at || a.id - b.id) * sign < 0

    return (from) => {
      const heap = createHeap<Stream>((a, b) => isBefore(a.places[a.taken]!, b.places[b.taken]!))
      for (const feed of feeds) {
        const stream = fetch(feed, from)
        if (stream.places.length > 0) heap.push(stream)
      }
      const found: Place[] = []
      while (found.length < most) {
        const stream = heap.pop()
        if (!stream) break
        const place = stream.places[stream.taken++]!
        found.push(place)
        if (stream.taken < stream.places.length) heap.push(stream)
        else if (!stream.isLast) {
          const next = fetch(stream.feed, place)
          if (next.places.length > 0) heap.push(next)
        }
      }
      return found
    }
  }
}

/** The smallest first. */
function createHeap<Item>(isBefore: (a: Item, b: Item) => boolean): {
  push(item: Item): void
  pop(): Item | undefined
} {
  const items: Item[] = []
  const swap = (i: number, j: number) => {
    ;[items[i], items[j]] = [items[j]!, items[i]!]
  }
  return {
    push(item) {
      let i = items.push(item) - 1
      for (let up = (i - 1) >> 1; i > 0 && isBefore(items[i]!, items[up]!); i = up, up = (i - 1) >> 1) swap(i, up)
    },
    pop() {
      const top = items[0]
      const last = items.pop()
      if (items.length === 0 || last === undefined) return top
      items[0] = last
      for (let i = 0; ; ) {
        const [left, right] = [2 * i + 1, 2 * i + 2]
        let least = i
        if (left < items.length && isBefore(items[left]!, items[least]!)) least = left
        if (right < items.length && isBefore(items[right]!, items[least]!)) least = right
        if (least === i) return top
        swap(i, least)
        i = least
      }
    },
  }
}
