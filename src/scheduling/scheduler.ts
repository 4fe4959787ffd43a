/**
 * Decides which due feeds are polled now and on what terms, from the market, the bounds of an explicit budget and users'
 * preferences. It has no clock, store or feeds of its own; the crawl and the lab run the same scheduler.
 */
import {
  type DueReason,
  type Feed,
  type FeedId,
  type Instant,
  type Market,
  type Memory,
  MINUTE,
  type Millis,
  type PollingGoals,
  type ScheduledFeed,
} from '../model/index.ts'
import {
  addPolls,
  type BudgetBounds,
  budgetBounds,
  createFirstPollQuota,
  nextHourAt,
  scarcityFactor,
} from './budget-bounds.ts'
import { deferUntil } from './deferral.ts'
import { createSurvey, interpolateCurve, isSurveyOutdated, samplingInterval, typicalMemory } from './demand.ts'
import type { Limits } from './due-date.ts'
import {
  type BudgetTarget,
  countPolls,
  delayExpected,
  isSettlementDue,
  openMarket,
  type PollSpending,
  priceAt,
  remainingPolls,
  repriceMarket,
  settleMarket,
} from './market.ts'
import { termsOf, valueOfNearestFolder } from './poll-terms.ts'
import { strategyError, strategyFor, strategyNamed } from './registry.ts'
import type { Terms } from './strategy.ts'

/** Without a budget, a feed costs its publisher no more than a reader that polls hourly. */
export const AUTO_POLLS_PER_FEED = 24
/** Without a budget, a poll must save entries at least this much waiting. */
export const AUTO_MIN_PRICE: Millis = 10 * MINUTE

type FeedTerms = Pick<Feed, 'subscribers' | 'folder' | 'wants' | 'quirks'> & { id?: FeedId }

export interface SchedulerOptions {
  limits: Limits
  /** Our share of all buckets; 1 with a single controller. */
  share?: () => number
  /** How much a feed's readers read, relative to the average. */
  activityOf?: (id: FeedId | undefined) => number | undefined
}

/** Undefined means: poll now. */
export type Wait = { until: Instant; because?: DueReason }

export interface Scheduler {
  market(): Market
  /** Continues with a stored market. Nothing was planned while no controller ran, so counting restarts now. */
  resume(market: Market, at: Instant): void
  /** Adopts a price that another controller has set; the polls of this hour and this day remain our own. */
  adoptMarket(market: Market): void
  /** Sets the budget in polls per day; 'auto': a fixed number per active feed, and fewer where they would be of little use. */
  setBudget(pollsPerDay: number | 'auto', at?: Instant): void
  /** Number of active feeds, for `auto`. */
  countFeeds(active: number): void
  setFolderPreferences(folders: ReadonlyMap<string, PollingGoals>): void
  budgetTarget(): BudgetTarget
  /** Polls per day for feeds that follow the price or are selected by rank, and the minimum price. */
  remainingBudget(): BudgetTarget
  /** At the price of `at`, or at another. */
  terms(feed: FeedTerms, at: Instant, price?: Millis): Terms
  /** Whether a due feed has to wait. Polls requested by a user are not checked. */
  checkWait(scheduled: Pick<ScheduledFeed, 'feed' | 'schedule'>, now: Instant): Wait | undefined
  /** Counts a poll against the bounds. */
  countPoll(now: Instant): void
  countSpending(spent: PollSpending): void
  /** Whether the price is due to be set; an outdated survey is repeated first. */
  isSettlementDue(at: Instant): boolean
  settle(at: Instant): void
  isSurveyOutdated(feeds: number, learnt: number, at: Instant): boolean
  survey(at: Instant): FeedSurvey
  /** Maximum polls in this hour and this day; undefined without an explicit budget. */
  bounds(at: Instant): BudgetBounds | undefined
  delayExpected(): Millis | undefined
}

/** Surveys all feeds with goals and a sample of the others. `pause` yields to the event loop. */
export async function surveyFeeds(
  scheduler: Scheduler,
  feeds: AsyncIterable<ScheduledFeed>,
  of: { feeds: number; learnt: number },
  at: Instant,
  pause: () => Promise<void>,
): Promise<void> {
  const survey = scheduler.survey(at)
  const interval = samplingInterval(of.feeds)
  const sample: ScheduledFeed[] = []
  let withoutGoal = 0
  let surveyed = 0
  for await (const scheduled of feeds) {
    if (scheduled.feed.state !== 'active' || strategyError(scheduled.schedule.strategy)) continue
    if (scheduler.terms(scheduled.feed, at).goalMs !== undefined) {
      survey.addFeed(scheduled, 1)
      if (++surveyed % SURVEY_BATCH === 0) await pause()
    } else if (withoutGoal++ % interval === 0) sample.push(scheduled)
  }
  for (const [i, scheduled] of sample.entries()) {
    survey.addFeed(scheduled, withoutGoal / sample.length)
    if (i % SURVEY_BATCH === SURVEY_BATCH - 1) await pause()
  }
  survey.end(of)
}

/** Surveying one feed takes up to a millisecond. */
const SURVEY_BATCH = 10

/** Earlier versions stored little more than the price. */
function isComplete(market: Partial<Market>): boolean {
  return market.week !== undefined && market.stretch !== undefined
}

/** Forecasts the spending of all feeds from a sample. */
export interface FeedSurvey {
  /** `weight`: how many feeds this one represents. */
  addFeed(scheduled: Pick<ScheduledFeed, 'feed' | 'schedule'>, weight: number): void
  /** Sets the price from the collected answers. */
  end(of: { feeds: number; learnt: number }): void
}

export function createScheduler(
  { limits, share = () => 1, activityOf }: SchedulerOptions,
  startedAt: Instant,
): Scheduler {
  let market = openMarket(startedAt)
  let pollsPerDay: number | 'auto' = 'auto'
  let feeds = 1
  let folders: ReadonlyMap<string, PollingGoals> = new Map()
  // The automatic budget grows by what goals cost, so that they delay no other feed.
  const goalPolls = () => (market.demand ? interpolateCurve(market.demand.goals, market.price) : 0)
  const perDay = () => (pollsPerDay === 'auto' ? AUTO_POLLS_PER_FEED * Math.max(1, feeds) + goalPolls() : pollsPerDay)
  const ownPolls = () => perDay() * share()
  const firstPolls = createFirstPollQuota(ownPolls, startedAt)

  const currentTarget = (): BudgetTarget => ({
    pollsPerDay: perDay(),
    minPrice: pollsPerDay === 'auto' ? AUTO_MIN_PRICE : 0,
    isExplicit: pollsPerDay !== 'auto',
  })

  function terms(feed: FeedTerms, at: Instant, price = priceAt(market, at, currentTarget())): Terms {
    const baseTerms = termsOf(feed, valueOfNearestFolder(folders, feed.folder), limits, price, activityOf?.(feed.id))
    const { goalMs } = baseTerms
    return {
      ...baseTerms,
      ...(market.stretch > 1 && { stretch: market.stretch }),
      ...(goalMs !== undefined && market.goalStretch > 1 && { goalMs: goalMs * market.goalStretch }),
      ranked: true,
    }
  }

  function bounds(at: Instant): BudgetBounds | undefined {
    return pollsPerDay === 'auto' ? undefined : budgetBounds(market, at, ownPolls(), perDay())
  }

  function checkWait({ feed, schedule }: Pick<ScheduledFeed, 'feed' | 'schedule'>, now: Instant): Wait | undefined {
    if (schedule.polledAt === undefined)
      return pollsPerDay === 'auto' || firstPolls.grants(feed.id, now) ? undefined : { until: firstPolls.nextAt(now) }
    const bound = bounds(now)
    const scarcity = bound ? scarcityFactor(market, bound, now) : 1
    const price = priceAt(market, now, currentTarget())
    if (scarcity === undefined) return { until: nextHourAt(now), because: { by: 'budget', price } }
    const strategy = strategyFor(schedule.strategy, schedule.memory, now, market)
    if (strategy.rounds) return undefined // selected by rank, within the round's budget
    const until = deferUntil(schedule, strategy, terms(feed, now, price * scarcity), now)
    if (until === undefined) return undefined
    return { until: scarcity > 1 ? Math.min(until, nextHourAt(now)) : until, because: { by: 'budget', price } }
  }

  function survey(at: Instant): FeedSurvey {
    const { addFeed, result } = createSurvey()
    const typical = new Map<string, Memory>()
    const typicalOf = (name: string) => {
      const cached = typical.get(name) ?? typicalMemory(strategyNamed(name), at)
      typical.set(name, cached)
      return cached
    }
    return {
      addFeed({ feed, schedule }, weight) {
        const { strategy: name, succeededAt, memory } = schedule
        const isKnown = succeededAt !== undefined
        addFeed({
          strategy: strategyNamed(name),
          memory: isKnown ? memory : typicalOf(name),
          lastAt: succeededAt ?? at,
          termsAt: (price) =>
            termsOf(feed, valueOfNearestFolder(folders, feed.folder), limits, price, activityOf?.(feed.id)),
          weight,
        })
      },
      end: (of) => {
        market = repriceMarket(market, result({ ...of, at }, perDay()), at, currentTarget())
      },
    }
  }

  return {
    market: () => market,
    resume(stored, at) {
      const { budget } = market
      if (!isComplete(stored)) market = { ...openMarket(at, stored.price), ...(budget !== undefined && { budget }) }
      else {
        const { budget: before, ...current } = stored
        const counters = { settledAt: at, following: 0, others: 0, entries: 0, waitedMs: 0 }
        market = { ...current, ...counters, ...(budget !== undefined && { budget }) }
        if (before !== budget) market = { ...market, since: at, debt: 0 }
      }
    },
    adoptMarket(stored) {
      const { hour, day } = market
      market = isComplete(stored) ? { ...stored, hour, day } : { ...openMarket(startedAt, stored.price), hour, day }
    },
    setBudget(newBudget, at = startedAt) {
      if (newBudget === pollsPerDay) return
      const before = perDay()
      pollsPerDay = newBudget
      // Debt is measured in days: convert it to the new budget's polls.
      const { budget: _, ...rest } = market
      const debt = (market.debt * perDay()) / before
      const now = { ...rest, since: at, debt, ...(newBudget !== 'auto' && { budget: newBudget }) }
      market = repriceMarket(now, undefined, at, currentTarget())
    },
    countFeeds(active) {
      feeds = active
    },
    setFolderPreferences(preferences) {
      folders = preferences
    },
    budgetTarget: currentTarget,
    remainingBudget: () => ({ ...currentTarget(), pollsPerDay: remainingPolls(market, currentTarget()) * share() }),
    terms,
    checkWait,
    countPoll(now) {
      market = { ...market, ...addPolls(market, 1, now) }
    },
    countSpending(spent) {
      market = countPolls(market, spent)
    },
    isSettlementDue: (at) => isSettlementDue(market, at),
    settle(at) {
      market = settleMarket(market, at, currentTarget())
    },
    isSurveyOutdated: (active, learnt, at) => isSurveyOutdated(market.demand, active, learnt, at),
    survey,
    bounds,
    delayExpected: () => delayExpected(market),
  }
}
