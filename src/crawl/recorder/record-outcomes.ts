/**
 * Records batches of outcomes in the store. Polls are recorded together; if that fails, one by one, so that one bad record does not affect
 * the others, and the task of a record that causes an internal error is quarantined. Records are prepared first, which only reads. What is
 * written is announced as soon as it is committed, even if the rest of the batch fails.
 */
import type { LanguageDetector } from '../../articles/index.ts'
import type { EntryDraft, HubSubscription, Outcome, ScheduledFeed } from '../../model/index.ts'
import type { Clock, Roles } from '../../ports/index.ts'
import type { CrawlEvent } from '../crawler.ts'
import { type ErrorBoundary, isStoreError, type Quarantine, quarantineOnFailure } from '../error-boundary.ts'
import { type ReadDocument, readInProcess } from '../fetcher/read-document.ts'
import { doOnce, type RetryTransient } from '../retried-steps.ts'
import { isOfFeed } from '../task.ts'
import type { HubSubscriptions } from '../websub/hub-subscriptions.ts'
import { createDailyLimit } from './chunked-writes.ts'
import { createCommittedWrites } from './committed-writes.ts'
import { addCounts, NO_POLLS, type PollCounts } from './count-polls.ts'
import { recordMovedFeed } from './find-moved-feed.ts'
import { createWindowMatcher } from './match-known-entries.ts'
import { createPollMerges } from './merge-after-poll.ts'
import type { Policy } from './policy.ts'
import { createRecordPreparer } from './prepare-records.ts'
import { type ArticleRecorderParts, createArticleRecorder } from './record-articles.ts'
import { applyDiscovery } from './record-discovery.ts'
import { createPushRecorder, type RecordPush } from './record-push.ts'
import { readingIn } from './window.ts'
import { createRecordWriter } from './write-records.ts'

/** The store roles that recording needs. */
export type RecorderRoles = Pick<
  Roles,
  | 'dueQueue'
  | 'pollResults'
  | 'feedRegistry'
  | 'catalogue'
  | 'articleCatalogue'
  | 'users'
  | 'readerState'
  | 'sharing'
  | 'retention'
>

export interface RecorderParts extends Omit<Policy, 'languageOf'>, RecorderRoles {
  /** Loads the language detector when the first text arrives. */
  loadLanguageOf?: () => Promise<LanguageDetector>
  clock: Clock
  /** Repeats steps while the store fails transiently; no retries by default. */
  retryTransient?: RetryTransient
  queueDueAt: ArticleRecorderParts['queueDueAt']
  hubSubscriptions?: HubSubscriptions
  /** Reads pushed documents; in process by default. */
  read?: ReadDocument
  errorBoundary: ErrorBoundary
  quarantine: Quarantine
  emit: (event: CrawlEvent) => void
}

export interface Recorder {
  /** `excused`: failures of hosts, which do not count as failures of their feeds. */
  record(outcomes: Outcome[], excused: ReadonlySet<Outcome>): Promise<PollCounts>
  /** Records a push of a hub. */
  recordPush: RecordPush
}

export function createRecorder({ retryTransient = doOnce, ...options }: RecorderParts): Recorder {
  const parts = { ...options, retryTransient }
  const {
    catalogue,
    pollResults,
    feedRegistry,
    hubSubscriptions,
    errorBoundary,
    quarantine,
    emit,
    read: readDocument = readInProcess,
  } = parts
  const quarantineOnError = quarantineOnFailure(quarantine)
  const matchWindows = createWindowMatcher(parts)
  const committedWrites = createCommittedWrites(parts)
  const writes = { pollResults, committedWrites, retryTransient }
  const articleRecorder = createArticleRecorder({ ...parts, committedWrites })
  const dailyLimit = createDailyLimit(pollResults)
  const merge = createPollMerges(parts)
  const prepare = createRecordPreparer({
    catalogue,
    matchWindows,
    dailyLimit,
    hasHubSubscriptions: hubSubscriptions !== undefined,
  })
  const writeRecords = createRecordWriter({ writes, dailyLimit, quarantineOnError, emit })
  const reading = { matchWindows, readDocument, currentPolicy }
  const recordPush = createPushRecorder({ pollResults, feedRegistry, dailyLimit, ...reading, retryTransient, emit })

  async function currentPolicy(): Promise<Policy> {
    const policy: Policy = { ...parts }
    await errorBoundary.guard('loading the language detector', async () => {
      const languageOf = await parts.loadLanguageOf?.()
      if (languageOf) policy.languageOf = languageOf
    })
    return policy
  }

  async function record(outcomes: Outcome[], excused: ReadonlySet<Outcome>): Promise<PollCounts> {
    const policy: Policy = outcomes.some(({ result }) => hasText(result)) ? await currentPolicy() : parts
    const counted = await recordFeeds(
      outcomes.filter(({ task }) => isOfFeed(task)),
      excused,
      policy,
    )
    const articles = outcomes.filter(({ task }) => task.kind === 'article')
    if (articles.length > 0) await articleRecorder.record(articles, policy)
    for (const outcome of outcomes)
      if (outcome.task.kind === 'discover')
        await quarantineOnError(outcome, `looking for a feed at ${outcome.task.url}`, async () => {
          const feedId = await applyDiscovery({ ...parts, ...writes }, outcome, policy, emit)
          if (feedId === undefined || !hubSubscriptions) return
          const [scheduled] = await retryTransient('read feeds', () => catalogue.feedsById([feedId]))
          const [subscription] = await retryTransient('read hub subscriptions', () =>
            catalogue.hubSubscriptionsOf([feedId]),
          )
          if (scheduled) await updateHubSubscription(scheduled, subscription, outcome, [])
        })
    return counted
  }

  /** Passes the hub that the document names and the entries that the poll found to the feed's hub subscription. */
  async function updateHubSubscription(
    { feed, schedule }: ScheduledFeed,
    subscription: HubSubscription | undefined,
    { task, at, result }: Outcome,
    fresh: EntryDraft[],
  ): Promise<void> {
    if (task.kind === 'poll' && task.older) return // a document of the archive names no hub and has no news
    const facts = readingIn({ result })?.facts
    await hubSubscriptions?.afterPoll(subscription, {
      feed,
      at,
      lastAt: schedule.polledAt ?? at,
      fresh,
      ...(facts && { facts }),
    })
  }

  async function recordFeeds(outcomes: Outcome[], excused: ReadonlySet<Outcome>, policy: Policy): Promise<PollCounts> {
    try {
      return await recordTogether(outcomes, excused, policy)
    } catch (error) {
      if (isStoreError(error)) throw error
      if (outcomes.length === 1) await quarantine(outcomes[0]!.task, error, 'recording a poll', outcomes[0]!.at)
      const counted = { ...NO_POLLS }
      if (outcomes.length > 1)
        for (const outcome of outcomes) addCounts(counted, await recordFeeds([outcome], excused, policy))
      return counted
    }
  }

  async function recordTogether(
    outcomes: Outcome[],
    excused: ReadonlySet<Outcome>,
    policy: Policy,
    tries = 1,
  ): Promise<PollCounts> {
    if (outcomes.length === 0) return NO_POLLS
    const { records, movedFeeds, errors } = await retryTransient('prepare records', () =>
      prepare(outcomes, excused, policy),
    )
    for (const { outcome, error } of errors) await quarantine(outcome.task, error, recordingOf(outcome), outcome.at)
    for (const { outcome, scheduled, knownEntries } of movedFeeds)
      await quarantineOnError(outcome, recordingOf(outcome), () =>
        recordMovedFeed({ ...parts, ...writes }, outcome, scheduled, knownEntries, policy, emit, dailyLimit),
      )
    const { counts, recorded, stale } = await writeRecords(records, policy)
    for (const { scheduled, subscription, matchedOutcome, newEntries } of recorded)
      await errorBoundary.guard(`updating the hub subscription of feed ${scheduled.feed.id}`, () =>
        updateHubSubscription(scheduled, subscription, matchedOutcome, newEntries),
      )
    await merge(recorded)
    addCounts(counts, await recordAgain(stale, excused, policy, tries))
    return counts
  }

  /** These feeds were changed after their records were prepared, so their outcomes have to be prepared again. */
  async function recordAgain(
    stale: Outcome[],
    excused: ReadonlySet<Outcome>,
    policy: Policy,
    tries: number,
  ): Promise<PollCounts> {
    if (stale.length === 0) return NO_POLLS
    if (tries < MAX_TRIES) return recordTogether(stale, excused, policy, tries + 1)
    for (const { task, at } of stale)
      await quarantine(
        task,
        new Error('the feed keeps changing: too many concurrent writes'),
        RECORDING_CHANGING_FEED,
        at,
      )
    return NO_POLLS
  }

  return { record, recordPush }
}

function recordingOf({ task }: Outcome): string {
  return `recording the outcome of ${task.url}`
}

const MAX_TRIES = 5
const RECORDING_CHANGING_FEED = 'recording a poll of a feed that keeps changing'

function hasText({ kind }: Outcome['result']): boolean {
  return kind === 'window' || kind === 'found' || kind === 'page'
}
