/** Changes stored hub subscriptions, of which several processes may change the same one at once. */
import { isDeepStrictEqual } from 'node:util'
import type { HubSubscription, Instant } from '../../model/index.ts'
import type { PollResults } from '../../ports/index.ts'
import type { CrawlEvent, PushEventKind } from '../crawler.ts'
import { type RetryTransient, runRetried } from '../retried-steps.ts'

/** A change of a subscription, and the event to emit once it is written. */
export interface HubSubscriptionChange {
  /** Undefined: the subscription is removed. */
  after: HubSubscription | undefined
  event?: { what: PushEventKind; of: HubSubscription; at: Instant }
}

/**
 * Reads a subscription, changes it and writes it if its revision is still the same; otherwise it starts again. `by` computes the change
 * and has no effects.
 */
export type ChangeSubscription = (
  token: string,
  by: (subscription: HubSubscription) => HubSubscriptionChange,
  retry?: RetryTransient,
) => Promise<void>

const MAX_TRIES = 20 // concurrent writers may win as often

export function createHubSubscriptionChanger({
  pollResults,
  retryTransient,
  emit,
}: {
  pollResults: PollResults
  retryTransient: RetryTransient
  emit: (event: CrawlEvent) => void
}): ChangeSubscription {
  /** A failed write may have taken effect: then the stored subscription equals the intended one. */
  async function isWritten(
    before: HubSubscription,
    after: HubSubscription | undefined,
    retry: RetryTransient,
  ): Promise<boolean> {
    const write = () =>
      after ? pollResults.recordHubSubscriptions([after]) : pollResults.dropHubSubscriptions([before])
    const { answer, isRepeated } = await runRetried(retry, 'write a hub subscription', write)
    if (answer[0] || !isRepeated) return answer[0] === true
    const now = await retry('read hub subscriptions', () => pollResults.hubSubscriptionByToken(before.token))
    return isDeepStrictEqual(now, after && { ...after, revision: (before.revision ?? 0) + 1 })
  }

  return async (token, by, retry = retryTransient) => {
    for (let tries = 1; ; tries++) {
      const subscription = await retry('read hub subscriptions', () => pollResults.hubSubscriptionByToken(token))
      if (!subscription) return
      const { after, event } = by(subscription)
      if (after !== subscription && !(await isWritten(subscription, after, retry))) {
        if (tries < MAX_TRIES) continue
        throw new Error('the hub subscription keeps changing: too many concurrent writes')
      }
      if (event) emit(pushEvent(event.what, event.of, event.at))
      return
    }
  }
}

export function pushEvent(what: PushEventKind, { feedId, hub, trouble }: HubSubscription, at: Instant): CrawlEvent {
  return { kind: 'push', at, what, feedId, hub, ...(what === 'refused' && trouble && { failure: trouble }) }
}
