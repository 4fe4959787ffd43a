/** A root domain and what we know of its patience. Only hosts that there is something to say of are stored. */
import type { Failure } from './failure.ts'
import type { Instant, Millis } from './time.ts'

export interface Host {
  root: string
  /** Nothing is fetched from this root before then: it answered 429, or named a date. */
  notBeforeAt: Instant
  /** How often in a row it has asked for patience. */
  strikes: number
  trouble?: Failure
  /** What it has taught us about its gap: how many usual ones make one of its own, since when it is calm, refusals in a row. */
  adaptiveGap?: { factor: number; calmAt: Instant; refusals: number }
  /** The gap that a robots.txt of this root asks for, whose, and until when that is heeded. */
  crawlDelay?: { ms: Millis; origin: string; until: Instant }
  /** Its feeds fail alike: it is not they. */
  incident?: Incident
}

/** In which way the feeds of a host fail. */
export type Sign = 'unreachable' | 'timeout' | 'broken-body' | 'not-a-feed' | 'server-error' | 'refused'

export type Incident =
  /** `canaries`: how many feeds went to look, and failed. The next goes at `canaryAt`. */
  | { state: 'incident'; sign: Sign; sinceAt: Instant; canaries: number; canaryAt: Instant }
  /** A stage is `width` feeds, of which the first goes at `stageAt`. */
  | {
      state: 'recovering'
      sign: Sign
      sinceAt: Instant
      canaries: number
      stageAt: Instant
      width: number
      well: number
      failed: number
    }
