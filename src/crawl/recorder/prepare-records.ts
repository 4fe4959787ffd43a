/**
 * Prepares the records of a batch of polls from the current state of the store. It only reads. A record may be stale by the time it is
 * written; then it is prepared again.
 */
import type { EntryDraft, FeedId, HubSubscription, Outcome, ScheduledFeed } from '../../model/index.ts'
import type { Catalogue, EntriesRecord, PollRecord } from '../../ports/index.ts'
import { isStoreError } from '../error-boundary.ts'
import { feedIdOf, leaseOf } from '../task.ts'
import { withoutHostFailure, withSafetyInterval } from './adjust-date.ts'
import { type DailyLimit, type LimitedNews, newsOf, withLimitedNews } from './chunked-writes.ts'
import type { MatchWindows } from './match-known-entries.ts'
import type { Policy } from './policy.ts'
import type { FinalRecord } from './poll-events.ts'
import { outcomeRecord } from './poll-record.ts'
import { withoutMove } from './redirected-feed.ts'
import { type KnownEntries, NO_KNOWN_ENTRIES, readingIn, withReading } from './window.ts'

export interface RecordPreparerParts {
  catalogue: Pick<Catalogue, 'feedsById' | 'feedAt' | 'hubSubscriptionsOf'>
  matchWindows: MatchWindows
  dailyLimit: DailyLimit
  /** Whether hub subscriptions are in use. */
  hasHubSubscriptions: boolean
}

export type PrepareRecords = (outcomes: Outcome[], excused: ReadonlySet<Outcome>, policy: Policy) => Promise<Prepared>

export interface Prepared {
  records: PreparedRecord[]
  movedFeeds: { outcome: Outcome; scheduled: ScheduledFeed; knownEntries: KnownEntries }[]
  errors: { outcome: Outcome; error: unknown }[]
}

/** A record to be written. */
export interface PreparedRecord extends FinalRecord, LimitedNews {
  scheduled: ScheduledFeed
  /** The original outcome. */
  outcome: Outcome
  /** The outcome with matched entries. */
  matchedOutcome: Outcome
  subscription: HubSubscription | undefined
  /** All new entries of the window, including those over the daily limit. */
  newEntries: EntryDraft[]
}

/** A prepared record before the daily limit of its feed is applied. */
interface Draft {
  news: EntriesRecord
  finish: (bounded: LimitedNews) => PreparedRecord
}

export function createRecordPreparer({
  catalogue,
  matchWindows,
  dailyLimit,
  hasHubSubscriptions,
}: RecordPreparerParts): PrepareRecords {
  /** The new entries of the returned records are reserved in the daily limits. */
  async function prepare(outcomes: Outcome[], excused: ReadonlySet<Outcome>, policy: Policy): Promise<Prepared> {
    const scheduled = await catalogue.feedsById(outcomes.map(feedIdOf))
    const matched = await matchOutcomes(outcomes, scheduled)
    const subscriptions = hasHubSubscriptions ? await catalogue.hubSubscriptionsOf(outcomes.map(feedIdOf)) : []
    const claimed = new Set<string>()
    const prepared: Prepared = { records: [], movedFeeds: [], errors: [] }
    const drafts: Draft[] = []
    for (const [i, original] of outcomes.entries()) {
      const feed = scheduled[i]
      if (!feed) continue // removed while the task was out
      const { outcome, knownEntries } = matched.get(original) ?? { outcome: original, knownEntries: NO_KNOWN_ENTRIES }
      try {
        if (outcome.task.kind === 'moved-feed') prepared.movedFeeds.push({ outcome, scheduled: feed, knownEntries })
        else
          drafts.push(
            await draftRecord({ original, outcome, knownEntries }, feed, subscriptions[i], excused, policy, claimed),
          )
      } catch (error) {
        if (isStoreError(error)) throw error
        prepared.errors.push({ outcome, error })
      }
    }
    const bounded = await dailyLimit.applyAll(drafts.map(({ news }) => news))
    prepared.records.push(...drafts.map(({ finish }, i) => finish(bounded[i]!)))
    return prepared
  }

  async function draftRecord(
    { original, outcome, knownEntries }: { original: Outcome; outcome: Outcome; knownEntries: KnownEntries },
    scheduled: ScheduledFeed,
    subscription: HubSubscription | undefined,
    excused: ReadonlySet<Outcome>,
    policy: Policy,
    claimed: Set<string>,
  ): Promise<Draft> {
    const polled = await outcomeRecord(outcome, scheduled, knownEntries, policy)
    const { record, ...conflict } = await withFreeAddress(polled, scheduled, outcome, claimed)
    const excusedRecord = excused.has(original) ? withoutHostFailure(record, scheduled, policy) : record
    const whole = withSafetyInterval(excusedRecord, scheduled, subscription, policy)
    const conditions = { ...leaseOf(outcome.task), revision: scheduled.revision }
    const finish = (bounded: LimitedNews): PreparedRecord => ({
      ...conflict,
      ...bounded,
      record: { ...withLimitedNews(whole, bounded), ...conditions },
      scheduled,
      outcome: original,
      subscription,
      matchedOutcome: outcome,
      newEntries: whole.fresh,
    })
    return { news: newsOf(whole, scheduled.feed.id), finish }
  }

  /** Matches the windows of outcomes that have one. */
  async function matchOutcomes(outcomes: Outcome[], scheduled: (ScheduledFeed | undefined)[]) {
    const windows = outcomes.flatMap((outcome, i) => {
      const [feed, reading] = [scheduled[i], readingIn(outcome)]
      return feed && reading ? [{ outcome, scheduled: feed, reading }] : []
    })
    const matched = await matchWindows(windows)
    return new Map(
      matched.map(({ reading, knownEntries }, i) => {
        const { outcome } = windows[i]!
        return [outcome, { outcome: withReading(outcome, reading), knownEntries }]
      }),
    )
  }

  /** Removes a move to an address that another feed has. `claimed`: addresses that feeds of the same batch move to. */
  async function withFreeAddress(
    record: PollRecord,
    { feed }: ScheduledFeed,
    outcome: Outcome,
    claimed: Set<string>,
  ): Promise<{ record: PollRecord; sameAs?: FeedId }> {
    const to = record.feed?.url
    if (to === undefined) return { record }
    const existing = await catalogue.feedAt(to)
    const isFree = (existing === undefined || existing === feed.id) && !claimed.has(to)
    claimed.add(to)
    if (isFree) return { record }
    if (existing === undefined) return { record: withoutMove(record, feed, outcome) } // the next poll finds the feed that moved there
    return { record: withoutMove(record, feed, outcome, to), sameAs: existing }
  }

  return prepare
}
