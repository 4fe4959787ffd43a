/** The interface everything turns on: how a guess is made about when a feed will have something new. */
import type { Instant, Memory, Millis } from '../model/index.ts'
import type { Limits } from './due.ts'

/** What one successful poll showed. After "304 Not Modified" the window is empty: a strategy keeps what it needs of it. */
export interface Look {
  at: Instant
  /** When the entries in the feed were published, oldest first. Undated entries count from when we first saw them. */
  window: Instant[]
  /** How many of them we had not seen before. */
  fresh: number
}

/** On what terms a poll of this feed is had. The price is one for all feeds; the rest is said of this one. */
export interface Terms {
  /** What a poll is worth: for how long one entry may wait before a poll is the lesser evil. Moved to meet the budget. */
  price: Millis
  limits: Limits
  /** How many times the price a poll of this feed costs, because its answers are large; 1 where nothing is said. */
  cost?: number
  /** For how many people we ask. */
  subscribers: number
  /** How much these read, where 1 is usual, and what is taken where nobody counts it. */
  activity?: number
  /** Entries should be here within so long of their publication. */
  goalMs?: Millis
  /** How many times its own interval a strategy waits that does not follow the price; 1, unless the budget is too small for it. */
  stretch?: number
  /** Who goes is chosen in rounds (`Strategy.rounds`): a strategy that ranks need not find a date. */
  ranked?: true
}

/** What a strategy expects of a feed, for people who ask why it is polled when it is. */
export interface Expectation {
  /** Entries a day, in the long run. */
  perDay: number
  /** Between which numbers that lies, as far as can be told from what was seen. */
  between?: [low: number, high: number]
  /** Entries that will be waiting at the next poll. */
  pending: number
  /** How often the feed will be polled a day, on these terms. */
  pollsPerDay: number
  /** What decided, beside rate and price: the feed's window would fill, entries come in a burst, it sleeps, or a goal is set. */
  decided?: 'window' | 'burst' | 'silence' | 'goal'
  /** How much of a day's entries comes in each hour, and of a week's on each day from Monday, UTC. Each sums to 1. */
  hours?: number[]
  weekdays?: number[]
}

/** How polls and entries of a feed are expected to be spread over an average week. */
export interface WeekAhead {
  /** Polls in each hour of the week, from Monday 00:00 UTC. */
  polls: Float64Array
  /** How many of a day's polls would be made at any price, because the window would overflow. */
  atAnyPrice: number
  /** All of them are made for the feed's goal. */
  forGoal?: boolean
  /** Entries a day, and how long one waits in the mean. */
  entries: number
  delayMs: Millis
}

/** How a strategy came to its wish: what it knows of the feed and what it made of that, in words and in figures. */
export interface Reason {
  words: string
  /** By the names that its authors gave them, or with a unit in the name. */
  figures: Readonly<Record<string, number>>
}

/**
 * Pure: all that a strategy knows of a feed is the memory that it returned the last time, packed into bytes. A memory of no
 * bytes, or one that it cannot read, is that of a feed never polled. No method changes the memory it is given.
 */
export interface Strategy {
  /** Whether its dates follow the price. If not, no budget moves it. */
  readonly priced: boolean
  /**
   * Its feeds are polled in rounds, and not when a date has come: those of highest `urgency`, as many as the budget has for a
   * round, of all that were left alone for the gap. Where nobody chooses so, it goes by the price as others do.
   */
  readonly rounds?: { everyMs: Millis; gapMs: Millis }
  /** Whether it has yet to learn before its dates do, at `at`. */
  trains?(memory: Memory, at: Instant): boolean
  /** Whether the date that `next` gives would be the same, were polls dearer. */
  atAnyPrice?(memory: Memory, lastAt: Instant, terms: Terms): boolean
  /** What is known of a feed that was never polled; `siblings` are memories of other feeds of its site. */
  begin(siblings?: readonly Memory[]): Memory
  /** What is known after a look. Called once for each successful poll, in their order. */
  learn(memory: Memory, look: Look): Memory
  /** When the feed should be polled next, if it was last polled at `lastAt`. Limits and politeness come after, in due.ts. */
  next(memory: Memory, lastAt: Instant, terms: Terms): Instant
  /** How it would poll the feed in an average week on these terms, by what it knows at `lastAt`. */
  week?(memory: Memory, lastAt: Instant, terms: Terms): WeekAhead
  /** What it expects by `until`, if the feed was last polled at `lastAt`. */
  expect?(memory: Memory, lastAt: Instant, until: Instant, terms: Terms): Expectation
  /** Why `next` says so; of those that expect nothing that could be told. */
  reason?(memory: Memory, lastAt: Instant, terms: Terms): Reason
  /**
   * Who goes first when more feeds are due than may be polled; the higher the sooner. Without it, the one that has
   * waited longest. Adam et al. (2010) rank by expected new articles, eq. 6.
   */
  urgency?(memory: Memory, now: Instant, terms: Pick<Terms, 'subscribers' | 'activity'>): number
}

/** What a poll of this feed has to be worth. */
export function ownPrice({ price, cost = 1 }: Pick<Terms, 'price' | 'cost'>): Millis {
  return price * cost
}

/** Whether the price had a say in the date that was set at `at`; or, without terms, could have. */
export function followsPrice(strategy: Strategy, memory: Memory, at: Instant, terms?: Terms): boolean {
  if (!strategy.priced || strategy.trains?.(memory, at)) return false
  return !terms || !strategy.atAnyPrice?.(memory, at, terms)
}
