/** robots.txt as it is stored, and places where discovery found no feed. */
import type { WebAddress } from './address.ts'
import type { Instant, Millis } from './time.ts'

export interface RobotsRules {
  /** `+` allows and `-` disallows what the pattern after it matches. Longest first; allow before disallow where equal. */
  rules: string[]
  crawlDelayMs?: Millis
  /** The addresses of sitemaps that the file names, as written. */
  sitemaps?: string[]
}

/** One per scheme, host and port. */
export interface RobotsRecord {
  found: 'read' | 'none' | 'unreachable'
  robots: RobotsRules
  fetchedAt: Instant
  /** After this it must be fetched again before any other request. */
  until: Instant
  /** Since when it has been unreachable without interruption. */
  unreachableSince?: Instant
}

/** The robots.txt of an origin, such as `https://example.org:8080`. */
export interface SiteRobots {
  origin: WebAddress
  record: RobotsRecord
}

/** A probed address that turned out not to be a feed. */
export interface FailedProbe {
  host: string
  url: WebAddress
  at: Instant
}
