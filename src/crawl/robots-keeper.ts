/**
 * What sites ask of crawlers, kept by a terminal for as long as it holds (a day at most). One fetch of /robots.txt for each
 * scheme, host and port; what is forgotten here costs one request more.
 */
import type { Instant, Millis } from '../model/index.ts'
import { isAllowed, type RobotsRecord, robotsAfter } from '../politeness/index.ts'
import type { Clock, Net } from '../ports/index.ts'

export interface RobotsKeeper {
  /** May this address be fetched? Where the site had to be asked first, `gapMs` have passed since. */
  allows(url: string, gapMs: Millis, signal: AbortSignal): Promise<boolean>
}

const MOST_SITES = 5000

export function createRobotsKeeper({ net, clock }: { net: Net; clock: Clock }): RobotsKeeper {
  const records = new Map<string, RobotsRecord>()

  async function recordOf(origin: string, gapMs: Millis, signal: AbortSignal): Promise<RobotsRecord> {
    const known = records.get(origin)
    if (known && isFresh(known, clock.now())) return known
    await clock.sleepUntil(clock.now() + gapMs, signal) // the site may have been visited a moment ago
    const answer = await net.get({ url: `${origin}/robots.txt`, signal })
    const record = robotsAfter(answer, clock.now(), known)
    records.delete(origin)
    records.set(origin, record)
    const [oldest] = records.keys()
    if (records.size > MOST_SITES && oldest !== undefined) records.delete(oldest)
    await clock.sleepUntil(clock.now() + gapMs, signal)
    return record
  }

  return {
    async allows(url, gapMs, signal) {
      const { origin, pathname, search } = new URL(url)
      const { robots } = await recordOf(origin, gapMs, signal)
      return isAllowed(robots, pathname + search)
    },
  }
}

function isFresh({ until }: RobotsRecord, now: Instant): boolean {
  return now < until
}
