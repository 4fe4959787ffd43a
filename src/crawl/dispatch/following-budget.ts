/**
 * The market as one of several controllers has it: it says what it spends, and goes by the price that somebody else sets for all of
 * them (life/market-maker.ts). A budget that a person has named is shared out by buckets: who owns a third of them may
 * spend a third of it, so that nobody has to ask before each poll, and all together never spend more.
 */
import { type FeedId, type Instant, type Market, MINUTE, type Millis, SECOND, type Wants } from '../../model/index.ts'
import { type Limits, ofNearestFolder, openMarket, pollsLeft, termsOf } from '../../polling/index.ts'
import type { Roles } from '../../ports/index.ts'
import { AUTO_LEAST_PRICE, AUTO_PER_FEED, type Budget } from './budget.ts'
import { createSpending } from './spending.ts'

export interface FollowingBudgetOptions {
  limits: Limits
  pollsPerDay: number | 'auto'
  /** Of all buckets, ours; in [0, 1]. */
  share: () => number
  /** How much the people who follow a feed read of it, where 1 is usual; nothing, where nobody counts. */
  activityOf?: (id: FeedId | undefined) => number | undefined
}

const READ_EVERY_MS: Millis = 10 * SECOND
const COUNTED_EVERY_MS: Millis = MINUTE

export function createFollowingBudget(
  { marketBook, catalogue }: Pick<Roles, 'marketBook' | 'catalogue'>,
  { limits, pollsPerDay: configured, share, activityOf }: FollowingBudgetOptions,
  startedAt: Instant,
): Budget {
  let market: Market = openMarket(startedAt)
  let folders = new Map<string, Wants>()
  let pollsPerDay = configured
  let perDay = pollsPerDay === 'auto' ? AUTO_PER_FEED : pollsPerDay
  let readAt: Instant = Number.NEGATIVE_INFINITY
  let countAt: Instant = Number.NEGATIVE_INFINITY
  const hasPurse = () => pollsPerDay !== 'auto'
  const spending = createSpending(() => perDay * share(), startedAt)

  function take(named: number | undefined): void {
    if ((named ?? configured) !== pollsPerDay) countAt = Number.NEGATIVE_INFINITY
    pollsPerDay = named ?? configured
    if (pollsPerDay !== 'auto') perDay = pollsPerDay
  }

  async function read(at: Instant): Promise<void> {
    if (at < readAt) return
    readAt = at + READ_EVERY_MS
    market = (await marketBook.market()) ?? market
    folders = await marketBook.folders()
    if (configured === 'auto') take(await marketBook.namedBudget())
    if (hasPurse() || at < countAt) return
    countAt = at + COUNTED_EVERY_MS
    perDay = AUTO_PER_FEED * Math.max(1, (await catalogue.counts()).feeds.active)
  }

  return {
    begin: () => read(startedAt),
    turn: read,
    async count(spent) {
      if (spent.following + spent.others > 0) await marketBook.spend(spent)
    },
    isPaid: (held, now) => hasPurse() && spending.isPaid(held, now),
    brokeUntil: (now) => spending.brokeUntil(now),
    pay: (now) => spending.pay(now),
    publish: async () => {},
    async want(folder, wants) {
      await marketBook.wantOfFolder(folder, wants)
      folders = await marketBook.folders()
    },
    async name(named) {
      await marketBook.nameBudget(named)
      if (configured === 'auto') take(named)
    },
    toShareOut: () => ({
      pollsPerDay: pollsLeft(market, perDay) * share(),
      leastPrice: hasPurse() ? 0 : AUTO_LEAST_PRICE,
    }),
    terms: (feed, price = market.price) => ({
      ...termsOf(feed, ofNearestFolder(folders, feed.folder), limits, price, activityOf?.(feed.id)),
      ranked: true,
    }),
  }
}
