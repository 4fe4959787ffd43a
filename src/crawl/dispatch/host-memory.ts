/**
 * What is known of hosts: told to the pace, and to the store for the next start. Each host that outcomes speak of is looked
 * at by all who learn from them (rests, gaps, Crawl-delay, incidents); what changed is written once a batch.
 *
 * A host is whoever answered, which is not the feed's own where redirects led away; and on a hosting platform it is the
 * tenant: what one asks for is not asked of its neighbours. Stores name it by its `root`.
 */
import type { Host, Instant, Miss, Outcome, SiteRobots } from '../../model/index.ts'
import {
  crawlDelayAfter,
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
import { MISSES_KEPT_MS } from '../terminal/failed-probes.ts'
import type { Wall } from '../wall.ts'
import { createIncidents, type Incidents } from './incidents.ts'

export interface HostMemory {
  /** Reads what the store knows, of all hosts or of these. */
  begin(now: Instant, isOurs?: (root: string) => boolean): Promise<void>
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

/** Who was heard of longest ago is forgotten, as if it had never asked for anything. */
const MOST_HOSTS = 20_000
/** Room for thousands of sites with the usual few lines, but not for many of those that fill pages. */
const MOST_ROBOTS_BYTES_OF_ROOT = 4_000_000

export function createHostMemory({ ledger, pace, random, wall, emit }: HostMemoryParts): HostMemory {
  const hosts = new Map<string, Host>()
  const changed = new Map<string, Host>()
  const robots: SiteRobots[] = []
  const missed: Miss[] = []
  const incidents = createIncidents(random, emit)

  /** Undefined takes something away. */
  function change(root: string, learnt: { [Name in keyof Host]?: Host[Name] | undefined }): void {
    const all = Object.entries({ ...(hosts.get(root) ?? { root, notBeforeAt: 0, strikes: 0 }), ...learnt })
    const host = Object.fromEntries(all.filter(([, value]) => value !== undefined)) as unknown as Host
    changed.set(root, host)
    hosts.delete(root)
    if (isWorthKeeping(host)) hosts.set(root, host)
    forgetOldest()
  }

  function forgetOldest(): void {
    const [oldest] = hosts.keys()
    if (hosts.size <= MOST_HOSTS || oldest === undefined) return
    const stranger = { root: oldest, notBeforeAt: 0, strikes: 0 }
    hosts.delete(oldest)
    changed.set(oldest, stranger)
    pace.rest(stranger)
    tellPace(oldest)
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

    async begin(now, isOurs = () => true) {
      for (const kept of await ledger.hosts()) {
        if (!isOurs(kept.root)) continue
        const host = { ...kept, notBeforeAt: Math.min(kept.notBeforeAt, now + LONGEST_RETRY_MS) }
        hosts.set(host.root, host)
        pace.rest(host)
        tellPace(host.root)
        if (host.incident) incidents.recall(host.root, host.incident)
        forgetOldest()
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

function isWorthKeeping({ strikes, adaptiveGap, crawlDelay, incident }: Host): boolean {
  return strikes > 0 || adaptiveGap !== undefined || crawlDelay !== undefined || incident !== undefined
}
