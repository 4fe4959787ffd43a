/**
 * At which price the polls that strategies would make add up to a budget. The market finds a price by counting polls, which
 * takes days; where it opens, or many feeds have come or gone, there is nothing to count yet, and strategies are asked instead: when
 * would they look, at this price, and when after that? So through the quarters of a day, with what they know by now: a strategy that
 * waits for a stroke of the clock looks often just before it, so what it does at a few instants says little.
 *
 * Of a feed that was never polled a strategy knows nothing. It is taken for a typical one, and the price is reckoned anew
 * when first looks have told more.
 */
import { DAY, HOUR, type Instant, type Market, type Memory, type Millis } from '../model/index.ts'
import type { Spent } from './market.ts'
import { followsPrice, type Strategy, type Terms } from './strategy.ts'

/** So many feeds are asked at most; if there are more, every second of them, or every third. */
const MOST_ASKED = 200
const QUARTERS = [0, 6, 12, 18]
const QUARTER_MS: Millis = 6 * HOUR
/** Of a feed that is looked at more often than so, the rest of the quarter is taken to be alike. */
const MOST_LOOKS = 6
/** Ours: of real feeds half have an entry in six days and the mean is two a day; by the square root of their rates, this. */
const TYPICAL_GAPS_DAYS = [2.4, 0.6, 3.9, 1.7, 0.2, 4.8, 2.9, 1.1, 2.2, 2.4]
const CLOSE = 0.01
const MOST_STEPS = 12
const LEAST_PRICE: Millis = 1
const MOST_PRICE: Millis = 3660 * DAY
/** However much the others take, so much of the budget is left to share out. */
const LEAST_LEFT = 0.05
/** A price is reckoned anew when there are so many times as many feeds, or as many that were looked at. */
const MANY = 1.25
const LOOKED_AT_EVERY_MS: Millis = HOUR

export function askedEvery(feeds: number): number {
  return Math.max(1, Math.ceil(feeds / MOST_ASKED))
}

/** What a strategy would know of a typical feed after a first look at `at`. */
export function typicalMemory(strategy: Strategy, at: Instant): Memory {
  let publishedAt = at - DAY
  const window = TYPICAL_GAPS_DAYS.map((days) => {
    publishedAt -= days * DAY
    return Math.floor(publishedAt)
  }).reverse()
  return strategy.learn(strategy.begin(), { at, window, fresh: window.length })
}

/** Polls a day, if the feed was last polled at `lastAt`. */
export function pollsExpected(strategy: Strategy, memory: Memory, lastAt: Instant, terms: Terms): Spent {
  const spent = { following: 0, others: 0 }
  for (const hour of QUARTERS) {
    const quarter = inQuarter(strategy, memory, lastAt + hour * HOUR, terms)
    spent.following += quarter.following
    spent.others += quarter.others
  }
  return spent
}

/** Polls from one at `from` on; of the last, which is beyond the quarter, the share that its wait has of it. */
function inQuarter(strategy: Strategy, memory: Memory, from: Instant, terms: Terms): Spent {
  const { minMs, maxMs } = terms.limits
  const spent = { following: 0, others: 0 }
  const until = from + QUARTER_MS
  let at = from
  for (let looks = 0; at < until && looks < MOST_LOOKS; looks++) {
    const waitMs = Math.min(maxMs, Math.max(minMs, strategy.next(memory, at, terms) - at))
    const share = Math.min(1, (until - at) / waitMs)
    if (followsPrice(strategy, memory, at, terms)) spent.following += share
    else spent.others += share
    at += waitMs
  }
  const alike = at < until ? QUARTER_MS / (at - from) : 1
  return { following: spent.following * alike, others: spent.others * alike }
}

/** The price at which they add up to the budget, from a price that is near it; that, where nobody follows. */
export async function priceReckoned(
  expectedAt: (price: Millis) => Promise<Spent>,
  pollsPerDay: number,
  near: Millis,
): Promise<Millis> {
  let price = near
  let above: Millis = LEAST_PRICE
  let below: Millis = MOST_PRICE
  for (let step = 0; step < MOST_STEPS; step++) {
    const { following, others } = await expectedAt(price)
    if (following <= 0) return near
    const times = following / Math.max(LEAST_LEFT * pollsPerDay, pollsPerDay - others)
    if (Math.abs(times - 1) <= CLOSE) break
    if (times > 1) above = price
    else below = price
    const wished = price * times ** 2 // polls go with the price to the power of -1/2
    price = wished > above && wished < below ? wished : Math.sqrt(above * below)
  }
  return Math.round(price)
}

type Reckoned = NonNullable<Market['reckoned']>

/** Whether there are many more feeds than the price was reckoned for, or many fewer, or many of them are better known. */
export function isOutdated(reckoned: Reckoned | undefined, feeds: number, learnt: number): boolean {
  if (!reckoned) return feeds > 0
  const times = (now: number, before: number) => now > before * MANY || now * MANY < before
  return times(feeds, reckoned.feeds) || learnt > reckoned.learnt * MANY
}

/** When it is to be looked at again: every hour from the opening on. */
export function nextReckoning(openedAt: Instant, at: Instant): Instant {
  return openedAt + (Math.floor((at - openedAt) / LOOKED_AT_EVERY_MS) + 1) * LOOKED_AT_EVERY_MS
}
