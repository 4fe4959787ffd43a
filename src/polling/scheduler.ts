/**
 * Who is polled now, and on what terms: the market, the bounds of a named budget and the wants of people put together. It has no
 * clock, no store and no feeds of its own; the crawl and the lab drive the same one.
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
import { askedEvery, createSurvey, curveAt, isOutdated, typicalMemory } from './demand.ts'
import type { Limits } from './due.ts'
import {
  type Aim,
  counted,
  delayExpected,
  isToSettle,
  openMarket,
  pollsLeft,
  priceAt,
  repriced,
  type Spent,
  settleMarket,
} from './market.ts'
import { putOffUntil } from './put-off.ts'
import { strategyFor, strategyNamed, troubleWithStrategy } from './registry.ts'
import { type Bounds, boundsOf, createFirstPolls, nextHourAt, scarcity, spendingAfter } from './spending.ts'
import type { Terms } from './strategy.ts'
import { ofNearestFolder, termsOf } from './terms.ts'

/** Without a budget the crawl costs publishers no more than a reader does that comes once an hour. */
export const AUTO_PER_FEED = 24
/** And no poll is made, were there budget left, that would save one entry less than so much waiting. */
export const AUTO_LEAST_PRICE: Millis = 10 * MINUTE

type FeedTerms = Pick<Feed, 'subscribers' | 'folder' | 'wants' | 'quirks'> & { id?: FeedId }

export interface SchedulerOptions {
  limits: Limits
  /** Of all buckets, ours; 1 where there is one controller. */
  share?: () => number
  /** How much a feed's readers read, where 1 is usual. */
  activityOf?: (id: FeedId | undefined) => number | undefined
}

/** Undefined: go. */
export type Wait = { until: Instant; because?: DueReason }

export interface Scheduler {
  market(): Market
  /** As it was when it was written down. While nobody ran nothing was planned, so what is counted begins now. */
  resume(market: Market, at: Instant): void
  /** As somebody else has set it; this hour's and this day's polls are our own. */
  follow(market: Market): void
  /** Polls a day, all feeds together; 'auto': so many for each active feed, and fewer where they would be of little use. */
  name(pollsPerDay: number | 'auto', at?: Instant): void
  /** How many feeds are active, for `auto`. */
  countFeeds(active: number): void
  want(folders: ReadonlyMap<string, Wants>): void
  aim(): Aim
  /** Polls a day for those who follow the price or are chosen by rank, and what a poll is worth at least. */
  toShareOut(): Aim
  /** At the price of `at`, or at another. */
  terms(feed: FeedTerms, at: Instant, price?: Millis): Terms
  /** Whether a feed that is due goes now. Polls that a person asks for are not asked about. */
  waits(held: Pick<ScheduledFeed, 'feed' | 'schedule'>, now: Instant): Wait | undefined
  /** A poll is made. */
  pay(now: Instant): void
  count(spent: Spent): void
  /** Whether it is time to set the price; a survey that is outdated goes before. */
  isToSettle(at: Instant): boolean
  settle(at: Instant): void
  isOutdated(feeds: number, learnt: number, at: Instant): boolean
  survey(at: Instant): FeedSurvey
  /** How many polls there may be in this hour and in this day; undefined without a named budget. */
  bounds(at: Instant): Bounds | undefined
  delayExpected(): Millis | undefined
}

/** Asks all feeds with goals and every so many of the others; `pause` lets others have their turn. */
export async function surveyFeeds(
  scheduler: Scheduler,
  feeds: AsyncIterable<ScheduledFeed>,
  of: { feeds: number; learnt: number },
  at: Instant,
  pause: () => Promise<void>,
): Promise<void> {
  const survey = scheduler.survey(at)
  const every = askedEvery(of.feeds)
  const some: ScheduledFeed[] = []
  let others = 0
  let asked = 0
  for await (const held of feeds) {
    if (held.feed.state !== 'active' || troubleWithStrategy(held.schedule.strategy)) continue
    if (scheduler.terms(held.feed, at).goalMs !== undefined) {
      survey.ask(held, 1)
      if (++asked % ASKED_AT_ONCE === 0) await pause()
    } else if (others++ % every === 0) some.push(held)
  }
  for (const [i, held] of some.entries()) {
    survey.ask(held, others / some.length)
    if (i % ASKED_AT_ONCE === ASKED_AT_ONCE - 1) await pause()
  }
  survey.end(of)
}

/** To ask a feed takes up to a millisecond. */
const ASKED_AT_ONCE = 10

/** Earlier versions wrote down little more than the price. */
function isWhole(market: Partial<Market>): boolean {
  return market.week !== undefined && market.stretch !== undefined
}

/** What all feeds would spend, asked of some of them. */
export interface FeedSurvey {
  /** `weight`: for how many feeds this one stands. */
  ask(held: Pick<ScheduledFeed, 'feed' | 'schedule'>, weight: number): void
  /** Sets the price by what was said. */
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
  // What goals cost comes on top of a budget of our own making: no other feed is later for them.
  const forGoals = () => (market.demand ? curveAt(market.demand.goals, market.price) : 0)
  const perDay = () => (pollsPerDay === 'auto' ? AUTO_PER_FEED * Math.max(1, feeds) + forGoals() : pollsPerDay)
  const ours = () => perDay() * share()
  const firstPolls = createFirstPolls(ours, startedAt)

  const aim = (): Aim => ({
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

  function bounds(at: Instant): Bounds | undefined {
    return pollsPerDay === 'auto' ? undefined : boundsOf(market, at, ours(), perDay())
  }

  function waits({ feed, schedule }: Pick<ScheduledFeed, 'feed' | 'schedule'>, now: Instant): Wait | undefined {
    if (schedule.polledAt === undefined)
      return pollsPerDay === 'auto' || firstPolls.grants(feed.id, now) ? undefined : { until: firstPolls.nextAt(now) }
    const bound = bounds(now)
    const dearer = bound ? scarcity(market, bound, now) : 1
    const price = priceAt(market, now, aim())
    if (dearer === undefined) return { until: nextHourAt(now), because: { by: 'budget', price } }
    const strategy = strategyFor(schedule.strategy, schedule.memory, now, market)
    if (strategy.rounds) return undefined // chosen by rank, within what there is for a round
    const until = putOffUntil(schedule, strategy, terms(feed, now, price * dearer), now)
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
        market = repriced(market, result({ ...of, at }, perDay()), at, aim())
      },
    }
  }

  return {
    market: () => market,
    resume(stored, at) {
      const { budget } = market
      if (!isWhole(stored)) market = { ...openMarket(at, stored.price), ...(budget !== undefined && { budget }) }
      else {
        const { budget: before, ...rest } = stored
        const counts = { settledAt: at, following: 0, others: 0, entries: 0, waitedMs: 0 }
        market = { ...rest, ...counts, ...(budget !== undefined && { budget }) }
        if (before !== budget) market = { ...market, since: at, debt: 0 }
      }
    },
    follow(set) {
      const { hour, day } = market
      market = isWhole(set) ? { ...set, hour, day } : { ...openMarket(startedAt, set.price), hour, day }
    },
    name(named, at = startedAt) {
      if (named === pollsPerDay) return
      const before = perDay()
      pollsPerDay = named
      // A debt is owed in days: to a budget of another size, in as many of its polls.
      const { budget: _, ...rest } = market
      const debt = (market.debt * perDay()) / before
      const now = { ...rest, since: at, debt, ...(named !== 'auto' && { budget: named }) }
      market = repriced(now, undefined, at, aim())
    },
    countFeeds(active) {
      feeds = active
    },
    want(wanted) {
      folders = wanted
    },
    aim,
    toShareOut: () => ({ ...aim(), pollsPerDay: pollsLeft(market, aim()) * share() }),
    terms,
    waits,
    pay(now) {
      market = { ...market, ...spendingAfter(market, 1, now) }
    },
    count(spent) {
      market = counted(market, spent)
    },
    isToSettle: (at) => isToSettle(market, at),
    settle(at) {
      market = settleMarket(market, at, aim())
    },
    isOutdated: (active, learnt, at) => isOutdated(market.demand, active, learnt, at),
    survey,
    bounds,
    delayExpected: () => delayExpected(market),
  }
}
