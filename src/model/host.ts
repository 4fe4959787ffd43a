/** A root domain and what we know of its patience. Only hosts that ever asked for patience are stored. */
import type { Failure } from './failure.ts'
import type { Instant } from './time.ts'

export interface Host {
  root: string
  /** Nothing is fetched from this root before then: it answered 429, or named a date. */
  notBeforeAt: Instant
  /** How often in a row it has asked for patience. */
  strikes: number
  trouble?: Failure
  /** What it has taught us about its gap: how many usual ones make one of its own, since when it is calm, refusals in a row. */
  budget?: { factor: number; calmAt: Instant; refusals: number }
}
