/**
 * The budget as one of several controllers has it: it says what it spends, and goes by the price that a leader sets for all of
 * them (life/market-maker.ts). The bounds of a named budget are shared out by buckets: a controller that owns a third of them may
 * spend a third, so that nobody has to ask before each poll, and all together never spend more.
 */
import { type FeedId, type Instant, MINUTE, type Millis, SECOND } from '../../model/index.ts'
import { NOTHING_SPENT, type Roles, spentTogether } from '../../ports/index.ts'
import { createScheduler, type Limits } from '../../scheduling/index.ts'
import { isOfStore } from '../error-boundary.ts'
import type { Budget } from './budget.ts'

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
  const scheduler = createScheduler({ limits, share, ...(activityOf && { activityOf }) }, startedAt)
  scheduler.name(configured)
  let readAt: Instant = Number.NEGATIVE_INFINITY
  let countAt: Instant = Number.NEGATIVE_INFINITY
  let latestAt = startedAt
  let unreported = NOTHING_SPENT

  /** Reports what was spent and is not reported yet. */
  async function report(): Promise<void> {
    const reported = unreported
    if (reported.following + reported.others === 0) return
    unreported = NOTHING_SPENT
    try {
      await marketBook.spend(reported)
    } catch (error) {
      unreported = spentTogether(unreported, reported)
      throw error
    }
  }

  async function read(at: Instant): Promise<void> {
    latestAt = Math.max(latestAt, at)
    await report()
    if (at < readAt) return
    const market = await marketBook.market()
    scheduler.want(await marketBook.folders())
    if (configured === 'auto') scheduler.name((await marketBook.namedBudget()) ?? 'auto')
    if (market) scheduler.follow(market)
    readAt = at + READ_EVERY_MS
    if (at < countAt) return
    scheduler.countFeeds((await catalogue.counts()).feeds.active)
    countAt = at + COUNTED_EVERY_MS
  }

  return {
    begin: () => read(startedAt),
    turn: read,
    async count(spent) {
      unreported = spentTogether(unreported, spent)
      await report().catch((error: unknown) => {
        if (!isOfStore(error)) throw error // else the next round reports it
      })
    },
    waits: (held, now) => scheduler.waits(held, now),
    pay: (now) => scheduler.pay(now),
    publish: async () => {},
    async want(folder, wants) {
      await marketBook.wantOfFolder(folder, wants)
      scheduler.want(await marketBook.folders())
    },
    async name(named) {
      await marketBook.nameBudget(named)
      if (configured === 'auto') scheduler.name(named ?? 'auto')
    },
    toShareOut: () => scheduler.toShareOut(),
    terms: (feed) => scheduler.terms(feed, latestAt),
  }
}
