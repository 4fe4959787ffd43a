/** The memory store's subscriptions at hubs, and what sites ask of crawlers. */
import { bucketOf, type Owned, type Push, type SiteRobots } from '../../model/index.ts'
import { MOST_MISSES, type Store } from '../../ports/index.ts'
import type { PushMethods } from '../methods.ts'
import { copyOf } from './copy.ts'
import { owns } from './ownership.ts'
import type { State } from './state.ts'

export function pushesOf(state: State): PushMethods {
  const { pushes } = state
  const ours = ({ bucket, hub }: Push, owned: Owned | undefined) =>
    owns(state, bucket ?? bucketOf(new URL(hub).hostname), owned)
  const byDate = () => [...pushes.values()].sort((a, b) => a.dueAt - b.dueAt || (a.token < b.token ? -1 : 1))
  return {
    async pushByToken(token) {
      return copyOf(pushes.get(token))
    },
    async pushesOf(ids) {
      const byFeed = new Map([...pushes.values()].filter(isAFeeds).map((push) => [push.feedId, push]))
      return ids.map((id) => copyOf(byFeed.get(id)))
    },
    async *everyPush() {
      for (const push of [...pushes.values()]) if (isAFeeds(push)) yield copyOf(push)
    },
    async duePushes(now, limit, owned) {
      return copyOf(byDate().filter((push) => push.dueAt <= now && ours(push, owned))).slice(0, limit)
    },
    async nextHubAt(owned) {
      return byDate().find((push) => ours(push, owned))?.dueAt
    },
    async recordPushes(given) {
      return copyOf(given).map((push) => {
        if (pushes.get(push.token)?.revision !== push.revision) return false
        pushes.set(push.token, { ...push, revision: push.revision === undefined ? 0 : push.revision + 1 })
        return true
      })
    },
    async dropPushes(given) {
      return given.map(({ token, revision }) => pushes.get(token)?.revision === revision && pushes.delete(token))
    },
  }
}

type RobotsMethods = 'robots' | 'recordRobots' | 'forgetRobots' | 'shrinkRobots' | 'misses' | 'recordMisses'

export function robotsOf({ robots, misses }: State): Pick<Store, RobotsMethods> {
  const oldestFirst = () => [...robots.values()].sort((a, b) => a.record.fetchedAt - b.record.fetchedAt)
  const bytesOf = ({ origin, record }: SiteRobots) => origin.length + JSON.stringify(record).length

  /** So many of the first that what is left fits; says how many those were. */
  function shrink(sites: SiteRobots[], most: number, limit: number): number {
    let left = sites.reduce((sum, site) => sum + bytesOf(site), 0)
    let dropped = 0
    for (const site of sites.slice(0, limit)) {
      if (left <= most) break
      left -= bytesOf(site)
      robots.delete(site.origin)
      dropped++
    }
    return dropped
  }

  return {
    async misses(hosts, since) {
      return hosts.flatMap((host) => {
        const some = [...misses.values()].filter((miss) => miss.host === host && miss.at >= since)
        return copyOf(some.sort((a, b) => b.at - a.at || (a.url < b.url ? -1 : 1)).slice(0, MOST_MISSES))
      })
    },
    async recordMisses(more, before) {
      for (const { url, at } of [...misses.values()]) if (at < before) misses.delete(url)
      for (const miss of copyOf(more)) misses.set(miss.url, miss)
    },
    async robots(origins) {
      return origins.map((origin) => copyOf(robots.get(origin)?.record))
    },
    async recordRobots(sites, mostBytesOfRoot) {
      for (const site of copyOf(sites)) robots.set(site.origin, site)
      for (const root of new Set(sites.map((site) => site.root))) {
        const ofRoot = oldestFirst().filter((site) => site.root === root)
        shrink(ofRoot, mostBytesOfRoot, ofRoot.length - 1)
      }
    },
    async forgetRobots(before, limit) {
      const dropped = oldestFirst()
        .filter(({ record }) => record.fetchedAt < before)
        .slice(0, limit)
      for (const { origin } of dropped) robots.delete(origin)
      return dropped.length
    },
    async shrinkRobots(bytes, limit) {
      return shrink(oldestFirst(), bytes, limit)
    },
  }
}

function isAFeeds({ state }: Push): boolean {
  return state !== 'ending'
}
