/** Adds up statistics from rows that the database has counted per feed and hour. */
import {
  createFailureTexts,
  createHourlySeries,
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

export interface EntryCountRow {
  feed_id: FeedId
  hour: number
  entries: number
  copies: number
}

export interface PollCountRow {
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
  addEntries(row: EntryCountRow): void
  addPolls(row: PollCountRow): void
  /** Adds the polls of a log line that are not older than `since`. */
  addLogLine(row: PollRow, since: Instant): void
  totals(): Pick<Statistics, 'entries' | 'copies' | 'byHour' | 'polls' | 'failures' | 'failureTexts' | 'series'>
  /** Unordered. */
  byFeed(): OfFeed[]
}

export function createStatisticsSums(): StatisticsSums {
  const series = createHourlySeries()
  const texts = createFailureTexts()
  const byFeed = new Map<FeedId, OfFeed>()
  const failures = new Map<string, FailureCount>()
  const all: Pick<Statistics, 'entries' | 'copies' | 'byHour' | 'polls'> = {
    entries: 0,
    copies: 0,
    byHour: Array.from({ length: 24 }, () => ({ entries: 0, copies: 0 })),
    polls: { count: 0, failed: 0, tookMs: 0, bytes: 0 },
  }

  function addPolls({ kind, status, detail, hour, count, failed, took_ms: tookMs, bytes }: PollCountRow): void {
    const counts = series.at(hour)
    counts.polls += count
    counts.failed += failed
    counts.bytes += bytes
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
    addEntries({ feed_id: feedId, hour, entries, copies }) {
      const feed = byFeed.get(feedId) ?? { feedId, entries: 0, copies: 0 }
      byFeed.set(feedId, feed)
      for (const counts of [all, feed, all.byHour[hour % 24]!, series.at(hour)]) {
        counts.entries += entries
        counts.copies += copies
      }
    },

    addPolls,

    addLogLine(row, since) {
      for (const { at, tookMs, bytes, result } of pollsInLine(row))
        if (at >= since) addPolls(rowOf(Math.floor(at / HOUR), tookMs, bytes, result))
    },

    totals: () => ({
      ...all,
      failures: [...failures.values()].sort(mostFrequentFirst),
      failureTexts: texts.first(),
      series: series.whole(),
    }),
    byFeed: () => [...byFeed.values()],
  }
}

function rowOf(hour: number, took_ms: Millis, bytes: number, result: PollResult): PollCountRow {
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

/** Sums rows of the same hour and sorts the hours. */
export function createEntryHours() {
  const hours = new Map<number, HourOfEntries>()
  return {
    add({ hour, entries, copies }: Omit<EntryCountRow, 'feed_id'>): void {
      const counts = hours.get(hour) ?? { at: hour * HOUR, entries: 0, copies: 0 }
      hours.set(hour, { ...counts, entries: counts.entries + entries, copies: counts.copies + copies })
    },
    sorted: (): HourOfEntries[] => [...hours.values()].sort((a, b) => a.at - b.at),
  }
}

/** Most entries first, then by id. */
export function largestFirst(a: OfFeed, b: OfFeed): number {
  return b.entries - a.entries || a.feedId - b.feedId
}
