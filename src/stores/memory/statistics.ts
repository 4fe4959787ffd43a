/** What was said since some date, and how much of it before, counted in the memory store. */
import {
  createFailureTexts,
  createSeries,
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
import type { GroupCatalogue, Ledger } from '../../ports/index.ts'
import { shown } from './groups.ts'
import { isEntryRepeatedWithin, isFeedWithin } from './reading-changes.ts'
import { type HeldGroup, hourOfEntry, isRepeatedIn, logLines, type State } from './state.ts'

export function statisticsOf(
  state: State,
): Pick<GroupCatalogue, 'statistics' | 'entriesByHour'> & Pick<Ledger, 'recordRun'> {
  return {
    statistics: async (since, within) => count(state, since, within),
    async entriesByHour(feedIds, since, within) {
      const feeds = new Set(feedIds)
      const hours = new Map<number, HourOfEntries>()
      for (const entry of state.entries.values()) {
        if (!feeds.has(entry.feedId) || sortAt(entry, entry.seenAt) < since) continue
        const at = hourSaid(entry) * HOUR
        const one = hours.get(at) ?? { at, entries: 0, copies: 0 }
        hours.set(at, one)
        one.entries++
        if (isCopy(state, entry.id, within)) one.copies++
      }
      return [...hours.values()].sort((a, b) => a.at - b.at)
    },
    async recordRun({ beganAt, lastAt }) {
      state.runs.set(beganAt, lastAt)
    },
  }
}

function isCopy(state: State, id: EntryId, within: FeedScope | undefined): boolean {
  return within ? isEntryRepeatedWithin(state, within, id, 'copy') : isRepeatedIn(state, id, 'copy')
}

/** Since 1970. */
function hourSaid(entry: Entry): number {
  return Math.floor((entry.dateOnly ? entry.seenAt : sortAt(entry, entry.seenAt)) / HOUR)
}

function count(state: State, since: Instant, within?: FeedScope): Statistics {
  const isSeen = (feedId: FeedId) => !within || isFeedWithin(state, within, feedId)
  const isTold = (group: HeldGroup) => {
    const seen = [...group.members.keys()].filter((id) => isSeen(state.entries.get(id)?.feedId ?? (0 as FeedId)))
    return shown(group)!.lastAt >= since && (!within || seen.length > 1)
  }
  const nothing = () => ({ entries: 0, copies: 0 })
  const all = nothing()
  const series = createSeries()
  const byHour = Array.from({ length: 24 }, nothing)
  const byFeed = new Map<FeedId, { feedId: FeedId; entries: number; copies: number }>()
  for (const entry of state.entries.values()) {
    if (sortAt(entry, entry.seenAt) < since || !isSeen(entry.feedId)) continue
    const { feedId } = entry
    const feed = byFeed.get(feedId) ?? { feedId, ...nothing() }
    byFeed.set(feedId, feed)
    for (const one of [all, feed, byHour[hourOfEntry(entry)]!, series.at(hourSaid(entry))]) {
      one.entries++
      if (isCopy(state, entry.id, within)) one.copies++
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
    stories: [...state.groups.values()].filter((group) => group.level === 'story' && isTold(group)).length,
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
