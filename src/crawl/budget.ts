/**
 * The market as the crawl keeps it: it counts every poll, moves the price, and says on what terms a poll of a feed is had.
 * What people want of folders is held here, too, so that nobody asks the store for it at every poll.
 */
import { type Feed, type Instant, type Market, MINUTE, type Millis, type Wants } from '../model/index.ts'
import {
  type Limits,
  marketAfter,
  ofNearestFolder,
  openMarket,
  type Spent,
  type Terms,
  termsOf,
} from '../polling/index.ts'
import type { Store } from '../ports/index.ts'

export interface BudgetOptions {
  limits: Limits
  /** Polls a day, all feeds together; 'auto': so many for each active feed, and fewer where they would be of little use. */
  pollsPerDay: number | 'auto'
}

export interface Budget {
  /** Reads what the store knows, once; before anything else. */
  begin(): Promise<void>
  /** At the price of now, or at another. */
  terms(feed: Pick<Feed, 'subscribers' | 'folder' | 'wants'>, price?: Millis): Terms
  /** Moves the price, if it is time. */
  turn(at: Instant): Promise<void>
  /** So many polls were made. */
  count(spent: Spent, at: Instant): Promise<void>
  /** What is wanted of a folder has changed. */
  want(folder: string, wants: Wants): Promise<void>
}

/** Without a budget the crawl costs publishers no more than a reader does that comes once an hour. */
const AUTO_PER_FEED = 24
/** And no poll is made, were there budget left, that would save one entry less than so much waiting. */
const AUTO_LEAST_PRICE: Millis = 10 * MINUTE
const SAVED_EVERY_MS: Millis = MINUTE

export function createBudget(store: Store, { limits, pollsPerDay }: BudgetOptions, startedAt: Instant): Budget {
  let market: Market = openMarket(startedAt)
  let folders = new Map<string, Wants>()
  let savedAt = startedAt

  let begun: Promise<void> | undefined

  async function load(): Promise<void> {
    market = (await store.market()) ?? market
    folders = await store.folders()
  }

  async function count(spent: Spent, at: Instant): Promise<void> {
    const aimed = await aim()
    const { turnAt } = market
    market = marketAfter(market, spent, at, aimed)
    if (at - savedAt < SAVED_EVERY_MS && market.turnAt === turnAt) return
    savedAt = at
    await store.recordMarket(market)
  }

  /** Counting feeds costs the store one row. */
  async function aim(): Promise<{ pollsPerDay: number; leastPrice: Millis }> {
    if (pollsPerDay !== 'auto') return { pollsPerDay, leastPrice: 0 }
    const { feeds } = await store.counts()
    return { pollsPerDay: AUTO_PER_FEED * Math.max(1, feeds.active), leastPrice: AUTO_LEAST_PRICE }
  }

  return {
    begin: () => (begun ??= load()),
    async turn(at) {
      if (at >= market.turnAt) await count({ following: 0, others: 0 }, at)
    },
    count,
    async want(folder, wants) {
      await store.wantOfFolder(folder, wants)
      folders = await store.folders()
    },
    terms: (feed, price = market.price) => termsOf(feed, ofNearestFolder(folders, feed.folder), limits, price),
  }
}

/** One price for ever: what the lab compares strategies at. */
export function fixedPrice(price: Millis, limits: Limits): Budget {
  return {
    begin: async () => {},
    turn: async () => {},
    count: async () => {},
    want: async () => {},
    terms: (feed) => termsOf(feed, undefined, limits, price),
  }
}
