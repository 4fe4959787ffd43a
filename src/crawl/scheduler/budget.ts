/**
 * The scheduler as the crawl keeps it: asks the store for feeds and for what people want, counts polls, and writes down the price and
 * what it was found by. What is wanted of folders is held here, so that nobody asks the store for it at every poll.
 */
import type { Feed, FeedId, Instant, Millis, ScheduledFeed, Wants } from '../../model/index.ts'
import { MINUTE, SECOND } from '../../model/index.ts'
import type { Roles } from '../../ports/index.ts'
import { yieldToEventLoop } from '../../runtime/index.ts'
import {
  createScheduler,
  type Limits,
  type Spent,
  surveyFeeds,
  type Terms,
  termsOf,
  type Wait,
} from '../../scheduling/index.ts'
import { doOnce, type RetryTransient } from '../retried-steps.ts'

export interface BudgetOptions {
  limits: Limits
  /**
   * Polls a day, all feeds together; 'auto': what a person has named while it ran, and the store remembers, or else so many for
   * each active feed, and fewer where they would be of little use.
   */
  pollsPerDay: number | 'auto'
  /** How much a feed's readers read, where 1 is usual. */
  activityOf?: (id: FeedId | undefined) => number | undefined
}

export interface Budget {
  /** Reads what the store knows; before anything else. Asked again, it does so again only if it failed. */
  begin(): Promise<void>
  /** At the price of now. */
  terms(feed: Pick<Feed, 'subscribers' | 'folder' | 'wants'> & { id?: FeedId }): Terms
  /** Polls a day for those who follow the price or are chosen by rank, and what a poll is worth at least; undefined without a budget. */
  toShareOut(): { pollsPerDay: number; leastPrice: Millis } | undefined
  /** Sets the price, if it is time. */
  turn(at: Instant): Promise<void>
  /** So many polls were made: counted once, whatever the store says, and written when it takes it. */
  count(spent: Spent, at: Instant, retryTransient?: RetryTransient): Promise<void>
  /** Until when a feed that is due waits, and why; undefined: it goes now. */
  waits(held: ScheduledFeed, now: Instant): Wait | undefined
  /** A poll is sent. */
  pay(now: Instant): void
  /** Writes the price down, for others who go by it. */
  publish(): Promise<void>
  /** What is wanted of a folder has changed. */
  want(folder: string, wants: Wants): Promise<void>
  /** A person names another; undefined: none. */
  name(pollsPerDay: number | undefined, at: Instant): Promise<void>
}

const SAVED_EVERY_MS: Millis = MINUTE
/** Another process may have been told of another budget. */
export const NAMED_READ_EVERY_MS: Millis = 10 * SECOND

export function createBudget(
  { marketBook, catalogue }: Pick<Roles, 'marketBook' | 'catalogue'>,
  { limits, pollsPerDay: configured, activityOf }: BudgetOptions,
  startedAt: Instant,
): Budget {
  const scheduler = createScheduler({ limits, ...(activityOf && { activityOf }) }, startedAt)
  scheduler.name(configured)
  let savedAt = startedAt
  let namedAt = startedAt
  let hasBegun = false
  let isToSurvey = false
  let latestAt = startedAt

  async function begin(): Promise<void> {
    if (hasBegun) return
    if (configured === 'auto') scheduler.name((await marketBook.namedBudget()) ?? 'auto')
    const stored = await marketBook.market()
    if (stored) scheduler.resume(stored, startedAt)
    scheduler.want(await marketBook.folders())
    const { feeds, learnt } = await feedsNow()
    if (scheduler.isOutdated(feeds, learnt, startedAt))
      await surveyFeeds(scheduler, catalogue.everyFeed(), { feeds, learnt }, startedAt, yieldToEventLoop)
    hasBegun = true // what was found is written from the first turn on: beginning writes nothing
  }

  async function feedsNow(): Promise<{ feeds: number; learnt: number }> {
    const { feeds, unpolled } = await catalogue.counts()
    scheduler.countFeeds(feeds.active)
    return { feeds: feeds.active, learnt: feeds.active - unpolled }
  }

  async function survey(at: Instant): Promise<void> {
    await surveyFeeds(scheduler, catalogue.everyFeed(), await feedsNow(), at, yieldToEventLoop)
  }

  async function save(at: Instant): Promise<void> {
    await marketBook.recordMarket(scheduler.market())
    savedAt = at
  }

  /** Whether another budget was named than before. */
  async function readNamed(at: Instant): Promise<boolean> {
    if (configured !== 'auto' || at < namedAt) return false
    const before = scheduler.aim()
    scheduler.name((await marketBook.namedBudget()) ?? 'auto', at)
    namedAt = at + NAMED_READ_EVERY_MS
    const now = scheduler.aim()
    return now.pollsPerDay !== before.pollsPerDay || now.leastPrice !== before.leastPrice
  }

  async function surveyAndSave(at: Instant): Promise<void> {
    isToSurvey = true // by the next turn, if this fails
    await survey(at)
    await save(at)
    isToSurvey = false
  }

  async function turn(at: Instant): Promise<void> {
    latestAt = Math.max(latestAt, at)
    if (await readNamed(at)) isToSurvey = true
    if (isToSurvey) await surveyAndSave(at)
    if (!scheduler.isToSettle(at)) return
    const { feeds, learnt } = await feedsNow()
    if (scheduler.isOutdated(feeds, learnt, at))
      await surveyFeeds(scheduler, catalogue.everyFeed(), { feeds, learnt }, at, yieldToEventLoop)
    scheduler.settle(at)
    await save(at)
  }

  return {
    begin,
    turn,
    async count(spent, at, retryTransient = doOnce) {
      latestAt = Math.max(latestAt, at)
      scheduler.count(spent)
      if (at - savedAt >= SAVED_EVERY_MS) await retryTransient('save the market', () => save(at))
    },
    waits: (held, now) => scheduler.waits(held, now),
    pay: (now) => scheduler.pay(now),
    publish: () => save(startedAt),
    async want(folder, wants) {
      await marketBook.wantOfFolder(folder, wants)
      scheduler.want(await marketBook.folders())
      await surveyAndSave(latestAt)
    },
    async name(named, at) {
      await marketBook.nameBudget(named)
      if (configured !== 'auto') return
      scheduler.name(named ?? 'auto', at)
      await surveyAndSave(at)
    },
    toShareOut: () => scheduler.toShareOut(),
    terms: (feed) => scheduler.terms(feed, latestAt),
  }
}

/** One price for ever: what the lab compares strategies at. */
export function fixedPrice(price: Millis, limits: Limits): Budget {
  return {
    begin: async () => {},
    toShareOut: () => undefined,
    turn: async () => {},
    count: async () => {},
    waits: () => undefined,
    pay: () => {},
    publish: async () => {},
    want: async () => {},
    name: async () => {},
    terms: (feed) => termsOf(feed, undefined, limits, price),
  }
}
