/** Hosts, robots.txt files and failed probes of the memory store. */
import type { Host, SiteRobots } from '../../model/index.ts'
import { MAX_FAILED_PROBES, type Store } from '../../ports/index.ts'
import type { RetentionMethods } from '../methods.ts'
import { copyOf } from './copy.ts'
import type { State } from './state.ts'

type SiteMethods = Pick<Store, 'hosts' | 'restingHosts' | 'robots' | 'failedProbes' | 'recordSites'> &
  Pick<RetentionMethods, 'forgetRobots' | 'trimRobots'>

export function siteRecordsOf({ hosts, robots, failedProbes }: State): SiteMethods {
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
    async hosts(roots = [...hosts.keys()]) {
      return copyOf([...new Set(roots)].flatMap((root) => hosts.get(root) ?? []))
    },

    async restingHosts(now, limit) {
      const resting = [...hosts.values()].filter(({ notBeforeAt }) => notBeforeAt > now)
      resting.sort((a, b) => a.notBeforeAt - b.notBeforeAt || (a.root < b.root ? -1 : 1))
      return { hosts: copyOf(resting.slice(0, limit)), all: resting.length }
    },

    async failedProbes(hosts, since) {
      return hosts.flatMap((host) => {
        const recent = [...failedProbes.values()].filter((probe) => probe.host === host && probe.at >= since)
        return copyOf(recent.sort((a, b) => b.at - a.at || (a.url < b.url ? -1 : 1)).slice(0, MAX_FAILED_PROBES))
      })
    },
    async robots(origins) {
      return origins.map((origin) => copyOf(robots.get(origin)?.record))
    },
    async recordSites({ hosts: changed = [], robots: fetched, failedProbes: probes }) {
      for (const site of copyOf(fetched?.sites ?? [])) robots.set(site.origin, site)
      for (const root of new Set(fetched?.sites.map((site) => site.root))) {
        const ofRoot = oldestFirst().filter((site) => site.root === root)
        dropOldest(ofRoot, fetched!.maxBytesPerRoot, ofRoot.length - 1)
      }
      if (probes)
        for (const { url, at } of [...failedProbes.values()]) if (at < probes.keepSince) failedProbes.delete(url)
      for (const probe of copyOf(probes?.found ?? [])) failedProbes.set(probe.url, probe)
      for (const host of copyOf(changed)) {
        if (isWorthKeeping(host)) hosts.set(host.root, host)
        else hosts.delete(host.root)
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

function isWorthKeeping({ strikes, adaptiveGap, crawlDelay, incident }: Host): boolean {
  return strikes > 0 || adaptiveGap !== undefined || crawlDelay !== undefined || incident !== undefined
}
