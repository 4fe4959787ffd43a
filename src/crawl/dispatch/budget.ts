/**
 * The market as the crawl keeps it: it counts every poll, moves the price, and says on what terms a poll of a feed is had.
 * What people want of folders is held here, too, so that nobody asks the store for it at every poll.
 */
import {
  type Feed,
  HOUR,
  type Instant,
  type Market,
  MINUTE,
  type Millis,
  type ScheduledFeed,
  type Wants,
} from '../../model/index.ts'
import {
  affordableAt,
  type Limits,
  marketAfter,
  ofNearestFolder,
  openMarket,
  openPurse,
  purseAfter,
  type Spent,
  type Terms,
  termsOf,
} from '../../polling/index.ts'
import type { Roles } from '../../ports/index.ts'

export interface BudgetOptions {
  limits: Limits
  /** Polls a day, all feeds together; 'auto': so many for each active feed, and fewer where they would be of little use. */
  pollsPerDay: number | 'auto'
  /** Whether it binds those, too, who do not follow the price. In the lab they are as many as they wish. */
  binds?: boolean
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
  /** Whether a poll of this feed is to be paid for: all but the first, and those that a person asks for. */
  isPaid(held: ScheduledFeed): boolean
  /** Undefined: a poll that is to be paid for may be made now. Else when to ask again. */
  brokeUntil(now: Instant): Instant | undefined
  /** It is made. */
  pay(now: Instant): void
  /** What is wanted of a folder has changed. */
  want(folder: string, wants: Wants): Promise<void>
}

/** Without a budget the crawl costs publishers no more than a reader does that comes once an hour. */
const AUTO_PER_FEED = 24
/** And no poll is made, were there budget left, that would save one entry less than so much waiting. */
const AUTO_LEAST_PRICE: Millis = 10 * MINUTE
const SAVED_EVERY_MS: Millis = MINUTE
const COUNTED_EVERY_MS: Millis = MINUTE
/** So long those who find the purse empty wait at most, before they look again. */
const LONGEST_BROKE_MS: Millis = 6 * HOUR

export function createBudget(
  { marketBook, catalogue }: Pick<Roles, 'marketBook' | 'catalogue'>,
  { limits, pollsPerDay, binds = false }: BudgetOptions,
  startedAt: Instant,
): Budget {
  let market: Market = openMarket(startedAt)
  let folders = new Map<string, Wants>()
  let savedAt = startedAt
  let purse = openPurse(startedAt)
  let countAt: Instant = 0
  let perDay = pollsPerDay === 'auto' ? AUTO_PER_FEED : pollsPerDay
  // What a person names is a bound; a budget of our own making is what the price aims at, and no more.
  const hasPurse = binds && pollsPerDay !== 'auto'
  /** Who found the purse empty since it last was not: each is given another date. */
  let waiting = 0

  let begun: Promise<void> | undefined

  async function load(): Promise<void> {
    const { purse: kept = purse, ...before } = (await marketBook.market()) ?? market
    market = before
    purse = kept
    folders = await marketBook.folders()
    await aim(startedAt)
  }

  async function count(spent: Spent, at: Instant): Promise<void> {
    const aimed = await aim(at)
    const { turnAt } = market
    market = marketAfter(market, spent, at, aimed)
    if (at - savedAt < SAVED_EVERY_MS && market.turnAt === turnAt) return
    savedAt = at
    await marketBook.recordMarket(hasPurse ? { ...market, purse } : market)
  }

  /** Feeds are counted now and then: how many there are moves the price, which is moved every six hours. */
  async function aim(at: Instant): Promise<{ pollsPerDay: number; leastPrice: Millis }> {
    if (pollsPerDay !== 'auto') return { pollsPerDay, leastPrice: 0 }
    if (at >= countAt || at >= market.turnAt) {
      const { feeds } = await catalogue.counts()
      perDay = AUTO_PER_FEED * Math.max(1, feeds.active)
      countAt = at + COUNTED_EVERY_MS
    }
    return { pollsPerDay: perDay, leastPrice: AUTO_LEAST_PRICE }
  }

  return {
    begin: () => (begun ??= load()),
    async turn(at) {
      if (at >= market.turnAt) await count({ following: 0, others: 0 }, at)
    },
    count,
    isPaid: ({ schedule: { polledAt } }) => hasPurse && polledAt !== undefined,
    brokeUntil(now) {
      purse = purseAfter(purse, 0, perDay, now)
      if (purse.polls >= 1) waiting = 0
      if (purse.polls >= 1) return undefined
      const at = affordableAt(purse, perDay, waiting++)
      if (at <= now + LONGEST_BROKE_MS) return at
      waiting = 1
      return Math.min(now + LONGEST_BROKE_MS, affordableAt(purse, perDay, 0))
    },
    pay(now) {
      purse = purseAfter(purse, 1, perDay, now)
    },
    async want(folder, wants) {
      await marketBook.wantOfFolder(folder, wants)
      folders = await marketBook.folders()
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
    isPaid: () => false,
    brokeUntil: () => undefined,
    pay: () => {},
    want: async () => {},
    terms: (feed) => termsOf(feed, undefined, limits, price),
  }
}
