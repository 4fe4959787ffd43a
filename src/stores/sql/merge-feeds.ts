/**
 * Entries of some feeds in one order, a few of each feed at a time: a reader of a thousand feeds reads a little of each. Only what an
 * index knows is looked at.
 */
import type { EntryId, FeedId, Instant } from '../../model/index.ts'
import type { Dialect } from './dialect.ts'
import type { SqlSession } from './session.ts'

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
  atOnce: number
  isLast: boolean
}

/** The next so many after a place; then after the last that was given. Fewer only at the end. */
export type Merge = (from: { at: Instant; id: number }) => Promise<Place[]>

/** The next entries of each feed of a list, $1, after the place $2 and $3; about $4 of each. */
function statementsOf({ list, rowsAsJson, indexedBy }: Dialect): Record<MergeOrder, string> {
  const some = (name: string, index: string, at: string, condition: string, order: string) =>
    `SELECT * FROM (SELECT e.id, ${at} AS at FROM entries e ${indexedBy(index)}
     WHERE e.feed_id = w.value AND ${condition} ORDER BY ${order} LIMIT $4) AS ${name}`
  const each = (places: string) =>
    `SELECT w.value AS feed, ${rowsAsJson('id, at', places)} AS places FROM ${list('$1')}`
  const byArrival = (beyond: '<' | '>', direction: 'ASC' | 'DESC') =>
    each(
      some(
        'arrived',
        'entries_of_feed',
        '0',
        `e.id ${beyond} $3 AND CAST($2 AS bigint) IS NOT NULL`,
        `e.id ${direction}`,
      ),
    )
  return {
    // The rest of a date, and what lies beyond it: see by-date.ts.
    date: each(`${some('rest', 'entries_by_feed', 'e.sort_at', 'e.sort_at = $2 AND e.id < $3', 'e.id DESC')}
      UNION ALL ${some('others', 'entries_by_feed', 'e.sort_at', 'e.sort_at < $2', 'e.sort_at DESC, e.id DESC')}`),
    newest: byArrival('<', 'DESC'),
    oldest: byArrival('>', 'ASC'),
  }
}

export function createMerge(session: SqlSession): (feeds: FeedId[], order: MergeOrder, most: number) => Merge {
  const statements = statementsOf(session.dialect)

  return (feeds, order, most) => {
    const sign = order === 'oldest' ? 1 : -1
    const inOrder = (a: Place, b: Place) => (a.at - b.at || a.id - b.id) * sign
    const heap = createHeap<Stream>((a, b) => inOrder(a.places[a.taken]!, b.places[b.taken]!) < 0)

    async function begin(those: FeedId[], { at, id }: { at: Instant; id: number }, atOnce: number): Promise<void> {
      const rows = await session.rows<{ feed: FeedId; places: string | null }>(statements[order], [
        those,
        at,
        id,
        atOnce,
      ])
      for (const { feed, places: list } of rows) {
        const all = (JSON.parse(list ?? '[]') as [EntryId, Instant][]).map(([id, at]) => ({ id, at }))
        const places = all.sort(inOrder).slice(0, atOnce)
        if (places.length > 0) heap.push({ feed, places, taken: 0, atOnce, isLast: places.length < atOnce })
      }
    }

    let isBegun = false
    return async (from) => {
      if (!isBegun) await begin(feeds, from, Math.max(LEAST, Math.ceil((2 * most) / Math.max(1, feeds.length))))
      isBegun = true
      const found: Place[] = []
      while (found.length < most) {
        const stream = heap.pop()
        if (!stream) break
        const place = stream.places[stream.taken++]!
        found.push(place)
        if (stream.taken < stream.places.length) heap.push(stream)
        else if (!stream.isLast) await begin([stream.feed], place, 4 * stream.atOnce)
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
