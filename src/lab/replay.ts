/**
 * How a strategy alone would have polled a feed: the same `learn`, `next` and `dueAt` as in production over a history of
 * instants, with no I/O and no waiting, so a year takes milliseconds. What the crawl adds (documents, queue, store) it
 * adds without moving a poll; lab.test.ts holds the two together.
 *
 * A run can be stopped at any instant and continued at another price, so that many feeds can share one market.
 */
import type { Instant, Memory, Millis } from '../model/index.ts'
import {
  dueAt,
  followsPrice,
  type Limits,
  pollsExpected,
  type Spent,
  type Strategy,
  strategyNamed,
  typicalMemory,
} from '../polling/index.ts'
import { wholeSecond } from './instants.ts'

/** A feed's history: when its entries were published, in ascending order, and how many it shows at once. */
export interface FeedHistory {
  published: ArrayLike<Instant>
  window: number
}

/** What one poll came upon: entries from `seen` up to `upTo` are new, those before `shown` have left the window unseen. */
export interface Encounter {
  at: Instant
  /** No poll was before it. */
  first: boolean
  seen: number
  shown: number
  upTo: number
  /** When the next poll will be. */
  dueAt: Instant
}

export interface RunOptions {
  strategy: Strategy
  limits: Limits
  /** When the feed is polled for the first time. */
  firstAt: Instant
  /** Whether somebody chooses by rank who goes. */
  ranked?: boolean
  /** Called for every poll; the encounter is one and the same object each time. */
  onPoll(encounter: Encounter): void
}

export interface Run {
  /** Makes the polls that are due before `until`, at one price. Returns how many, by whether their dates follow it. */
  advance(until: Instant, price: Millis): Spent
  /** Whether it has been polled. */
  isLearnt(): boolean
  /** Polls a day that the strategy would make at a price, as things are at `at`. */
  expected(at: Instant, price: Millis): Spent
  dueAt(): Instant
  /** Undefined while it is left alone. */
  rankAt(at: Instant): number | undefined
  /** It was chosen. */
  makeDue(at: Instant): void
}

export function createRun({ published, window }: FeedHistory, options: RunOptions): Run {
  const { strategy, limits, ranked = false, onPoll } = options
  const gapMs = Math.max(limits.minMs, strategy.rounds?.gapMs ?? 0)
  let memory: Memory = strategy.begin()
  const encounter: Encounter = { at: 0, first: true, seen: 0, shown: 0, upTo: 0, dueAt: options.firstAt }

  return {
    advance(until, price) {
      const spent: Spent = { following: 0, others: 0 }
      if (encounter.dueAt >= until) return spent
      const terms = { price, limits, subscribers: 1, ...(ranked && { ranked: true as const }) }
      while (encounter.dueAt < until) {
        const at = encounter.dueAt
        let upTo = encounter.upTo
        encounter.seen = upTo
        while (upTo < published.length && published[upTo]! <= at) upTo++
        const oldest = Math.max(0, upTo - window)
        const fresh = Math.min(upTo - encounter.seen, window)
        // A server says "not modified" to who has seen it all, and shows nothing.
        memory = strategy.learn(memory, { at, window: fresh === 0 ? [] : told(published, oldest, upTo), fresh })
        const wish = strategy.next(memory, at, terms)
        encounter.at = at
        encounter.upTo = upTo
        encounter.shown = Math.max(encounter.seen, oldest)
        encounter.dueAt = dueAt(wish, at, limits)
        onPoll(encounter)
        const { first } = encounter
        encounter.first = false
        if (!first && followsPrice(strategy, memory, at, terms)) spent.following++
        else spent.others++
      }
      return spent
    },
    isLearnt: () => !encounter.first,
    expected(at, price) {
      const terms = { price, limits, subscribers: 1 }
      return encounter.first
        ? pollsExpected(strategy, typicalMemory(strategy, at), at, terms)
        : pollsExpected(strategy, memory, encounter.at, terms)
    },
    dueAt: () => encounter.dueAt,
    rankAt(at) {
      const isLeftAlone = encounter.first || at - encounter.at < gapMs || !followsPrice(strategy, memory, at)
      return isLeftAlone ? undefined : strategy.urgency?.(memory, at, { subscribers: 1 })
    },
    makeDue(at) {
      encounter.dueAt = at
    },
  }
}

/** As the feed tells it. */
function told(published: ArrayLike<Instant>, from: number, upTo: number): Instant[] {
  const window = new Array<Instant>(upTo - from)
  for (let i = from; i < upTo; i++) window[i - from] = wholeSecond(published[i]!)
  return window
}

export interface Span {
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
export function pollsOf(published: ArrayLike<Instant>, strategyName: string, span: Span): Instant[] {
  const polls: Instant[] = []
  const run = createRun(
    { published, window: span.window },
    {
      strategy: strategyNamed(strategyName),
      limits: span.limits,
      firstAt: span.from,
      onPoll: ({ at }) => polls.push(at),
    },
  )
  run.advance(span.to, span.price)
  return polls
}
