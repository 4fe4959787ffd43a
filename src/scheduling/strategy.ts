/** The interface of a polling strategy: it predicts when a feed will have new entries. */
import type { Instant, Memory, Millis } from '../model/index.ts'
import type { Limits } from './due-date.ts'

/**
 * What a successful poll showed. After "304 Not Modified" the window is empty; a strategy keeps in its memory what it needs
 * of it.
 */
export interface Observation {
  at: Instant
  /** Publication dates of the entries in the feed, oldest first. Undated entries count from when they were first seen. */
  window: Instant[]
  /** How many of them are new. */
  fresh: number
}

/**
 * What a poll of this feed depends on besides its history. The price is the same for all feeds; the rest is specific to this
 * feed.
 */
export interface Terms {
  /** What a poll is worth: total waiting of entries that justifies one poll. Adjusted to meet the budget. */
  price: Millis
  limits: Limits
  /** Multiple of the price that a poll of this feed costs because its responses are large. Default: 1. */
  cost?: number
  /** Number of users who subscribe to the feed. */
  subscribers: number
  /** How much they read, relative to the average. Absent if not counted, which means 1. */
  activity?: number
  /** Target for the time between publication and arrival of an entry. */
  goalMs?: Millis
  /** Factor for the intervals of strategies that ignore the price. 1 unless the budget is too small for them. */
  stretch?: number
  /** Feeds are selected in rounds (`Strategy.rounds`), so a ranking strategy need not propose a date. */
  ranked?: true
}

/** What a strategy expects of a feed, to explain why it is polled when it is. */
export interface Expectation {
  /** Long-run mean of entries per day. */
  perDay: number
  /** Uncertainty of that mean, from what was observed. */
  between?: [low: number, high: number]
  /** Entries expected to be waiting at the next poll. */
  pending: number
  /** Expected polls per day on these terms. */
  pollsPerDay: number
  /** What decided besides rate and price: the window would fill up, a burst, a silent feed, or a goal. */
  decided?: 'window' | 'burst' | 'silence' | 'goal'
  /** Share of a day's entries in each hour, and of a week's on each day from Monday, UTC. Each sums to 1. */
  hours?: number[]
  weekdays?: number[]
}

/** Forecast of how a feed's polls and entries spread over an average week. */
export interface WeekForecast {
  /** Polls in each hour of the week, from Monday 00:00 UTC. */
  polls: Float64Array
  /** Polls per day that are made at any price because the window would overflow. */
  atAnyPrice: number
  /** All polls are made to meet the feed's goal. */
  forGoal?: boolean
  /** Entries per day, and their mean waiting time. */
  entries: number
  delayMs: Millis
}

/** Why a strategy proposed its date, in words and numbers. */
export interface Reason {
  text: string
  /** Keyed by the names used in the strategy's paper, or with a unit in the name. */
  figures: Readonly<Record<string, number>>
}

/**
 * Pure: everything a strategy knows about a feed is the memory it returned last time, packed into bytes. An empty or
 * unreadable memory means a feed that was never polled. No method changes the memory it is given.
 */
export interface Strategy {
  /** Whether its dates depend on the price. If not, the budget has no effect on it. */
  readonly priced: boolean
  /**
   * Set if feeds are polled in rounds instead of at due dates: each round polls the feeds of highest `urgency`, as many as
   * the budget allows, among those not polled for `gapMs`. A caller without rounds gets dates that follow the price.
   */
  readonly rounds?: { everyMs: Millis; gapMs: Millis }
  /** Whether it is still learning at `at`, so that its dates do not follow the price yet. */
  trains?(memory: Memory, at: Instant): boolean
  /** Whether `next` would return the same date at a higher price. */
  atAnyPrice?(memory: Memory, lastAt: Instant, terms: Terms): boolean
  /** Memory of a feed that was never polled. `siblings` are memories of other feeds of the same site. */
  begin(siblings?: readonly Memory[]): Memory
  /** Memory after an observation. Called once for each successful poll, in order. */
  learn(memory: Memory, observation: Observation): Memory
  /** Proposed date of the next poll after a poll at `lastAt`. Limits and politeness are applied afterwards, in due-date.ts. */
  next(memory: Memory, lastAt: Instant, terms: Terms): Instant
  /** Forecast of an average week on these terms, from what is known at `lastAt`. */
  week?(memory: Memory, lastAt: Instant, terms: Terms): WeekForecast
  /** What it expects by `until`, if the feed was last polled at `lastAt`. */
  expect?(memory: Memory, lastAt: Instant, until: Instant, terms: Terms): Expectation
  /** Explains `next`, for strategies without `expect`. */
  reason?(memory: Memory, lastAt: Instant, terms: Terms): Reason
  /**
   * Rank among feeds when more are due than can be polled; higher goes first. Without it, the feed that has waited longest
   * goes first. Adam et al. (2010), eq. 6, rank by expected new articles.
   */
  urgency?(memory: Memory, now: Instant, terms: Pick<Terms, 'subscribers' | 'activity'>): number
}

/** The price of a poll of this feed. */
export function feedPrice({ price, cost = 1 }: Pick<Terms, 'price' | 'cost'>): Millis {
  return price * cost
}

/** Whether the price influenced the date set at `at`; without terms, whether it could have. */
export function followsPrice(strategy: Strategy, memory: Memory, at: Instant, terms?: Terms): boolean {
  if (!strategy.priced || strategy.trains?.(memory, at)) return false
  return !terms || !strategy.atAnyPrice?.(memory, at, terms)
}
