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
  type ScheduledFeed,
  type Wants,
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
  priceAt,
  remainingPolls,
  repriceMarket,
  type Spent,
  settleMarket,
} from './market.ts'
import { ofNearestFolder, termsOf } from './poll-terms.ts'
import { strategyFor, strategyNamed, troubleWithStrategy } from './registry.ts'
import type { Terms } from './strategy.ts'

/** Without a budget, a feed costs its publisher no more than a reader that polls hourly. */
export const AUTO_PER_FEED = 24
/** Without a budget, a poll must save entries at least this much waiting. */
export const AUTO_LEAST_PRICE: Millis = 10 * MINUTE

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
  follow(market: Market): void
  /** Sets the budget in polls per day; 'auto': a fixed number per active feed, and fewer where they would be of little use. */
  name(pollsPerDay: number | 'auto', at?: Instant): void
  /** Number of active feeds, for `auto`. */
  countFeeds(active: number): void
  want(folders: ReadonlyMap<string, Wants>): void
  aim(): BudgetTarget
  /** Polls per day for feeds that follow the price or are selected by rank, and the minimum price. */
  toShareOut(): BudgetTarget
  /** At the price of `at`, or at another. */
  terms(feed: FeedTerms, at: Instant, price?: Millis): Terms
  /** Whether a due feed has to wait. Polls requested by a user are not checked. */
  waits(scheduled: Pick<ScheduledFeed, 'feed' | 'schedule'>, now: Instant): Wait | undefined
  /** Counts a poll against the bounds. */
  pay(now: Instant): void
  count(spent: Spent): void
  /** Whether the price is due to be set; an outdated survey is repeated first. */
  isToSettle(at: Instant): boolean
  settle(at: Instant): void
  isOutdated(feeds: number, learnt: number, at: Instant): boolean
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
  const every = samplingInterval(of.feeds)
  const some: ScheduledFeed[] = []
  let others = 0
  let asked = 0
  for await (const scheduled of feeds) {
    if (scheduled.feed.state !== 'active' || troubleWithStrategy(scheduled.schedule.strategy)) continue
    if (scheduler.terms(scheduled.feed, at).goalMs !== undefined) {
      survey.ask(scheduled, 1)
      if (++asked % SURVEY_BATCH === 0) await pause()
    } else if (others++ % every === 0) some.push(scheduled)
  }
  for (const [i, scheduled] of some.entries()) {
    survey.ask(scheduled, others / some.length)
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
  ask(scheduled: Pick<ScheduledFeed, 'feed' | 'schedule'>, weight: number): void
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
  let folders: ReadonlyMap<string, Wants> = new Map()
  // The automatic budget grows by what goals cost, so that they delay no other feed.
  const forGoals = () => (market.demand ? interpolateCurve(market.demand.goals, market.price) : 0)
  const perDay = () => (pollsPerDay === 'auto' ? AUTO_PER_FEED * Math.max(1, feeds) + forGoals() : pollsPerDay)
  const ours = () => perDay() * share()
  const firstPolls = createFirstPollQuota(ours, startedAt)

  const aim = (): BudgetTarget => ({
    pollsPerDay: perDay(),
    leastPrice: pollsPerDay === 'auto' ? AUTO_LEAST_PRICE : 0,
    isNamed: pollsPerDay !== 'auto',
  })

  function terms(feed: FeedTerms, at: Instant, price = priceAt(market, at, aim())): Terms {
    const known = termsOf(feed, ofNearestFolder(folders, feed.folder), limits, price, activityOf?.(feed.id))
    const { goalMs } = known
    return {
      ...known,
      ...(market.stretch > 1 && { stretch: market.stretch }),
      ...(goalMs !== undefined && market.goalStretch > 1 && { goalMs: goalMs * market.goalStretch }),
      ranked: true,
    }
  }

  function bounds(at: Instant): BudgetBounds | undefined {
    return pollsPerDay === 'auto' ? undefined : budgetBounds(market, at, ours(), perDay())
  }

  function waits({ feed, schedule }: Pick<ScheduledFeed, 'feed' | 'schedule'>, now: Instant): Wait | undefined {
    if (schedule.polledAt === undefined)
      return pollsPerDay === 'auto' || firstPolls.grants(feed.id, now) ? undefined : { until: firstPolls.nextAt(now) }
    const bound = bounds(now)
    const dearer = bound ? scarcityFactor(market, bound, now) : 1
    const price = priceAt(market, now, aim())
    if (dearer === undefined) return { until: nextHourAt(now), because: { by: 'budget', price } }
    const strategy = strategyFor(schedule.strategy, schedule.memory, now, market)
    if (strategy.rounds) return undefined // selected by rank, within the round's budget
    const until = deferUntil(schedule, strategy, terms(feed, now, price * dearer), now)
    if (until === undefined) return undefined
    return { until: dearer > 1 ? Math.min(until, nextHourAt(now)) : until, because: { by: 'budget', price } }
  }

  function survey(at: Instant): FeedSurvey {
    const { ask, result } = createSurvey()
    const typical = new Map<string, Memory>()
    const typicalOf = (name: string) => {
      const known = typical.get(name) ?? typicalMemory(strategyNamed(name), at)
      typical.set(name, known)
      return known
    }
    return {
      ask({ feed, schedule }, weight) {
        const { strategy: name, succeededAt, memory } = schedule
        const isKnown = succeededAt !== undefined
        ask({
          strategy: strategyNamed(name),
          memory: isKnown ? memory : typicalOf(name),
          lastAt: succeededAt ?? at,
          termsAt: (price) =>
            termsOf(feed, ofNearestFolder(folders, feed.folder), limits, price, activityOf?.(feed.id)),
          weight,
        })
      },
      end: (of) => {
        market = repriceMarket(market, result({ ...of, at }, perDay()), at, aim())
      },
    }
  }

  return {
    market: () => market,
    resume(stored, at) {
      const { budget } = market
      if (!isComplete(stored)) market = { ...openMarket(at, stored.price), ...(budget !== undefined && { budget }) }
      else {
        const { budget: before, ...rest } = stored
        const counts = { settledAt: at, following: 0, others: 0, entries: 0, waitedMs: 0 }
        market = { ...rest, ...counts, ...(budget !== undefined && { budget }) }
        if (before !== budget) market = { ...market, since: at, debt: 0 }
      }
    },
    follow(set) {
      const { hour, day } = market
      market = isComplete(set) ? { ...set, hour, day } : { ...openMarket(startedAt, set.price), hour, day }
    },
    name(named, at = startedAt) {
      if (named === pollsPerDay) return
      const before = perDay()
      pollsPerDay = named
      // Debt is measured in days: convert it to the new budget's polls.
      const { budget: _, ...rest } = market
      const debt = (market.debt * perDay()) / before
      const now = { ...rest, since: at, debt, ...(named !== 'auto' && { budget: named }) }
      market = repriceMarket(now, undefined, at, aim())
    },
    countFeeds(active) {
      feeds = active
    },
    want(wanted) {
      folders = wanted
    },
    aim,
    toShareOut: () => ({ ...aim(), pollsPerDay: remainingPolls(market, aim()) * share() }),
    terms,
    waits,
    pay(now) {
      market = { ...market, ...addPolls(market, 1, now) }
    },
    count(spent) {
      market = countPolls(market, spent)
    },
    isToSettle: (at) => isSettlementDue(market, at),
    settle(at) {
      market = settleMarket(market, at, aim())
    },
    isOutdated: (active, learnt, at) => isSurveyOutdated(market.demand, active, learnt, at),
    survey,
    bounds,
    delayExpected: () => delayExpected(market),
  }
}
