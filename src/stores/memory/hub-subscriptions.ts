/** Hub subscriptions, robots rules and failed probes of the memory store. */
import { bucketOf, type HubSubscription, type Owned, type SiteRobots } from '../../model/index.ts'
import { MAX_FAILED_PROBES, type Store } from '../../ports/index.ts'
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

type RobotsMethods = 'robots' | 'recordRobots' | 'forgetRobots' | 'trimRobots' | 'failedProbes' | 'recordFailedProbes'

export function robotsOf({ robots, failedProbes }: State): Pick<Store, RobotsMethods> {
  const oldestFirst = () => [...robots.values()].sort((a, b) => a.record.fetchedAt - b.record.fetchedAt)
  const bytesOf = ({ origin, record }: SiteRobots) => origin.length + JSON.stringify(record).length

  /** Drops the first sites until the rest fits into `maxBytes`. Returns how many were dropped. */
  function dropOldest(sites: SiteRobots[], maxBytes: number, limit: number): number {
    let remainingBytes = sites.reduce((sum, site) => sum + bytesOf(site), 0)
    let dropped = 0
    for (const site of sites.slice(0, limit)) {
      if (remainingBytes <= maxBytes) break
      remainingBytes -= bytesOf(site)
      robots.delete(site.origin)
      dropped++
    }
    return dropped
  }

  return {
    async failedProbes(hosts, since) {
      return hosts.flatMap((host) => {
        const recent = [...failedProbes.values()].filter((probe) => probe.host === host && probe.at >= since)
        return copyOf(recent.sort((a, b) => b.at - a.at || (a.url < b.url ? -1 : 1)).slice(0, MAX_FAILED_PROBES))
      })
    },
    async recordFailedProbes(newProbes, before) {
      for (const { url, at } of [...failedProbes.values()]) if (at < before) failedProbes.delete(url)
      for (const probe of copyOf(newProbes)) failedProbes.set(probe.url, probe)
    },
    async robots(origins) {
      return origins.map((origin) => copyOf(robots.get(origin)?.record))
    },
    async recordRobots(sites, maxBytesPerRoot) {
      for (const site of copyOf(sites)) robots.set(site.origin, site)
      for (const root of new Set(sites.map((site) => site.root))) {
        const ofRoot = oldestFirst().filter((site) => site.root === root)
        dropOldest(ofRoot, maxBytesPerRoot, ofRoot.length - 1)
      }
    },
    async forgetRobots(before, limit) {
      const dropped = oldestFirst()
        .filter(({ record }) => record.fetchedAt < before)
        .slice(0, limit)
      for (const { origin } of dropped) robots.delete(origin)
      return dropped.length
    },
    async trimRobots(bytes, limit) {
      return dropOldest(oldestFirst(), bytes, limit)
    },
  }
}

function belongsToFeed({ state }: HubSubscription): boolean {
  return state !== 'ending'
}
