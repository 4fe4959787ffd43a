/**
 * Applies outcomes of completed tasks: learns about hosts, records polls and articles, counts polls, updates hub subscriptions. Each
 * step is retried on its own while the store fails (retried-steps.ts); the steps before it are not repeated.
 */
import type { Instant, Outcome } from '../../model/index.ts'
import type { ErrorBoundary } from '../error-boundary.ts'
import type { Recorder } from '../recorder/record-outcomes.ts'
import type { RetryTransient } from '../retried-steps.ts'
import type { HubSubscriptions } from '../websub/hub-subscriptions.ts'
import type { ArticleScheduling } from './article-scheduling.ts'
import type { Budget } from './budget.ts'
import { type HostMemory, hostsOfOutcomes } from './host-memory.ts'
import type { RedirectPacing } from './redirect-pacing.ts'
import type { RedirectTargets } from './redirect-targets.ts'
import type { LeaseReleaser } from './release-leases.ts'

export interface OutcomeApplierParts {
  retryTransient: RetryTransient
  errorBoundary: ErrorBoundary
  redirectPacing: Pick<RedirectPacing, 'releaseAfter'>
  hosts: Pick<HostMemory, 'load' | 'learn' | 'save'>
  articles: Pick<ArticleScheduling, 'learn'>
  leaseReleaser: Pick<LeaseReleaser, 'release'>
  redirectTargets: Pick<RedirectTargets, 'record'>
  recorder: Pick<Recorder, 'record'>
  budget: Pick<Budget, 'countPolls'>
  hubSubscriptions?: Pick<HubSubscriptions, 'recordAnswers'> | undefined
}

/** Applies outcomes of tasks that were in flight. Call it once per outcome. */
export function createOutcomeApplier(parts: OutcomeApplierParts): (outcomes: Outcome[], now: Instant) => Promise<void> {
  const {
    retryTransient,
    errorBoundary,
    redirectPacing,
    hosts,
    articles,
    leaseReleaser,
    redirectTargets,
    recorder,
    budget,
    hubSubscriptions,
  } = parts

  return async (outcomes, now) => {
    for (const outcome of outcomes)
      await errorBoundary.guard(`releasing the host slots of ${outcome.task.url}`, () =>
        redirectPacing.releaseAfter(outcome, now),
      )
    const unsent = outcomes.filter(({ result }) => result.kind === 'unsent')
    const redirected = outcomes.filter(({ result }) => result.kind === 'elsewhere')
    const done = outcomes.filter(({ result }) => result.kind !== 'elsewhere' && result.kind !== 'unsent')
    await retryTransient('read hosts', () => hosts.load(hostsOfOutcomes([...redirected, ...done]), now))
    const excused = hosts.learn([...redirected, ...done], now)
    articles.learn(done)
    await retryTransient('release leases', () => leaseReleaser.release(unsent.map(({ task }) => ({ task }))))
    await retryTransient('save hosts', () => hosts.save(now))
    await errorBoundary.guard('recording redirect targets', () =>
      retryTransient('record redirect targets', () => redirectTargets.record(redirected)),
    )
    const counts = await recorder.record(done, excused)
    const others = done.filter(({ task }) => task.kind === 'poll').length - counts.following
    await errorBoundary.guard('counting polls', () => budget.countPolls({ ...counts, others }, now, retryTransient))
    await hubSubscriptions?.recordAnswers([...redirected, ...done])
  }
}
