/** What a site asks of crawlers, as it is kept. */
import type { WebAddress } from './address.ts'
import type { Instant, Millis } from './time.ts'

export interface Robots {
  /** `+` allows and `-` forbids what the pattern after it matches. The longest first; of equals, those that allow. */
  rules: string[]
  crawlDelayMs?: Millis
}

/** One for each scheme, host and port. */
export interface RobotsRecord {
  found: 'read' | 'none' | 'unreachable'
  robots: Robots
  fetchedAt: Instant
  /** From then on it must be fetched again before anything else is. */
  until: Instant
  /** Since when it is unreachable, without a break. */
  unreachableSince?: Instant
}

/** What was found out about an origin, such as `https://example.org:8080`. */
export interface SiteRobots {
  origin: WebAddress
  record: RobotsRecord
}
