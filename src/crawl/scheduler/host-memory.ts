/**
 * Cache of host state for pacing and admission. The store has all hosts; memory holds the most recently visited and loads any other
 * before it is visited, so the cost of a start or takeover does not grow with the number of hosts. Every host that outcomes
 * mention is updated (backoff, gaps, Crawl-delay, incidents); changes are saved once per batch.
 *
 * The host of an outcome is the one that answered, which after redirects is not the feed's own. On a hosting platform it is the
 * tenant: one tenant's limits do not apply to its neighbours. Stores identify a host by its `root`.
 */
import type { FailedProbe, Host, Instant, Outcome, SiteRobots, Task } from '../../model/index.ts'
import {
  crawlDelayAfter,
  factorAt,
  gapAfter,
  type HostQueue,
  hostPauseAfter,
  hostSlotsOf,
  MAX_RETRY_AFTER_MS,
  rootOf,
  tenantOf,
} from '../../politeness/index.ts'
import type { PollResults } from '../../ports/index.ts'
import type { CrawlEvent } from '../crawler.ts'
import type { ErrorBoundary } from '../error-boundary.ts'
import { FAILED_PROBE_TTL_MS } from '../fetcher/failed-probes.ts'
import { tenantsOf } from '../task.ts'
import { createIncidents, type Incidents } from './incidents.ts'

export interface HostMemory {
  /** Loads hosts that are not in memory from the store. Must be called before they are visited and before `learn`. */
  load(roots: Iterable<string>, now: Instant): Promise<void>
  /** Drops hosts that another controller owns now. */
  forget(isForgotten: (root: string) => boolean): void
  /** Learns from outcomes. Returns those that are failures of a host and do not count as failures of the feed. */
  learn(outcomes: Outcome[], now: Instant): ReadonlySet<Outcome>
  /** Saves changes since the last save. */
  save(now: Instant): Promise<void>
  /** Until when one more visit has to wait because of an incident; undefined if it need not. */
  incidentWait: Incidents['waitOf']
}

export interface HostMemoryParts {
  pollResults: PollResults
  hostQueue: HostQueue
  random: () => number
  errorBoundary: ErrorBoundary
  emit: (event: CrawlEvent) => void
}

/** In memory. Beyond this, the least recently visited are evicted, and loaded again when they are due. */
const MAX_HOSTS = 20_000
/** Enough for thousands of sites with the usual few lines, but not for many large robots.txt files. */
const MAX_ROBOTS_BYTES_PER_ROOT = 4_000_000

export function createHostMemory({ pollResults, hostQueue, random, errorBoundary, emit }: HostMemoryParts): HostMemory {
  /** In order of their last visit. Includes hosts without any state, so that they are not loaded again. */
  const hosts = new Map<string, Host>()
  /** Not saved yet. */
  const changed = new Map<string, Host>()
  const robots: SiteRobots[] = []
  const failedProbes: FailedProbe[] = []
  const incidents = createIncidents(random, emit)

  /** Undefined removes a property. */
  function change(root: string, learnt: { [Name in keyof Host]?: Host[Name] | undefined }): void {
    const all = Object.entries({ ...(hosts.get(root) ?? unknownHost(root)), ...learnt })
    const host = Object.fromEntries(all.filter(([, value]) => value !== undefined)) as unknown as Host
    changed.set(root, host)
    remember(host)
  }

  function remember(host: Host): void {
    hosts.delete(host.root)
    hosts.set(host.root, host)
    if (hosts.size > MAX_HOSTS) evictOldest()
  }

  /** Evicts from memory only: the store keeps the host's state. */
  function evictOldest(): void {
    for (const root of hosts.keys()) {
      if (changed.has(root)) continue
      const { notBeforeAt } = hosts.get(root)!
      hosts.delete(root)
      if (notBeforeAt > 0) hostQueue.pause(unknownHost(root))
      updatePace(root)
      return
    }
  }

  /** Learns how long the root asks to be left alone, and its adaptive gap. */
  function learnRestAndGap(root: string, { result }: Outcome, now: Instant): void {
    const failure = result.kind === 'failed' ? result.failure : undefined
    const before = hosts.get(root)
    const paused = hostPauseAfter(before, root, failure, now, random())
    const adaptiveGap = gapAfter(before?.adaptiveGap, failure, now)
    if (paused) {
      const { notBeforeAt, strikes, trouble } = paused
      change(root, { notBeforeAt, strikes, trouble })
      hostQueue.pause(paused)
      if (failure) emit({ kind: 'host-backing-off', at: now, root, until: notBeforeAt, failure })
    }
    const isRecovered =
      before?.adaptiveGap && before.adaptiveGap.refusals === 0 && factorAt(before.adaptiveGap, now) <= 1
    if (adaptiveGap || isRecovered) {
      const isUsual = adaptiveGap === undefined || (adaptiveGap.refusals === 0 && factorAt(adaptiveGap, now) <= 1)
      change(root, { adaptiveGap: isUsual ? undefined : adaptiveGap })
      updatePace(root)
    }
  }

  function learnDelay({ robots = [] }: Outcome): void {
    for (const site of robots) {
      const root = tenantOf(site.origin)
      const before = hosts.get(root)?.crawlDelay
      const crawlDelay = crawlDelayAfter(before, site)
      if (crawlDelay === before) continue
      change(root, { crawlDelay })
      updatePace(root)
    }
  }

  function updatePace(root: string): void {
    const { adaptiveGap, crawlDelay } = hosts.get(root) ?? {}
    hostQueue.setGapState(root, { ...(adaptiveGap && { adaptiveGap }), ...(crawlDelay && { crawlDelay }) })
  }

  return {
    incidentWait: incidents.waitOf,

    async load(roots, now) {
      const unknown = new Set<string>()
      for (const root of roots) {
        const host = hosts.get(root)
        if (host) remember(host)
        else unknown.add(root)
      }
      if (unknown.size === 0) return
      const stored = new Map((await pollResults.hosts([...unknown])).map((host) => [host.root, host]))
      for (const root of unknown) {
        if (hosts.has(root)) continue // learnt meanwhile
        const host = stored.get(root) ?? unknownHost(root)
        const notBeforeAt = Math.min(host.notBeforeAt, now + MAX_RETRY_AFTER_MS)
        remember({ ...host, notBeforeAt })
        if (notBeforeAt > 0) hostQueue.pause({ ...host, notBeforeAt })
        if (host.adaptiveGap || host.crawlDelay) updatePace(root)
        if (host.incident) incidents.load(root, host.incident)
      }
    },

    forget(isForgotten) {
      for (const map of [hosts, changed]) for (const root of map.keys()) if (isForgotten(root)) map.delete(root)
      incidents.forget(isForgotten)
      hostQueue.forget(isForgotten)
    },

    learn(outcomes, now) {
      const excused = new Set<Outcome>()
      failedProbes.push(...outcomes.flatMap((outcome) => outcome.misses ?? []))
      robots.push(...outcomes.flatMap((outcome) => outcome.robots ?? []))
      for (const outcome of outcomes)
        try {
          learnDelay(outcome)
          for (const root of hostsOfOutcome(outcome)) {
            learnRestAndGap(root, outcome, now)
            const update = incidents.learn(root, outcome)
            if (update?.isExcused) excused.add(outcome)
            if (update && 'incident' in update) change(root, { incident: update.incident })
          }
        } catch (error) {
          errorBoundary.report(`learning about the host of ${outcome.task.url}`, error)
        }
      return excused
    },

    async save(now) {
      const [savedRobots, savedProbes, savedHosts] = [[...robots], [...failedProbes], [...changed]]
      if (savedRobots.length + savedProbes.length + savedHosts.length === 0) return
      await errorBoundary.guard('saving the state of hosts', () =>
        pollResults.recordSites({
          hosts: savedHosts.map(([, host]) => host),
          robots: { sites: savedRobots.map(withRoot), maxBytesPerRoot: MAX_ROBOTS_BYTES_PER_ROOT },
          ...(savedProbes.length > 0 && {
            failedProbes: { found: savedProbes, keepSince: now - FAILED_PROBE_TTL_MS },
          }),
        }),
      )
      robots.splice(0, savedRobots.length)
      failedProbes.splice(0, savedProbes.length)
      for (const [root, host] of savedHosts) if (changed.get(root) === host) changed.delete(root)
    },
  }
}

/** The hosts that an outcome is about: the one that failed, or else all that answered. */
function hostsOfOutcome({ task, result }: Outcome): string[] {
  if (result.kind === 'failed') return [tenantOf(result.from ?? task.url)]
  const finalUrl = 'arrival' in result ? result.arrival?.finalUrl : undefined
  return [...new Set([task.url, finalUrl ?? task.url].map(tenantOf))]
}

function withRoot(site: SiteRobots): SiteRobots & { root: string } {
  return { ...site, root: rootOf(site.origin) }
}

/** A host without any state. */
function unknownHost(root: string): Host {
  return { root, notBeforeAt: 0, strikes: 0 }
}

/** All hosts that these tasks may visit: each tenant, and the platform it is on. */
export function hostsOfTasks(tasks: Iterable<Task>): string[] {
  return [...new Set([...tasks].flatMap(tenantsOf).flatMap(hostSlotsOf))]
}

/** All hosts that these outcomes are about. */
export function hostsOfOutcomes(outcomes: Iterable<Outcome>): string[] {
  return [
    ...new Set([...outcomes].flatMap((outcome) => [...hostsOfOutcome(outcome), ...(outcome.robots ?? []).map(siteOf)])),
  ]
}

function siteOf({ origin }: SiteRobots): string {
  return tenantOf(origin)
}
