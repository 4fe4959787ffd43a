/**
 * The market as the crawl keeps it: it counts every poll, moves the price, and says on what terms a poll of a feed is had.
 * What people want of folders is held here, too, so that nobody asks the store for it at every poll.
 */
import {
  type Feed,
  type FeedId,
  type Instant,
  type Market,
  type Memory,
  MINUTE,
  type Millis,
  type Schedule,
  type ScheduledFeed,
  SECOND,
  type Wants,
} from '../../model/index.ts'
import {
  askedEvery,
  isOutdated,
  type Limits,
  marketAfter,
  nextReckoning,
  ofNearestFolder,
  openMarket,
  pollsExpected,
  pollsLeft,
  priceReckoned,
  repriced,
  type Spent,
  strategyNamed,
  type Terms,
  termsOf,
  troubleWithStrategy,
  typicalMemory,
} from '../../polling/index.ts'
import { letOthers, type Roles } from '../../ports/index.ts'
import { createSpending } from './spending.ts'

export interface BudgetOptions {
  limits: Limits
  /**
   * Polls a day, all feeds together; 'auto': what a person has named while it ran, and the store remembers, or else so many for
   * each active feed, and fewer where they would be of little use.
   */
  pollsPerDay: number | 'auto'
  /** Whether it binds those, too, who do not follow the price. In the lab they are as many as they wish. */
  binds?: boolean
  /** How much a feed's readers read, where 1 is usual. */
  activityOf?: (id: FeedId | undefined) => number | undefined
}

export interface Budget {
  /** Reads what the store knows, once; before anything else. */
  begin(): Promise<void>
  /** At the price of now, or at another. */
  terms(feed: Pick<Feed, 'subscribers' | 'folder' | 'wants'> & { id?: FeedId }, price?: Millis): Terms
  /** Polls a day for those who follow the price or are chosen by rank, and what a poll is worth at least; undefined without a budget. */
  toShareOut(): { pollsPerDay: number; leastPrice: Millis } | undefined
  /** Moves the price, if it is time. */
  turn(at: Instant): Promise<void>
  /** So many polls were made. */
  count(spent: Spent, at: Instant): Promise<void>
  /** Whether a poll of this feed is to be paid for: all but those that a person asks for and, of a day's worth, the first. */
  isPaid(held: ScheduledFeed, now: Instant): boolean
  /** Undefined: a poll that is to be paid for may be made now. Else when to ask again. */
  brokeUntil(now: Instant): Instant | undefined
  /** It is made. */
  pay(now: Instant): void
  /** Writes the price down, for others who go by it. */
  publish(): Promise<void>
  /** What is wanted of a folder has changed. */
  want(folder: string, wants: Wants): Promise<void>
  /** A person names another; undefined: none. */
  name(pollsPerDay: number | undefined, at: Instant): Promise<void>
}

/** Without a budget the crawl costs publishers no more than a reader does that comes once an hour. */
export const AUTO_PER_FEED = 24
/** And no poll is made, were there budget left, that would save one entry less than so much waiting. */
export const AUTO_LEAST_PRICE: Millis = 10 * MINUTE
const SAVED_EVERY_MS: Millis = MINUTE
const COUNTED_EVERY_MS: Millis = MINUTE
/** Another process may have been told of another budget. */
export const NAMED_READ_EVERY_MS: Millis = 10 * SECOND
/** A strategy needs up to a millisecond to say when it would look. */
const ASKED_AT_ONCE = 10

export function createBudget(
  { marketBook, catalogue }: Pick<Roles, 'marketBook' | 'catalogue'>,
  { limits, pollsPerDay: configured, binds = false, activityOf }: BudgetOptions,
  startedAt: Instant,
): Budget {
  let market: Market = openMarket(startedAt)
  let folders = new Map<string, Wants>()
  let savedAt = startedAt
  let countAt: Instant = 0
  let reckonAt: Instant = startedAt
  let namedAt: Instant = startedAt
  let pollsPerDay = configured
  let perDay = pollsPerDay === 'auto' ? AUTO_PER_FEED : pollsPerDay
  const spending = createSpending(() => perDay, startedAt)
  // What a person names is a bound; a budget of our own making is what the price aims at, and no more.
  const hasPurse = () => binds && pollsPerDay !== 'auto'
  /** Since the last turn. */
  let isBroke = false
  let begun: Promise<void> | undefined

  async function load(): Promise<void> {
    const stored = await marketBook.market()
    const { purse, ...before } = stored ?? market
    market = before
    if (purse) spending.keep(purse)
    folders = await marketBook.folders()
    if (configured === 'auto') take(await marketBook.namedBudget())
    await aim(startedAt)
    if (stored && !market.reckoned) market = { ...market, reckoned: { ...(await feedsNow()), holds: 0 } }
    await reckon(startedAt) // and kept from the first turn on: whoever begins writes nothing
  }

  /** Whether it is another than before. */
  function take(named: number | undefined): boolean {
    const before = pollsPerDay
    pollsPerDay = named ?? configured
    if (pollsPerDay !== 'auto') perDay = pollsPerDay
    if (pollsPerDay !== before) countAt = 0
    return pollsPerDay !== before
  }

  async function feedsNow(): Promise<{ feeds: number; learnt: number }> {
    const { feeds, unpolled } = await catalogue.counts()
    return { feeds: feeds.active, learnt: feeds.active - unpolled }
  }

  /** Where the market opens, and where many feeds came, went, or were looked at for the first time, nothing is counted yet. Whether it was. */
  async function reckon(at: Instant, isAnother = false): Promise<boolean> {
    reckonAt = nextReckoning(startedAt, at)
    const now = await feedsNow()
    if (!isAnother && !isOutdated(market.reckoned, now.feeds, now.learnt)) return false
    const aimed = await aim(at)
    const asked = await feedsAsked(now.feeds)
    const typical = new Map<string, Memory>()
    const memoryOf = ({ strategy: name, succeededAt, memory }: Schedule): Memory => {
      if (succeededAt !== undefined) return memory
      const known = typical.get(name) ?? typicalMemory(strategyNamed(name), at)
      typical.set(name, known)
      return known
    }
    const expectedAt = async (price: Millis) => {
      const spent = { following: 0, others: 0 }
      for (const [i, { feed, schedule }] of asked.entries()) {
        if (i % ASKED_AT_ONCE === ASKED_AT_ONCE - 1) await letOthers()
        const strategy = strategyNamed(schedule.strategy)
        const { ranked: _, ...terms } = budget.terms(feed, price)
        const one = pollsExpected(strategy, memoryOf(schedule), schedule.succeededAt ?? at, terms)
        spent.following += one.following
        spent.others += one.others
      }
      const all = now.feeds / Math.max(1, asked.length)
      return { following: spent.following * all, others: spent.others * all }
    }
    const price = await priceReckoned(expectedAt, aimed.pollsPerDay, market.price)
    market = repriced(market, price, now, aimed)
    return true
  }

  /** Every so many of the active feeds. */
  async function feedsAsked(feeds: number): Promise<ScheduledFeed[]> {
    const every = askedEvery(feeds)
    const asked: ScheduledFeed[] = []
    let number = 0
    for await (const held of catalogue.everyFeed()) {
      if (held.feed.state !== 'active') continue
      if (number++ % every === 0 && !troubleWithStrategy(held.schedule.strategy)) asked.push(held)
    }
    return asked
  }

  async function save(at: Instant): Promise<void> {
    savedAt = at
    await marketBook.recordMarket(hasPurse() ? { ...market, purse: spending.purse() } : market)
  }

  async function count(spent: Spent, at: Instant): Promise<void> {
    const aimed = await aim(at)
    const { turnAt } = market
    market = marketAfter(market, spent, at, { ...aimed, isBroke })
    if (market.turnAt !== turnAt) isBroke = false
    if (at - savedAt < SAVED_EVERY_MS && market.turnAt === turnAt) return
    await save(at)
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

  const budget: Budget = {
    begin: () => (begun ??= load()),
    async turn(at) {
      const isTurn = at >= market.turnAt
      if (configured === 'auto' && at >= namedAt) {
        namedAt = at + NAMED_READ_EVERY_MS
        if (take(await marketBook.namedBudget()) && (await reckon(at, true))) await save(at)
      }
      if (at >= reckonAt && reckonAt < market.turnAt && (await reckon(reckonAt))) await save(at)
      if (isTurn) await count({ following: 0, others: 0 }, at)
      if (at >= reckonAt && (await reckon(at))) await save(at)
    },
    count,
    isPaid: (held, now) => hasPurse() && spending.isPaid(held, now),
    brokeUntil(now) {
      const until = spending.brokeUntil(now)
      isBroke ||= until !== undefined
      return until
    },
    pay: (now) => spending.pay(now),
    publish: () => save(startedAt),
    async want(folder, wants) {
      await marketBook.wantOfFolder(folder, wants)
      folders = await marketBook.folders()
    },
    async name(named, at) {
      await marketBook.nameBudget(named)
      if (configured === 'auto' && take(named) && (await reckon(at, true))) await save(at)
    },
    toShareOut: () => ({
      pollsPerDay: pollsLeft(market, perDay),
      leastPrice: pollsPerDay === 'auto' ? AUTO_LEAST_PRICE : 0,
    }),
    terms: (feed, price = market.price) => ({
      ...termsOf(feed, ofNearestFolder(folders, feed.folder), limits, price, activityOf?.(feed.id)),
      ranked: true,
    }),
  }
  return budget
}

/** One price for ever: what the lab compares strategies at. */
export function fixedPrice(price: Millis, limits: Limits): Budget {
  return {
    begin: async () => {},
    toShareOut: () => undefined,
    turn: async () => {},
    count: async () => {},
    isPaid: () => false,
    brokeUntil: () => undefined,
    pay: () => {},
    publish: async () => {},
    want: async () => {},
    name: async () => {},
    terms: (feed) => termsOf(feed, undefined, limits, price),
  }
}
