/**
 * Merges the entries of several feeds into one order, reading a few of each feed at a time, so a page of a thousand feeds reads little of
 * each. Reads only indexes.
 */
import type { EntryId, FeedId, Instant } from '../../model/index.ts'
import type { Dialect } from './dialect.ts'
import type { SqlSession } from './session.ts'

/** Sort position of an entry. When ordered by arrival, `at` is 0. */
export interface EntryPosition {
  id: EntryId
  at: Instant
}

/** By date, newest or oldest first; or by arrival. */
export type MergeOrder = 'date' | 'date-oldest' | 'newest' | 'oldest'

/** Minimum number of entries to read of one feed at once. */
const MIN_PER_FEED = 4

interface Stream {
  feed: FeedId
  positions: EntryPosition[]
  /** Index in `positions` of the next entry. */
  nextIndex: number
  batchSize: number
  isLast: boolean
}

/** Returns the next entries: on the first call after `from`, then after the last one returned. Fewer than requested only at the end. */
export type NextEntries = (from: { at: Instant; id: number }) => Promise<EntryPosition[]>

/** Statements for the next entries of each feed in list $1, after position ($2, $3), up to about $4 of each. */
function mergeStatements({ list, rowsAsJson, indexedBy }: Dialect): Record<MergeOrder, string> {
  const streamSql = (name: string, index: string, at: string, condition: string, order: string) =>
    `SELECT * FROM (SELECT e.id, ${at} AS at FROM entries e ${indexedBy(index)}
     WHERE e.feed_id = w.value AND ${condition} ORDER BY ${order} LIMIT $4) AS ${name}`
  const perFeedSql = (positions: string) =>
    `SELECT w.value AS feed, ${rowsAsJson('id, at', positions)} AS places FROM ${list('$1')}`
  const byArrival = (beyond: '<' | '>', direction: 'ASC' | 'DESC') =>
    perFeedSql(
      streamSql(
        'arrived',
        'entries_of_feed',
        '0',
        `e.id ${beyond} $3 AND CAST($2 AS bigint) IS NOT NULL`,
        `e.id ${direction}`,
      ),
    )
  // The rest of a date, then the rows beyond it: see keyset-pagination.ts.
  const byDate = (beyond: '<' | '>', direction: 'ASC' | 'DESC') => {
    const stream = (name: string, condition: string, order: string) =>
      streamSql(name, 'entries_by_feed', 'e.sort_at', condition, order)
    return perFeedSql(`${stream('rest', `e.sort_at = $2 AND e.id ${beyond} $3`, `e.id ${direction}`)}
      UNION ALL ${stream('others', `e.sort_at ${beyond} $2`, `e.sort_at ${direction}, e.id ${direction}`)}`)
  }
  return {
    date: byDate('<', 'DESC'),
    'date-oldest': byDate('>', 'ASC'),
    newest: byArrival('<', 'DESC'),
    oldest: byArrival('>', 'ASC'),
  }
}

export function createMerge(session: SqlSession): (feeds: FeedId[], order: MergeOrder, limit: number) => NextEntries {
  const statements = mergeStatements(session.dialect)

  return (feeds, order, limit) => {
    const sign = order === 'oldest' || order === 'date-oldest' ? 1 : -1
    const inOrder = (a: EntryPosition, b: EntryPosition) => (a.at - b.at || a.id - b.id) * sign
    const heap = createHeap<Stream>((a, b) => inOrder(a.positions[a.nextIndex]!, b.positions[b.nextIndex]!) < 0)

    async function openStreams(
      feedIds: FeedId[],
      { at, id }: { at: Instant; id: number },
      batchSize: number,
    ): Promise<void> {
      const rows = await session.rows<{ feed: FeedId; places: string | null }>(statements[order], [
        feedIds,
        at,
        id,
        batchSize,
      ])
      for (const { feed, places: list } of rows) {
        const all = (JSON.parse(list ?? '[]') as [EntryId, Instant][]).map(([id, at]) => ({ id, at }))
        const positions = all.sort(inOrder).slice(0, batchSize)
        if (positions.length > 0)
          heap.push({ feed, positions, nextIndex: 0, batchSize, isLast: positions.length < batchSize })
      }
    }

    let isStarted = false
    return async (from) => {
      if (!isStarted)
        await openStreams(feeds, from, Math.max(MIN_PER_FEED, Math.ceil((2 * limit) / Math.max(1, feeds.length))))
      isStarted = true
      const found: EntryPosition[] = []
      while (found.length < limit) {
        const stream = heap.pop()
        if (!stream) break
        const position = stream.positions[stream.nextIndex++]!
        found.push(position)
        if (stream.nextIndex < stream.positions.length) heap.push(stream)
        else if (!stream.isLast) await openStreams([stream.feed], position, 4 * stream.batchSize)
      }
      return found
    }
  }
}

/** A binary min-heap. */
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
        let smallest = i
        if (left < items.length && isBefore(items[left]!, items[smallest]!)) smallest = left
        if (right < items.length && isBefore(items[right]!, items[smallest]!)) smallest = right
        if (smallest === i) return top
        swap(i, smallest)
        i = smallest
      }
    },
  }
}
