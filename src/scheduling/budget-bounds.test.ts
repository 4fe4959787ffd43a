/** The bounds of an explicit budget, and first polls. */
import { describe, expect, it } from 'vitest'
import { DAY, type FeedId, HOUR, type Instant } from '../model/index.ts'
import { addPolls, budgetBounds, createFirstPollQuota, nextHourAt, scarcityFactor } from './budget-bounds.ts'
import { openMarket } from './market.ts'

const MIDNIGHT: Instant = Date.UTC(2030, 0, 7)

describe('the bounds of an explicit budget', () => {
  const market = openMarket(MIDNIGHT - DAY)

  it('allow three times the planned hour and one and a half times the day', () => {
    expect(budgetBounds(market, MIDNIGHT, 480)).toEqual({ hour: 60, day: 720 })
    expect(budgetBounds(market, MIDNIGHT, 16)).toEqual({ hour: 2, day: 24 }) // at least some polls in any hour
  })

  it('shrink with the debt, and settle at the budget', () => {
    const inDebt = (days: number) => budgetBounds({ ...market, debt: days * 480 }, MIDNIGHT, 480).day
    expect([0, 0.2, 0.45, 1].map(inDebt)).toEqual([720, 720, 480, 240])
  })

  it('are those of the rest of the day on the day the budget is set', () => {
    const evening = openMarket(MIDNIGHT + 12 * HOUR)
    expect(budgetBounds(evening, MIDNIGHT + 13 * HOUR, 480).day).toBe(360)
    expect(budgetBounds(evening, MIDNIGHT + DAY, 480).day).toBe(720)
  })

  it('make polls more expensive the nearer they are, and allow none beyond them', () => {
    const bounds = { hour: 100, day: 1000 }
    const isExpensiveAfter = (polls: number) =>
      scarcityFactor(addPolls(market, polls, MIDNIGHT), bounds, MIDNIGHT + 1) ?? Number.POSITIVE_INFINITY
    expect(isExpensiveAfter(50)).toBe(1)
    const factorAfter = [60, 70, 80, 90, 99, 100].map(isExpensiveAfter)
    expect(factorAfter).toEqual(factorAfter.toSorted((a, b) => a - b))
    expect(isExpensiveAfter(90)).toBeGreaterThan(15)
    expect(isExpensiveAfter(100)).toBe(Number.POSITIVE_INFINITY)
  })

  it('start over with the hour and with the day', () => {
    const spending = addPolls(market, 30, MIDNIGHT + 59 * 60_000)
    expect(addPolls(spending, 1, nextHourAt(MIDNIGHT))).toMatchObject({ hour: { polls: 1 }, day: { polls: 31 } })
    expect(addPolls(spending, 1, MIDNIGHT + DAY)).toMatchObject({ hour: { polls: 1 }, day: { polls: 1 } })
    // A clock that was ahead.
    expect(addPolls(spending, 1, MIDNIGHT - HOUR)).toMatchObject({ hour: { polls: 1 }, day: { polls: 1 } })
  })
})

describe('first polls', () => {
  it('are granted at once up to a hundred, then one after the other, each with its own date', () => {
    const first = createFirstPollQuota(() => 48, MIDNIGHT)
    const ids = Array.from({ length: 300 }, (_, i) => (i + 1) as FeedId)
    const granted = ids.filter((id) => first.grants(id, MIDNIGHT))
    expect(granted).toHaveLength(100)
    expect(first.grants(granted[7]!, MIDNIGHT)).toBe(true) // it may have had to wait for its host
    const dates = ids.slice(100).map(() => first.nextAt(MIDNIGHT))
    expect(new Set(dates).size).toBe(200)
    expect(dates.at(-1)! - MIDNIGHT).toBeLessThan(2.1 * DAY)
    for (const [i, at] of dates.slice(0, 20).entries()) expect(first.grants(ids[100 + i]!, at)).toBe(true)
  })

  it('take at most 75% of the polls of a day', () => {
    const first = createFirstPollQuota(() => 4000, MIDNIGHT)
    const allIds = Array.from({ length: 5000 }, (_, i) => (i + 1) as FeedId)
    expect(allIds.filter((id) => first.grants(id, MIDNIGHT))).toHaveLength(3000)
  })
})
