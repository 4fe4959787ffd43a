/**
 * How many polls a day there may be, and what other budgets would be worth: some feeds are asked, at ever higher prices of a poll, how
 * often they would be polled, and taken for all of them. An entry waits half an interval in the mean; less, where polls come when
 * entries do, so what is shown is rather too much than too little.
 */
import type { BudgetShape } from '../api/index.ts'
import { DAY, type Instant, MINUTE, type Millis, type ScheduledFeed, type Wants } from '../model/index.ts'
import {
  type Limits,
  ofNearestFolder,
  pollsExpected,
  strategyNamed,
  termsOf,
  troubleWithStrategy,
} from '../polling/index.ts'
import { letOthers, type Roles } from '../ports/index.ts'

/** As the crawl has it, where nobody names a budget. */
const AUTO_PER_FEED = 24
const AUTO_LEAST_PRICE: Millis = 10 * MINUTE
const MOST_ASKED = 60
const PRICES: Millis[] = Array.from({ length: 16 }, (_, i) => (MINUTE / 8) * 2 ** i)
/** A strategy needs up to a millisecond to answer: after so many, others have their turn. */
const ASKED_AT_ONCE = 20
/** Two budgets that differ by less than this are one. */
const ALIKE = 1.02

type Point = BudgetShape['points'][number]

/** What is in force: what the configuration names, else what a person has, else auto. */
export async function budgetInForce(
  marketBook: Pick<Roles['marketBook'], 'namedBudget'>,
  configured: number | 'auto' | undefined,
): Promise<number | 'auto'> {
  if (typeof configured === 'number') return configured
  return (await marketBook.namedBudget()) ?? 'auto'
}

/** Looks through the feeds once. */
export async function budgetReport(
  { marketBook, catalogue }: Pick<Roles, 'marketBook' | 'catalogue'>,
  { limits, now }: { limits: Limits; now: Instant },
): Promise<Pick<BudgetShape, 'feeds' | 'autoPerDay' | 'now' | 'auto' | 'points'>> {
  const { active } = (await catalogue.counts()).feeds
  const folders = await marketBook.folders()
  const price = (await marketBook.market())?.price
  const asked = await someFeeds(catalogue, active)
  const rest = { feeds: active, autoPerDay: AUTO_PER_FEED * active }
  if (asked.length === 0) return { ...rest, points: [] }
  const at = (one: Millis) => expectedAt(one, { asked, active, folders, limits, now })
  const points: Point[] = []
  for (const one of [...PRICES].reverse()) {
    const point = await at(one)
    const last = points.at(-1)
    if (!last || point.pollsPerDay > last.pollsPerDay * ALIKE) points.push(point)
  }
  const wished = await at(AUTO_LEAST_PRICE)
  const auto =
    wished.pollsPerDay <= rest.autoPerDay ? wished : points.findLast((one) => one.pollsPerDay <= rest.autoPerDay)
  return { ...rest, ...(price !== undefined && { now: await at(price) }), ...(auto && { auto }), points }
}

/** Every so many of those that were read at least once. */
async function someFeeds(catalogue: Roles['catalogue'], active: number): Promise<ScheduledFeed[]> {
  const every = Math.max(1, Math.ceil(active / MOST_ASKED))
  const asked: ScheduledFeed[] = []
  let number = 0
  for await (const held of catalogue.everyFeed()) {
    if (held.feed.state !== 'active' || held.schedule.succeededAt === undefined) continue
    if (number++ % every === 0 && !troubleWithStrategy(held.schedule.strategy)) asked.push(held)
  }
  return asked
}

interface Asked {
  asked: readonly ScheduledFeed[]
  active: number
  folders: Map<string, Wants>
  limits: Limits
  now: Instant
}

async function expectedAt(price: Millis, { asked, active, folders, limits, now }: Asked): Promise<Point> {
  let polls = 0
  let waited = 0
  let entries = 0
  for (const [i, { feed, schedule }] of asked.entries()) {
    if (i % ASKED_AT_ONCE === ASKED_AT_ONCE - 1) await letOthers()
    const terms = termsOf(feed, ofNearestFolder(folders, feed.folder), limits, price)
    const strategy = strategyNamed(schedule.strategy)
    const lastAt = schedule.succeededAt ?? now
    const expected = strategy.expect?.(schedule.memory, lastAt, schedule.dueAt, terms)
    const spent = expected ? undefined : pollsExpected(strategy, schedule.memory, lastAt, terms)
    const perDay = Math.max(expected?.pollsPerDay ?? (spent?.following ?? 0) + (spent?.others ?? 0), 1e-3)
    const weight = Math.max(expected?.perDay ?? 1, 1e-3)
    polls += perDay
    waited += (weight * DAY) / perDay / 2
    entries += weight
  }
  return { pollsPerDay: (polls * active) / asked.length, delayMs: waited / entries }
}
