import { describe, expect, it } from 'vitest'
import { DAY, HOUR, MINUTE, type Millis } from '../model/index.ts'
import {
  askedEvery,
  isOutdated,
  LIMITS,
  marketAfter,
  nextReckoning,
  openMarket,
  pollsExpected,
  priceReckoned,
  repriced,
  strategies,
  strategyNamed,
  typicalMemory,
} from './index.ts'

const NOW = Date.UTC(2026, 0, 5)
const priced = Object.keys(strategies)
  .map((name) => (name === 'posting-history' ? `${name}:training=0` : name))
  .filter((name) => strategyNamed(name).priced)

/** So many feeds that nobody has looked at. */
const unknown = (name: string, feeds: number) => async (price: Millis) => {
  const strategy = strategyNamed(name)
  const terms = { price, limits: LIMITS, subscribers: 1 }
  const { following, others } = pollsExpected(strategy, typicalMemory(strategy, NOW), NOW, terms)
  return { following: following * feeds, others: others * feeds }
}

describe('the price that is reckoned', () => {
  it.each(priced)('is where the polls that %s would make add up to the budget', async (name) => {
    for (const pollsPerDay of [50, 400, 3000]) {
      const expectedAt = unknown(name, 100)
      const { following } = await expectedAt(await priceReckoned(expectedAt, pollsPerDay, 30 * MINUTE))
      expect(following / pollsPerDay).toBeGreaterThan(0.8)
      expect(following / pollsPerDay).toBeLessThan(1.2)
    }
  })

  it('leaves out what is polled at any price', async () => {
    const all = async (price: Millis) => ({ ...(await unknown('sqrt-rate', 100)(price)), others: 300 })
    const price = await priceReckoned(all, 400, HOUR)
    expect((await all(price)).following).toBeCloseTo(100, -1)
  })

  it.each(['fixed', 'moving-average', 'posting-history'])('stands where nobody follows it: %s', async (name) => {
    expect(await priceReckoned(unknown(name, 100), 400, HOUR)).toBe(HOUR)
  })

  it('is reckoned again when there are many more feeds, or fewer, or more that are known', () => {
    const reckoned = { feeds: 100, learnt: 40, holds: 0 }
    expect(isOutdated(undefined, 0, 0)).toBe(false)
    expect(isOutdated(undefined, 1, 0)).toBe(true)
    expect(isOutdated(reckoned, 110, 45)).toBe(false)
    expect(isOutdated(reckoned, 130, 40)).toBe(true)
    expect(isOutdated(reckoned, 70, 40)).toBe(true)
    expect(isOutdated(reckoned, 100, 60)).toBe(true)
    expect(nextReckoning(NOW, NOW)).toBe(NOW + HOUR)
    expect(nextReckoning(NOW, NOW + 90 * MINUTE)).toBe(NOW + 2 * HOUR)
  })

  it('asks some hundred feeds, however many there are', () => {
    for (const feeds of [1, 200, 201, 5000, 250_000]) {
      const asked = Math.ceil(feeds / askedEvery(feeds))
      expect(asked).toBeLessThanOrEqual(200)
      expect(asked).toBeGreaterThanOrEqual(Math.min(feeds, 100))
    }
  })

  it('stands until every feed has been polled at it, and a day has been counted', () => {
    const aim = { pollsPerDay: 50, leastPrice: 0 }
    let market = repriced(openMarket(NOW), 7 * HOUR, { feeds: 100, learnt: 100 }, aim)
    const moved: number[] = []
    for (let at = NOW; at < NOW + 4 * DAY; at += HOUR) {
      market = marketAfter(market, { following: 100, others: 0 }, at, aim)
      if (market.price !== 7 * HOUR) moved.push((at - NOW) / DAY)
    }
    expect(moved[0]).toBe(3)
    expect(repriced(openMarket(NOW), 1, { feeds: 1, learnt: 0 }, { ...aim, leastPrice: HOUR }).price).toBe(HOUR)
  })
})
