/**
 * Reads feeds' histories from a store as traces, one log row per poll: its time, the entries shown, and the size. An
 * entry counts from its own date if it has one with a time of day, otherwise from when it was seen; but never from
 * before the last poll that did not show it, because it was not published then, whatever its date.
 */
import type { Entry, Instant, Poll, ScheduledFeed } from '../model/index.ts'
import type { Catalogue } from '../ports/index.ts'
import { countUpTo, wholeSecond } from './instants.ts'
import { median, type Trace, USUAL_WINDOW } from './traces/trace.ts'

export interface StoredHistory {
  scheduled: ScheduledFeed
  trace: Trace
  /** Oldest first. */
  polls: Poll[]
  /** When each entry appeared and when it was seen, in order of appearance; without those of the first poll. */
  seen: { at: Instant; seenAt: Instant }[]
  /** Whether none of its entries has a date of its own. */
  undated: boolean
}

/** Feeds with entries that were polled since `since`. */
export async function* historiesIn(catalogue: Catalogue, since: Instant): AsyncIterable<StoredHistory> {
  for await (const scheduled of catalogue.everyFeed()) {
    const feedId = scheduled.feed.id
    const polls: Poll[] = []
    for await (const poll of catalogue.everyPoll({ feedId, since })) polls.push(poll)
    if (polls.length === 0) continue
    const answered = polls.filter(({ result }) => result.kind !== 'failed').map(({ at }) => at)
    const firstAt = answered[0] ?? Number.POSITIVE_INFINITY
    const published: Instant[] = []
    const seen: StoredHistory['seen'] = []
    let dated = 0
    for await (const entry of catalogue.everyEntry({ feedId })) {
      if (entry.publishedAt !== undefined && !entry.dateOnly) dated++
      const at = appearedAt(entry, answered)
      published.push(at)
      if (entry.seenAt > firstAt) seen.push({ at, seenAt: entry.seenAt })
    }
    if (published.length === 0) continue
    const trace: Trace = {
      feed: scheduled.feed.url,
      kind: 'other',
      source: 'freshet',
      window: windowIn(polls),
      ...bytesIn(polls),
      published: Float64Array.from(published, wholeSecond).sort(),
    }
    yield { scheduled, trace, polls, seen: seen.toSorted((a, b) => a.at - b.at), undated: dated === 0 }
  }
}

/** `answered`: instants of the successful polls, ascending. */
function appearedAt({ publishedAt, dateOnly, seenAt }: Entry, answered: Instant[]): Instant {
  const before = answered[countUpTo(answered, seenAt - 1) - 1]
  const statedAt = publishedAt === undefined || dateOnly ? seenAt : Math.min(publishedAt, seenAt)
  return before === undefined ? statedAt : Math.max(statedAt, before)
}

function windowIn(polls: Poll[]): number {
  return (
    median(polls.flatMap(({ result }) => (result.kind === 'read' && result.window > 0 ? [result.window] : []))) ??
    USUAL_WINDOW
  )
}

function bytesIn(polls: Poll[]): { bytes?: number } {
  const bytes = median(polls.flatMap((poll) => (poll.result.kind === 'read' && poll.bytes > 0 ? [poll.bytes] : [])))
  return bytes === undefined ? {} : { bytes }
}
