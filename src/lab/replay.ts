/**
 * How a strategy alone would have polled a feed: the same `learn`, `next` and `dueAt` as in production over a history of
 * instants, with no I/O and no waiting, so a year takes milliseconds. What the crawl adds (documents, queue, store) it
 * adds without moving a poll; lab.test.ts holds the two together.
 *
 * Here each feed is alone, at one price; feeds that share a budget are run by scheduled-run.ts.
 */
import type { Instant, Memory, Millis } from '../model/index.ts'
import { dueAt, type Limits, type Look, type Strategy, strategyNamed } from '../scheduling/index.ts'
import { wholeSecond } from './instants.ts'

/** A feed's history: when its entries were published, in ascending order, and how many it shows at once. */
export interface FeedHistory {
  published: ArrayLike<Instant>
  window: number
}

/** What one poll came upon: entries from `seen` up to `upTo` are new, those before `shown` have left the window unseen. */
export interface ReplayedPoll {
  at: Instant
  /** No poll was before it. */
  first: boolean
  seen: number
  shown: number
  upTo: number
  /** When the next poll will be. */
  dueAt: Instant
}

/** What a poll at `at` shows; `encounter` is brought up to it. */
export function pollHistory({ published, window }: FeedHistory, encounter: ReplayedPoll, at: Instant): Look {
  let upTo = encounter.upTo
  encounter.seen = upTo
  while (upTo < published.length && published[upTo]! <= at) upTo++
  const oldest = Math.max(0, upTo - window)
  const fresh = Math.min(upTo - encounter.seen, window)
  encounter.at = at
  encounter.upTo = upTo
  encounter.shown = Math.max(encounter.seen, oldest)
  // A server says "not modified" to a client that has seen it all, and shows nothing.
  return { at, window: fresh === 0 ? [] : asInFeed(published, oldest, upTo), fresh }
}

export interface RunOptions {
  strategy: Strategy
  limits: Limits
  /** When the feed is polled for the first time. */
  firstAt: Instant
  /** Called for every poll; the encounter is one and the same object each time. */
  onPoll(encounter: ReplayedPoll): void
}

/** Polls the feed up to `until`, at one price. */
export function runAlone(
  history: FeedHistory,
  { strategy, limits, firstAt, onPoll }: RunOptions,
  until: Instant,
  price: Millis,
): void {
  let memory: Memory = strategy.begin()
  const encounter: ReplayedPoll = { at: 0, first: true, seen: 0, shown: 0, upTo: 0, dueAt: firstAt }
  const terms = { price, limits, subscribers: 1 }
  while (encounter.dueAt < until) {
    const at = encounter.dueAt
    memory = strategy.learn(memory, pollHistory(history, encounter, at))
    encounter.dueAt = dueAt(strategy.next(memory, at, terms), at, limits)
    onPoll(encounter)
    encounter.first = false
  }
}

/** As the feed tells it. */
function asInFeed(published: ArrayLike<Instant>, from: number, upTo: number): Instant[] {
  const window = new Array<Instant>(upTo - from)
  for (let i = from; i < upTo; i++) window[i - from] = wholeSecond(published[i]!)
  return window
}

export interface ReplaySpan {
  /** When the feed is polled for the first time. */
  from: Instant
  /** Polls are made before this. */
  to: Instant
  /** How many entries the feed shows. */
  window: number
  limits: Limits
  /** Of a poll, for strategies that go by it. */
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
