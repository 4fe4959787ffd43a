/** The interface everything turns on: how a guess is made about when a feed will have something new. */
import type { Feed, Instant, Json } from '../model/index.ts'

/** What one successful poll showed. After "304 Not Modified" the window is empty: a strategy keeps what it needs of it. */
export interface Look {
  at: Instant
  /** When the entries in the feed were published, oldest first. Undated entries count from when we first saw them. */
  window: Instant[]
  /** How many of them we had not seen before. */
  fresh: number
}

/** `Memory` must survive JSON: it is stored between polls, and moves to another machine with the feed. */
export interface Strategy<Memory extends Json = Json> {
  /** One sentence for people who choose. */
  readonly summary: string
  /** What is known of a feed that was never polled. */
  begin(): Memory
  /** What is known after a look. Called once for each successful poll, in their order. */
  learn(memory: Memory, look: Look): Memory
  /** When the feed should be polled next, if it was last polled at `lastAt`. Limits and politeness come after, in due.ts. */
  next(memory: Memory, lastAt: Instant): Instant
  /**
   * Who goes first when more feeds are due than may be polled; the higher the sooner. Without it, the one that has
   * waited longest. Adam et al. (2010) rank by expected new articles, eq. 6; a strategy that does so is due all the time
   * and lets urgency decide.
   */
  urgency?(memory: Memory, now: Instant, feed: Pick<Feed, 'subscribers'>): number
}
