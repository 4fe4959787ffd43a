/**
 * The robots.txt rules of sites, cached by a fetcher while they are valid (one day at most). /robots.txt is fetched once for each scheme,
 * host and port. New rules return with the next outcome and are stored, and stored ones arrive with tasks, so sites get no extra
 * requests after a restart.
 */
import {
  type Failure,
  type Instant,
  type Millis,
  originOf,
  type RobotsRecord,
  type SiteRobots,
  type WebAddress,
} from '../../model/index.ts'
import { isAllowed, MAX_ROBOTS_BYTES, robotsAfter } from '../../politeness/index.ts'
import type { Clock, Net } from '../../ports/index.ts'

export interface RobotsCache {
  /** Whether this address may be fetched. If robots.txt had to be fetched first, it resolves after the gap that the host is due. */
  allows(url: WebAddress, gapMs: Millis, signal: AbortSignal): Promise<boolean>
  /** Why this address may not be fetched: the rules forbid it, or could not be fetched. Undefined if it may. */
  forbids(url: WebAddress, gapMs: Millis, signal: AbortSignal): Promise<Failure | undefined>
  /** The sitemaps that the site's robots.txt names. */
  sitemaps(url: WebAddress, gapMs: Millis, signal: AbortSignal): Promise<readonly string[]>
  /** The gap between requests to this host: `gapMs`, or the longer Crawl-delay of its robots.txt, if cached. */
  gapMs(url: WebAddress, gapMs: Millis): Millis
  /** Adds rules that another fetcher fetched for the site of this address. */
  add(url: WebAddress, record: RobotsRecord): void
  /** The rules fetched since the last call. */
  takeNew(): SiteRobots[]
  /** The same cache, fetching through this net. */
  withNet(net: Net): RobotsCache
}

const MAX_SITES = 5000
/** Limit for all sites together. Evicted rules arrive again from the store with the next task. */
const MAX_BYTES = 16_000_000

export function createRobotsCache({ net, clock }: { net: Net; clock: Clock }): RobotsCache {
  const records = new Map<string, RobotsRecord>()
  let fetched: SiteRobots[] = []
  let bytes = 0

  function drop(origin: string): void {
    bytes -= bytesOf(records.get(origin))
    records.delete(origin)
  }

  /** Evicts the least recently used. */
  function remember(origin: WebAddress, record: RobotsRecord): void {
    drop(origin)
    records.set(origin, record)
    bytes += bytesOf(record)
    for (const oldest of records.keys()) {
      if (oldest === origin || (records.size <= MAX_SITES && bytes <= MAX_BYTES)) return
      drop(oldest)
    }
  }

  function gapFor(origin: WebAddress, gapMs: Millis): Millis {
    return Math.max(gapMs, records.get(origin)?.robots.crawlDelayMs ?? 0)
  }

  async function recordOf(
    requestNet: Net,
    origin: WebAddress,
    gapMs: Millis,
    signal: AbortSignal,
  ): Promise<RobotsRecord> {
    const cached = records.get(origin)
    if (cached) remember(origin, cached)
    if (cached && isFresh(cached, clock.now())) return cached
    await clock.sleepUntil(clock.now() + gapMs, signal) // the host may have been visited just now
    const answer = await requestNet.get({ url: `${origin}/robots.txt`, enoughBytes: MAX_ROBOTS_BYTES + 1, signal })
    const record = robotsAfter(answer, clock.now(), cached)
    // An aborted or forbidden request says nothing about the site.
    if (signal.aborted || (!answer.ok && answer.failure.kind === 'forbidden-address')) return record
    remember(origin, record)
    fetched.push({ origin, record })
    await clock.sleepUntil(clock.now() + gapFor(origin, gapMs), signal)
    return record
  }

  function withNet(requestNet: Net): RobotsCache {
    const forbids: RobotsCache['forbids'] = async (url, gapMs, signal) => {
      const { pathname, search } = new URL(url)
      const { robots, found } = await recordOf(requestNet, originOf(url), gapMs, signal)
      if (isAllowed(robots, pathname + search)) return undefined
      if (found === 'unreachable') return { kind: 'unreachable', detail: 'its robots.txt could not be fetched' }
      return { kind: 'forbidden-by-robots' }
    }
    return {
      forbids,
      allows: async (url, gapMs, signal) => (await forbids(url, gapMs, signal)) === undefined,
      sitemaps: async (url, gapMs, signal) =>
        (await recordOf(requestNet, originOf(url), gapMs, signal)).robots.sitemaps ?? [],
      gapMs: (url, gapMs) => gapFor(originOf(url), gapMs),
      add(url, record) {
        const origin = originOf(url)
        if ((records.get(origin)?.fetchedAt ?? 0) < record.fetchedAt) remember(origin, record)
      },
      takeNew() {
        const taken = fetched
        fetched = []
        return taken
      },
      withNet,
    }
  }

  return withNet(net)
}

/** Approximate memory use. */
function bytesOf(record: RobotsRecord | undefined): number {
  if (!record) return 0
  const { rules, sitemaps = [] } = record.robots
  return [...rules, ...sitemaps].reduce((sum, text) => sum + text.length + 32, 256)
}

function isFresh({ until }: RobotsRecord, now: Instant): boolean {
  return now < until
}
