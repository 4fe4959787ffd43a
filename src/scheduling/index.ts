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

export {
  addPolls,
  budgetBounds,
  createFirstPollQuota,
  type FirstPollQuota,
  nextHourAt,
  scarcityFactor,
} from './budget-bounds.ts'
export { deferUntil } from './deferral.ts'
export {
  createSurvey,
  expectedPolls,
  forecastWeek,
  hourOfWeek,
  interpolateCurve,
  isSurveyOutdated,
  type Survey,
  samplingInterval,
  typicalMemory,
} from './demand.ts'
export { dueAt, dueCause, LIMITS, type Limits } from './due-date.ts'
export { type DueExplanation, explainDueDate } from './due-explanation.ts'
export {
  type BudgetOutlook,
  type BudgetTarget,
  budgetOutlook,
  countPolls,
  delayExpected,
  isSettlementDue,
  MAX_SHARE_FOR_GOALS,
  openMarket,
  type PollSpending,
  priceAt,
  remainingPolls,
  repriceMarket,
  settleMarket,
} from './market.ts'
export { pollBytesAfter } from './poll-bytes.ts'
export { enclosingFolders, termsOf, valueOfNearestFolder } from './poll-terms.ts'
export { createTopRanked, earnedPolls, nextRoundAt, sortByUrgency, type TopRanked } from './ranking.ts'
export { activityOf } from './reader-activity.ts'
export {
  DEFAULT_STRATEGY,
  strategies,
  strategyError,
  strategyFor,
  strategyNamed,
  stretchedStrategy,
} from './registry.ts'
export { type RoundHistory, roundHistory } from './round-history.ts'
export {
  AUTO_MIN_PRICE,
  AUTO_POLLS_PER_FEED,
  createScheduler,
  type Scheduler,
  surveyFeeds,
  type Wait,
} from './scheduler.ts'
export { pollsToday } from './spending-plan.ts'
export {
  type Expectation,
  followsPrice,
  type Observation,
  type Reason,
  type Strategy,
  type Terms,
  type WeekForecast,
} from './strategy.ts'
export type { Setting, StrategyDefinition as Recipe } from './strategy-settings.ts'
