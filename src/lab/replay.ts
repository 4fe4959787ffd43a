/**
 * How a strategy alone would have polled a feed: the same `learn`, `next` and `dueAt` as in production over a history of
 * instants, with no I/O and no waiting, so a year takes milliseconds. What the crawl adds (documents, queue, store) it
 * adds without moving a poll; lab.test.ts holds the two together.
 */
import type { Instant, Millis } from '../model/index.ts'
import { dueAt, type Limits, strategyNamed } from '../polling/index.ts'
import { countUpTo, wholeSecond } from './instants.ts'

export interface Span {
  /** When the feed is polled for the first time. */
  from: Instant
  to: Instant
  /** How many entries the feed shows. */
  window: number
  limits: Limits
  /** Of a poll, for strategies that go by it. */
  price: Millis
}

/** What was published before the first poll is learnt from, but counts for nothing here. */
export interface Replayed {
  polls: Instant[]
  found: number
  /** Entries that dropped out of the window before a poll saw them. */
  missed: number
  /** Summed over the found entries, from publication to the poll that found them. */
  delayMs: Millis
}

/** `published` in ascending order. */
export function replay(published: readonly Instant[], strategyName: string, span: Span): Replayed {
  const { from, to, limits, price } = span
  const terms = { price, limits, subscribers: 1 }
  const strategy = strategyNamed(strategyName)
  const replayed: Replayed = { polls: [], found: 0, missed: 0, delayMs: 0 }
  let memory = strategy.begin()
  let seen = 0
  for (let at = from; at <= to; at = dueAt(strategy.next(memory, at, terms), at, limits)) {
    const upTo = countUpTo(published, at)
    const fresh = Math.min(upTo - seen, span.window)
    if (at > from) {
      replayed.found += fresh
      replayed.missed += upTo - seen - fresh
      for (const publishedAt of published.slice(upTo - fresh, upTo)) replayed.delayMs += at - publishedAt
    }
    // A server says "not modified" to who has seen it all, and shows nothing.
    const window = fresh === 0 ? [] : published.slice(Math.max(0, upTo - span.window), upTo).map(wholeSecond)
    memory = strategy.learn(memory, { at, window, fresh })
    replayed.polls.push(at)
    seen = upTo
  }
  return replayed
}
