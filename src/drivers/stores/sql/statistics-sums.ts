/** What statistics add up, row by row, as hours of feeds and of polls come from a database that has counted them. */
import {
  createFailureTexts,
  createSeries,
  type Failure,
  type FailureCount,
  type FeedId,
  mostFrequentFirst,
  type Statistics,
} from '../../../model/index.ts'

export interface SaidRow {
  feed_id: FeedId
  hour: number
  entries: number
  copies: number
}

export interface PolledRow {
  kind: FailureCount['kind'] | null
  status: number | null
  detail: string | null
  hour: number
  count: number
  failed: number
  took_ms: number
  bytes: number
}

type OfFeed = Statistics['byFeed'][number]

interface StatisticsSums {
  said(row: SaidRow): void
  polled(row: PolledRow): void
  whole(): Pick<Statistics, 'entries' | 'copies' | 'byHour' | 'polls' | 'failures' | 'failureTexts' | 'series'>
  /** In no order. */
  ofFeeds(): OfFeed[]
}

export function createStatisticsSums(): StatisticsSums {
  const series = createSeries()
  const texts = createFailureTexts()
  const byFeed = new Map<FeedId, OfFeed>()
  const failures = new Map<string, FailureCount>()
  const all: Pick<Statistics, 'entries' | 'copies' | 'byHour' | 'polls'> = {
    entries: 0,
    copies: 0,
    byHour: Array.from({ length: 24 }, () => ({ entries: 0, copies: 0 })),
    polls: { count: 0, failed: 0, tookMs: 0, bytes: 0 },
  }

  return {
    said({ feed_id: feedId, hour, entries, copies }) {
      const feed = byFeed.get(feedId) ?? { feedId, entries: 0, copies: 0 }
      byFeed.set(feedId, feed)
      for (const one of [all, feed, all.byHour[hour % 24]!, series.at(hour)]) {
        one.entries += entries
        one.copies += copies
      }
    },

    polled({ kind, status, detail, hour, count, failed, took_ms: tookMs, bytes }) {
      const one = series.at(hour)
      one.polls += count
      one.failed += failed
      one.bytes += bytes
      if (kind !== null && detail !== null)
        texts.add({ kind, detail, ...(status !== null && { status }) } as Failure, count)
      if (kind !== null) {
        const before = failures.get(`${kind} ${status}`)?.count ?? 0
        failures.set(`${kind} ${status}`, { kind, ...(status !== null && { status }), count: before + count })
      }
      all.polls.count += count
      all.polls.failed += failed
      all.polls.tookMs += tookMs
      all.polls.bytes += bytes
    },

    whole: () => ({
      ...all,
      failures: [...failures.values()].sort(mostFrequentFirst),
      failureTexts: texts.first(),
      series: series.whole(),
    }),
    ofFeeds: () => [...byFeed.values()],
  }
}

/** Those with most first, in the order of ids where they are equal. */
export function largestFirst(a: OfFeed, b: OfFeed): number {
  return b.entries - a.entries || a.feedId - b.feedId
}
