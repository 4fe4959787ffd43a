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
} from '../model/index.ts'
import { isAllowed, robotsAfter } from '../politeness/index.ts'
import type { Clock, Net } from '../ports/index.ts'

export interface RobotsKeeper {
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
}

const MOST_SITES = 5000

export function createRobotsKeeper({ net, clock }: { net: Net; clock: Clock }): RobotsKeeper {
  const records = new Map<string, RobotsRecord>()
  let fetched: SiteRobots[] = []

  function keep(origin: WebAddress, record: RobotsRecord): void {
    records.delete(origin)
    records.set(origin, record)
    const [oldest] = records.keys()
    if (records.size > MOST_SITES && oldest !== undefined) records.delete(oldest)
  }

  function owedMs(origin: WebAddress, gapMs: Millis): Millis {
    return Math.max(gapMs, records.get(origin)?.robots.crawlDelayMs ?? 0)
  }

  async function recordOf(origin: WebAddress, gapMs: Millis, signal: AbortSignal): Promise<RobotsRecord> {
    const known = records.get(origin)
    if (known && isFresh(known, clock.now())) return known
    await clock.sleepUntil(clock.now() + gapMs, signal) // the site may have been visited a moment ago
    const answer = await net.get({ url: `${origin}/robots.txt`, signal })
    const record = robotsAfter(answer, clock.now(), known)
    if (signal.aborted) return record // it says nothing of the site
    keep(origin, record)
    fetched.push({ origin, record })
    await clock.sleepUntil(clock.now() + owedMs(origin, gapMs), signal)
    return record
  }

  async function forbids(url: WebAddress, gapMs: Millis, signal: AbortSignal): Promise<Failure | undefined> {
    const { pathname, search } = new URL(url)
    const { robots, found } = await recordOf(originOf(url), gapMs, signal)
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
  }
}

function isFresh({ until }: RobotsRecord, now: Instant): boolean {
  return now < until
}
