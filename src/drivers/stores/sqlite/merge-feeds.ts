/**
 * Entries of some feeds in one order, a few of each feed at a time: who has a thousand feeds reads a little of each. All of them are asked for in one
 * statement, each answering with a list of its own; only what an index knows is looked at.
 */
import type Database from 'better-sqlite3'
import type { EntryId, FeedId, Instant } from '../../../model/index.ts'
import { WANTED } from './rows-by-id.ts'

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

/** The next so many after a place; then after the last that was given. Fewer only at the end. */
export type Merge = (from: { at: Instant; id: number }) => Place[]

export function createMerge(db: Database.Database): (feeds: FeedId[], order: MergeOrder, most: number) => Merge {
  const some = (index: string, at: string, condition: string, order: string) =>
    `SELECT * FROM (SELECT e.id, ${at} AS at FROM entries e INDEXED BY ${index}
     WHERE e.feed_id = w.value AND ${condition} ORDER BY ${order} LIMIT $limit)`
  const each = (places: string) =>
    db.prepare<unknown[], { feed: FeedId; places: string }>(
      `SELECT w.value AS feed, (SELECT json_group_array(json_array(id, at)) FROM (${places})) AS places FROM ${WANTED}`,
    )
  const byArrival = (beyond: '<' | '>', direction: 'ASC' | 'DESC') =>
    each(some('entries_of_feed', '0', `e.id ${beyond} $id AND $at = $at`, `e.id ${direction}`))
  const statements = {
    // The rest of a date, and what lies beyond it: see by-date.ts.
    date: each(`${some('entries_by_feed', 'e.sort_at', 'e.sort_at = $at AND e.id < $id', 'e.id DESC')}
      UNION ALL ${some('entries_by_feed', 'e.sort_at', 'e.sort_at < $at', 'e.sort_at DESC, e.id DESC')}`),
    newest: byArrival('<', 'DESC'),
    oldest: byArrival('>', 'ASC'),
  }

  return (feeds, order, most) => {
    const sign = order === 'oldest' ? 1 : -1
    const atOnce = Math.max(LEAST, Math.ceil((2 * most) / Math.max(1, feeds.length)))
    const inOrder = (a: Place, b: Place) => (a.at - b.at || a.id - b.id) * sign
    const fetch = (those: FeedId[], { at, id }: { at: Instant; id: number }): Stream[] =>
      statements[order].all({ ids: JSON.stringify(those), at, id, limit: atOnce }).map(({ feed, places: list }) => {
        const places = (JSON.parse(list) as [EntryId, Instant][]).map(([id, at]) => ({ id, at }))
        return { feed, places: places.sort(inOrder).slice(0, atOnce), taken: 0, isLast: places.length < atOnce }
      })
    const heap = createHeap<Stream>((a, b) => inOrder(a.places[a.taken]!, b.places[b.taken]!) < 0)
    const begin = (those: FeedId[], from: { at: Instant; id: number }) => {
      for (const stream of fetch(those, from)) if (stream.places.length > 0) heap.push(stream)
    }
    let isBegun = false

    return (from) => {
      if (!isBegun) begin(feeds, from)
      isBegun = true
      const found: Place[] = []
      while (found.length < most) {
        const stream = heap.pop()
        if (!stream) break
        const place = stream.places[stream.taken++]!
        found.push(place)
        if (stream.taken < stream.places.length) heap.push(stream)
        else if (!stream.isLast) begin([stream.feed], place)
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
