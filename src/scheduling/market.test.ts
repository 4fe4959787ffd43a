/** The market alone, over weeks, with feeds that react to the price differently from the forecast. */
import { describe, expect, it } from 'vitest'
import { DAY, type Demand, HOUR, type Instant, type Market, MINUTE } from '../model/index.ts'
import { hourOfWeek, interpolateCurve, PRICES, priceForPolls } from './demand.ts'
import {
  type BudgetTarget,
  countPolls,
  isSettlementDue,
  openMarket,
  priceAt,
  remainingPolls,
  repriceMarket,
  settleMarket,
} from './market.ts'
import { spendingPlan } from './spending-plan.ts'

const MONDAY: Instant = Date.UTC(2030, 0, 7)
const EVEN = new Array<number>(168).fill(1)
/** Weekdays from 8 to 18 h. */
const OFFICE = normal(EVEN.map((_, hour) => (hour < 120 && hour % 24 >= 8 && hour % 24 < 18 ? 1 : 0.02)))
const WEEKEND = normal(EVEN.map((_, hour) => (hour >= 120 && hour % 24 >= 8 ? 1 : 0.02)))

function normal(hours: number[]): number[] {
  const mean = hours.reduce((sum, n) => sum + n, 0) / hours.length
  return hours.map((n) => n / mean)
}

/** A thousand polls per day at a price of ten minutes, and twice as many at a quarter of it. */
function demandOf(profile = EVEN, changes: Partial<Demand> = {}): Demand {
  const following = PRICES.map((price) => 1000 * Math.sqrt((10 * MINUTE) / price))
  const none = PRICES.map(() => 0)
  const counts = { unpriced: 0, feeds: 100, learnt: 100, at: MONDAY }
  return { following, others: none, goals: none, delaysMs: none, profile, ...counts, ...changes }
}

const named = (pollsPerDay: number): BudgetTarget => ({ pollsPerDay, minPrice: 0, isExplicit: true })

/** Polls of each day, where feeds make `times` as many as forecast, by another profile, and `others` per day besides. */
function simulate(
  demand: Demand,
  target: BudgetTarget,
  { days = 21, times = 1, profile = demand.profile, others = () => 0 }: Simulation = {},
): { days: number[]; market: Market } {
  let market = repriceMarket(openMarket(MONDAY), demand, MONDAY, target)
  const polls = new Array<number>(days).fill(0)
  for (let at = MONDAY; at < MONDAY + days * DAY; at += 10 * MINUTE) {
    if (isSettlementDue(market, at)) market = settleMarket(market, at, target)
    const share = (profile[hourOfWeek(at)]! * 10 * MINUTE) / DAY
    const spent = {
      following: times * interpolateCurve(demand.following, priceAt(market, at, target)) * share,
      others: (others(market) * 10 * MINUTE) / DAY,
    }
    market = countPolls(market, spent)
    polls[Math.floor((at - MONDAY) / DAY)]! += spent.following + spent.others
  }
  return { days: polls, market }
}

interface Simulation {
  days?: number
  times?: number
  profile?: number[]
  others?: (market: Market) => number
}

const weekOf = (days: number[], week: number) => days.slice(7 * week, 7 * week + 7).reduce((a, b) => a + b) / 7

describe('the demand curve', () => {
  it('gives the price at which a number of polls is made, and the inverse', () => {
    const { following } = demandOf()
    for (const polls of [20, 100, 999, 1000, 5000, 20_000])
      expect(interpolateCurve(following, priceForPolls(following, polls)) / polls).toBeCloseTo(1, 6)
    expect(priceForPolls(following, 1e9)).toBe(PRICES[0])
    expect(priceForPolls(following, 1e-3)).toBe(PRICES.at(-1))
  })
})

describe('the market', () => {
  it.each([
    ['as forecast', {}],
    ['a third more than forecast', { times: 1.33 }],
    ['half of what was forecast', { times: 0.5 }],
    ['and a quarter of the budget at any price', { others: () => 120 }],
  ] satisfies [string, Simulation][])('keeps a budget to within 3% per week after the first week: %s', (_, options) => {
    for (const pollsPerDay of [48, 480, 4800]) {
      const { days } = simulate(demandOf(), named(pollsPerDay), options)
      for (const week of [1, 2]) {
        const deviation = weekOf(days, week) / pollsPerDay - 1
        const minPrice = 'others' in options && pollsPerDay < 240 ? -1 : -0.03 // these alone exceed a small budget
        expect(deviation, `${pollsPerDay}, week ${week + 1}`).toBeGreaterThan(minPrice)
        if (minPrice > -1) expect(deviation, `${pollsPerDay}, week ${week + 1}`).toBeLessThan(0.03)
      }
    }
  })

  it('learns unexpected busy hours, and then keeps the budget', () => {
    for (const pollsPerDay of [48, 480, 4800]) {
      const { days } = simulate(demandOf(), named(pollsPerDay), { profile: OFFICE, days: 35 })
      for (const week of [3, 4]) expect(Math.abs(weekOf(days, week) / pollsPerDay - 1)).toBeLessThan(0.05)
    }
  })

  it('spends by the hours in which feeds publish, at a nearly constant price within a day', () => {
    const { market } = simulate(demandOf(OFFICE), named(480))
    const prices = Array.from({ length: 24 }, (_, hour) => priceAt(market, MONDAY + 22 * DAY + hour * HOUR, named(480)))
    expect(Math.max(...prices) / Math.min(...prices)).toBeLessThan(1.1)
    expect(market.week.polls[10]! / market.week.polls[2]!).toBeGreaterThan(20)
  })

  it('plans no day with more than 1.4 times the mean, and gives the rest to the others', () => {
    const plan = spendingPlan(WEEKEND)
    const days = Array.from({ length: 7 }, (_, day) => plan.slice(24 * day, 24 * day + 24).reduce((a, b) => a + b) / 24)
    expect(Math.max(...days)).toBeLessThanOrEqual(1.4001)
    expect(days.reduce((a, b) => a + b)).toBeCloseTo(7, 6)
    expect(spendingPlan(EVEN)).toBe(EVEN)
  })

  it('without a budget, makes no poll cheaper than the minimum price, and binds nothing else', () => {
    const auto: BudgetTarget = { pollsPerDay: 2400, minPrice: 10 * MINUTE, isExplicit: false }
    const demand = demandOf(EVEN, { others: PRICES.map(() => 9000), unpriced: 0.5 })
    const { market } = simulate(demand, auto, { others: () => 9000 })
    expect(market.price).toBeGreaterThanOrEqual(10 * MINUTE)
    expect([market.stretch, market.goalStretch]).toEqual([1, 1])
  })

  it('stretches strategies that ignore the price to their share of an explicit budget, and no further', () => {
    const demand = demandOf(EVEN, { others: PRICES.map(() => 900), unpriced: 0.5 })
    const { market, days } = simulate(demand, named(800), { others: (now) => 900 / now.stretch })
    expect(900 / market.stretch).toBeGreaterThan(0.6 * 800)
    expect(900 / market.stretch).toBeLessThan(0.76 * 800)
    expect(weekOf(days, 2) / 800).toBeCloseTo(1, 1)
    expect(simulate(demand, named(8000), { others: () => 900 }).market.stretch).toBe(1)
  })

  it('extends all goals when they would take more than 90% of the budget', () => {
    const demand = demandOf(EVEN, { goals: PRICES.map(() => 900) })
    const goals = (pollsPerDay: number) =>
      simulate(demand, named(pollsPerDay), { others: (now) => 900 / now.goalStretch }).market.goalStretch
    expect(goals(2000)).toBe(1)
    expect(goals(500)).toBeCloseTo(2, 0)
  })

  it('leaves the budget that others do not use to feeds that follow the price', () => {
    const { market } = simulate(demandOf(), named(480), { others: () => 120 })
    expect(remainingPolls(market, named(480)) / 360).toBeCloseTo(1, 1)
  })

  it('limits the debt after a flood, and does not save up unused polls', () => {
    const demand = demandOf()
    let market = repriceMarket(openMarket(MONDAY), demand, MONDAY, named(480))
    market = settleMarket(countPolls(market, { following: 0, others: 100_000 }), MONDAY + HOUR, named(480))
    expect(market.debt).toBe(480)
    const quiet = simulate(demand, named(480), { times: 0 }).market
    expect(quiet.debt).toBeGreaterThanOrEqual(-0.25 * 480)
  })
})
