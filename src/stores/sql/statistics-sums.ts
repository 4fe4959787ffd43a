/** What statistics add up, row by row, as hours of feeds and of polls come from a database that has counted them. */
import {
  createFailureTexts,
  createSeries,
  type Failure,
  type FailureCount,
  type FeedId,
  HOUR,
  type HourOfEntries,
  type Instant,
  type Millis,
  mostFrequentFirst,
  type PollResult,
  type Statistics,
} from '../../model/index.ts'
import { type PollRow, pollsInLine } from './poll-rows.ts'

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

export interface StatisticsSums {
  said(row: SaidRow): void
  polled(row: PolledRow): void
  /** The same for the polls of a line of the log that are not older than `since`. */
  line(row: PollRow, since: Instant): void
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

  function polled({ kind, status, detail, hour, count, failed, took_ms: tookMs, bytes }: PolledRow): void {
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

    polled,

    line(row, since) {
      for (const { at, tookMs, bytes, result } of pollsInLine(row))
        if (at >= since) polled(rowOf(Math.floor(at / HOUR), tookMs, bytes, result))
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

function rowOf(hour: number, took_ms: Millis, bytes: number, result: PollResult): PolledRow {
  const failure = result.kind === 'failed' ? result.failure : undefined
  return {
    kind: failure?.kind ?? null,
    status: failure?.kind === 'http' ? failure.status : null,
    detail: failure && 'detail' in failure ? (failure.detail ?? null) : null,
    hour,
    count: 1,
    failed: failure ? 1 : 0,
    took_ms,
    bytes,
  }
}

/** Adds up hours that come several times, and puts them in their order. */
export function createEntryHours() {
  const hours = new Map<number, HourOfEntries>()
  return {
    add({ hour, entries, copies }: Omit<SaidRow, 'feed_id'>): void {
      const one = hours.get(hour) ?? { at: hour * HOUR, entries: 0, copies: 0 }
      hours.set(hour, { ...one, entries: one.entries + entries, copies: one.copies + copies })
    },
    whole: (): HourOfEntries[] => [...hours.values()].sort((a, b) => a.at - b.at),
  }
}

/** Those with most first, in the order of ids where they are equal. */
export function largestFirst(a: OfFeed, b: OfFeed): number {
  return b.entries - a.entries || a.feedId - b.feedId
}
