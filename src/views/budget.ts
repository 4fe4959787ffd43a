/**
 * The poll budget, how it is spent, and the delays that other budgets would lead to. Uses the same forecast as the scheduler, corrected
 * by measurements, so the promised delays are those that the crawl aims at.
 */
import type { BudgetShape } from '../api/index.ts'
import { DAY, HOUR, type Instant, type Market, type Millis } from '../model/index.ts'
import type { Roles } from '../ports/index.ts'
import { AUTO_MIN_PRICE, AUTO_POLLS_PER_FEED, budgetOutlook, hourOfWeek } from '../scheduling/index.ts'
import { isoDate } from './shapes/values.ts'

/** Budgets to forecast, as multiples of the most that `auto` would spend. */
const BUDGET_SHARES = [1 / 200, 1 / 100, 1 / 50, 1 / 25, 1 / 12, 1 / 6, 1 / 3, 1 / 2, 3 / 4, 1, 1.5, 2, 3, 5, 8, 16, 32]
/** Budgets that lead to nearly the same number of polls are reported once. */
const MIN_RATIO = 1.02
const HOURS_SHOWN = 24

type Point = BudgetShape['points'][number]

/** The effective budget: from the configuration, else set by a user, else auto. */
export async function budgetInForce(
  pollMarket: Pick<Roles['pollMarket'], 'pollSettings'>,
  configured: number | 'auto' | undefined,
): Promise<number | 'auto'> {
  if (typeof configured === 'number') return configured
  return (await pollMarket.pollSettings()).pollsPerDay ?? 'auto'
}

type BudgetReport = Pick<
  BudgetShape,
  'feeds' | 'autoPerDay' | 'now' | 'auto' | 'points' | 'hours' | 'waiting' | 'recentDelays'
>

/** `pollsPerDay` is the effective budget. */
export async function budgetReport(
  { pollMarket, catalogue }: Pick<Roles, 'pollMarket' | 'catalogue'>,
  { now, pollsPerDay }: { now: Instant; pollsPerDay: number | 'auto' },
): Promise<BudgetReport> {
  const { active } = (await catalogue.counts()).feeds
  const market = await pollMarket.market()
  const autoPerDay = AUTO_POLLS_PER_FEED * active
  const totals = { feeds: active, autoPerDay }
  if (!isComplete(market)) return { ...totals, points: [] }
  const pointAtBudget = (polls: number) => budgetPoint(market, { pollsPerDay: polls, minPrice: 0, isExplicit: true })
  const auto = budgetPoint(market, {
    pollsPerDay: Math.max(1, autoPerDay),
    minPrice: AUTO_MIN_PRICE,
    isExplicit: false,
  })
  const current = pollsPerDay === 'auto' ? auto : pointAtBudget(pollsPerDay)
  const points: Point[] = []
  for (const share of BUDGET_SHARES) {
    const point = pointAtBudget(Math.max(1, share * autoPerDay))
    const last = points.at(-1)
    if (point && (!last || point.pollsPerDay > last.pollsPerDay * MIN_RATIO)) points.push(point)
  }
  return {
    ...totals,
    ...(current && { now: current }),
    ...(auto && { auto }),
    points,
    hours: lastDayHours(market, now, pollsPerDay === 'auto' ? current?.pollsPerDay : pollsPerDay),
    waiting: await countDeferredFeeds(catalogue),
    ...recentDelays(market, now),
  }
}

/** At most the budget, and fewer polls if feeds cannot use as many. Undefined if the strategies cannot forecast delays. */
function budgetPoint(market: Market, aim: Parameters<typeof budgetOutlook>[1]): Point | undefined {
  const { pollsPerDay, delayMs } = budgetOutlook(market, aim)
  return delayMs === undefined ? undefined : { pollsPerDay: Math.min(aim.pollsPerDay, pollsPerDay), delayMs }
}

/** Polls made and planned in each hour of the last day, oldest first. */
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

const MAX_CHECKED = 2000

/** How many of the next due feeds were due earlier and wait for the budget. */
async function countDeferredFeeds(catalogue: Pick<Roles['catalogue'], 'feeds'>): Promise<number> {
  const next = await catalogue.feeds({ state: 'active', order: 'due', limit: MAX_CHECKED })
  return next.filter(({ schedule }) => schedule.because?.by === 'budget').length
}

/** Recently expected and actual delays; empty with fewer than a dozen entries or less than a day of measurements. */
function recentDelays({ delays, week }: Market, now: Instant): Pick<BudgetShape, 'recentDelays'> {
  const { entries, waitedMs, promisedMs } = delays
  if (entries < MIN_ENTRIES || now - week.since < DAY) return {}
  return {
    recentDelays: {
      expectedMs: mean(promisedMs, entries),
      actualMs: mean(waitedMs, entries),
      entries: Math.round(entries),
    },
  }
}

const MIN_ENTRIES = 12

function mean(sum: Millis, of: number): Millis {
  return Math.round(sum / of)
}

/** Earlier versions stored little more than the price. */
function isComplete(market: Market | undefined): market is Market {
  return market?.week !== undefined && market.demand !== undefined
}
