/**
 * Quarantines a task that caused an internal error. It is recorded as a failure, without the data of its outcome, so it is listed among
 * failing feeds and retried with backoff. If even that cannot be recorded, its lease is released with a later due date, so that it does not
 * return at once.
 */
import { HOUR, type Instant, type Millis, type Outcome, type OutcomeResult, type Task } from '../../model/index.ts'
import { pageRetryAt } from '../../politeness/index.ts'
import type { ArticleResult, Clock, Roles } from '../../ports/index.ts'
import type { CrawlEvent } from '../crawler.ts'
import { type ErrorBoundary, internalFailure, type Quarantine } from '../error-boundary.ts'
import type { RetryTransient } from '../retried-steps.ts'
import { leasedItemsOf, leaseOf } from '../task.ts'
import type { HubSubscriptions } from '../websub/hub-subscriptions.ts'
import { createCommittedWrites } from './committed-writes.ts'
import type { Policy } from './policy.ts'
import { pollAttemptOf } from './poll-attempt.ts'
import { polledEvent } from './poll-events.ts'
import { failureRecord, ofFeed } from './poll-record.ts'
import { articleEvent } from './record-articles.ts'
import { applyDiscovery } from './record-discovery.ts'

export interface QuarantineParts
  extends Policy,
    Pick<Roles, 'dueQueue' | 'pollResults' | 'feedRegistry' | 'catalogue' | 'articleCatalogue' | 'users'> {
  clock: Clock
  retryTransient: RetryTransient
  hubSubscriptions?: Pick<HubSubscriptions, 'postpone'>
  errorBoundary: ErrorBoundary
  emit: (event: CrawlEvent) => void
}

const RETRY_MS: Millis = HOUR // chosen

interface FailedOutcome extends Outcome {
  result: Extract<OutcomeResult, { kind: 'failed' }>
}

export function createQuarantine(parts: QuarantineParts): Quarantine {
  const {
    catalogue,
    articleCatalogue,
    dueQueue,
    clock,
    hubSubscriptions,
    errorBoundary,
    emit,
    random,
    retryTransient,
  } = parts
  const committed = createCommittedWrites(parts)

  return async (task, error, doing, at = clock.now()) => {
    errorBoundary.report(doing, error)
    let isRecorded = false
    await errorBoundary.guard(`quarantining ${task.url}`, async () => {
      const failure = internalFailure(error)
      isRecorded = await recordFailure({ task, at, tookMs: 0, bytes: 0, result: { kind: 'failed', failure } })
    })
    if (!isRecorded) await errorBoundary.guard(`releasing ${task.url}`, () => release(task, clock.now() + RETRY_MS))
  }

  async function recordFailure(outcome: FailedOutcome): Promise<boolean> {
    switch (outcome.task.kind) {
      case 'poll':
      case 'moved-feed':
        return recordFailedPoll(outcome, outcome.task)
      case 'article':
        return recordFailedArticle(outcome, outcome.task)
      case 'discover':
        await applyDiscovery(parts, outcome, parts, emit)
        return true
      case 'hub':
        return false
    }
  }

  /** A follow-up task that caused an internal error ends. */
  async function recordFailedPoll(
    outcome: FailedOutcome,
    { feedId }: Extract<Task, { kind: 'poll' | 'moved-feed' }>,
  ): Promise<boolean> {
    const [scheduled] = await retryTransient('read feeds', () => catalogue.feedsById([feedId]))
    if (!scheduled) return true
    const { feed } = scheduled
    const failed = failureRecord(pollAttemptOf(outcome, feed), outcome.result.failure, scheduled, parts)
    const withoutFollowUp = feed.followUp && { feed: { ...failed.feed, followUp: null } }
    const record = { ...ofFeed(feed.id, failed), ...leaseOf(outcome.task), ...withoutFollowUp }
    const [answer] = await committed.recordPolls([record])
    if (answer === 'recorded') emit(polledEvent(feed, record))
    return answer === 'recorded'
  }

  async function recordFailedArticle(
    outcome: FailedOutcome,
    { articleId }: Extract<Task, { kind: 'article' }>,
  ): Promise<boolean> {
    const [article] = await retryTransient('read articles', () => articleCatalogue.articlesById([articleId]))
    if (!article) return true
    const { failure } = outcome.result
    const { at } = outcome
    const dueAt = pageRetryAt(failure, article.failures, at, random())
    const result: ArticleResult = { kind: 'failed', failure, state: 'failed', ...(dueAt !== undefined && { dueAt }) }
    const [isRecorded = false] = await committed.recordArticles([
      { id: articleId, at, ...leaseOf(outcome.task), queueDueAt: clock.now(), result },
    ])
    if (isRecorded) emit(articleEvent(outcome, articleId, at, result))
    return isRecorded
  }

  async function release(task: Task, dueAt: Instant): Promise<void> {
    if (task.kind === 'hub') return hubSubscriptions?.postpone([{ task, until: dueAt }])
    await retryTransient('release leases', () =>
      dueQueue.releaseLeases(leasedItemsOf(task).map((item) => ({ ...item, dueAt }))),
    )
  }
}
