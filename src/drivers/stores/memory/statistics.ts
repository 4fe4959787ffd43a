/** What was said since some date, and how much of it before, counted in the memory store. */
import {
  type FailureCount,
  type FeedId,
  type Instant,
  mostFrequentFirst,
  type Poll,
  type Statistics,
  sortAt,
} from '../../../model/index.ts'
import type { GroupCatalogue } from '../../../ports/index.ts'
import { shown } from './groups.ts'
import { hourOfEntry, isRepeatedIn, type State } from './state.ts'

export function statisticsOf(state: State): Pick<GroupCatalogue, 'statistics'> {
  return { statistics: async (since) => count(state, since) }
}

function count(state: State, since: Instant): Statistics {
  const nothing = () => ({ entries: 0, copies: 0 })
  const all = nothing()
  const byHour = Array.from({ length: 24 }, nothing)
  const byFeed = new Map<FeedId, { feedId: FeedId; entries: number; copies: number }>()
  for (const entry of state.entries.values()) {
    if (sortAt(entry, entry.seenAt) < since) continue
    const { feedId } = entry
    const feed = byFeed.get(feedId) ?? { feedId, ...nothing() }
    byFeed.set(feedId, feed)
    for (const one of [all, feed, byHour[hourOfEntry(entry)]!]) {
      one.entries++
      if (isRepeatedIn(state, entry.id, 'copy')) one.copies++
    }
  }
  const polls = state.polls.filter(({ at }) => at >= since)
  return {
    ...all,
    stories: [...state.groups.values()].filter((group) => group.level === 'story' && shown(group)!.lastAt >= since)
      .length,
    byFeed: [...byFeed.values()].sort((a, b) => b.entries - a.entries || a.feedId - b.feedId),
    byHour,
    polls: {
      count: polls.length,
      failed: polls.filter(({ result }) => result.kind === 'failed').length,
      tookMs: polls.reduce((sum, { tookMs }) => sum + tookMs, 0),
      bytes: polls.reduce((sum, { bytes }) => sum + bytes, 0),
    },
    failures: failuresOf(polls),
  }
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
