/**
 * What is known of hosts, for the pace and for admission. The store has it; memory holds those that were visited last, and asks the
 * store for any other before it is visited. So what a start or a takeover reads does not grow with the number of hosts. Each host that
 * outcomes speak of is looked at by all who learn from them (rests, gaps, Crawl-delay, incidents); what changed is written once a batch.
 *
 * A host is whoever answered, which is not the feed's own where redirects led away; and on a hosting platform it is the
 * tenant: what one asks for is not asked of its neighbours. Stores name it by its `root`.
 */
import type { Host, Instant, Miss, Outcome, SiteRobots, Task } from '../../model/index.ts'
import {
  crawlDelayAfter,
  doorsOf,
  factorAt,
  gapAfter,
  hostAfter,
  LONGEST_RETRY_MS,
  type Pace,
  rootOf,
  tenantOf,
} from '../../politeness/index.ts'
import type { Ledger } from '../../ports/index.ts'
import type { CrawlEvent } from '../crawler.ts'
import type { Wall } from '../error-boundary.ts'
import { MISSES_KEPT_MS } from '../fetcher/failed-probes.ts'
import { tenantsOf } from '../task.ts'
import { createIncidents, type Incidents } from './incidents.ts'

export interface HostMemory {
  /** Reads what the store knows of these hosts and memory does not: before they are visited, and before it learns from their answers. */
  recall(roots: Iterable<string>, now: Instant): Promise<void>
  /** Others look after these. */
  forget(isTheirs: (root: string) => boolean): void
  /** Learns from outcomes; says which of them are failures of a host, and not to be counted as the feed's. */
  learn(outcomes: Outcome[], now: Instant): ReadonlySet<Outcome>
  /** Tells the store what was learnt since it was told last. */
  save(now: Instant): Promise<void>
  /** Whether an incident is in the way of one more visit. */
  mayGo: Incidents['mayGo']
}

export interface HostMemoryParts {
  ledger: Ledger
  pace: Pace
  random: () => number
  wall: Wall
  emit: (event: CrawlEvent) => void
}

/** In memory: of more, those that were visited longest ago are read again when they are due. */
const MOST_HOSTS = 20_000
/** Room for thousands of sites with the usual few lines, but not for many of those that fill pages. */
const MOST_ROBOTS_BYTES_OF_ROOT = 4_000_000

export function createHostMemory({ ledger, pace, random, wall, emit }: HostMemoryParts): HostMemory {
  /** Those that were visited last, last; also those of which there is nothing to say. */
  const hosts = new Map<string, Host>()
  /** Not in the store yet. */
  const changed = new Map<string, Host>()
  const robots: SiteRobots[] = []
  const missed: Miss[] = []
  const incidents = createIncidents(random, emit)

  /** Undefined takes something away. */
  function change(root: string, learnt: { [Name in keyof Host]?: Host[Name] | undefined }): void {
    const all = Object.entries({ ...(hosts.get(root) ?? stranger(root)), ...learnt })
    const host = Object.fromEntries(all.filter(([, value]) => value !== undefined)) as unknown as Host
    changed.set(root, host)
    remember(host)
  }

  function remember(host: Host): void {
    hosts.delete(host.root)
    hosts.set(host.root, host)
    if (hosts.size > MOST_HOSTS) evictOldest()
  }

  /** From memory alone: the store keeps what the host has asked for. */
  function evictOldest(): void {
    for (const root of hosts.keys()) {
      if (changed.has(root)) continue
      const { notBeforeAt } = hosts.get(root)!
      hosts.delete(root)
      if (notBeforeAt > 0) pace.rest(stranger(root))
      tellPace(root)
      return
    }
  }

  /** What each root asks of us, and what it teaches us about its gap. */
  function learnPatience(root: string, { result }: Outcome, now: Instant): void {
    const failure = result.kind === 'failed' ? result.failure : undefined
    const before = hosts.get(root)
    const rested = hostAfter(before, root, failure, now, random())
    const adaptiveGap = gapAfter(before?.adaptiveGap, failure, now)
    if (rested) {
      const { notBeforeAt, strikes, trouble } = rested
      change(root, { notBeforeAt, strikes, trouble })
      pace.rest(rested)
      if (failure) emit({ kind: 'host-rests', at: now, root, until: notBeforeAt, failure })
    }
    const isBack = before?.adaptiveGap && before.adaptiveGap.refusals === 0 && factorAt(before.adaptiveGap, now) <= 1
    if (adaptiveGap || isBack) {
      const isUsual = adaptiveGap === undefined || (adaptiveGap.refusals === 0 && factorAt(adaptiveGap, now) <= 1)
      change(root, { adaptiveGap: isUsual ? undefined : adaptiveGap })
      tellPace(root)
    }
  }

  function learnDelay({ robots = [] }: Outcome): void {
    for (const site of robots) {
      const root = tenantOf(site.origin)
      const before = hosts.get(root)?.crawlDelay
      const crawlDelay = crawlDelayAfter(before, site)
      if (crawlDelay === before) continue
      change(root, { crawlDelay })
      tellPace(root)
    }
  }

  function tellPace(root: string): void {
    const { adaptiveGap, crawlDelay } = hosts.get(root) ?? {}
    pace.learn(root, { ...(adaptiveGap && { adaptiveGap }), ...(crawlDelay && { crawlDelay }) })
  }

  return {
    mayGo: incidents.mayGo,

    async recall(roots, now) {
      const unknown = new Set<string>()
      for (const root of roots) {
        const host = hosts.get(root)
        if (host) remember(host)
        else unknown.add(root)
      }
      if (unknown.size === 0) return
      const kept = new Map((await ledger.hostsNamed([...unknown])).map((host) => [host.root, host]))
      for (const root of unknown) {
        if (hosts.has(root)) continue // it was learnt about meanwhile
        const host = kept.get(root) ?? stranger(root)
        const notBeforeAt = Math.min(host.notBeforeAt, now + LONGEST_RETRY_MS)
        remember({ ...host, notBeforeAt })
        if (notBeforeAt > 0) pace.rest({ ...host, notBeforeAt })
        if (host.adaptiveGap || host.crawlDelay) tellPace(root)
        if (host.incident) incidents.recall(root, host.incident)
      }
    },

    forget(isTheirs) {
      for (const known of [hosts, changed]) for (const root of known.keys()) if (isTheirs(root)) known.delete(root)
      incidents.forget(isTheirs)
      pace.forget(isTheirs)
    },

    learn(outcomes, now) {
      const excused = new Set<Outcome>()
      missed.push(...outcomes.flatMap((outcome) => outcome.misses ?? []))
      robots.push(...outcomes.flatMap((outcome) => outcome.robots ?? []))
      for (const outcome of outcomes)
        try {
          learnDelay(outcome)
          for (const root of answeredBy(outcome)) {
            learnPatience(root, outcome, now)
            const told = incidents.after(root, outcome)
            if (told?.isExcused) excused.add(outcome)
            if (told && 'incident' in told) change(root, { incident: told.incident })
          }
        } catch (error) {
          wall.report(`learning from what came of ${outcome.task.url}`, error)
        }
      return excused
    },

    async save(now) {
      const [sites, places, written] = [[...robots], [...missed], [...changed]]
      await wall.guarded('keeping what is known of hosts', async () => {
        if (sites.length > 0) await ledger.recordRobots(sites.map(withRoot), MOST_ROBOTS_BYTES_OF_ROOT)
        if (places.length > 0) await ledger.recordMisses(places, now - MISSES_KEPT_MS)
        if (written.length > 0) await ledger.recordHosts(written.map(([, host]) => host))
      })
      robots.splice(0, sites.length)
      missed.splice(0, places.length)
      for (const [root, host] of written) if (changed.get(root) === host) changed.delete(root)
    },
  }
}

/** Whom an outcome speaks of: of a failure the one who failed, else all who have answered well. */
function answeredBy({ task, result }: Outcome): string[] {
  if (result.kind === 'failed') return [tenantOf(result.from ?? task.url)]
  const finalUrl = 'arrival' in result ? result.arrival?.finalUrl : undefined
  return [...new Set([task.url, finalUrl ?? task.url].map(tenantOf))]
}

function withRoot(site: SiteRobots): SiteRobots & { root: string } {
  return { ...site, root: rootOf(site.origin) }
}

/** A host of which there is nothing to say. */
function stranger(root: string): Host {
  return { root, notBeforeAt: 0, strikes: 0 }
}

/** All hosts that a visit to these may speak of: a tenant, and the platform that it is on. */
export function hostsVisited(tasks: Iterable<Task>): string[] {
  return [...new Set([...tasks].flatMap(tenantsOf).flatMap(doorsOf))]
}

/** All hosts that these outcomes speak of. */
export function hostsHeardOf(outcomes: Iterable<Outcome>): string[] {
  return [...new Set([...outcomes].flatMap((one) => [...answeredBy(one), ...(one.robots ?? []).map(siteOf)]))]
}

function siteOf({ origin }: SiteRobots): string {
  return tenantOf(origin)
}
