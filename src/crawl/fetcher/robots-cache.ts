/**
 * What sites ask of crawlers, kept by a terminal for as long as it holds (a day at most). One fetch of /robots.txt for each
 * scheme, host and port. What was fetched goes back with the next outcome, and what the store has kept comes with tasks:
 * so a restart costs a site nothing.
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
import { isAllowed, LARGEST_ROBOTS, robotsAfter } from '../../politeness/index.ts'
import type { Clock, Net } from '../../ports/index.ts'

export interface RobotsCache {
  /** May this address be fetched? Where the site had to be asked first, a gap has passed since. */
  allows(url: WebAddress, gapMs: Millis, signal: AbortSignal): Promise<boolean>
  /** The same, and why not: its rules forbid it, or they could not be had. */
  forbids(url: WebAddress, gapMs: Millis, signal: AbortSignal): Promise<Failure | undefined>
  /** The gap that this address is owed, as far as is known: `gapMs`, or the longer one that its robots.txt asks for. */
  gapMs(url: WebAddress, gapMs: Millis): Millis
  /** What somebody else has found out about the site of this address. */
  know(url: WebAddress, record: RobotsRecord): void
  /** What was fetched since this was last asked. */
  news(): SiteRobots[]
  /** The same keeper, who asks by this net. */
  through(net: Net): RobotsCache
}

const MOST_SITES = 5000
/** Of all sites together: what is dropped comes again with the next task, from the store. */
const MOST_BYTES = 16_000_000

export function createRobotsCache({ net, clock }: { net: Net; clock: Clock }): RobotsCache {
  const records = new Map<string, RobotsRecord>()
  let fetched: SiteRobots[] = []
  let bytes = 0

  function drop(origin: string): void {
    bytes -= bytesOf(records.get(origin))
    records.delete(origin)
  }

  /** Those that were asked for last stay. */
  function keep(origin: WebAddress, record: RobotsRecord): void {
    drop(origin)
    records.set(origin, record)
    bytes += bytesOf(record)
    for (const oldest of records.keys()) {
      if (oldest === origin || (records.size <= MOST_SITES && bytes <= MOST_BYTES)) return
      drop(oldest)
    }
  }

  function owedMs(origin: WebAddress, gapMs: Millis): Millis {
    return Math.max(gapMs, records.get(origin)?.robots.crawlDelayMs ?? 0)
  }

  async function recordOf(asking: Net, origin: WebAddress, gapMs: Millis, signal: AbortSignal): Promise<RobotsRecord> {
    const known = records.get(origin)
    if (known) keep(origin, known)
    if (known && isFresh(known, clock.now())) return known
    await clock.sleepUntil(clock.now() + gapMs, signal) // the site may have been visited a moment ago
    const answer = await asking.get({ url: `${origin}/robots.txt`, enoughBytes: LARGEST_ROBOTS + 1, signal })
    const record = robotsAfter(answer, clock.now(), known)
    // Who is given up, or must not go there, has learnt nothing of the site.
    if (signal.aborted || (!answer.ok && answer.failure.kind === 'forbidden-address')) return record
    keep(origin, record)
    fetched.push({ origin, record })
    await clock.sleepUntil(clock.now() + owedMs(origin, gapMs), signal)
    return record
  }

  function through(asking: Net): RobotsCache {
    const forbids: RobotsCache['forbids'] = async (url, gapMs, signal) => {
      const { pathname, search } = new URL(url)
      const { robots, found } = await recordOf(asking, originOf(url), gapMs, signal)
      if (isAllowed(robots, pathname + search)) return undefined
      if (found === 'unreachable') return { kind: 'unreachable', detail: 'its robots.txt could not be had' }
      return { kind: 'forbidden-by-robots' }
    }
    return {
      forbids,
      allows: async (url, gapMs, signal) => (await forbids(url, gapMs, signal)) === undefined,
      gapMs: (url, gapMs) => owedMs(originOf(url), gapMs),
      know(url, record) {
        const origin = originOf(url)
        if ((records.get(origin)?.fetchedAt ?? 0) < record.fetchedAt) keep(origin, record)
      },
      news() {
        const news = fetched
        fetched = []
        return news
      },
      through,
    }
  }

  return through(net)
}

/** About what it takes in memory. */
function bytesOf(record: RobotsRecord | undefined): number {
  return record ? record.robots.rules.reduce((sum, rule) => sum + rule.length + 32, 256) : 0
}

function isFresh({ until }: RobotsRecord, now: Instant): boolean {
  return now < until
}
