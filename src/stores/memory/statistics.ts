/** Statistics of the memory store: entries, duplicates, polls and failures since a date. */
import {
  createFailureTexts,
  createHourlySeries,
  type Entry,
  type EntryId,
  type FailureCount,
  type FeedId,
  type FeedScope,
  HOUR,
  type HourOfEntries,
  type Instant,
  mostFrequentFirst,
  type Poll,
  type Statistics,
  sortAt,
} from '../../model/index.ts'
import type { GroupCatalogue, PollResults } from '../../ports/index.ts'
import { groupOf } from './groups.ts'
import { hourOfDay, isDuplicate, logLines, type MemoryGroup, type State } from './state.ts'
import { isDuplicateInReach, isFeedInReach } from './subscription-changes.ts'

export function statisticsOf(
  state: State,
): Pick<GroupCatalogue, 'statistics' | 'entriesByHour'> & Pick<PollResults, 'recordRun'> {
  return {
    statistics: async (since, within) => count(state, since, within),
    async entriesByHour(feedIds, since, within) {
      const feeds = new Set(feedIds)
      const hours = new Map<number, HourOfEntries>()
      for (const entry of state.entries.values()) {
        if (!feeds.has(entry.feedId) || sortAt(entry, entry.seenAt) < since) continue
        const at = hourOfEntry(entry) * HOUR
        const bucket = hours.get(at) ?? { at, entries: 0, copies: 0 }
        hours.set(at, bucket)
        bucket.entries++
        if (isCopy(state, entry.id, within)) bucket.copies++
      }
      return [...hours.values()].sort((a, b) => a.at - b.at)
    },
    async recordRun({ beganAt, lastAt }) {
      state.runs.set(beganAt, lastAt)
    },
  }
}

function isCopy(state: State, id: EntryId, within: FeedScope | undefined): boolean {
  return within ? isDuplicateInReach(state, within, id, 'copy') : isDuplicate(state, id, 'copy')
}

/** Hours since 1970. */
function hourOfEntry(entry: Entry): number {
  return Math.floor((entry.dateOnly ? entry.seenAt : sortAt(entry, entry.seenAt)) / HOUR)
}

function count(state: State, since: Instant, within?: FeedScope): Statistics {
  const isSeen = (feedId: FeedId) => !within || isFeedInReach(state, within, feedId)
  const isCounted = (group: MemoryGroup) => {
    const visible = [...group.members.keys()].filter((id) => isSeen(state.entries.get(id)?.feedId ?? (0 as FeedId)))
    return groupOf(group)!.lastAt >= since && (!within || visible.length > 1)
  }
  const zeroCounts = () => ({ entries: 0, copies: 0 })
  const all = zeroCounts()
  const series = createHourlySeries()
  const byHour = Array.from({ length: 24 }, zeroCounts)
  const byFeed = new Map<FeedId, { feedId: FeedId; entries: number; copies: number }>()
  for (const entry of state.entries.values()) {
    if (sortAt(entry, entry.seenAt) < since || !isSeen(entry.feedId)) continue
    const { feedId } = entry
    const feed = byFeed.get(feedId) ?? { feedId, ...zeroCounts() }
    byFeed.set(feedId, feed)
    for (const bucket of [all, feed, byHour[hourOfDay(entry)]!, series.at(hourOfEntry(entry))]) {
      bucket.entries++
      if (isCopy(state, entry.id, within)) bucket.copies++
    }
  }
  const polls = logLines(state)
    .flat()
    .filter(({ at, feedId }) => at >= since && isSeen(feedId))
  for (const { at, bytes, result } of polls) {
    const hour = series.at(Math.floor(at / HOUR))
    hour.polls++
    hour.bytes += bytes
    if (result.kind === 'failed') hour.failed++
  }
  const runs = [...state.runs].filter(([beganAt]) => beganAt >= since)
  const feeds = [...state.feeds.values()].map(({ feed }) => feed).filter(({ id }) => isSeen(id))
  const discovery: Statistics['discovery'] = { foundBy: {}, fragments: { shared: 0, apart: 0 } }
  for (const { foundBy, fragments } of feeds) {
    if (foundBy) discovery.foundBy[foundBy] = (discovery.foundBy[foundBy] ?? 0) + 1
    if (fragments) discovery.fragments[fragments]++
  }
  return {
    ...all,
    stories: [...state.groups.values()].filter((group) => group.level === 'story' && isCounted(group)).length,
    byFeed: [...byFeed.values()].sort((a, b) => b.entries - a.entries || a.feedId - b.feedId),
    byHour,
    polls: {
      count: polls.length,
      failed: polls.filter(({ result }) => result.kind === 'failed').length,
      tookMs: polls.reduce((sum, { tookMs }) => sum + tookMs, 0),
      bytes: polls.reduce((sum, { bytes }) => sum + bytes, 0),
    },
    failures: failuresOf(polls),
    failureTexts: textsOf(polls),
    series: series.whole(),
    runs: { count: runs.length, ms: runs.reduce((sum, [beganAt, lastAt]) => sum + lastAt - beganAt, 0) },
    discovery,
  }
}

function textsOf(polls: readonly Poll[]): Statistics['failureTexts'] {
  const texts = createFailureTexts()
  for (const { result } of polls) if (result.kind === 'failed') texts.add(result.failure, 1)
  return texts.first()
}

function failuresOf(polls: readonly Poll[]): FailureCount[] {
  const counts = new Map<string, FailureCount>()
  for (const { result } of polls) {
    if (result.kind !== 'failed') continue
    const { failure } = result
    const status = failure.kind === 'http' ? failure.status : undefined
    const key = `${failure.kind} ${status}`
    const { count } = counts.get(key) ?? { count: 0 }
    counts.set(key, { kind: failure.kind, ...(status !== undefined && { status }), count: count + 1 })
  }
  return [...counts.values()].sort(mostFrequentFirst)
}
