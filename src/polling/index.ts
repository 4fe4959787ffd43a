/**
 * When to look. Strategies are pure: all that one knows of a feed is the memory it returned the last time, so the lab can
 * run years of a feed in a second with the very code that runs in production.
 *
 * A new strategy is one file in strategies/ and one line in registry.ts; the crawler, the lab, `--help` and the
 * tests find it there. Its own words, beside those of the model:
 *
 * - look:       a poll as a strategy sees it: when, what the window showed, how much of it was fresh
 * - wish:       the date for which a strategy asks; `dueAt` makes a due date of it, within the limits
 * - terms:      on which a poll of a feed is had: price, limits, readers, goal
 * - price:      for how long one entry may wait before a poll is the lesser evil; one for all feeds
 * - budget:     polls a day, of all feeds together; *demand* is what feeds would spend at each price, the *plan* how the budget is
 *               spread over a week, the *debt* how many polls beyond the plan were made
 * - stretch:    how many times their own intervals feeds wait that do not follow the price
 * - wants:      what a person wants of the polls of a feed or folder: limits, and a *goal* (how soon entries should be here)
 * - recipe:     a strategy with its settings still to be chosen
 * - act, tide time: see strategies/tide.ts; its *levels* are those of a rate, and not of groups
 */
export { activityOf } from './activity.ts'
export { createHighest, type Highest, mostUrgentFirst, nextRoundAt, pollsBetween } from './choose.ts'
export {
  askedEvery,
  createSurvey,
  curveAt,
  hourOfWeek,
  isOutdated,
  pollsExpected,
  type Survey,
  typicalMemory,
  weekAhead,
} from './demand.ts'
export { dueAt, dueBecause, LIMITS, type Limits } from './due.ts'
export {
  type Aim,
  type BudgetOutlook,
  budgetOutlook,
  counted,
  delayExpected,
  isToSettle,
  MOST_FOR_GOALS,
  openMarket,
  pollsLeft,
  priceAt,
  repriced,
  type Spent,
  settleMarket,
} from './market.ts'
export { pollBytesAfter } from './poll-bytes.ts'
export { putOffUntil } from './put-off.ts'
export {
  DEFAULT_STRATEGY,
  strategies,
  strategyFor,
  strategyNamed,
  strategyStretched,
  troubleWithStrategy,
} from './registry.ts'
export { type RoundHistory, roundHistory } from './round-history.ts'
export {
  AUTO_LEAST_PRICE,
  AUTO_PER_FEED,
  createScheduler,
  type Scheduler,
  surveyFeeds,
  type Wait,
} from './scheduler.ts'
export { boundsOf, createFirstPolls, type FirstPolls, nextHourAt, scarcity, spendingAfter } from './spending.ts'
export { pollsToday } from './spending-plan.ts'
export {
  type Expectation,
  followsPrice,
  type Look,
  type Reason,
  type Strategy,
  type Terms,
  type WeekAhead,
} from './strategy.ts'
export type { Recipe, Setting } from './strategy-settings.ts'
export { foldersRound, ofNearestFolder, termsOf } from './terms.ts'
export { type Why, whyDue } from './why.ts'
