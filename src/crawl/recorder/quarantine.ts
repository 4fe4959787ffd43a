/**
 * What becomes of a task on which we made a mistake. It is a failure, recorded without anything of what was brought: so it
 * is stored, shown among those in trouble, and tried again ever later. What not even that can be recorded of is handed
 * back with a later date, so that it does not come round at once.
 */
import { HOUR, type Instant, type Millis, type Outcome, type OutcomeResult, type Task } from '../../model/index.ts'
import { pageRetryAt } from '../../politeness/index.ts'
import type { ArticleResult, Clock, Roles } from '../../ports/index.ts'
import type { CrawlEvent } from '../crawler.ts'
import { internalFailure, type SetAside, type Wall } from '../error-boundary.ts'
import type { RetryTransient } from '../retried-steps.ts'
import { itemsOf, leaseOf } from '../task.ts'
import type { Pushes } from '../websub/hub-subscriptions.ts'
import { createCommittedWrites } from './committed-writes.ts'
import type { Policy } from './policy.ts'
import { attemptOf } from './poll-attempt.ts'
import { polled } from './poll-events.ts'
import { failureRecord, ofFeed } from './poll-record.ts'
import { pageEvent } from './record-articles.ts'
import { applyDiscovery } from './record-discovery.ts'

export interface SetAsideParts
  extends Policy,
    Pick<Roles, 'agenda' | 'ledger' | 'subscriptions' | 'catalogue' | 'articleCatalogue' | 'people'> {
  clock: Clock
  retryTransient: RetryTransient
  pushes?: Pick<Pushes, 'wait'>
  wall: Wall
  emit: (event: CrawlEvent) => void
}

const LATER_MS: Millis = HOUR // ours

interface Failed extends Outcome {
  result: Extract<OutcomeResult, { kind: 'failed' }>
}

export function createSetAside(parts: SetAsideParts): SetAside {
  const { catalogue, articleCatalogue, agenda, clock, pushes, wall, emit, random, retryTransient } = parts
  const committed = createCommittedWrites(parts)

  return async (task, error, doing, at = clock.now()) => {
    wall.report(doing, error)
    let isRecorded = false
    await wall.guarded(`setting aside ${task.url}`, async () => {
      const failure = internalFailure(error)
      isRecorded = await recorded({ task, at, tookMs: 0, bytes: 0, result: { kind: 'failed', failure } })
    })
    if (!isRecorded) await wall.guarded(`handing back ${task.url}`, () => handBack(task, clock.now() + LATER_MS))
  }

  async function recorded(outcome: Failed): Promise<boolean> {
    switch (outcome.task.kind) {
      case 'poll':
      case 'seek':
        return pollFailed(outcome, outcome.task)
      case 'article':
        return pageFailed(outcome, outcome.task)
      case 'discover':
        await applyDiscovery(parts, outcome, parts, emit)
        return true
      case 'hub':
        return false
    }
  }

  /** An errand on which we made a mistake is over. */
  async function pollFailed(outcome: Failed, { feedId }: Extract<Task, { kind: 'poll' | 'seek' }>): Promise<boolean> {
    const [held] = await retryTransient('read feeds', () => catalogue.feedsById([feedId]))
    if (!held) return true
    const { feed } = held
    const failed = failureRecord(attemptOf(outcome, feed), outcome.result.failure, held, parts)
    const over = feed.errand && { feed: { ...failed.feed, errand: null } }
    const record = { ...ofFeed(feed.id, failed), ...leaseOf(outcome.task), ...over }
    const [answer] = await committed.polls([record])
    if (answer === 'recorded') emit(polled(feed, record))
    return answer === 'recorded'
  }

  async function pageFailed(outcome: Failed, { articleId }: Extract<Task, { kind: 'article' }>): Promise<boolean> {
    const [article] = await retryTransient('read articles', () => articleCatalogue.articlesById([articleId]))
    if (!article) return true
    const { failure } = outcome.result
    const { at } = outcome
    const dueAt = pageRetryAt(failure, article.failures, at, random())
    const result: ArticleResult = { kind: 'failed', failure, state: 'failed', ...(dueAt !== undefined && { dueAt }) }
    const [isTaken = false] = await committed.pages([
      { id: articleId, at, ...leaseOf(outcome.task), lineDueAt: clock.now(), result },
    ])
    if (isTaken) emit(pageEvent(outcome, articleId, at, result))
    return isTaken
  }

  async function handBack(task: Task, dueAt: Instant): Promise<void> {
    if (task.kind === 'hub') return pushes?.wait([{ task, until: dueAt }])
    await retryTransient('release leases', async () => {
      if (task.kind === 'article') await agenda.handBackArticles([{ id: task.articleId, ...leaseOf(task), dueAt }])
      else await agenda.handBack(itemsOf(task).map((item) => ({ ...item, dueAt })))
    })
  }
}
