/**
 * Receives requests of hubs in a process that does not crawl. The owner of the hub's bucket answers whether a subscription was intended.
 * Pushes are acknowledged once the queue stores them for that owner.
 */
import { bucketOf, type HubSubscription } from '../../model/index.ts'
import { rootOf } from '../../politeness/index.ts'
import type { Catalogue, Clock, Fleet, PollResults, StorePushedDocument } from '../../ports/index.ts'
import type { PushReceiver, PushResponse } from '../crawler.ts'
import { createPushReader } from './receive-push.ts'

export interface PushEndpointParts {
  pollResults: Pick<PollResults, 'hubSubscriptionByToken'>
  catalogue: Pick<Catalogue, 'feedsById'>
  clock: Clock
  fleet: Pick<Fleet, 'ask'>
  keepPushed: StorePushedDocument
}

export function createPushEndpoint({
  pollResults,
  catalogue,
  clock,
  fleet,
  keepPushed,
}: PushEndpointParts): PushReceiver {
  const readPush = createPushReader(clock)
  const bucketOfSubscription = ({ bucket, hub }: HubSubscription) => bucket ?? bucketOf(rootOf(hub))

  return {
    async confirm(token, query) {
      const subscription = await pollResults.hubSubscriptionByToken(token)
      if (!subscription) return { status: 404 }
      try {
        return (await fleet.ask(bucketOfSubscription(subscription), { kind: 'confirm', token, query })) as PushResponse
      } catch {
        return { status: 503 } // during a bucket handoff; the hub or we retry
      }
    },
    async receive(token, request) {
      const subscription = await pollResults.hubSubscriptionByToken(token)
      const [scheduled] = subscription ? await catalogue.feedsById([subscription.feedId]) : []
      if (!subscription || subscription.state === 'ending' || scheduled?.feed.state !== 'active') return { status: 410 }
      const result = await readPush(token, request, subscription.secret)
      if (result.kind === 'not-now') return { status: 503 }
      if (result.kind === 'unsigned') return { status: 202 } // as WebSub requires (8): a guess of the secret gets no feedback
      try {
        await keepPushed({
          token,
          bucket: bucketOfSubscription(subscription),
          headers: request.headers,
          body: result.body,
        })
        return { status: 202 }
      } catch {
        return { status: 503 }
      } finally {
        result.release()
      }
    },
  }
}
