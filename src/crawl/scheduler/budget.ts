/**
 * The poll budget of a single process: connects the scheduler to the store. It reads feeds and goals from the store, counts polls, and
 * saves the price with the data it was computed from. Goals of folders are cached here, so that a poll needs no query for them.
 */
import type { Feed, FeedId, Instant, Millis, PollingGoals, ScheduledFeed } from '../../model/index.ts'
import { MINUTE, SECOND } from '../../model/index.ts'
import type { Roles } from '../../ports/index.ts'
import { yieldToEventLoop } from '../../runtime/index.ts'
import {
  createScheduler,
  type Limits,
  type PollSpending,
  surveyFeeds,
  type Terms,
  termsOf,
  type Wait,
} from '../../scheduling/index.ts'
import { doOnce, type RetryTransient } from '../retried-steps.ts'

export interface BudgetOptions {
  limits: Limits
  /**
   * Polls per day of all feeds together. 'auto': the budget that a user has set at runtime and the store keeps; without one, a number
   * per active feed, fewer where polls would be of little use.
   */
  pollsPerDay: number | 'auto'
  /** How much a feed's readers read, relative to the average (1). */
  activityOf?: (id: FeedId | undefined) => number | undefined
}

export interface Budget {
  /** Loads the state from the store. Must be called first; does nothing once it has succeeded. */
  begin(): Promise<void>
  /** A feed's terms at the current price. */
  terms(feed: Pick<Feed, 'subscribers' | 'folder' | 'wants'> & { id?: FeedId }): Terms
  /** Polls per day for feeds that follow the price or are ranked, and the least price of a poll; undefined without a budget. */
  remainingBudget(): { pollsPerDay: number; minPrice: Millis } | undefined
  /** Updates the price if it is due. */
  updatePrice(at: Instant): Promise<void>
  /** Counts polls that were made: once, even if the store fails and the count is written later. */
  countPolls(spent: PollSpending, at: Instant, retryTransient?: RetryTransient): Promise<void>
  /** Until when a due feed has to wait, and why; undefined if it is polled now. */
  waitOf(feed: ScheduledFeed, now: Instant): Wait | undefined
  /** Counts a poll that is being sent. */
  countSent(now: Instant): void
  /** Saves the price for the controllers that follow it. */
  publish(): Promise<void>
  /** Replaces the goals of a folder. */
  setFolderPreferences(folder: string, wants: PollingGoals): Promise<void>
  /** Sets the budget a user chose; undefined removes it. */
  setPollsPerDay(pollsPerDay: number | undefined, at: Instant): Promise<void>
}

const SAVE_INTERVAL_MS: Millis = MINUTE
/** Another process may have set another budget. */
export const BUDGET_READ_INTERVAL_MS: Millis = 10 * SECOND

export function createBudget(
  { pollMarket, catalogue }: Pick<Roles, 'pollMarket' | 'catalogue'>,
  { limits, pollsPerDay: configured, activityOf }: BudgetOptions,
  startedAt: Instant,
): Budget {
  const scheduler = createScheduler({ limits, ...(activityOf && { activityOf }) }, startedAt)
  scheduler.setBudget(configured)
  let savedAt = startedAt
  let budgetReadAt = startedAt
  let hasBegun = false
  let needsSurvey = false
  let latestAt = startedAt

  async function begin(): Promise<void> {
    if (hasBegun) return
    const { pollsPerDay = 'auto', folderGoals } = await pollMarket.pollSettings()
    if (configured === 'auto') scheduler.setBudget(pollsPerDay)
    const stored = await pollMarket.market()
    if (stored) scheduler.resume(stored, startedAt)
    scheduler.setFolderPreferences(folderGoals)
    const { feeds, learnt } = await countFeeds()
    if (scheduler.isSurveyOutdated(feeds, learnt, startedAt))
      await surveyFeeds(scheduler, catalogue.everyFeed(), { feeds, learnt }, startedAt, yieldToEventLoop)
    hasBegun = true // begin() only reads; the first update writes the price
  }

  async function countFeeds(): Promise<{ feeds: number; learnt: number }> {
    const { feeds, unpolled } = await catalogue.counts()
    scheduler.countFeeds(feeds.active)
    return { feeds: feeds.active, learnt: feeds.active - unpolled }
  }

  async function survey(at: Instant): Promise<void> {
    await surveyFeeds(scheduler, catalogue.everyFeed(), await countFeeds(), at, yieldToEventLoop)
  }

  async function save(at: Instant): Promise<void> {
    await pollMarket.recordMarket(scheduler.market())
    savedAt = at
  }

  /** Reads the budget a user has set. Returns whether it changed. */
  async function readBudget(at: Instant): Promise<boolean> {
    if (configured !== 'auto' || at < budgetReadAt) return false
    const before = scheduler.budgetTarget()
    scheduler.setBudget((await pollMarket.pollSettings()).pollsPerDay ?? 'auto', at)
    budgetReadAt = at + BUDGET_READ_INTERVAL_MS
    const now = scheduler.budgetTarget()
    return now.pollsPerDay !== before.pollsPerDay || now.minPrice !== before.minPrice
  }

  async function surveyAndSave(at: Instant): Promise<void> {
    needsSurvey = true // the next update repeats it if this fails
    await survey(at)
    await save(at)
    needsSurvey = false
  }

  async function updatePrice(at: Instant): Promise<void> {
    latestAt = Math.max(latestAt, at)
    if (await readBudget(at)) needsSurvey = true
    if (needsSurvey) await surveyAndSave(at)
    if (!scheduler.isSettlementDue(at)) return
    const { feeds, learnt } = await countFeeds()
    if (scheduler.isSurveyOutdated(feeds, learnt, at))
      await surveyFeeds(scheduler, catalogue.everyFeed(), { feeds, learnt }, at, yieldToEventLoop)
    scheduler.settle(at)
    await save(at)
  }

  return {
    begin,
    updatePrice,
    async countPolls(spent, at, retryTransient = doOnce) {
      latestAt = Math.max(latestAt, at)
      scheduler.countSpending(spent)
      if (at - savedAt >= SAVE_INTERVAL_MS) await retryTransient('save the market', () => save(at))
    },
    waitOf: (feed, now) => scheduler.checkWait(feed, now),
    countSent: (now) => scheduler.countPoll(now),
    publish: () => save(startedAt),
    async setFolderPreferences(folder, wants) {
      await pollMarket.changePollSettings({ folder, goals: wants })
      scheduler.setFolderPreferences((await pollMarket.pollSettings()).folderGoals)
      await surveyAndSave(latestAt)
    },
    async setPollsPerDay(pollsPerDay, at) {
      await pollMarket.changePollSettings({ pollsPerDay })
      if (configured !== 'auto') return
      scheduler.setBudget(pollsPerDay ?? 'auto', at)
      await surveyAndSave(at)
    },
    remainingBudget: () => scheduler.remainingBudget(),
    terms: (feed) => scheduler.terms(feed, latestAt),
  }
}

/** A budget with a fixed price, at which the lab compares strategies. */
export function fixedPrice(price: Millis, limits: Limits): Budget {
  return {
    begin: async () => {},
    remainingBudget: () => undefined,
    updatePrice: async () => {},
    countPolls: async () => {},
    waitOf: () => undefined,
    countSent: () => {},
    publish: async () => {},
    setFolderPreferences: async () => {},
    setPollsPerDay: async () => {},
    terms: (feed) => termsOf(feed, undefined, limits, price),
  }
}
