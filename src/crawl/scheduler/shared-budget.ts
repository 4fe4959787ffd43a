/**
 * The poll budget of one of several controllers: it reports what it spends and follows the price that a leader sets for all of them
 * (fleet/fleet-price.ts). The limits of a fixed budget are shared by buckets: a controller that owns a third of them may spend a third,
 * so no coordination is needed before a poll, and together they never exceed the budget.
 */
import { type FeedId, type Instant, MINUTE, type Millis, SECOND } from '../../model/index.ts'
import { addSpent, NOTHING_SPENT, type Roles } from '../../ports/index.ts'
import { createScheduler, type Limits } from '../../scheduling/index.ts'
import { isStoreError } from '../error-boundary.ts'
import type { Budget } from './budget.ts'

export interface SharedBudgetOptions {
  limits: Limits
  pollsPerDay: number | 'auto'
  /** The share of all buckets that this controller owns, in [0, 1]. */
  share: () => number
  /** How much a feed's readers read, relative to the average (1); undefined if unknown. */
  activityOf?: (id: FeedId | undefined) => number | undefined
}

const READ_INTERVAL_MS: Millis = 10 * SECOND
const COUNT_INTERVAL_MS: Millis = MINUTE

export function createSharedBudget(
  { pollMarket, catalogue }: Pick<Roles, 'pollMarket' | 'catalogue'>,
  { limits, pollsPerDay: configured, share, activityOf }: SharedBudgetOptions,
  startedAt: Instant,
): Budget {
  const scheduler = createScheduler({ limits, share, ...(activityOf && { activityOf }) }, startedAt)
  scheduler.setBudget(configured)
  let readAt: Instant = Number.NEGATIVE_INFINITY
  let countAt: Instant = Number.NEGATIVE_INFINITY
  let latestAt = startedAt
  let unreported = NOTHING_SPENT

  /** Reports polls that are not reported yet. */
  async function report(): Promise<void> {
    const reported = unreported
    if (reported.following + reported.others === 0) return
    unreported = NOTHING_SPENT
    try {
      await pollMarket.recordSpent(reported)
    } catch (error) {
      unreported = addSpent(unreported, reported)
      throw error
    }
  }

  async function read(at: Instant): Promise<void> {
    latestAt = Math.max(latestAt, at)
    await report()
    if (at < readAt) return
    const market = await pollMarket.market()
    const { pollsPerDay = 'auto', folderGoals } = await pollMarket.pollSettings()
    scheduler.setFolderPreferences(folderGoals)
    if (configured === 'auto') scheduler.setBudget(pollsPerDay)
    if (market) scheduler.adoptMarket(market)
    readAt = at + READ_INTERVAL_MS
    if (at < countAt) return
    scheduler.countFeeds((await catalogue.counts()).feeds.active)
    countAt = at + COUNT_INTERVAL_MS
  }

  return {
    begin: () => read(startedAt),
    updatePrice: read,
    async countPolls(spent) {
      unreported = addSpent(unreported, spent)
      await report().catch((error: unknown) => {
        if (!isStoreError(error)) throw error // otherwise the next report includes it
      })
    },
    waitOf: (feed, now) => scheduler.checkWait(feed, now),
    countSent: (now) => scheduler.countPoll(now),
    publish: async () => {},
    async setFolderPreferences(folder, wants) {
      await pollMarket.changePollSettings({ folder, goals: wants })
      scheduler.setFolderPreferences((await pollMarket.pollSettings()).folderGoals)
    },
    async setPollsPerDay(pollsPerDay) {
      await pollMarket.changePollSettings({ pollsPerDay })
      if (configured === 'auto') scheduler.setBudget(pollsPerDay ?? 'auto')
    },
    remainingBudget: () => scheduler.remainingBudget(),
    terms: (feed) => scheduler.terms(feed, latestAt),
  }
}
