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
}
