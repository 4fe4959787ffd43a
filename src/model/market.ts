/** What a poll costs, the same for all feeds, and how many were bought of late. */
import type { Instant, Millis } from './time.ts'

export interface Market {
  /** For how long one entry may wait before a poll is the lesser evil. */
  price: Millis
  /** Polls of past turns, oldest first, as many as they would have been at this price. */
  turns: number[]
  /** Polls of the turn that lasts until `turnAt`. */
  polls: number
  turnAt: Instant
  /** The last price that polls were seen to follow, and the most and least of them a day about it. */
  followed?: { price: Millis; most: number; least: number }
}
