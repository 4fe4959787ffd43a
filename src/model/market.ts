/** What a poll costs, the same for all feeds, and how many were bought of late. */
import type { Instant, Millis } from './time.ts'

export interface Market {
  /** For how long one entry may wait before a poll is the lesser evil. */
  price: Millis
  /** Polls of past turns that followed the price, oldest first, as many as they would have been at this one. */
  turns: number[]
  /** Those of the turn that lasts until `turnAt`. */
  polls: number
  /** The same for polls that would have been made at any price; of a day. */
  others?: { turns: number[]; polls: number }
  turnAt: Instant
  /** The last price that polls were seen to follow, and the most and least of them a day about it. */
  followed?: { price: Millis; most: number; least: number }
  /** For how many feeds the price was reckoned, of which so many had been looked at; and for how many turns it still stands. */
  reckoned?: { feeds: number; learnt: number; holds: number }
  /** So many polls could be paid for at `at`, whatever the price; and, over weeks, as many as were saved. */
  purse?: { polls: number; saved?: number; at: Instant }
}
