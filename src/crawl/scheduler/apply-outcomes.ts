/**
 * What is done with outcomes that have landed: hosts are learnt from, polls and pages recorded, polls counted, hubs heard. Each
 * step is repeated by itself while the store fails (retried-steps.ts), and what has been done before it is not done again.
 */
import type { Instant, Outcome } from '../../model/index.ts'
import type { Wall } from '../error-boundary.ts'
import type { Recorder } from '../recorder/record-outcomes.ts'
import type { RetryTransient } from '../retried-steps.ts'
import type { Pushes } from '../websub/hub-subscriptions.ts'
import type { PageTurns } from './article-scheduling.ts'
import type { Budget } from './budget.ts'
import { type HostMemory, hostsHeardOf } from './host-memory.ts'
import type { RedirectPace } from './redirect-pacing.ts'
import type { RedirectEnds } from './redirect-targets.ts'
import type { HandBack } from './release-leases.ts'

export interface ApplyingParts {
  retryTransient: RetryTransient
  wall: Wall
  redirectPace: Pick<RedirectPace, 'leave'>
  hosts: Pick<HostMemory, 'recall' | 'learn' | 'save'>
  pages: Pick<PageTurns, 'learn'>
  handBack: Pick<HandBack, 'release'>
  ends: Pick<RedirectEnds, 'note'>
  recorder: Pick<Recorder, 'record'>
  budget: Pick<Budget, 'count'>
  pushes?: Pick<Pushes, 'after'> | undefined
}

/** Applies outcomes that somebody waits for; each is given once. */
export function createApplying(parts: ApplyingParts): (outcomes: Outcome[], now: Instant) => Promise<void> {
  const { retryTransient, wall, redirectPace, hosts, pages, handBack, ends, recorder, budget, pushes } = parts

  return async (outcomes, now) => {
    for (const outcome of outcomes)
      await wall.guarded(`coming back from ${outcome.task.url}`, () => redirectPace.leave(outcome, now))
    const unsent = outcomes.filter(({ result }) => result.kind === 'unsent')
    const led = outcomes.filter(({ result }) => result.kind === 'elsewhere')
    const done = outcomes.filter(({ result }) => result.kind !== 'elsewhere' && result.kind !== 'unsent')
    await retryTransient('read hosts', () => hosts.recall(hostsHeardOf([...led, ...done]), now))
    const excused = hosts.learn([...led, ...done], now)
    pages.learn(done)
    await retryTransient('release leases', () => handBack.release(unsent.map(({ task }) => ({ task }))))
    await retryTransient('save hosts', () => hosts.save(now))
    await wall.guarded('noting where redirects lead', () =>
      retryTransient('note redirect targets', () => ends.note(led)),
    )
    const counted = await recorder.record(done, excused)
    const others = done.filter(({ task }) => task.kind === 'poll').length - counted.following
    await wall.guarded('counting polls', () => budget.count({ ...counted, others }, now, retryTransient))
    await pushes?.after([...led, ...done])
  }
}
