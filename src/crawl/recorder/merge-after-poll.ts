/** What is merged after a poll was recorded: entries that a feed stored several times, and feeds that turn out to be one. */
import type { Outcome, ScheduledFeed, WebAddress } from '../../model/index.ts'
import type { PollRecord } from '../../ports/index.ts'
import type { Wall } from '../error-boundary.ts'
import { createDuplicateMerger, type DuplicateMergerParts } from './merge-duplicates.ts'
import { createFeedMerger, type FeedMergerParts } from './merge-feeds.ts'

interface RecordedPoll {
  held: ScheduledFeed
  record: Pick<PollRecord, 'feed'>
  outcome: Outcome
}

export function createPollMerges(
  parts: FeedMergerParts & DuplicateMergerParts & { wall: Wall },
): (polls: RecordedPoll[]) => Promise<void> {
  const feeds = createFeedMerger(parts)
  const duplicates = createDuplicateMerger(parts)

  return async (polls) => {
    for (const { held, record, outcome } of polls) {
      const { feed } = held
      const { matchBy } = record.feed?.quirks ?? feed.quirks ?? {}
      if (matchBy === 'text')
        await parts.wall.guarded(`merging entries of feed ${feed.id}`, () => duplicates.matchedByText(feed))
      const end = redirectedTo(outcome)
      if (end) await parts.wall.guarded(`merging feed ${feed.id}`, () => feeds.endedAt(feed, end))
    }
  }
}

function redirectedTo({ result }: Outcome): WebAddress | undefined {
  if (result.kind !== 'window' && result.kind !== 'not-modified') return undefined
  return result.arrival && result.arrival.redirects.length > 0 ? result.arrival.finalUrl : undefined
}
