/** Hub subscriptions, robots rules and failed probes of the memory store. */
import { bucketOf, type HubSubscription, type Owned } from '../../model/index.ts'
import type { HubSubscriptionMethods } from '../methods.ts'
import { copyOf } from './copy.ts'
import { owns } from './ownership.ts'
import type { State } from './state.ts'

export function hubSubscriptionsOf(state: State): HubSubscriptionMethods {
  const { hubSubscriptions } = state
  const isOwned = ({ bucket, hub }: HubSubscription, owned: Owned | undefined) =>
    owns(state, bucket ?? bucketOf(new URL(hub).hostname), owned)
  const byDate = () => [...hubSubscriptions.values()].sort((a, b) => a.dueAt - b.dueAt || (a.token < b.token ? -1 : 1))
  return {
    async hubSubscriptionByToken(token) {
      return copyOf(hubSubscriptions.get(token))
    },
    async hubSubscriptionsOf(ids) {
      const byFeed = new Map(
        [...hubSubscriptions.values()].filter(belongsToFeed).map((subscription) => [subscription.feedId, subscription]),
      )
      return ids.map((id) => copyOf(byFeed.get(id)))
    },
    async *everyHubSubscription() {
      for (const subscription of [...hubSubscriptions.values()])
        if (belongsToFeed(subscription)) yield copyOf(subscription)
    },
    async dueHubSubscriptions(now, limit, owned) {
      return copyOf(byDate().filter((subscription) => subscription.dueAt <= now && isOwned(subscription, owned))).slice(
        0,
        limit,
      )
    },
    async nextHubAt(owned) {
      return byDate().find((subscription) => isOwned(subscription, owned))?.dueAt
    },
    async recordHubSubscriptions(inputs) {
      return copyOf(inputs).map((subscription) => {
        if (hubSubscriptions.get(subscription.token)?.revision !== subscription.revision) return false
        hubSubscriptions.set(subscription.token, {
          ...subscription,
          revision: subscription.revision === undefined ? 0 : subscription.revision + 1,
        })
        return true
      })
    },
    async dropHubSubscriptions(inputs) {
      return inputs.map(
        ({ token, revision }) => hubSubscriptions.get(token)?.revision === revision && hubSubscriptions.delete(token),
      )
    },
  }
}

function belongsToFeed({ state }: HubSubscription): boolean {
  return state !== 'ending'
}
