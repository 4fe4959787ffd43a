/** Records the result of a search for a moved feed: it moves if half of its known entries reappear at the new address. */
import { reconcileInSteps } from '../../feeds/index.ts'
import type { EntryDraft, Feed, Outcome, ScheduledFeed } from '../../model/index.ts'
import type { Catalogue, Roles } from '../../ports/index.ts'
import { inSlices } from '../../runtime/index.ts'
import type { CrawlEvent } from '../crawler.ts'
import { leasedItemsOf, leaseOf } from '../task.ts'
import { type ChunkWrites, type DailyLimit, newsOf, recordInChunks, withLimitedNews } from './chunked-writes.ts'
import type { Policy } from './policy.ts'
import { pollAttemptOf } from './poll-attempt.ts'
import { ofFeed, readRecord } from './poll-record.ts'
import { movedTo, redirectTargetsChange } from './redirected-feed.ts'
import type { KnownEntries } from './window.ts'

/** Moves the feed, or reports a possible successor (which may be a stored feed), or changes nothing. */
export async function recordMovedFeed(
  parts: Pick<Roles, 'dueQueue' | 'feedRegistry' | 'catalogue'> & ChunkWrites,
  outcome: Outcome,
  scheduled: ScheduledFeed,
  knownEntries: KnownEntries,
  policy: Policy,
  emit: (event: CrawlEvent) => void,
  dailyLimit: DailyLimit,
): Promise<void> {
  const { dueQueue, feedRegistry, catalogue, retryTransient } = parts
  const { at, result } = outcome
  const { feed, revision } = scheduled
  const resumeAt = feed.followUp?.resumeAt ?? at
  const foundElsewhere = result.kind === 'found' && result.url !== feed.url ? result : undefined
  const isSuccessor = await retryTransient('prepare records', async () => {
    if (!foundElsewhere || (await catalogue.feedAt(foundElsewhere.url)) !== undefined) return false
    return isSameFeed(catalogue, feed, foundElsewhere.reading.entries, knownEntries)
  })
  if (foundElsewhere && isSuccessor) {
    const { url, reading } = foundElsewhere
    const whole = ofFeed(
      feed.id,
      await readRecord(pollAttemptOf(outcome, feed), reading, scheduled, knownEntries, policy),
    )
    const bounded = await retryTransient('prepare records', () => dailyLimit.apply(newsOf(whole, feed.id)))
    const record = withLimitedNews(whole, bounded)
    const move = { ...movedTo(feed, url), ...redirectTargetsChange(undefined), followUp: null, successorUrl: null }
    const conditions = { ...leaseOf(outcome.task), revision }
    const moved = { ...record, ...conditions, feed: { ...record.feed, ...move } }
    const answer = await recordInChunks(parts, moved).finally(() => dailyLimit.release(bounded.news))
    const releaseAgain = () => dueQueue.releaseLeases(leasedItemsOf(outcome.task))
    if (answer === 'stale') await retryTransient('release leases', releaseAgain) // the follow-up task is still stored and runs again
    if (answer === 'recorded') emit({ kind: 'moved', at, feedId: feed.id, title: feed.title, from: feed.url, to: url })
    return
  }
  const change = { followUp: null, ...(foundElsewhere && { successorUrl: foundElsewhere.url }) }
  await retryTransient('change a feed', () => feedRegistry.changeFeed(feed.id, change))
  const leases = leasedItemsOf(outcome.task).map((item) => ({ ...item, dueAt: resumeAt }))
  await retryTransient('release leases', () => dueQueue.releaseLeases(leases))
  if (foundElsewhere && foundElsewhere.url !== feed.successorUrl)
    emit({ kind: 'successor', at, feedId: feed.id, title: feed.title, url: feed.url, successorUrl: foundElsewhere.url })
}

const COMPARED = 20

async function isSameFeed(
  catalogue: Catalogue,
  feed: Feed,
  window: EntryDraft[],
  knownEntries: KnownEntries,
): Promise<boolean> {
  const storedCount = (await catalogue.entries({ feedId: feed.id, limit: COMPARED })).length
  const reappeared =
    window.length -
    (await inSlices(reconcileInSteps(window, knownEntries.keys, false, knownEntries.recentTexts))).fresh.length
  return reappeared > 0 && reappeared >= Math.min(storedCount, window.length) / 2
}
