/** Rate limiting state of a root domain. Only hosts with something to remember are stored. */
import type { Failure } from './failure.ts'
import type { Instant, Millis } from './time.ts'

export interface Host {
  root: string
  /** No requests to this root before this time: it answered 429, or named a date. */
  notBeforeAt: Instant
  /** Consecutive requests to slow down. */
  strikes: number
  trouble?: Failure
  /** Learned gap: a factor on the default gap, since when there were no refusals, and consecutive refusals. */
  adaptiveGap?: { factor: number; calmAt: Instant; refusals: number }
  /** Crawl-delay of a robots.txt of this root, the origin it came from, and until when it applies. */
  crawlDelay?: { ms: Millis; origin: string; until: Instant }
  /** Its feeds fail together, so the host is at fault. */
  incident?: Incident
}

/** How the feeds of a host fail. */
export type IncidentSymptom = 'unreachable' | 'timeout' | 'broken-body' | 'not-a-feed' | 'server-error' | 'refused'

export type Incident =
  /** `canaries`: test polls that failed so far. The next is sent at `canaryAt`. */
  | { state: 'incident'; sign: IncidentSymptom; sinceAt: Instant; canaries: number; canaryAt: Instant }
  /** A stage polls `width` feeds, the first at `stageAt`. */
  | {
      state: 'recovering'
      sign: IncidentSymptom
      sinceAt: Instant
      canaries: number
      stageAt: Instant
      width: number
      well: number
      failed: number
    }
