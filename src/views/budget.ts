/**
 * How many polls a day there may be, how they are spent, and what other budgets would be worth: by the forecast that the scheduler
 * goes by itself, corrected by what was counted, so what is promised here is what the crawl aims at.
 */
import type { BudgetShape } from '../api/index.ts'
import { DAY, HOUR, type Instant, type Market, type Millis } from '../model/index.ts'
import type { Roles } from '../ports/index.ts'
import { AUTO_LEAST_PRICE, AUTO_PER_FEED, budgetOutlook, hourOfWeek } from '../scheduling/index.ts'
import { isoDate } from './shapes/values.ts'

/** Budgets for which a promise is made, as shares of what `auto` would spend at most. */
const SHARES = [1 / 200, 1 / 100, 1 / 50, 1 / 25, 1 / 12, 1 / 6, 1 / 3, 1 / 2, 3 / 4, 1, 1.5, 2, 3, 5, 8, 16, 32]
/** Two budgets that buy about the same are one. */
const ALIKE = 1.02
const HOURS_SHOWN = 24

type Point = BudgetShape['points'][number]

/** What is in force: what the configuration names, else what a person has, else auto. */
export async function budgetInForce(
  marketBook: Pick<Roles['marketBook'], 'namedBudget'>,
  configured: number | 'auto' | undefined,
): Promise<number | 'auto'> {
  if (typeof configured === 'number') return configured
  return (await marketBook.namedBudget()) ?? 'auto'
}

type Reported = Pick<BudgetShape, 'feeds' | 'autoPerDay' | 'now' | 'auto' | 'points' | 'hours' | 'waiting' | 'kept'>

/** `pollsPerDay`: what is in force. */
export async function budgetReport(
  { marketBook, catalogue }: Pick<Roles, 'marketBook' | 'catalogue'>,
  { now, pollsPerDay }: { now: Instant; pollsPerDay: number | 'auto' },
): Promise<Reported> {
  const { active } = (await catalogue.counts()).feeds
  const market = await marketBook.market()
  const autoPerDay = AUTO_PER_FEED * active
  const rest = { feeds: active, autoPerDay }
  if (!isWhole(market)) return { ...rest, points: [] }
  const named = (polls: number) => pointOf(market, { pollsPerDay: polls, leastPrice: 0, isNamed: true })
  const auto = pointOf(market, { pollsPerDay: Math.max(1, autoPerDay), leastPrice: AUTO_LEAST_PRICE, isNamed: false })
  const asNow = pollsPerDay === 'auto' ? auto : named(pollsPerDay)
  const points: Point[] = []
  for (const share of SHARES) {
    const point = named(Math.max(1, share * autoPerDay))
    const last = points.at(-1)
    if (point && (!last || point.pollsPerDay > last.pollsPerDay * ALIKE)) points.push(point)
  }
  return {
    ...rest,
    ...(asNow && { now: asNow }),
    ...(auto && { auto }),
    points,
    hours: lastDayHours(market, now, pollsPerDay === 'auto' ? asNow?.pollsPerDay : pollsPerDay),
    waiting: await feedsPutOff(catalogue),
    ...keptPromise(market, now),
  }
}

/** No more than the budget, and fewer where feeds cannot use as many. Undefined where strategies cannot tell how long entries wait. */
function pointOf(market: Market, aim: Parameters<typeof budgetOutlook>[1]): Point | undefined {
  const { pollsPerDay, delayMs } = budgetOutlook(market, aim)
  return delayMs === undefined ? undefined : { pollsPerDay: Math.min(aim.pollsPerDay, pollsPerDay), delayMs }
}

/** The last day's hours, oldest first: what was spent, and what the plan had for them. */
function lastDayHours(
  { week }: Market,
  now: Instant,
  pollsPerDay: number | undefined,
): NonNullable<BudgetShape['hours']> {
  const last = Math.floor(now / HOUR) * HOUR
  return Array.from({ length: HOURS_SHOWN }, (_, i) => {
    const at = last - (HOURS_SHOWN - 1 - i) * HOUR
    const hour = hourOfWeek(at)
    const planned = pollsPerDay === undefined ? undefined : ((week.planned[hour] ?? 1) * pollsPerDay) / 24
    return {
      at: isoDate(at),
      polls: Math.round(week.polls[hour] ?? 0),
      ...(planned !== undefined && { planned: Math.round(planned * 10) / 10 }),
    }
  })
}

const MOST_LOOKED_AT = 2000

/** Of the feeds that are due next, how many were due before and wait for the budget. */
async function feedsPutOff(catalogue: Pick<Roles['catalogue'], 'feeds'>): Promise<number> {
  const next = await catalogue.feeds({ state: 'active', order: 'due', limit: MOST_LOOKED_AT })
  return next.filter(({ schedule }) => schedule.because?.by === 'budget').length
}

/** What was promised of late, and what came; of some dozen entries and a day at least. */
function keptPromise({ delays, week }: Market, now: Instant): Pick<BudgetShape, 'kept'> {
  const { entries, waitedMs, promisedMs } = delays
  if (entries < LEAST_ENTRIES || now - week.since < DAY) return {}
  return {
    kept: { promisedMs: mean(promisedMs, entries), cameMs: mean(waitedMs, entries), entries: Math.round(entries) },
  }
}

const LEAST_ENTRIES = 12

function mean(sum: Millis, of: number): Millis {
  return Math.round(sum / of)
}

/** Earlier versions wrote down little more than the price. */
function isWhole(market: Market | undefined): market is Market {
  return market?.week !== undefined && market.demand !== undefined
}
