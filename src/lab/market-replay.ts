/**
 * The budget as the crawl meets it: the market of production opens at a price that is reckoned, and moves it turn by turn, with
 * no look into the future. Between two turns the price stands still and feeds do not know of
 * each other, so they can be run on all cores and counted together.
 */
import { DAY } from '../model/index.ts'
import {
  isOutdated,
  marketAfter,
  nextReckoning,
  openMarket,
  pollsLeft,
  priceReckoned,
  repriced,
} from '../polling/index.ts'
import { type ReplayPlan, WEEK } from './aligned-trace.ts'
import type { FeedTally } from './tally.ts'
import type { Workers } from './workers.ts'

export interface MarketReplay {
  tallies: FeedTally[]
  /** Week by week after the warm-up; the last may be shorter. `off`: 0.03 is three in a hundred too many. */
  weeks: { polls: number; off: number }[]
  prices: { at: number; price: number }[]
}

export async function replayMarket(
  workers: Pick<Workers, 'begin'>,
  strategy: string,
  plan: ReplayPlan,
  pollsPerDay: number,
): Promise<MarketReplay> {
  const aim = { pollsPerDay, leastPrice: 0 }
  const session = await workers.begin(strategy)
  let market = openMarket(plan.startAt)
  async function reckon(at: number): Promise<void> {
    const { feeds } = session
    const { learnt } = await session.expect(at, market.price)
    if (!isOutdated(market.reckoned, feeds, learnt)) return
    const price = await priceReckoned((one) => session.expect(at, one), pollsPerDay, market.price)
    market = repriced(market, price, { feeds, learnt }, aim)
  }
  await reckon(plan.startAt)
  let learnt = 0
  const weeks: MarketReplay['weeks'] = []
  const prices: MarketReplay['prices'] = [{ at: plan.startAt, price: market.price }]
  let at = plan.startAt
  while (at < plan.endAt) {
    const weekEnd = at < plan.scoreAt ? plan.scoreAt : plan.scoreAt + (weeksSince(plan, at) + 1) * WEEK
    const reckonAt = learnt < session.feeds ? nextReckoning(plan.startAt, at) : plan.endAt
    const until = Math.min(market.turnAt, reckonAt, weekEnd, plan.endAt)
    const spent = await session.advance(until, market.price, pollsLeft(market, pollsPerDay))
    const polls = spent.following + spent.others
    market = marketAfter(market, spent, until - 1, aim)
    if (at >= plan.scoreAt) {
      const week = weeksSince(plan, at)
      weeks[week] = { polls: (weeks[week]?.polls ?? 0) + polls, off: 0 }
    }
    if (until === market.turnAt) {
      market = marketAfter(market, NOTHING_SPENT, until, aim)
      prices.push({ at: until, price: market.price })
    }
    if (until === reckonAt) {
      await reckon(until)
      learnt = (await session.expect(until, market.price)).learnt
    }
    at = until
  }
  for (const [i, week] of weeks.entries()) {
    const days = (Math.min(plan.endAt, plan.scoreAt + (i + 1) * WEEK) - plan.scoreAt - i * WEEK) / DAY
    week.off = week.polls / (pollsPerDay * days) - 1
  }
  const { tallies } = await session.end()
  return { tallies, weeks, prices }
}

const NOTHING_SPENT = { following: 0, others: 0 }

function weeksSince({ scoreAt }: ReplayPlan, at: number): number {
  return Math.floor((at - scoreAt) / WEEK)
}
