/** The end of an errand that sought a feed elsewhere: half of what we know reappears there, or it does not. */
import { reconcileInSteps } from '../../feeds/index.ts'
import type { EntryDraft, Feed, Outcome, ScheduledFeed } from '../../model/index.ts'
import { type Catalogue, inTurns, type Roles } from '../../ports/index.ts'
import type { CrawlEvent } from '../crawler.ts'
import { itemsOf, leaseOf } from '../task.ts'
import { attemptOf } from './attempt.ts'
import { type DayBound, newsOf, recordInPortions, withinDay } from './large-polls.ts'
import type { Policy } from './policy.ts'
import { ofFeed, readRecord } from './poll-record.ts'
import { endsOf, movedTo } from './redirected-feed.ts'
import type { KnownWindow } from './window.ts'

/** What the site answered: the feed moves, or somebody is told of another one (which may be a feed of ours), or all stays as it was. */
export async function applySeek(
  { agenda, ledger, subscriptions, catalogue }: Pick<Roles, 'agenda' | 'ledger' | 'subscriptions' | 'catalogue'>,
  outcome: Outcome,
  held: ScheduledFeed,
  known: KnownWindow,
  policy: Policy,
  emit: (event: CrawlEvent) => void,
  day: DayBound,
): Promise<void> {
  const { at, result } = outcome
  const { feed, revision } = held
  const resumeAt = feed.errand?.resumeAt ?? at
  const elsewhere = result.kind === 'found' && result.url !== feed.url ? result : undefined
  const isFree = elsewhere && (await catalogue.feedAt(elsewhere.url)) === undefined
  if (isFree && (await isSame(catalogue, feed, elsewhere.reading.entries, known))) {
    const { url, reading } = elsewhere
    const whole = ofFeed(feed.id, await readRecord(attemptOf(outcome, feed), reading, held, known, policy))
    const bounded = await day.within(newsOf(whole, feed.id))
    const record = withinDay(whole, bounded)
    const move = { ...movedTo(feed, url), ...endsOf(undefined), errand: null, successorUrl: null }
    const under = { ...leaseOf(outcome.task), revision }
    const moved = { ...record, ...under, feed: { ...record.feed, ...move } }
    const answer = await recordInPortions(ledger, moved).finally(() => day.written(bounded.news))
    if (answer === 'stale') await agenda.handBack(itemsOf(outcome.task)) // the errand stands, and is gone again
    if (answer === 'recorded') emit({ kind: 'moved', at, feedId: feed.id, title: feed.title, from: feed.url, to: url })
    return
  }
  await subscriptions.changeFeed(feed.id, { errand: null, ...(elsewhere && { successorUrl: elsewhere.url }) })
  await agenda.handBack(itemsOf(outcome.task).map((item) => ({ ...item, dueAt: resumeAt })))
  if (elsewhere && elsewhere.url !== feed.successorUrl)
    emit({ kind: 'successor', at, feedId: feed.id, title: feed.title, url: feed.url, successorUrl: elsewhere.url })
}

const COMPARED = 20

async function isSame(catalogue: Catalogue, feed: Feed, window: EntryDraft[], known: KnownWindow): Promise<boolean> {
  const kept = (await catalogue.entries({ feedId: feed.id, limit: COMPARED })).length
  const reappeared =
    window.length - (await inTurns(reconcileInSteps(window, known.keys, false, known.said))).fresh.length
  return reappeared > 0 && reappeared >= Math.min(kept, window.length) / 2
}
