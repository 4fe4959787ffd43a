/** What a poll costs, the same for all feeds, and how many were bought of late. */
import type { Instant, Millis } from './time.ts'

export interface Market {
  /** For how long one entry may wait before a poll is the lesser evil. */
  price: Millis
  /** Polls of past turns, oldest first, and of the one that lasts until `turnAt`. */
  turns: number[]
  polls: number
  turnAt: Instant
}
