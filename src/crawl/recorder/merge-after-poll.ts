/** Merges after a recorded poll: duplicate entries of a feed, and feeds that turn out to be the same. */
import type { Outcome, ScheduledFeed, WebAddress } from '../../model/index.ts'
import type { PollRecord } from '../../ports/index.ts'
import type { ErrorBoundary } from '../error-boundary.ts'
import { createDuplicateMerger, type DuplicateMergerParts } from './merge-duplicates.ts'
import { createFeedMerger, type FeedMergerParts } from './merge-feeds.ts'

interface RecordedPoll {
  scheduled: ScheduledFeed
  record: Pick<PollRecord, 'feed'>
  outcome: Outcome
}

export function createPollMerges(
  parts: FeedMergerParts & DuplicateMergerParts & { errorBoundary: ErrorBoundary },
): (polls: RecordedPoll[]) => Promise<void> {
  const feeds = createFeedMerger(parts)
  const duplicates = createDuplicateMerger(parts)

  return async (polls) => {
    for (const { scheduled, record, outcome } of polls) {
      const { feed } = scheduled
      const { matchBy } = record.feed?.quirks ?? feed.quirks ?? {}
      if (matchBy === 'text')
        await parts.errorBoundary.guard(`merging entries of feed ${feed.id}`, () => duplicates.mergeOnce(feed))
      const finalUrl = redirectedTo(outcome)
      if (finalUrl) await parts.errorBoundary.guard(`merging feed ${feed.id}`, () => feeds.mergeIfSame(feed, finalUrl))
    }
  }
}

function redirectedTo({ result }: Outcome): WebAddress | undefined {
  if (result.kind !== 'window' && result.kind !== 'not-modified') return undefined
  return result.arrival && result.arrival.redirects.length > 0 ? result.arrival.finalUrl : undefined
}
