/** The end of an errand that sought a feed elsewhere: half of what we know reappears there, or it does not. */
import { reconcileInSteps } from '../../feeds/index.ts'
import type { EntryDraft, Feed, Outcome, ScheduledFeed } from '../../model/index.ts'
import type { Catalogue, Roles } from '../../ports/index.ts'
import { inSlices } from '../../runtime/index.ts'
import type { CrawlEvent } from '../crawler.ts'
import { itemsOf, leaseOf } from '../task.ts'
import { type DayBound, newsOf, type PortionWrites, recordInPortions, withinDay } from './chunked-writes.ts'
import type { Policy } from './policy.ts'
import { attemptOf } from './poll-attempt.ts'
import { ofFeed, readRecord } from './poll-record.ts'
import { endsOf, movedTo } from './redirected-feed.ts'
import type { KnownWindow } from './window.ts'

/** What the site answered: the feed moves, or somebody is told of another one (which may be a feed of ours), or all stays as it was. */
export async function applySeek(
  parts: Pick<Roles, 'agenda' | 'subscriptions' | 'catalogue'> & PortionWrites,
  outcome: Outcome,
  held: ScheduledFeed,
  known: KnownWindow,
  policy: Policy,
  emit: (event: CrawlEvent) => void,
  day: DayBound,
): Promise<void> {
  const { agenda, subscriptions, catalogue, retryTransient } = parts
  const { at, result } = outcome
  const { feed, revision } = held
  const resumeAt = feed.errand?.resumeAt ?? at
  const elsewhere = result.kind === 'found' && result.url !== feed.url ? result : undefined
  const isSuccessor = await retryTransient('prepare records', async () => {
    if (!elsewhere || (await catalogue.feedAt(elsewhere.url)) !== undefined) return false
    return isSame(catalogue, feed, elsewhere.reading.entries, known)
  })
  if (elsewhere && isSuccessor) {
    const { url, reading } = elsewhere
    const whole = ofFeed(feed.id, await readRecord(attemptOf(outcome, feed), reading, held, known, policy))
    const bounded = await retryTransient('prepare records', () => day.within(newsOf(whole, feed.id)))
    const record = withinDay(whole, bounded)
    const move = { ...movedTo(feed, url), ...endsOf(undefined), errand: null, successorUrl: null }
    const under = { ...leaseOf(outcome.task), revision }
    const moved = { ...record, ...under, feed: { ...record.feed, ...move } }
    const answer = await recordInPortions(parts, moved).finally(() => day.written(bounded.news))
    const again = () => agenda.handBack(itemsOf(outcome.task))
    if (answer === 'stale') await retryTransient('release leases', again) // the errand stands, and is gone again
    if (answer === 'recorded') emit({ kind: 'moved', at, feedId: feed.id, title: feed.title, from: feed.url, to: url })
    return
  }
  const over = { errand: null, ...(elsewhere && { successorUrl: elsewhere.url }) }
  await retryTransient('change a feed', () => subscriptions.changeFeed(feed.id, over))
  const asUsual = itemsOf(outcome.task).map((item) => ({ ...item, dueAt: resumeAt }))
  await retryTransient('release leases', () => agenda.handBack(asUsual))
  if (elsewhere && elsewhere.url !== feed.successorUrl)
    emit({ kind: 'successor', at, feedId: feed.id, title: feed.title, url: feed.url, successorUrl: elsewhere.url })
}

const COMPARED = 20

async function isSame(catalogue: Catalogue, feed: Feed, window: EntryDraft[], known: KnownWindow): Promise<boolean> {
  const kept = (await catalogue.entries({ feedId: feed.id, limit: COMPARED })).length
  const reappeared =
    window.length - (await inSlices(reconcileInSteps(window, known.keys, false, known.said))).fresh.length
  return reappeared > 0 && reappeared >= Math.min(kept, window.length) / 2
}
