/**
 * Decides when each feed is polled. Strategies are pure functions: everything a strategy knows about a feed is the memory it
 * returned last time, so the lab replays years of a feed in a second with the code that runs in production.
 *
 * To add a strategy, add one file in strategies/ and one line in registry.ts; the crawler, the lab, `--help` and the tests
 * find it there. Terms, beside those of the model:
 *
 * - observation:  a successful poll as a strategy sees it: when, what the window showed, how many entries were new
 * - proposal:     the date a strategy proposes; `dueAt` clamps it to the limits, which gives the due date
 * - terms:        what a poll of one feed depends on besides its history: price, limits, readers, goal
 * - price:        how much total waiting of entries a poll must save to be worth making; the same for all feeds
 * - budget:       polls per day, all feeds together. *Demand* is what feeds would spend at each price, the *plan* spreads
 *                 the budget over a week, the *debt* is the number of polls made beyond the plan
 * - stretch:      factor applied to the intervals of feeds that do not follow the price
 * - wants:        a user's preferences for a feed or folder: limits, and a *goal* (how soon entries should arrive)
 * - definition:   a strategy's name, settings and summary; `make` builds the strategy from setting values
 * - act, tide time: see strategies/tide.ts. A *level* is one of the time scales of a rate
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
