/**
 * Replays how a strategy would have polled one feed: `learn`, `next` and `dueAt` of production on a history of
 * instants, with no I/O and no waiting, so a year takes milliseconds. The rest of the crawl (documents, queue, store)
 * does not change when feeds are polled; lab.test.ts verifies that.
 *
 * Here each feed is polled on its own at one price; scheduled-run.ts runs feeds that share a budget.
 */
import type { Instant, Memory, Millis } from '../model/index.ts'
import { dueAt, type Limits, type Observation, type Strategy, strategyNamed } from '../scheduling/index.ts'
import { wholeSecond } from './instants.ts'

/** A feed's history: publication times of its entries, ascending, and its window size. */
export interface FeedHistory {
  published: ArrayLike<Instant>
  window: number
}

/**
 * Result of one poll: entries from `seen` to `upTo` are new; those before `windowStart` have left the window unseen.
 */
export interface ReplayedPoll {
  at: Instant
  /** Whether this is the first poll. */
  first: boolean
  seen: number
  windowStart: number
  upTo: number
  /** When the next poll will be. */
  dueAt: Instant
}

/** What a poll at `at` shows; updates `encounter`. */
export function pollHistory({ published, window }: FeedHistory, encounter: ReplayedPoll, at: Instant): Observation {
  let upTo = encounter.upTo
  encounter.seen = upTo
  while (upTo < published.length && published[upTo]! <= at) upTo++
  const oldest = Math.max(0, upTo - window)
  const fresh = Math.min(upTo - encounter.seen, window)
  encounter.at = at
  encounter.upTo = upTo
  encounter.windowStart = Math.max(encounter.seen, oldest)
  // The server answers 304 if there are no new entries.
  return { at, window: fresh === 0 ? [] : asInFeed(published, oldest, upTo), fresh }
}

export interface RunOptions {
  strategy: Strategy
  limits: Limits
  /** When the feed is polled for the first time. */
  firstAt: Instant
  /** Called for every poll, always with the same object. */
  onPoll(encounter: ReplayedPoll): void
}

/** Polls the feed until `until`, at one price. */
export function runAlone(
  history: FeedHistory,
  { strategy, limits, firstAt, onPoll }: RunOptions,
  until: Instant,
  price: Millis,
): void {
  let memory: Memory = strategy.begin()
  const encounter: ReplayedPoll = { at: 0, first: true, seen: 0, windowStart: 0, upTo: 0, dueAt: firstAt }
  const terms = { price, limits, subscribers: 1 }
  while (encounter.dueAt < until) {
    const at = encounter.dueAt
    memory = strategy.learn(memory, pollHistory(history, encounter, at))
    encounter.dueAt = dueAt(strategy.next(memory, at, terms), at, limits)
    onPoll(encounter)
    encounter.first = false
  }
}

/** The publication times as stated in the feed. */
function asInFeed(published: ArrayLike<Instant>, from: number, upTo: number): Instant[] {
  const window = new Array<Instant>(upTo - from)
  for (let i = from; i < upTo; i++) window[i - from] = wholeSecond(published[i]!)
  return window
}

export interface ReplaySpan {
  /** When the feed is polled for the first time. */
  from: Instant
  /** End of the polls, exclusive. */
  to: Instant
  /** Number of entries that the feed shows. */
  window: number
  limits: Limits
  /** Price of a poll, for strategies that follow it. */
  price: Millis
}

/** When the strategy polls the feed. */
export function replayPolls(published: ArrayLike<Instant>, strategyName: string, span: ReplaySpan): Instant[] {
  const polls: Instant[] = []
  runAlone(
    { published, window: span.window },
    {
      strategy: strategyNamed(strategyName),
      limits: span.limits,
      firstAt: span.from,
      onPoll: ({ at }) => polls.push(at),
    },
    span.to,
    span.price,
  )
  return polls
}
